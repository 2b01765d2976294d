"""CABS's metrics under the contract of all metrics are those that `cabs score` prints."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import cabs
from cabs.errors import CabsError, InputError
from cabs.io.pairs import read_pairs
from cabs.metrics import NAMES, metrics
from cabs.metrics.batch import Batch, batch_of, batch_of_pairs
from cabs.metrics.intervals import Resampling, draws
from cabs.metrics.pair_metric import measure_all
from cabs.metrics.registered import pair_metric, pair_metrics
from cabs.metrics.resample import matrix
from cabs.scoring.pair_metrics import measured_counts
from cabs.scoring.reference import reference_facts
from cabs.values import Pair

REFERENCE = "There is a 9 mm nodule in the right upper lobe. Small left pleural effusion."
WRONG = "There is a 9 mm nodule in the left upper lobe. The heart is enlarged."
NORMAL = "The lungs are clear. No pleural effusion."


@pytest.fixture(scope="module")
def pairs(root: Path) -> list[Pair]:
    return list(read_pairs(root / "cabs" / "_demo" / "pairs.jsonl"))


@pytest.fixture(scope="module")
def batch(pairs: list[Pair]) -> Batch:
    return batch_of_pairs(pairs)


def number(value: float | None) -> float:
    return np.nan if value is None else value


def test_they_are_what_score_gives(pairs: list[Pair], batch: Batch) -> None:
    result = cabs.score(pairs, resampling=Resampling(n=0))
    found = measure_all(pair_metrics(NAMES), batch)
    for system in result.systems:
        rows = batch.systems()[system.system]
        of = [metrics()[name] for name in NAMES]
        for metric in of:
            mine = found[metric.name].take(rows)
            assert number(mine.value) == pytest.approx(number(system.scores[metric.name]), nan_ok=True), metric.name
            singles = [number(metric.value(row)) for row in system.rows]
            np.testing.assert_allclose(mine.values, singles)
            np.testing.assert_allclose(measured_counts(system.rows, metric).values, singles)


def test_draws_are_those_of_the_intervals(pairs: list[Pair], batch: Batch) -> None:
    rows = [at for at, item in enumerate(batch.items) if item.system == "fluent"]
    found = pair_metric("f1").measure(
        [str(pairs[at].reference) for at in rows], [str(pairs[at].prediction) for at in rows]
    )
    counts = cabs.score([pairs[at] for at in rows], resampling=Resampling(n=0)).systems[0].rows
    sums = draws(matrix(counts), Resampling(n=50))
    weights = draws(np.eye(len(rows)), Resampling(n=50))
    expected = [2 * hits / (facts + hits + extra) for facts, hits, extra in sums[:, _columns("facts", "hits", "extra")]]
    np.testing.assert_allclose(found.corpus(weights), expected)
    np.testing.assert_allclose(found.value_of(draws(found.statistics, Resampling(n=50))), expected)


def _columns(*names: str) -> list[int]:
    from cabs.metrics import FIELDS

    return [FIELDS.index(name) for name in names]


def test_where_neither_has_findings_f1_is_undefined() -> None:
    found = pair_metric("f1").measure([REFERENCE, NORMAL, NORMAL], [REFERENCE, NORMAL, WRONG])
    np.testing.assert_array_equal(found.values, [1.0, np.nan, 0.0])


def test_an_unread_reference_has_no_value_and_is_told() -> None:
    found = pair_metric("f1").measure([REFERENCE, "lorem ipsum"], [REFERENCE, WRONG])
    np.testing.assert_array_equal(found.values, [1.0, np.nan])
    assert found.notes == ("1 of 2 pairs are unscored: their reference was not read, or a parser failed",)


def test_pairs_that_a_study_makes_are_not_told() -> None:
    (f1,) = pair_metrics(["f1"])
    batch = replace(batch_of([REFERENCE, "lorem ipsum", "lorem ipsum"], [REFERENCE, WRONG, NORMAL]), made=1)
    assert measure_all([f1], batch)["f1"].notes[0].startswith("1 of 2 pairs are unscored")
    assert measure_all([f1], replace(batch, made=2))["f1"].notes == ()


def test_checked_facts_stand_in_for_the_reference_but_words_stay(pairs: list[Pair]) -> None:
    facts = cabs.parse(WRONG)
    f1, rouge = pair_metrics(["f1", "rouge_l"])
    found = measure_all([f1, rouge], batch_of([REFERENCE], [WRONG], [facts]))
    plain = measure_all([f1, rouge], batch_of([REFERENCE], [WRONG]))
    assert (found["f1"].value, plain["f1"].value) == (1.0, pytest.approx(0.5))
    assert found["rouge_l"].value == plain["rouge_l"].value < 1
    pair = Pair("a", REFERENCE, WRONG)
    put = batch_of_pairs([pair], reference_facts({"a": facts}).put)
    assert measure_all([f1, rouge], put)["f1"].value == 1.0


def test_facts_without_text_serve_clinical_metrics_alone() -> None:
    batch = batch_of_pairs([Pair("a", cabs.parse(REFERENCE), REFERENCE, source="p.jsonl:1")])
    assert measure_all([pair_metric("f1")], batch)["f1"].value == 1.0
    with pytest.raises(InputError, match=r"p\.jsonl:1: the reference has facts but no text"):
        measure_all([pair_metric("rouge_l")], batch)


def test_a_parser_of_one_s_own_reads_each_text_once() -> None:
    read: list[str] = []

    def parser(text: str) -> cabs.ParsedReport:
        read.append(text)
        if "fails" in text:
            raise CabsError("no answer")
        return cabs.parse(text)

    metric = pair_metric("f1", parser=parser)
    found = metric.measure([REFERENCE, REFERENCE, NORMAL], [WRONG, "this fails", WRONG])
    metric.measure([REFERENCE], [WRONG])
    assert sorted(read) == sorted([REFERENCE, WRONG, NORMAL, "this fails"])
    np.testing.assert_array_equal(np.isnan(found.values), [False, True, False])
    assert "parser:test_a_parser_of_one_s_own_reads_each_text_once" in metric.signature


def test_several_processes_give_the_same(monkeypatch: pytest.MonkeyPatch, batch: Batch) -> None:
    from cabs.scoring import remembered

    monkeypatch.setattr(remembered, "FEW", 1)
    chosen = pair_metrics(["f1", "cabs_score", "rouge_l"])
    alone = measure_all(chosen, batch)
    remembered.reader_of.cache_clear()
    together = measure_all(chosen, batch, workers=2)
    for name, measured in alone.items():
        assert together[name].values.tobytes() == measured.values.tobytes()


def test_old_texts_are_forgotten_but_none_that_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    from cabs.scoring import remembered

    monkeypatch.setattr(remembered, "REMEMBERED", 3)
    reader = remembered.Reader(cabs.load_ontology(), lambda text: cabs.ParsedReport())
    for texts in (["a", "b"], ["b", "c"], ["c", "d", "e", "f"]):
        reader.prepare(texts, 1)
        for text in texts:
            reader(text)
    assert list(reader.known) == ["c", "d", "e", "f"]
