"""Scores that were made elsewhere come in as columns, by id and system."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest

from cabs.errors import InputError, SettingError
from cabs.metrics.baselines.external import Column, column_metric, read_column, read_scores
from cabs.metrics.batch import Batch, batch_of_pairs
from cabs.metrics.chosen import chosen_metrics
from cabs.metrics.pair_metric import measure_all
from cabs.values import Pair

PAIRS = [
    Pair(id, "a", "b", system, extra={"judge": n})
    for n, (id, system) in enumerate([("1", "x"), ("2", "x"), ("1", "y")])
]


def lines(path: Path, *rows: dict[str, object]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def batch(pairs: list[Pair] | None = None) -> Batch:
    return batch_of_pairs(PAIRS if pairs is None else pairs)


def values(column: str, path: Path, pairs: list[Pair] | None = None) -> list[float]:
    metric = column_metric(column, read_scores(path))
    return measure_all([metric], batch(pairs))[metric.name].values.tolist()


def test_a_column_is_joined_by_id_and_system(tmp_path: Path) -> None:
    rows = [("y", "1", 0.1), ("x", "2", 0.2), ("x", "1", 0.3), ("z", "1", 0.4)]
    path = lines(tmp_path / "s.jsonl", *({"system": s, "id": i, "GREEN score": v} for s, i, v in rows))
    assert values("green=green-score:higher:clinical", path) == [0.3, 0.2, 0.1]


def test_one_system_needs_no_name(tmp_path: Path) -> None:
    path = lines(tmp_path / "s.jsonl", {"id": 1, "green": 1}, {"id": 2, "green": 2.5})
    assert values("green:higher:clinical", path, PAIRS[:2]) == [1.0, 2.5]
    with pytest.raises(InputError, match="no scores of report '1' of system 'x'"):
        values("green:higher:clinical", path)


def test_csv_and_parquet_hold_scores_too(tmp_path: Path) -> None:
    import pandas as pd

    frame = pd.DataFrame({"id": ["1", "2"], "green": [0.5, None]})
    frame.to_csv(tmp_path / "s.csv", index=False)
    frame.to_parquet(tmp_path / "s.parquet")
    for name in ("s.csv", "s.parquet"):
        first, second = values("green:higher:clinical", tmp_path / name, PAIRS[:2])
        assert (first, math.isnan(second)) == (0.5, True)


def test_undefined_scores_are_counted_not_zero(tmp_path: Path) -> None:
    path = lines(tmp_path / "s.jsonl", {"id": "1", "green": None}, {"id": "2", "green": 0.5})
    found = measure_all([column_metric("green:higher:clinical", read_scores(path))], batch(PAIRS[:2]))["green"]
    assert (found.value, found.notes) == (0.5, ("green: 1 of 2 scores are undefined",))


def test_without_a_file_the_pairs_hold_the_column() -> None:
    metric = column_metric("judge:lower:clinical")
    found = measure_all([metric], batch())["judge"]
    assert found.values.tolist() == [0, 1, 2]
    assert (metric.higher, metric.signature) == (False, "judge|column:judge|from:the pairs")


@pytest.mark.parametrize(
    ("value", "message"),
    [("n/a", "a number expected"), (True, "a number expected"), ([1], "a number expected"), (1e999, "infinite")],
)
def test_what_is_no_number_is_told_with_its_line(tmp_path: Path, value: object, message: str) -> None:
    path = lines(tmp_path / "s.jsonl", {"id": "1", "green": 0.5}, {"id": "2", "green": value})
    with pytest.raises(InputError, match=rf"s\.jsonl:2: .*{message}"):
        values("green:higher:clinical", path, PAIRS[:2])


def test_a_file_that_does_not_fit_is_told(tmp_path: Path) -> None:
    path = lines(tmp_path / "s.jsonl", {"id": "1", "green": 0.5}, {"id": "1", "green": 0.5})
    with pytest.raises(InputError, match=r"s\.jsonl:2: id '1' comes twice .*s\.jsonl:1"):
        read_scores(path)
    path = lines(tmp_path / "t.jsonl", {"id": "1", "green": 0.5})
    with pytest.raises(InputError, match=r"there is no field 'crimson' .*'green'"):
        values("crimson:higher:clinical", path, PAIRS[:1])
    with pytest.raises(InputError, match="no scores of report '2'"):
        values("green:higher:clinical", path, PAIRS[:2])


@pytest.mark.parametrize(
    ("spelled", "column"),
    [
        ("green:higher:clinical", Column("green", "green", True, "clinical")),
        ("radcliq=RadCliQ-v1:lower:clinical", Column("radcliq", "RadCliQ-v1", False, "clinical")),
        ("x=a:b=c:higher:my_family", Column("x", "a:b=c", True, "my_family")),
    ],
)
def test_a_spelling_names_direction_and_family(spelled: str, column: Column) -> None:
    assert read_column(spelled) == column


@pytest.mark.parametrize(
    "spelled", ["green", "green:up:clinical", "green:higher", "Green:higher:x", "g=:higher:x", "g:higher:X y"]
)
def test_other_spellings_are_refused_with_the_right_one(spelled: str) -> None:
    with pytest.raises(SettingError, match="NAME=COLUMN:higher"):
        read_column(spelled)


def test_a_column_may_not_take_a_metric_s_name() -> None:
    assert [m.name for m in chosen_metrics(["f1", "rouge_l"], ["green:higher:clinical"])] == ["f1", "rouge_l", "green"]
    with pytest.raises(SettingError, match=r"'rouge_l' is a metric already .*NAME=rouge_l"):
        chosen_metrics(["f1"], ["rouge_l:higher:surface"])
    with pytest.raises(SettingError, match="name it once"):
        chosen_metrics(["f1", "f1"])
