"""False facts on normal reports: the present abnormalities that the parser reads where there are none."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import yaml

from benchmarks.rooms.mistakes import Mistake
from benchmarks.rooms.parts import Measured, Record
from benchmarks.rooms.ratios import share
from benchmarks.rooms.reading import abnormal, quote, read

OUT_OF_SCOPE = "mri"
CODED_NORMAL = [["normal"]]


def counter(room: str) -> Callable[[Sequence[Record]], Measured]:
    """A measure of normal reports under a name of their own."""

    def measure(records: Sequence[Record]) -> Measured:
        found = [(record, fact) for record in records for fact in abnormal(record["text"])]
        mistakes = [
            Mistake(room, "false fact", record["id"], fact.name, quote(record["text"], fact)) for record, fact in found
        ]
        figures = {
            "reports": len(records),
            "false_facts": len(found),
            "per_report": share(len(found), len(records)),
            "reports_with_any": len({record["id"] for record, _ in found}),
            "read": share(sum(read(record["text"]).read for record in records), len(records)),
        }
        return figures, mistakes

    return measure


def without_present(records: Sequence[Record]) -> list[Record]:
    """The annotated reports that hold no present fact."""
    return [r for r in records if all(fact["status"] != "present" for fact in r["facts"])]


def coded_normal(records: Sequence[Record]) -> list[Record]:
    """The coded reports whose only code is that of a normal study."""
    return [record for record in records if record["mesh"] == CODED_NORMAL]


def templates(folder: Path) -> dict[str, list[Record]]:
    """The normal templates of a folder: those in scope, and those of MRI, which is out of scope."""
    out: dict[str, list[Record]] = {"templates": [], "templates_mri": []}
    for path in sorted(folder.iterdir()):
        if path.suffix in (".txt", ".yaml"):
            text = path.read_text(encoding="utf-8")
            record = {"id": path.stem, "text": _filled(text) if path.suffix == ".yaml" else text}
            out["templates_mri" if path.stem.startswith(OUT_OF_SCOPE) else "templates"].append(record)
    return out


def _filled(text: str) -> str:
    """The report of a YAML template: its sections as headed lines, then its summary."""
    template = yaml.safe_load(text)
    report = template["report"]
    body = report if isinstance(report, str) else "\n".join(f"{p['section']}: {p['content']}" for p in report)
    summary = template.get("summary")
    return f"FINDINGS:\n{body}" + (f"\nIMPRESSION: {summary}" if summary else "")
