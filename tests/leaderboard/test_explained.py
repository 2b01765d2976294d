"""`cabs explain --html`: what it writes and what it refuses; `tests/web` looks at the page."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.leaderboard.conftest import GOOD, POOR, REFERENCES, lines, pairs


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    lines(tmp_path / "pairs.jsonl", [*pairs("good", GOOD), *pairs("poor", {"c1": POOR["c1"]})])
    return tmp_path


def data(page: str) -> dict[str, object]:
    start = page.index('id="case-data">') + len('id="case-data">')
    return {"-".join(map(str, path)): value for path, value in json.loads(page[start : page.index("</script>", start)])}


def test_every_pair_of_a_file(folder: Path, run) -> None:
    done = run(folder, "explain", "pairs.jsonl", "--html", "page.html")
    assert (done.returncode, done.stdout) == (0, "")
    found = data((folder / "page.html").read_text())
    assert found["index"]["ids"] == sorted(REFERENCES)
    assert found["texts-0"] == [REFERENCES[id] for id in sorted(REFERENCES)]
    assert found["cases-1-0"][1]["y"] == "the file has no such pair"
    again = run(folder, "explain", "pairs.jsonl", "--html", "again.html")
    assert again.returncode == 0
    pages = [(folder / f"{name}.html").read_text().replace(f"Cases of {name}", "") for name in ("page", "again")]
    assert pages[0] == pages[1]


def test_one_report_without_its_words(folder: Path, run) -> None:
    assert run(folder, "explain", "pairs.jsonl", "--id", "c2", "--html", "page.html", "--no-text").returncode == 0
    page = (folder / "page.html").read_text()
    assert data(page)["index"]["ids"] == ["c2"]
    assert "Old rib" not in page
    assert "Moderate right" not in page


@pytest.mark.parametrize(
    ("args", "code", "message"),
    [
        (("--html", "pairs.jsonl"), 1, "is read by this command"),
        (("--html", "page.html", "--id", "c9"), 1, "there is no report 'c9'"),
        (("--html", "page.html", "--system", "best"), 1, "there is no system 'best'"),
        (("--html", "page.html", "--id", "c1", "--system", "best"), 1, "hint: --system takes one of "),
        (("--id", "c1", "--no-text"), 2, "it goes with --html"),
        ((), 2, "no report is named"),
        (("--html", "none/page.html"), 1, "its folder does not exist"),
    ],
)
def test_what_is_refused(folder: Path, run, args: tuple[str, ...], code: int, message: str) -> None:
    before = (folder / "pairs.jsonl").read_bytes()
    done = run(folder, "explain", "pairs.jsonl", *args)
    assert (done.returncode, done.stdout) == (code, "")
    assert message in done.stderr
    assert (folder / "pairs.jsonl").read_bytes() == before
    assert not (folder / "page.html").exists()
