"""Written cases and references: three shapes are read, and what is wrong is said with its place."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cabs.errors import CabsError, InputError
from cabs.studies.counterfactual.cases import read_cases
from cabs.studies.counterfactual.references import read_references

LADDER = {
    "id": "c1", "exam": "CT", "reference": "Emphysema.",
    "variants": [
        {"name": "same", "text": "Emphysema is seen.", "errors": []},
        {"name": "e1", "text": "No emphysema.", "errors": [{"type": "negate", "what": "emphysema"}]},
        {"name": "e2", "text": "Cyst.", "errors": [{"type": "swap"}, {"type": "density_or_character"}]},
    ],
}  # fmt: skip
RANKING = {
    "id": "c2", "category": "more", "ground_truth": "Emphysema.",
    "candidates": {"C1": {"text": "Emphysema."}, "C2": "None.", "C3": {"text": "None."}},
    "expected_ranking": "C1 > C2 = C3",
}  # fmt: skip
BEHAVIOUR = {"id": 3, "ref": "Emphysema.", "hyp": "No emphysema.", "narrative": "Negation flip — it is lost."}


def written(tmp_path: Path, *rows: object) -> Path:
    path = tmp_path / "cases.jsonl"
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    return path


def test_three_shapes(tmp_path: Path) -> None:
    ladder, ranking, behaviour = read_cases(written(tmp_path, LADDER, RANKING, BEHAVIOUR))
    assert [sum(m.errors for m in v.mistakes) for v in ladder.variants] == [0, 1, 3]
    assert ladder.variants[2].mistakes[1].type == "character"
    assert ranking.orders == ((0, ">", 1), (1, "=", 2))
    assert (behaviour.id, behaviour.category, behaviour.orders) == ("3", "Negation flip", ((0, ">", 1),))


def test_a_list_of_json_is_read_as_well(tmp_path: Path) -> None:
    path = tmp_path / "cases.json"
    path.write_text(json.dumps([RANKING]))
    assert [group.id for group in read_cases(path)] == ["c2"]


def test_a_paraphrase_ought_to_be_worth_as_much(tmp_path: Path) -> None:
    (group,) = read_cases(written(tmp_path, {**BEHAVIOUR, "narrative": "Correct paraphrase — same words."}))
    assert group.orders == ((0, "=", 1),)


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ({"id": "x", "reference": "a"}, "no case"),
        ({**LADDER, "variants": []}, "a list expected"),
        ({**LADDER, "variants": [{"text": "a"}]}, "'errors' is missing"),
        ({**LADDER, "variants": [{"text": "a", "errors": [{"type": "typo"}]}]}, "'typo' is no type of error"),
        ({**LADDER, "variants": [{"errors": []}]}, "text expected"),
        ({**RANKING, "expected_ranking": "C1 > C9"}, "'C9' is no candidate"),
        ({**RANKING, "expected_ranking": "C1"}, "orders nothing"),
        ({**RANKING, "expected_ranking": None}, "text expected"),
        ({"id": "x", "narrative": "n", "ref": "a"}, "prediction"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(row: dict[str, object], message: str, tmp_path: Path) -> None:
    with pytest.raises(CabsError) as raised:
        read_cases(written(tmp_path, {**BEHAVIOUR, "id": "ok"}, row))
    assert message in str(raised.value)
    assert "cases.jsonl:2" in str(raised.value)


def test_ids_are_unique(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="twice"):
        read_cases(written(tmp_path, LADDER, LADDER))


def test_references_of_several_systems_are_one(tmp_path: Path) -> None:
    rows = [{"id": "a", "system": s, "reference": "Emphysema.", "candidate": s} for s in "xy"]
    assert read_references(written(tmp_path, *rows)) == {"a": "Emphysema."}
    with pytest.raises(InputError, match=r"cases\.jsonl:2.*two different references"):
        read_references(written(tmp_path, rows[0], {**rows[1], "reference": "Cyst."}))
