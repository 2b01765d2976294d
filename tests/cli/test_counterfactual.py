"""`cabs audit counterfactual` through real processes."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

TEXT = (
    "There is a 9 mm solid nodule in the right upper lobe. Mild emphysema. Small left pleural effusion. "
    "Moderate hiatal hernia. No pneumothorax or pericardial effusion. Simple cyst in the left kidney measuring 2.5 cm. "
    "Mild splenomegaly. Gallstones."
)
CASE = {
    "id": "c", "exam": "written", "reference": TEXT,
    "variants": [
        {"name": "same", "text": TEXT, "errors": []},
        {"name": "e1", "text": TEXT.replace("right", "left", 1), "errors": [{"type": "side", "what": "nodule"}]},
    ],
}  # fmt: skip
OURS = ("--metric", "f1", "--metric", "fc_f1", "--metric", "cabs_score", "--draws", "50")


@pytest.fixture
def references(tmp_path: Path) -> Path:
    path = tmp_path / "refs.jsonl"
    rows = [{"id": f"r{n}", "text": TEXT.replace("9 mm", f"{n + 6} mm")} for n in range(3)]
    rows.append({"id": "short", "text": "Emphysema."})
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    return path


@pytest.fixture
def cases(tmp_path: Path) -> Path:
    path = tmp_path / "written.jsonl"
    path.write_text(f"{json.dumps(CASE)}\n")
    return path


def test_a_table_and_json(cabs, references: Path, cases: Path) -> None:
    done = cabs("audit", "counterfactual", references.name, "--cases", cases.name, *OURS)
    assert done.returncode == 0, done.stderr
    assert "ladders: 3 references, 36 variants" in done.stdout
    assert "1 references have no ladders: too few facts" in done.stderr
    assert "only 3 references (or clusters) contribute to some intervals" in done.stderr
    assert "*: over the errors that the metric answers for; clean: that, of the same texts without" in done.stdout
    page = json.loads(cabs("audit", "counterfactual", "--cases", cases.name, *OURS, "--json").stdout)
    (whole, category) = page["cases"]
    assert (whole["category"], category["category"]) == ("", "written")
    assert whole["metrics"]["fc_f1"]["phi"]["all"]["value"] == 1.0
    assert whole["metrics"]["f1"]["phi"]["type side"]["value"] == 0.5


def test_the_same_seed_gives_the_same_bytes(cabs, references: Path, cases: Path, tmp_path: Path) -> None:
    for folder, seed in (("a", "1"), ("b", "2")):
        arguments = (references.name, "--cases", cases.name, *OURS, "-o", folder)
        done = cabs("audit", "counterfactual", *arguments, seed=seed)
        assert done.returncode == 0, done.stderr
    names = sorted(path.name for path in (tmp_path / "a").iterdir())
    assert names == sorted(
        ["results.json", "phi.csv", "types.csv", "steps.csv", "variants.csv", "ladders.jsonl", "phi.png", "phi.svg"]
    )
    for name in names:
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes(), name
    rows = [json.loads(line) for line in (tmp_path / "a" / "ladders.jsonl").read_text().splitlines()]
    assert [len(row["errors"]) for row in rows[:6]] == [0, 1, 2, 3, 4, 5]
    assert {"id", "reference", "prediction", "text_rank", "clean", "values"} <= set(rows[0])
    table = list(csv.DictReader((tmp_path / "a" / "phi.csv").read_text().splitlines()))
    assert {row["wording"] for row in table} == {"reworded", "clean"}


def test_pairs_that_ought_to_be_equal_are_apart_from_orders(cabs, tmp_path: Path) -> None:
    texts = {"C1": TEXT, "C2": TEXT.replace("right", "left", 1), "C3": TEXT}
    rows = [
        {"id": at, "category": f"kind {at}", "reference": TEXT, "candidates": texts, "expected_ranking": order}
        for at, order in enumerate(("C1 > C2", "C1 = C3"))
    ]
    (tmp_path / "ranked.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    done = cabs("audit", "counterfactual", "--cases", "ranked.jsonl", *OURS, "-o", "out")
    assert done.returncode == 0, done.stderr
    ordered, equal = done.stdout.split("φ by category")[1].split("equal kept")
    assert "kind 0" in ordered
    assert "kind 1" not in ordered
    assert "kind 1" in equal
    assert "kind 0" not in equal
    table = list(csv.DictReader((tmp_path / "out" / "variants.csv").read_text().splitlines()))
    assert {row["errors"] for row in table} == {""}


def test_no_text_keeps_every_word_out(cabs, references: Path, tmp_path: Path) -> None:
    for more in ((), ("--no-text",)):  # into the same folder, where the texts of the first run may not stay
        assert cabs("audit", "counterfactual", references.name, *OURS, *more, "-o", "out").returncode == 0
    written = list((tmp_path / "out").iterdir())
    assert "ladders.jsonl" not in {path.name for path in written}
    for path in written:
        if path.suffix in (".csv", ".json"):
            assert "emphysema" not in path.read_text().lower()


def test_the_variants_are_pairs_that_can_be_scored(cabs, references: Path) -> None:
    assert cabs("audit", "counterfactual", references.name, *OURS, "--variants", "6", "-o", "out").returncode == 0
    assert cabs("score", "out/ladders.jsonl", "--draws", "0").returncode == 0


def test_an_input_is_not_written_over(cabs, references: Path, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    inside = references.rename(tmp_path / "out" / "ladders.jsonl")
    before = inside.read_bytes()
    done = cabs("audit", "counterfactual", "out/ladders.jsonl", *OURS, "-o", "out")
    assert done.returncode == 1
    assert "is read by this command" in done.stderr
    assert inside.read_bytes() == before


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        ([], 2, "there is nothing to rank"),
        (["refs.jsonl", "--variants", "7"], 2, "7 variants are no whole ladders"),
        (["refs.jsonl", "--metric", "f2"], 2, "there is no metric 'f2'"),
        (["--cases", "refs.jsonl"], 1, "refs.jsonl:1: this is no case"),
        (["short.jsonl"], 1, "no reference to make ladders of"),
    ],
)
def test_mistakes_are_told_without_a_traceback(
    cabs, references: Path, tmp_path: Path, arguments: list[str], code: int, message: str
) -> None:
    (tmp_path / "short.jsonl").write_text('{"id": "s", "text": "Emphysema."}\n')
    own = () if "--metric" in arguments else OURS
    done = cabs("audit", "counterfactual", *arguments, *own)
    assert done.returncode == code
    assert message in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""


def test_an_extra_ontology_reaches_the_metrics(cabs, tmp_path: Path) -> None:
    (tmp_path / "own" / "entities").mkdir(parents=True)
    record = "entities:\n- {id: zindle, label: zindle, parent: finding, kind: abnormality, organs: [lung]}\n"
    (tmp_path / "own" / "entities" / "own.yaml").write_text(record)
    variants = [{"text": "Zindle.", "errors": []}, {"text": "The lungs are clear.", "errors": [{"type": "omit"}]}]
    row = {"id": "z", "reference": "Zindle.", "variants": variants}
    (tmp_path / "z.jsonl").write_text(json.dumps(row))
    asked = ("audit", "counterfactual", "--cases", "z.jsonl", "--metric", "f1", "--draws", "0", "--json")
    for extra, phi in (((), 0.5), (("--ontology-extra", "own"), 1.0)):
        done = cabs(*asked, *extra)
        assert done.returncode == 0, done.stderr
        assert json.loads(done.stdout)["cases"][0]["metrics"]["f1"]["phi"]["all"]["value"] == phi


def test_a_case_file_of_the_name_of_the_ladders_keeps_to_itself(cabs, references: Path, tmp_path: Path) -> None:
    (tmp_path / "ladders.jsonl").write_text(json.dumps(CASE))
    done = cabs(
        "audit", "counterfactual", references.name, "--cases", "ladders.jsonl", "--metric", "f1", "--draws", "0"
    )
    assert done.returncode == 0, done.stderr
    assert "ladders: 3 references" in done.stdout
    assert "ladders.jsonl: 1 references" in done.stdout
