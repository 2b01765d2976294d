"""`cabs audit probes` and `cabs audit humans` through real processes."""

from __future__ import annotations

import csv
import json
from pathlib import Path

REFERENCES = [
    "There is a 9 mm nodule in the right upper lobe. Small left pleural effusion. Moderate emphysema. No ascites.",
    "Cholelithiasis. Simple cyst in the left kidney measuring 2.5 cm. Hepatic steatosis. No hydronephrosis.",
]


def written(path: Path, rows: list[dict[str, object]]) -> str:
    path.write_text("\n".join(map(json.dumps, rows)))
    return path.name


def test_probes(cabs, tmp_path: Path) -> None:
    name = written(tmp_path / "r.jsonl", [{"id": at, "report": text} for at, text in enumerate(REFERENCES)])
    args = ("audit", "probes", name, "--metric", "fc_f1", "--metric", "f1", "--draws", "50")
    done = cabs(*args, "-o", "out")
    assert done.returncode == 0, done.stderr
    assert "2 references with findings, 0 written paraphrases" in done.stdout
    assert "|study:probes|metrics:fc_f1,f1|" in done.stdout
    assert "in brackets: no rule of the probe is for this family" in done.stdout
    assert "only 2 references (or clusters) contribute to some intervals" in done.stderr
    assert "written to out" in done.stderr
    rows = list(csv.DictReader((tmp_path / "out" / "verdicts.csv").read_text().splitlines()))
    assert [(row["metric"], row["sides"]) for row in rows] == [("fc_f1", "pass"), ("f1", "fail")]
    again = cabs(*args, "--json", seed="1")
    assert again.stdout == (tmp_path / "out" / "results.json").read_text()
    assert (tmp_path / "out" / "texts.csv").exists()
    bare = cabs(*args, "--no-text", "-o", "out")
    assert bare.returncode == 0
    assert not (tmp_path / "out" / "texts.csv").exists()


def test_probes_that_go_wrong(cabs, tmp_path: Path) -> None:
    name = written(tmp_path / "r.jsonl", [{"id": "a", "report": REFERENCES[0]}, {"id": "a", "report": "Other."}])
    wrong = cabs("audit", "probes", name, "-o", "out")
    assert (wrong.returncode, wrong.stdout) == (1, "")
    assert "r.jsonl:2: id 'a' comes twice" in wrong.stderr
    assert "Traceback" not in wrong.stderr
    assert not (tmp_path / "out").exists()
    good = written(tmp_path / "good.jsonl", [{"id": "a", "report": REFERENCES[0]}])
    unknown = cabs("audit", "probes", good, "--metric", "fc_f2")
    assert unknown.returncode == 2
    assert "there is no metric 'fc_f2'" in unknown.stderr


def test_humans(cabs, tmp_path: Path) -> None:
    rows: list[dict[str, object]] = []
    for at, reference in enumerate(REFERENCES):
        said = reference.split(". ")
        for left_out in range(4):
            text = ". ".join(said[left_out:])
            row = {"id": f"{at}-{left_out}", "reference": reference, "prediction": text, "Dr A": left_out}
            rows.append({**row, "Dr B": left_out + at, "green": 1 - left_out / 4})
    name = written(tmp_path / "p.jsonl", rows)
    args = ("audit", "humans", name, "--rater", "Dr A:lower", "--rater", "Dr B:lower", "--metric", "fc_f1")
    args = (*args, "--column", "green:higher:clinical", "--draws", "50")
    done = cabs(*args, "-o", "out")
    assert done.returncode == 0, done.stderr
    assert "8 candidates of 2 references, 2 raters" in done.stdout
    assert "(a rater)" in done.stdout
    assert "|study:humans|" in done.stdout
    assert "only 2 references (or clusters) contribute to some intervals" in done.stderr
    assert "contribute" not in cabs(*args[:-1], "0").stderr
    page = json.loads((tmp_path / "out" / "results.json").read_text())
    assert page["metrics"]["green"]["against_raters"]["Dr A"]["tau_b"]["value"] == 1.0
    assert page["metrics"]["fc_f1"]["against_mean"]["preference"]["value"] > 0.9
    again = cabs(*args, "--json", seed="1")
    assert again.stdout == (tmp_path / "out" / "results.json").read_text()


def test_humans_that_go_wrong(cabs, tmp_path: Path) -> None:
    name = written(tmp_path / "p.jsonl", [{"id": "a", "reference": "x", "prediction": "y", "score": "good"}])
    wrong = cabs("audit", "humans", name, "--rater", "score", "-o", "out")
    assert (wrong.returncode, wrong.stdout) == (1, "")
    assert "p.jsonl:1, id 'a': field 'score' holds text: 'good'" in wrong.stderr
    assert not (tmp_path / "out").exists()
    nobody = cabs("audit", "humans", name)
    assert "no rater is named" in nobody.stderr
    cases = [{"id": 1, "reference": "x", "candidates": {"C1": "y", "C2": "z"}, "expected_ranking": "C1 > C4"}]
    ranked = cabs("audit", "humans", written(tmp_path / "c.jsonl", cases), "--metric", "f1")
    assert ranked.returncode == 1
    assert "'C4' is no candidate" in ranked.stderr
