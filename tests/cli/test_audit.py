"""`cabs audit` and `--reference-facts` through real processes: from reports to a score on checked facts."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

TEXTS = {
    "a": "There is a 9 mm nodule in the right upper lobe. Small left pleural effusion. No pneumothorax.",
    "b": "The liver is enlarged. Simple cyst in the left kidney measuring 2.5 cm.",
    "c": "The lungs are clear.",
}


@pytest.fixture
def reports(tmp_path: Path) -> Path:
    path = tmp_path / "reports.jsonl"
    path.write_text("\n".join(json.dumps({"id": id, "report": text}) for id, text in TEXTS.items()))
    return path


def rate(path: Path, rejected: str = "none at all") -> None:
    rows = list(csv.DictReader(path.read_text(encoding="utf-8-sig").splitlines()))
    for row in rows:
        if row["what"] != "add":
            row["rating"] = "reject" if row["entity"] == rejected else "accept"
    with path.open("w", encoding="utf-8", newline="") as handle:
        writer = csv.DictWriter(handle, rows[0].keys())
        writer.writeheader()
        writer.writerows(rows)


def test_agreement(cabs, reports: Path, tmp_path: Path) -> None:
    assert cabs("parse", reports.name, "-o", "a.jsonl").returncode == 0
    lines = [json.loads(line) for line in (tmp_path / "a.jsonl").read_text().splitlines()]
    lines[0]["facts"] = lines[0]["facts"][:1]
    (tmp_path / "b.jsonl").write_text("\n".join(json.dumps(line) for line in lines[:2]))
    done = cabs("audit", "agreement", "a.jsonl", "b.jsonl", "--reports", reports.name, "-o", "out", "--draws", "50")
    assert done.returncode == 0, done.stderr
    assert "A's facts that B has" in done.stdout
    assert "|study:agreement|" in done.stdout
    assert "1 reports that only a has are left out: c" in done.stderr
    page = json.loads((tmp_path / "out" / "results.json").read_text())
    assert page["status"]["present"]["a_in_b"]["value"] == 0.75
    rows = list(csv.DictReader((tmp_path / "out" / "disagreements.csv").read_text().splitlines()))
    assert [row["evidence_a"] for row in rows] == ["Small left pleural effusion.", "No pneumothorax."]
    again = cabs("audit", "agreement", "a.jsonl", "b.jsonl", "--json", "--draws", "50", seed="1")
    assert json.loads(again.stdout)["status"] == page["status"]
    bare = cabs("audit", "agreement", "a.jsonl", "b.jsonl", "--no-text", "-o", "bare", "--draws", "0")
    assert bare.returncode == 0
    assert "effusion." not in (tmp_path / "bare" / "disagreements.csv").read_text()
    wrong = cabs("audit", "agreement", reports.name, "b.jsonl")
    assert (wrong.returncode, wrong.stdout) == (1, "")
    assert "cabs parse makes facts of texts" in wrong.stderr


@pytest.mark.parametrize("ending", ["csv", "xlsx"])
def test_from_reports_to_a_score_on_checked_facts(cabs, reports: Path, tmp_path: Path, ending: str) -> None:
    sheet = f"sheet.{ending}"
    made = cabs("audit", "sheet", reports.name, "-o", sheet)
    assert (made.returncode, made.stdout) == (0, ""), made.stderr
    assert "5 facts of 3 reports" in made.stderr
    if ending == "xlsx":
        (tmp_path / "sheet.csv").write_bytes(b"")
        _as_csv(tmp_path / sheet, tmp_path / "sheet.csv")
    rate(tmp_path / "sheet.csv", rejected="pleural_effusion")
    read = cabs("audit", "read", "sheet.csv", "--reports", reports.name, "-o", "facts.jsonl", "--rater", "A. Reader")
    assert read.returncode == 0, read.stderr
    assert "5 facts of 3 reports rated, 0 added" in read.stdout
    assert "3 of 3 reports frozen in facts.jsonl" in read.stderr
    header = json.loads((tmp_path / "facts.jsonl").read_text().splitlines()[0])
    assert (header["raters"], header["rejected"]) == ("A. Reader", 1)
    (tmp_path / "p.jsonl").write_text("\n".join(json.dumps({"id": id, "prediction": t}) for id, t in TEXTS.items()))
    scored = cabs("score", "p.jsonl", "--reference-facts", "facts.jsonl", "--json", "--draws", "0")
    assert scored.returncode == 0, scored.stderr
    page = json.loads(scored.stdout)
    counts = page["systems"][0]["counts"]
    assert (counts["facts"], counts["hits"], counts["extra"]) == (3, 3, 1)
    assert f"|facts:{header['content_hash'][:12]}" in page["signature"]
    told = cabs("explain", reports.name, "p.jsonl", "--id", "a", "--reference-facts", "facts.jsonl")
    assert "«1 nodule»" in told.stdout
    assert "not in the reference" in told.stdout


def _as_csv(xlsx: Path, path: Path) -> None:
    import openpyxl

    page = openpyxl.load_workbook(xlsx).active
    assert page is not None
    with path.open("w", encoding="utf-8", newline="") as handle:
        csv.writer(handle).writerows([[cell or "" for cell in row] for row in page.iter_rows(values_only=True)])


def test_mistakes_leave_nothing_behind(cabs, reports: Path, tmp_path: Path) -> None:
    assert cabs("audit", "sheet", reports.name, "-o", "sheet.csv").returncode == 0
    unrated = cabs("audit", "read", "sheet.csv", "--reports", reports.name, "-o", "facts.jsonl")
    assert (unrated.returncode, unrated.stdout) == (1, "")
    assert "6 rows are unrated" in unrated.stderr
    assert not (tmp_path / "facts.jsonl").exists()
    rate(tmp_path / "sheet.csv")
    assert cabs("audit", "read", "sheet.csv", "--reports", reports.name, "-o", "facts.jsonl").returncode == 0
    facts = tmp_path / "facts.jsonl"
    facts.write_text(facts.read_text().replace('"present"', '"absent"', 1))
    (tmp_path / "p.jsonl").write_text(json.dumps({"id": "a", "prediction": "x"}))
    changed = cabs("score", "p.jsonl", "--reference-facts", "facts.jsonl")
    assert (changed.returncode, changed.stdout) == (1, "")
    assert "changed after it was frozen" in changed.stderr
    confused = cabs("score", "facts.jsonl", "p.jsonl")
    assert "give it with --reference-facts" in confused.stderr


def test_a_blinded_sheet_comes_back_with_its_key(cabs, tmp_path: Path) -> None:
    rows = [{"id": id, "system": s, "report": t} for id, t in TEXTS.items() for s in ("one", "two")]
    (tmp_path / "r.jsonl").write_text("\n".join(map(json.dumps, rows)))
    made = cabs("audit", "sheet", "r.jsonl", "-o", "s.csv", "--blind", "--seed", "5", "--sample", "4")
    assert made.returncode == 0, made.stderr
    assert "s.key.csv" in made.stderr
    rate(tmp_path / "s.csv")
    lost = cabs("audit", "read", "s.csv", "--reports", "r.jsonl")
    assert "the sheet is blinded, so it can't be read without its key" in lost.stderr
    read = cabs("audit", "read", "s.csv", "--reports", "r.jsonl", "--key", "s.key.csv", "--json")
    assert read.returncode == 0, read.stderr
    page = json.loads(read.stdout)
    assert page["reports"] == 4
    assert page["groups"]["system"].keys() <= {"one", "two"}
    assert page["overall"]["accepted"]["value"] == 1.0
