"""Metrics against people: measures as scipy has them, references drawn whole, who is compared with whom."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import stats

from cabs.errors import InputError, SettingError
from cabs.metrics.intervals import Resampling
from cabs.metrics.pair_metric import Empty, metric
from cabs.ontology import load_ontology
from cabs.studies.humans import Rater, humans, read_rated, read_rater
from cabs.studies.humans.association import associations, preference
from cabs.studies.humans.files import write_humans

BARE = Resampling(n=0)
ORACLES = {"tau_b": stats.kendalltau, "spearman": stats.spearmanr, "pearson": stats.pearsonr}
columns = st.lists(st.tuples(st.integers(-3, 3), st.integers(-3, 3)), min_size=2, max_size=12)


def varied(values: np.ndarray) -> bool:
    return len(set(values.tolist())) > 1


@given(columns, st.data())
def test_weighted_measures_are_those_of_the_repeated_sample(pairs, data) -> None:
    x, y = np.array(pairs, dtype=float).T
    weights = np.array(data.draw(st.lists(st.integers(0, 3), min_size=len(x), max_size=len(x))), dtype=float)
    rows = np.repeat(np.arange(len(x)), weights.astype(int))
    assume(len(rows) > 1 and varied(x[rows]) and varied(y[rows]))
    found = associations(x / 10, y / 10, [0] * len(x))
    for name, oracle in ORACLES.items():
        assert found[name](weights[None, :])[0] == pytest.approx(oracle(x[rows], y[rows]).statistic, abs=1e-9), name


@given(columns, st.randoms(use_true_random=False))
def test_the_order_of_pairs_does_not_matter(pairs, random) -> None:
    x, y = np.array(pairs, dtype=float).T
    groups = [at % 3 for at in range(len(x))]
    moved = list(range(len(x)))
    random.shuffle(moved)
    ones = np.ones((1, len(x)))
    other = associations(x[moved], y[moved], [groups[at] for at in moved])
    for name, measure in associations(x, y, groups).items():
        np.testing.assert_allclose(measure(ones), other[name](ones), atol=1e-12, err_msg=name)


def test_a_constant_column_is_undefined() -> None:
    found = associations(np.full(4, 0.1 + 0.2), np.array([1.0, 2, 3, 4]), [0, 0, 1, 1])
    ones = np.ones((1, 4))
    assert all(np.isnan(found[name](ones)[0]) for name in ORACLES)
    assert found["preference"](ones)[0] == 0.5, "ties are no knowledge"


def test_preference_compares_candidates_of_one_reference_alone() -> None:
    x, y = np.array([1.0, 2, 2, 9, 0]), np.array([1.0, 2, 3, 0, 7])
    value = preference(x, y, [0, 0, 0, 1, 1])(np.array([[1.0] * 5, [1, 1, 1, 0, 0], [0, 0, 0, 2, 2]]))
    assert value.tolist() == pytest.approx([2.5 / 4, 2.5 / 3, 0.0])


@metric(name="words", family="surface", higher=True, empty=Empty(None, 0.0, None))
def words(references, predictions):
    return [float(len(p.split())) for p in predictions]


@metric(name="faults", family="clinical", higher=False, empty=Empty(None, 0.0, None))
def faults(references, predictions):
    return [None if "?" in p else float(p.count("x")) for p in predictions]


def write(path: Path, rows: list[dict[str, object]]) -> Path:
    path.write_text("\n".join(json.dumps(row) for row in rows))
    return path


def rows() -> list[dict[str, object]]:
    """Three references with four candidates; what the raters count is the letter x."""
    found = []
    for at in range(12):
        bad = (at * 5) % 4
        row = {
            "id": at,
            "reference": f"report {at // 4}",
            "prediction": "x " * bad + "y",
            "ann": bad,
            "ben": bad + at % 2,
        }
        found.append({**row, "cy": bad + (at % 3 == 0), "patient": at // 8})
    return found


RATERS = [Rater(name, higher=False) for name in ("ann", "ben", "cy")]


def test_a_metric_that_counts_what_raters_count_agrees_with_them(tmp_path: Path) -> None:
    rated = read_rated(write(tmp_path / "p.jsonl", rows()), RATERS)
    result = humans(rated, [faults, words], load_ontology(), resampling=Resampling(n=200))
    good, bad = result.metrics
    assert good.raters["ann"]["tau_b"].value == pytest.approx(1.0)
    assert good.raters["ann"]["preference"].value == 1.0
    assert bad.raters["ann"]["tau_b"].value == pytest.approx(-1.0), "more words are more errors here"
    mean = np.mean([rated.ratings[0], rated.ratings[1], rated.ratings[2]], axis=0)
    assert good.mean["spearman"].value == pytest.approx(stats.spearmanr(rated.ratings[0], mean).statistic)
    interval = good.mean["tau_b"].interval
    assert interval is not None
    assert interval.low <= good.mean["tau_b"].value <= interval.high
    assert interval.contributing == 3, "references are drawn, not pairs"


def test_the_ceiling_puts_a_rater_in_the_place_of_the_metric(tmp_path: Path) -> None:
    rated = read_rated(write(tmp_path / "p.jsonl", rows()), RATERS)
    ratings = np.array(rated.ratings)
    result = humans(rated, [faults], load_ontology(), resampling=BARE)
    left_out = [np.delete(ratings, at, axis=0).mean(axis=0) for at in range(3)]
    ceiling = np.mean([stats.kendalltau(ratings[at], left_out[at]).statistic for at in range(3)])
    assert result.ceiling["tau_b"].value == pytest.approx(ceiling)
    assert [r.others["tau_b"].value for r in result.raters] == pytest.approx(
        [stats.kendalltau(ratings[at], left_out[at]).statistic for at in range(3)]
    )
    others = np.mean([stats.kendalltau(ratings[0], other).statistic for other in left_out])
    assert result.metrics[0].others["tau_b"].value == pytest.approx(others), "ann is what the metric counts"


def test_what_is_not_rated_or_undefined_is_left_out_and_told(tmp_path: Path) -> None:
    table = rows()
    table[0]["ben"] = None
    table[1]["prediction"] = "?"
    rated = read_rated(write(tmp_path / "p.jsonl", table), RATERS)
    result = humans(rated, [faults], load_ontology(), resampling=BARE)
    (found,) = result.metrics
    assert (result.pairs, result.full, found.n, found.left_out) == (12, 11, 10, 1)
    assert found.raters["ann"]["tau_b"].n == 11
    assert {r.field: r.rated for r in result.raters} == {"ann": 12, "ben": 11, "cy": 12}
    assert found.ceiling["tau_b"].n == 10
    assert result.ceiling["tau_b"].n == 11


def test_normal_references_are_graded_too(tmp_path: Path) -> None:
    from cabs.metrics.registered import pair_metric

    normal = "The lungs are clear. No pleural effusion. The heart is normal in size."
    table = [
        {"id": 1, "reference": normal, "prediction": normal, "r": 5},
        {"id": 2, "reference": normal, "prediction": "Large right pneumothorax.", "r": 1},
    ]
    rated = read_rated(write(tmp_path / "p.jsonl", table), [Rater("r")])
    result = humans(rated, [pair_metric("cabs_score"), pair_metric("f1")], load_ontology(), resampling=BARE)
    score, f1 = result.metrics
    assert (score.n, score.mean["preference"].value) == (2, 1.0)
    assert (f1.n, f1.left_out) == (1, 1), "F1 of nothing against nothing is undefined"


def test_expected_rankings(tmp_path: Path) -> None:
    cases = [
        {"id": "a", "reference": "r", "candidates": {"C1": {"text": ""}, "C2": "x", "C3": "x x"}, "category": "more",
         "expected_ranking": ["C1 > C2", "C2 > C3"]},
        {"id": "b", "reference": "r", "candidates": {"C1": "x", "C2": "x y"}, "category": "as much",
         "expected_ranking": "C1 = C2"},
        {"id": "c", "reference": "r", "candidates": {"C1": "x", "C2": "y x"}, "category": "more",
         "expected_ranking": "C1 > C2"},
    ]  # fmt: skip
    path = tmp_path / "cases.json"
    path.write_text(json.dumps(cases))
    (found,) = humans(read_rated(path), [faults], load_ontology(), resampling=BARE).metrics
    assert found.order["order"].value == pytest.approx(2.5 / 3)
    assert found.order["equal"].value == 1.0
    assert found.categories["more"]["equal"].value is None
    assert found.mean == {}


def test_ladders_are_rated_by_their_errors(tmp_path: Path) -> None:
    variants = [{"text": "x " * n, "errors": [{"type": "omit"}] * n} for n in (0, 1, 3)]
    variants.append({"text": "x x", "errors": [{"type": "swap"}]})
    path = write(tmp_path / "cases.jsonl", [{"id": "a", "reference": "r", "variants": variants}])
    (found,) = humans(read_rated(path), [faults], load_ontology(), resampling=BARE).metrics
    assert found.mean["pearson"].value == pytest.approx(1.0), "a swap is two errors"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"ann": "two"}, "field 'ann' holds text: 'two'"),
        ({"ann": True}, "field 'ann' holds a boolean"),
        ({"ann": 1e400}, "field 'ann' is not finite"),
        ({"reference": None}, "field 'reference' is null"),
        ({"id": 1}, "id '1' comes twice"),
    ],
)
def test_what_is_wrong_is_told_with_its_place(tmp_path: Path, change, message: str) -> None:
    table = [*rows()[:2], {**rows()[2], **change}]
    with pytest.raises(InputError, match=r"p\.jsonl:3") as caught:
        read_rated(write(tmp_path / "p.jsonl", table), RATERS[:1])
    assert message in caught.value.message


def test_raters_are_checked(tmp_path: Path) -> None:
    path = write(tmp_path / "p.jsonl", rows())
    with pytest.raises(InputError, match="there is no field 'dan'"):
        read_rated(path, [Rater("dan")])
    with pytest.raises(SettingError, match="no rater"):
        read_rated(path)
    with pytest.raises(SettingError, match="twice"):
        read_rated(path, [Rater("ann"), Rater("ann", higher=False)])
    with pytest.raises(SettingError, match="no mean"):
        humans(read_rated(path, [Rater("ann"), Rater("ben", higher=False)]), [faults], load_ontology())
    with pytest.raises(InputError, match="clusters"):
        read_rated(write(tmp_path / "c.jsonl", [{**r, "patient": r["id"]} for r in rows()]), RATERS, cluster="patient")
    assert read_rater("score") == Rater("score", higher=True)
    with pytest.raises(SettingError, match="'up' is no direction: higher or lower"):
        read_rater("score:up")
    nobody = write(tmp_path / "n.jsonl", [{**row, "ann": None} for row in rows()])
    with pytest.raises(InputError, match="'ann' holds no rating"):
        read_rated(nobody, RATERS)


def test_two_candidates_have_an_interval_without_a_jackknife(tmp_path: Path, recwarn: pytest.WarningsRecorder) -> None:
    table = [row for row in rows() if row["id"] in (0, 11)]
    humans(read_rated(write(tmp_path / "p.jsonl", table), RATERS), [faults, words], load_ontology())
    assert not [w for w in recwarn if issubclass(w.category, RuntimeWarning)]


def test_patients_are_drawn_whole(tmp_path: Path) -> None:
    table = [{**row, "patient": int(row["id"]) // 8} for row in rows()]  # type: ignore[call-overload]
    rated = read_rated(write(tmp_path / "p.jsonl", table), RATERS, cluster="patient")
    assert (len(set(rated.groups)), len(set(rated.units))) == (3, 2)


def test_files_without_text(tmp_path: Path) -> None:
    table = [{**row, "id": f"={row['id']}"} for row in rows()]
    rated = read_rated(write(tmp_path / "p.jsonl", table), RATERS)
    result = humans(rated, [faults], load_ontology(), resampling=Resampling(n=20))
    for name, text in (("with", True), ("bare", False)):
        write_humans(result, tmp_path / name, text=text)
    assert sorted(p.name for p in (tmp_path / "bare").iterdir()) == ["agreements.csv", "pairs.csv", "results.json"]
    assert "report 1" in (tmp_path / "with" / "pairs.csv").read_text()
    assert "\n'=1," in (tmp_path / "with" / "pairs.csv").read_text(), "no id is a formula"
    assert all("report 1" not in p.read_text() for p in (tmp_path / "bare").iterdir())
    assert json.loads((tmp_path / "bare" / "results.json").read_text()) == result.to_json()
