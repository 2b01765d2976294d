"""`make readme`: write what the examples print today, and the stored benchmark figures, into README.md."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from tests.docs.examples import Page
from tests.docs.figures import with_figures

README = Path(__file__).resolve().parents[2] / "README.md"


def main() -> int:
    """Rewrite the page; 1 where a command of it fails."""
    with tempfile.TemporaryDirectory() as folder:
        page = Page(README.read_text(encoding="utf-8"), Path(folder))
        text = page.run()
    README.write_text(with_figures(text), encoding="utf-8")
    failed = [problem for problem in page.problems if "\nexit " in problem]
    sys.stderr.writelines(f"{problem}\n" for problem in failed)
    return 1 if failed else 0


if __name__ == "__main__":
    raise SystemExit(main())
