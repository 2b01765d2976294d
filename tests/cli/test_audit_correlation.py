"""`cabs audit correlation` as a user runs it, on the shipped example."""

from __future__ import annotations

import csv
import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from cabs.studies.correlation.controls import _data
from tests.studies.correlation.systems import DEMO, demo

QUICK = ("--metrics", "bleu_1,rouge_l", "--metric", "f1", "--metric", "fc_f1", "--draws", "30")
PICTURES = ("ranks", "heatmap_systems", "heatmap_with_controls", "heatmap_reports")
TABLES = ("systems.csv", "ranks.csv", "correlations.csv", "families.csv", "reports.csv")


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    """Five systems: two in one file, and three in a file each that names no system; one name is no name for HTML."""
    rows = []
    for name, pairs in demo().items():
        mine = [{"id": p.id, "reference": p.reference, "prediction": p.prediction} for p in pairs]
        if name in ("careful", "fluent"):
            rows += [{**row, "system": f"<b>{name}</b>"} for row in mine]
        else:
            (tmp_path / f"{name}.jsonl").write_text("\n".join(map(json.dumps, mine)), encoding="utf-8")
    (tmp_path / "two.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    return ["two.jsonl", "late.jsonl", "mixed.jsonl", "short.jsonl"]


def table(path: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(path.read_text(encoding="utf-8").splitlines()))


class Links(HTMLParser):
    """What a page would fetch, and the tags it has."""

    def __init__(self) -> None:
        super().__init__()
        self.fetched: list[str] = []
        self.tags: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.fetched += [value or "" for name, value in attrs if name in ("src", "href", "srcset", "data", "action")]


def test_the_whole_study(cabs, files: list[str], tmp_path: Path) -> None:
    done = cabs("audit", "correlation", *files, *QUICK, "-o", "out", seed="1")
    assert done.returncode == 0, done.stderr
    assert "5 systems, 20 reports" in done.stdout
    for label in ("(reference itself)", "(empty)", "(constant normal)", "(prevalence template)", "(another reference)"):
        assert label in done.stdout
    assert "hallucination corner" in done.stdout
    assert "|study:correlation|" in done.stdout
    out = tmp_path / "out"
    pictures = {f"{name}.{kind}" for name in PICTURES for kind in ("png", "svg")}
    assert {path.name for path in out.iterdir()} == {*pictures, *TABLES, "results.json", "index.html"}
    page = json.loads((out / "results.json").read_text())
    assert [s["control"] for s in page["systems"]] == [False] * 5 + [True] * 5
    rows = table(out / "correlations.csv")
    assert len(rows) == 3 * 6
    by_key = {(row["level"], row["a"], row["b"]): row["spearman"] for row in rows}
    for level, found in page["spearman"].items():
        for pair in found["pairs"]:
            shown = by_key[level, pair["a"], pair["b"]]
            assert (float(shown) if shown else None) == pair["value"]
    assert len(table(out / "systems.csv")) == 10 * 4
    assert len(table(out / "reports.csv")) == 10 * 20
    assert (out / "ranks.png").read_bytes().startswith(b"\x89PNG")
    again = cabs("audit", "correlation", *files[::-1], *QUICK, "-o", "again", seed="2")
    assert again.stdout == done.stdout
    for path in out.iterdir():
        assert path.read_bytes() == (tmp_path / "again" / path.name).read_bytes(), path.name


def test_the_page_needs_nothing_and_escapes_everything(cabs, files: list[str], tmp_path: Path) -> None:
    done = cabs("audit", "correlation", *files, *QUICK, "-o", "out")
    assert done.returncode == 0, done.stderr
    shown = (tmp_path / "out" / "index.html").read_text(encoding="utf-8")
    links = Links()
    links.feed(shown)
    assert links.fetched
    assert all(link.startswith("data:image/svg+xml;base64,") for link in links.fetched)
    assert "script" not in links.tags
    assert "&lt;b&gt;careful&lt;/b&gt;" in shown
    assert "<b>careful</b>" not in shown
    assert not re.search(r"url\(|@import|<link", shown)
    reference = json.loads(DEMO.read_text().splitlines()[0])["reference"]
    assert "Near in words, far in facts" in shown
    bare = cabs("audit", "correlation", *files, *QUICK, "--no-text", "-o", "bare")
    assert bare.returncode == 0, bare.stderr
    written = [path.read_text(encoding="utf-8") for path in (tmp_path / "bare").iterdir() if path.suffix != ".png"]
    sentences = {s.strip() for pairs in demo().values() for p in pairs for s in str(p.prediction).split(".") if s}
    sentences |= {s.strip() for s in reference.split(".") if s}
    sentences = {s for s in sentences if not any(s in entry["text"] for entry in _data()["normal"])}
    assert not [s for s in sentences for text in written if len(s) > 20 and s in text]


def test_json_and_no_controls(cabs, files: list[str], tmp_path: Path) -> None:
    done = cabs("audit", "correlation", *files, *QUICK, "--no-controls", "--json")
    assert done.returncode == 0, done.stderr
    page = json.loads(done.stdout)
    assert [s["name"] for s in page["systems"]] == ["<b>careful</b>", "<b>fluent</b>", "late", "mixed", "short"]
    assert "|controls:no|" in page["signature"]
    with_bounds = cabs("audit", "correlation", *files, *QUICK, "--no-controls", "--bounds")
    value = page["systems"][0]["values"]["rouge_l"]
    interval = value["interval"]
    assert f"{value['value']:.3f} [{interval['low']:.3f}, {interval['high']:.3f}]" in with_bounds.stdout


def test_scores_from_outside(cabs, files: list[str], tmp_path: Path) -> None:
    rows = [
        {
            "id": p.id,
            "system": f"<b>{name}</b>" if name in ("careful", "fluent") else name,
            "RadCliQ": len(p.prediction),
        }
        for name, pairs in demo().items()
        for p in pairs
    ]
    (tmp_path / "scores.jsonl").write_text("\n".join(map(json.dumps, rows)))
    column = ("--column", "radcliq=RadCliQ:lower:clinical", "--scores", "scores.jsonl")
    done = cabs("audit", "correlation", *files, *QUICK, *column, "--json")
    assert done.returncode == 0, done.stderr
    page = json.loads(done.stdout)
    assert [(m["name"], m["higher"]) for m in page["metrics"]][-1] == ("radcliq", False)
    assert page["systems"][-1]["values"]["radcliq"]["value"] is None


def test_mistakes_are_told_and_leave_nothing(cabs, files: list[str], tmp_path: Path) -> None:
    wrong = cabs("audit", "correlation", *files, "--metrics", "rouge_I,f1", "-o", "out")
    assert (wrong.returncode, wrong.stdout) == (2, "")
    assert "did you mean 'rouge_l'?" in wrong.stderr
    other = json.dumps({"id": "demo-01", "reference": "Other.", "prediction": "x"})
    (tmp_path / "other.jsonl").write_text(other)
    refused = cabs("audit", "correlation", *files, "other.jsonl", *QUICK, "-o", "out")
    assert (refused.returncode, refused.stdout) == (1, "")
    assert "another reference" in refused.stderr
    assert "Traceback" not in wrong.stderr + refused.stderr
    assert not (tmp_path / "out").exists()
    assert cabs("audit", "correlation").returncode == 2
