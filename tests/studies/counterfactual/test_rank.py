"""φ against a slow, obvious version."""

from __future__ import annotations

import math

from hypothesis import given
from hypothesis import strategies as st

from cabs.studies.counterfactual.edits import IDENTITY, TYPES
from cabs.studies.counterfactual.rank import EQUAL, Group, Mistake, Ranked, counts

mistakes = st.lists(
    st.builds(lambda t: Mistake(t, "", 2 if t == "swap" else 1), st.sampled_from(TYPES)), max_size=4
).map(tuple)
values = st.one_of(st.floats(0, 1), st.sampled_from([0.0, 0.5, 1.0, math.nan]))


def group(errors: list[tuple[Mistake, ...]]) -> Group:
    return Group("g", "", tuple(Ranked(str(at), "", found) for at, found in enumerate(errors)))


def oracle(errors: list[tuple[Mistake, ...]], scores: list[float], types: tuple[str, ...]) -> tuple[float, int]:
    """(concordant, pairs): every two variants, straight from the definition."""
    concordant, pairs = 0.0, 0
    for i in range(len(errors)):
        for j in range(i):
            a, b = (sum(m.errors for m in errors[k] if m.type in types) for k in (i, j))
            if a == b:
                continue
            pairs += 1
            good, bad = (scores[i], scores[j]) if a < b else (scores[j], scores[i])
            if math.isnan(good) or math.isnan(bad) or abs(good - bad) <= 1e-12:
                concordant += 0.5
            else:
                concordant += good > bad
    return concordant, pairs


@given(st.lists(st.tuples(mistakes, values), min_size=1, max_size=8))
def test_phi_is_its_definition(rows: list[tuple[tuple[Mistake, ...], float]]) -> None:
    errors, scores = [row[0] for row in rows], [row[1] for row in rows]
    found = counts(group(errors), scores, higher=True)
    for what, types in (("all", TYPES), ("identity", IDENTITY)):
        concordant, pairs = oracle(errors, scores, types)
        assert found[f"{what} +"] == 2 * concordant
        assert found[what] == 2 * pairs


@given(st.lists(st.tuples(mistakes, values), min_size=1, max_size=8))
def test_a_metric_of_which_less_is_better_is_the_same_turned(rows: list[tuple[tuple[Mistake, ...], float]]) -> None:
    errors, scores = [row[0] for row in rows], [row[1] for row in rows]
    assert counts(group(errors), scores, True) == counts(group(errors), [-s for s in scores], False)


def ladder() -> Group:
    steps = tuple(Mistake(t, str(n), 1) for n, t in enumerate(("omit", "side", "size")))
    return group([steps[:n] for n in range(4)])


def test_a_blind_metric_gets_a_half_and_a_perfect_one_all() -> None:
    for scores, share in (([1.0] * 4, 0.5), ([4.0, 3.0, 2.0, 1.0], 1.0), ([1.0, 2.0, 3.0, 4.0], 0.0)):
        found = counts(ladder(), scores, True)
        wholes = [what for what in found if not what.endswith(" +")]
        assert {"all", "steps", "step 0", "step side", "type omit"} <= set(wholes)
        assert all(found[f"{what} +"] == share * found[what] for what in wholes)


def test_neighbours_are_rungs_of_the_same_errors() -> None:
    a, b, c = Mistake("omit", "1", 1), Mistake("omit", "2", 1), Mistake("side", "3", 1)
    found = counts(group([(a,), (b,), (a, c)]), [0.0, 0.0, 0.0], True)
    assert found["steps"] == found["step 1"] == found["step side"] == 2
    assert found["type side"] == 0


def test_stated_orders_stand_for_errors() -> None:
    texts = tuple(Ranked(name, "", ()) for name in "abc")
    found = counts(Group("g", "", texts, "", ((0, ">", 1), (1, "=", 2))), [1.0, 0.5, 0.5], True)
    assert (found["all +"], found["all"], found[f"{EQUAL} +"], found[EQUAL]) == (2, 2, 2, 2)
