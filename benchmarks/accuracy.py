"""How well the parser reads: its facts against annotated ones, with and without names resolved by the
ontology.

`python -m benchmarks.accuracy [--gold FOLDER]` scores every gold file with facts. Without resolving, names
are equal only to the letter (word order, plural and British spelling aside); with it, names of one entity are
equal too. Read both: an ontology that merges too much raises the second alone.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import cabs
from benchmarks import store
from benchmarks.agreement import Agreement, from_fact, from_gold

GOLD = Path(__file__).parent / "gold"
MARKS = {"mention_f1": 0.80, "entity_f1": 0.60}
"""The least that a file of CT reports must reach on present facts, names resolved."""

Record = dict[str, Any]
Modes = dict[str, Any]


def gold_files(folders: Iterable[Path]) -> Iterator[tuple[str, list[Record]]]:
    """The files of annotated facts in some folders, by name; ranked cases and other files are passed over."""
    for folder in folders:
        for path in sorted(folder.glob("*.jsonl")):
            lines = filter(str.strip, path.read_text(encoding="utf-8").split("\n"))
            records = [json.loads(line) for line in lines]
            if records and all("facts" in record and record.get("text") for record in records):
                yield path.stem, records


def measure(records: list[Record]) -> Modes:
    """Parse each report once and compare it twice: to the letter and resolved."""
    modes = {"literal": Agreement(), "resolved": Agreement(cabs.load_ontology().resolve)}
    for record in records:
        found = [from_fact(fact) for fact in cabs.parse(record["text"]).facts]
        gold = from_gold(record["facts"], record["text"])
        for agreement in modes.values():
            agreement.add(gold, found)
    figures = {name: agreement.figures() for name, agreement in modes.items()}
    return {"reports": len(records), "modality": modality(records), **figures}


def modality(records: list[Record]) -> str:
    """The modalities of a file, joined by a slash."""
    return "/".join(sorted({str(record.get("modality", "unknown")) for record in records}))


def below(figures: Modes) -> list[str]:
    """The marks that a file of CT reports misses, in words."""
    if figures["modality"] != "CT":
        return []
    present = figures["resolved"]["present"]
    return [f"{key} {present[key]:.3f} < {mark:.2f}" for key, mark in MARKS.items() if present[key] < mark]


COLUMNS = (
    ("mention", "present", "mention_f1"),
    ("entity", "present", "entity_f1"),
    ("name", "present", "name_f1"),
    ("absent mention", "absent", "mention_f1"),
    ("absent entity", "absent", "entity_f1"),
    ("organ", "slots", "organ"),
    ("side", "slots", "side"),
    ("certainty", "slots", "certainty"),
    ("location", "slots", "location"),
    ("size", "slots", "size"),
    ("attribute", "slots", "attribute"),
)


def table(files: dict[str, Modes]) -> str:
    """The figures as a Markdown table, a row per file and mode."""
    head = ["file", "reports", "names", *(title for title, _, _ in COLUMNS)]
    rows = [head, ["---"] * len(head)]
    for name, figures in files.items():
        for mode in ("resolved", "literal"):
            cells = [f"{figures[mode][group][key]:.3f}" for _, group, key in COLUMNS]
            rows.append([name, str(figures["reports"]), mode, *cells])
    return markdown(rows)


def summary(files: dict[str, Modes]) -> str:
    """The figures of present facts in short, for a page: a row per file, names resolved."""
    rows = [
        [
            "file",
            "modality",
            "reports",
            "present facts",
            "mention F1",
            "entity F1",
            "organ",
            "side",
            "size F1",
        ]
    ]
    rows.append(["---"] * len(rows[0]))
    for name, figures in files.items():
        present, slots = figures["resolved"]["present"], figures["resolved"]["slots"]
        values = (present["mention_f1"], present["entity_f1"], slots["organ"], slots["side"], slots["size"])
        cells = [f"{value:.3f}" for value in values]
        if not slots["size_gold"]:
            cells[-1] = "-"
        rows.append([name, figures["modality"], str(figures["reports"]), str(present["gold"]), *cells])
    return markdown(rows)


def markdown(rows: list[list[str]]) -> str:
    """Rows as a Markdown table; the second one separates head and body."""
    return "\n".join("| " + " | ".join(row) + " |" for row in rows)


def main(argv: list[str] | None = None) -> int:
    """Print and store the figures; 1 where a file of CT reports misses a mark."""
    parser = argparse.ArgumentParser(prog="make accuracy", description=__doc__)
    parser.add_argument("--gold", type=Path, help="a folder with further gold files")
    options = parser.parse_args(argv)
    shipped = {name: measure(records) for name, records in gold_files([GOLD])}
    extra = [options.gold] if options.gold else []
    local = {name: measure(records) for name, records in gold_files(extra) if name not in shipped}
    if options.gold and not local:
        parser.error(f"no gold file in {options.gold} that isn't among the shipped ones")
    print(table({**shipped, **local}))
    for name, files in (("accuracy", shipped), ("accuracy-local", local)):
        if files:
            print("stored:", store.save(name, {"marks": MARKS, "files": files}).relative_to(Path.cwd()))
    missed = {name: below(figures) for name, figures in {**shipped, **local}.items()}
    for name, reasons in missed.items():
        for reason in reasons:
            print(f"below the mark: {name}: {reason}")
    return 1 if any(missed.values()) else 0


if __name__ == "__main__":
    raise SystemExit(main())
