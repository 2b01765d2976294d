"""`make readme`: write what the examples print today, and the stored benchmark figures, into the pages."""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path

from cabs.checkup.core import SENTENCE, digest
from tests.docs.examples import Page
from tests.docs.figures import with_figures

ROOT = Path(__file__).resolve().parents[2]
SITE = "notebooks/docs/pages"
PAGES = (
    "README.md",
    "ontology/README.md",
    "cabs/leaderboard/README.md",
    "cabs/rewards/README.md",
    "cabs/rewards/emrl/README.md",
    "cabs/rewards/med3d/README.md",
    "cabs/training/README.md",
    "cabs/llm/README.md",
    *sorted(f"{SITE}/{page.name}" for page in (ROOT / SITE).glob("*.md")),
    "benchmarks/fuzz/README.md",
)
"""The pages whose examples are run."""


def refreshed(path: Path) -> list[str]:
    """Rewrite a page; the commands of it that fail."""
    with tempfile.TemporaryDirectory() as folder:
        page = Page(path.read_text(encoding="utf-8"), Path(folder))
        text = page.run()
    path.write_text(with_figures(text), encoding="utf-8")
    return [problem for problem in page.problems if "\nexit " in problem]


def record_sentence() -> None:
    """Write what the sentence of `cabs doctor` gives today."""
    text = json.loads(SENTENCE.read_text(encoding="utf-8"))["text"]
    page = json.dumps({"text": text, "facts": digest(text)}, indent=2) + "\n"
    SENTENCE.write_text(page, encoding="utf-8", newline="\n")


def main() -> int:
    """Rewrite the pages; 1 where a command of them fails."""
    record_sentence()
    failed = [problem for name in PAGES for problem in refreshed(ROOT / name)]
    sys.stderr.writelines(f"{problem}\n" for problem in failed)
    return 1 if failed else 0


if __name__ == "__main__":
    raise SystemExit(main())
