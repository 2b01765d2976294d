"""`cabs ontology coverage` through a real process."""

from __future__ import annotations

import csv
import json
from pathlib import Path

NOUN = "There is a zindle in the right upper lobe. No pleural effusion."
MODIFIER = "A blorptic nodule is seen in the left lung."


def test_it_lists_what_is_unknown(cabs, tmp_path: Path) -> None:
    lines = [json.dumps({"id": f"r{i}", "report": text}) for i, text in enumerate((NOUN, MODIFIER, NOUN))]
    (tmp_path / "r.jsonl").write_text("\n".join(lines))
    done = cabs("ontology", "coverage", "r.jsonl", "-o", "out.csv")
    assert done.returncode == 0, done.stderr
    assert "3 reports, 0 of them unread" in done.stdout
    assert "zindle" in done.stdout
    assert "|parser:rules" in done.stdout
    raw = (tmp_path / "out.csv").read_bytes()
    assert raw.startswith(b"\xef\xbb\xbf")
    rows = list(csv.DictReader(raw.decode("utf-8-sig").splitlines()))
    assert [(row["phrase"], row["count"]) for row in rows] == [("zindle", "2"), ("blorptic", "1")]
    page = json.loads(cabs("ontology", "coverage", "r.jsonl", "--json", "--top", "1").stdout)
    assert page["explained"]["reports"] == 3
    assert [row["phrase"] for row in page["phrases"]] == ["zindle"]
    assert "no unexplained phrase" in cabs("ontology", "coverage", "r.jsonl", "--no-text").stdout
    wrong = cabs("ontology", "coverage", "r.jsonl", "--role", "verb")
    assert (wrong.returncode, wrong.stdout) == (2, "")
    assert "one of: noun, modifier, predicate" in wrong.stderr
