"""Items → counts, shares, chance, intervals; systems and categories apart."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cabs.errors import InputError
from cabs.metrics.intervals import Resampling
from cabs.scoring.tasks.mcq import read_items, score_items
from cabs.signature import parse_signature


def row(prediction: object, answer: str = "A", options: int = 4, **more: object) -> dict[str, object]:
    return {"question": "?", "options": [f"text {n}" for n in range(options)], "answer": answer,
            "prediction": prediction, **more}  # fmt: skip


def scored(folder: Path, *rows: dict[str, object], cluster: str | None = None, allow_missing: bool = False):
    path = folder / "q.jsonl"
    path.write_text("".join(json.dumps(r) + "\n" for r in rows))
    return score_items(read_items(path, cluster, allow_missing=allow_missing), Resampling(n=200), cluster)


def test_counts_shares_and_chance_by_category_and_system(tmp_path: Path) -> None:
    base = [row("A", category="x"), row("B", category="x"), row("A or B", options=2, category="y")]
    result = scored(tmp_path, *({**r, "system": "s"} for r in base), {**row("A"), "system": "t"})
    s, t = result.systems
    assert (s.overall.items, s.overall.answered, s.overall.correct) == (3, 2, 1)
    assert s.overall.accuracy.value == pytest.approx(1 / 3)
    assert s.overall.answer_rate.value == pytest.approx(2 / 3)
    assert s.overall.chance == pytest.approx((0.25 + 0.25 + 0.5) / 3)
    assert [(name, c.items, c.correct) for name, c in s.categories.items()] == [("x", 2, 1), ("y", 1, 0)]
    assert dict(s.why) == {"several options": 1}
    assert (t.label, t.overall.accuracy.value) == ("t", 1.0)
    assert t.overall.accuracy.interval.method == "wilson"
    assert str(parse_signature(str(result.signature))) == str(result.signature)


def test_items_of_a_cluster_are_drawn_together(tmp_path: Path) -> None:
    rows = [row("A" if n < 20 else "B", VolumeName=f"v{n // 10}") for n in range(40)]
    alone = scored(tmp_path, *rows).systems[0].overall.accuracy.interval
    whole = scored(tmp_path, *rows, cluster="VolumeName").systems[0].overall.accuracy.interval
    assert (alone.contributing, whole.contributing) == (40, 4)
    assert whole.high - whole.low > 1.5 * (alone.high - alone.low)


def test_a_missing_prediction_is_an_error_or_a_wrong_answer(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="null") as caught:
        scored(tmp_path, row("A"), row(None))
    assert caught.value.place.endswith("q.jsonl:2")
    result = scored(tmp_path, row("A"), row(None), allow_missing=True)
    assert (result.systems[0].overall.correct, dict(result.systems[0].why)) == (1, {"missing": 1})


def test_ids_name_one_question_of_a_system(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="comes twice"):
        scored(tmp_path, row("A", id="1"), row("A", id="1"))
    result = scored(tmp_path, row("A", VolumeName="v"), row("A", VolumeName="v"))
    assert [a.item.id for a in result.answers] == ["1", "2"]
