"""What the formulas of section rewards promise, exhaustively where the cases can be counted."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from itertools import combinations_with_replacement, pairwise, permutations
from math import isclose

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cabs.rewards import SectionJudgement, Verdict, reward
from cabs.rewards.tif import Tif, agreement, running
from cabs.rewards.tif_paper import TifPaper
from tests.oracle import tif as oracle

MOST_FACTS, MOST_FALSE = 6, 20
MISSED = Verdict(False)
RIGHT = Verdict(True, True, True)
HALF = Verdict(True, True, False)
EMPTY = Verdict(True)
UNSURE = Verdict(True, True, True, certainty=False)
DENIED = Verdict(True, True, True, contradicted=True)
KINDS = (RIGHT, HALF, UNSURE, DENIED, EMPTY, MISSED)
EARNING = (RIGHT, HALF, UNSURE)

TIF = Tif()
PRESETS = {
    "tif": TIF,
    "tif_no_running_cost": Tif(alpha=0.0),
    "tif_no_control_effort": Tif(gamma=0.0),
    "tif 0.4:1": Tif(alpha=0.4),
    "tif 1:0.4": Tif(gamma=0.4),
}
PAYING = [name for name, formula in PRESETS.items() if formula.gamma]


def told(verdicts: Sequence[Verdict] = (), false: int = 0, again: int = 0, read: bool = True) -> SectionJudgement:
    return SectionJudgement(tuple(verdicts), false, again, read)


def every(kinds: Sequence[Verdict] = KINDS, least: int = 0) -> Iterator[tuple[Verdict, ...]]:
    """Every mixture of verdicts on up to six facts."""
    for facts in range(least, MOST_FACTS + 1):
        yield from combinations_with_replacement(kinds, facts)


def right(hits: int, facts: int, false: int = 0) -> SectionJudgement:
    return told([RIGHT] * hits + [MISSED] * (facts - hits), false)


verdicts = st.lists(
    st.builds(Verdict, st.booleans(), st.booleans(), st.booleans(), st.booleans(), st.booleans()), max_size=12
)
judgements = st.builds(told, verdicts, st.integers(0, 60), st.integers(0, 60), st.booleans())
weights = st.floats(0.0, 10.0)


@pytest.mark.parametrize("name", PRESETS)
def test_every_value_is_in_range_and_one_is_perfect(name: str) -> None:
    formula = PRESETS[name]
    for mixture in every():
        perfect = all(verdict == RIGHT for verdict in mixture)
        for false in range(MOST_FALSE + 1):
            value = formula.section(told(mixture, false))
            assert 0.0 <= value <= 1.0
            best = perfect and (false == 0 or formula.gamma == 0.0)
            assert isclose(value, 1.0, abs_tol=1e-12) == best, (mixture, false)


@given(judgements, st.tuples(*[weights] * 4), st.floats(0.01, 5.0), st.floats(0.0, 2.0))
def test_whatever_the_coefficients(
    judged: SectionJudgement, given: tuple[float, ...], power: float, rho: float
) -> None:
    alpha, gamma, omega, delta = given
    formula = Tif(alpha=alpha, gamma=gamma, omega=omega, beta=0.05, delta=delta, power=power, rho=rho)
    assert 0.0 <= formula.section(judged) <= 1.0 + 1e-12
    paper = TifPaper(alpha=alpha, gamma=gamma, omega=omega)
    high = paper.range[1]
    value = paper.report({"findings": paper.section(judged), "impression": paper.section(judged)}, True, 0)
    assert -1e-9 <= value <= high + 1e-9


@given(judgements, judgements, st.booleans(), st.integers(0, 60_000), st.integers(0, 60_000))
def test_reports_are_in_range(
    findings: SectionJudgement, impression: SectionJudgement, keeps: bool, characters: int, reference: int
) -> None:
    sections = {"findings": TIF.section(findings), "impression": TIF.section(impression)}
    value = TIF.report(sections, keeps, characters, reference)
    assert 0.0 <= value <= 1.0
    assert value <= TIF.report(sections, True, max(0, characters - 1), reference)
    assert value >= TIF.report(sections, keeps, characters + 1, reference)
    assert keeps or value == 0.0


@pytest.mark.parametrize("name", PAYING)
def test_each_false_fact_costs(name: str) -> None:
    formula = PRESETS[name]
    for mixture in every():
        values = [formula.section(told(mixture, false)) for false in range(MOST_FALSE + 1)]
        assert all(more < less for less, more in pairwise(values)), mixture


@pytest.mark.parametrize("name", PRESETS)
def test_each_true_fact_pays(name: str) -> None:
    formula = PRESETS[name]
    for mixture in every(least=1):
        if MISSED not in mixture:
            continue
        rest = mixture[:-1]  # MISSED is the last kind, so one stands at the end
        for false in (0, 1, 5, MOST_FALSE):
            for earning in EARNING:
                assert formula.section(told((*rest, earning), false)) > formula.section(told(mixture, false))
            agreeing = [formula.section(told((*rest, kind), false)) for kind in (MISSED, HALF, RIGHT)]
            assert agreeing == sorted(agreeing)


@pytest.mark.parametrize("name", PAYING)
def test_wrong_is_worse_than_silent(name: str) -> None:
    formula = PRESETS[name]
    for facts in range(1, MOST_FACTS + 1):
        silent = formula.section(right(0, facts))
        assert silent > 0.0
        for false in range(1, MOST_FALSE + 1):
            assert formula.section(right(0, facts, false)) < silent
        assert formula.section(told([EMPTY] + [MISSED] * (facts - 1))) < silent
        assert formula.section(told([DENIED] + [MISSED] * (facts - 1))) < silent


def test_a_normal_reference_slopes() -> None:
    values = [TIF.section(told((), false)) for false in range(MOST_FALSE + 1)]
    assert values[0] == 1.0
    assert all(0.0 < more < less for less, more in pairwise(values))
    assert TIF.section(told((), 0, read=False)) == 0.0
    assert TifPaper().section(told()) == 2.0


@given(judgements, st.randoms(use_true_random=False))
def test_the_order_of_facts_plays_no_part(judged: SectionJudgement, chance: random.Random) -> None:
    mixed = list(judged.verdicts)
    chance.shuffle(mixed)
    again = told(mixed, judged.false_positives, judged.restated, judged.read)
    assert TIF.section(again) == pytest.approx(TIF.section(judged), abs=1e-12)


def test_telling_again_costs_and_never_as_much_as_inventing() -> None:
    for again in range(MOST_FALSE):
        values = [TIF.section(told([RIGHT, MISSED], 0, n)) for n in (again, again + 1)]
        assert values[1] < values[0]
        assert TIF.section(told([RIGHT, MISSED], again + 1)) < values[1]


def test_the_closed_form_is_the_mean_over_all_orders() -> None:
    for mixture in every((RIGHT, HALF, UNSURE, MISSED), least=1):
        earned = [agreement(verdict) for verdict in mixture]
        assert running(earned) == pytest.approx(oracle.over_all_orders(tuple(earned)), abs=1e-12)


def test_tif_is_its_definition() -> None:
    for mixture in every((RIGHT, HALF, UNSURE, EMPTY, MISSED)):
        earned = [agreement(verdict) for verdict in mixture]
        for false in (0, 1, 3, 7, MOST_FALSE):
            counted = false + mixture.count(EMPTY)
            assert TIF.section(told(mixture, false)) == pytest.approx(oracle.section(earned, counted), abs=1e-12)


def test_tif_paper_is_its_definition() -> None:
    """10,000 random judgements against the formula, written anew."""
    chance, paper = random.Random(20260520), TifPaper()
    for _ in range(10_000):
        both, expected = {}, {}
        for name in ("findings", "impression"):
            mixture = [chance.choice((RIGHT, HALF, EMPTY, MISSED, UNSURE)) for _ in range(chance.randint(0, 12))]
            false = chance.choice((0, 0, 1, 2, 5, 30))
            earned = [{RIGHT: 1.0, HALF: 0.5, UNSURE: 1.0}.get(verdict, 0.0) for verdict in mixture]
            hits = sum(verdict.hit for verdict in mixture)
            both[name] = paper.section(told(mixture, false))
            expected[name] = oracle.paper_section(earned, hits, false)
            assert both[name] == pytest.approx(expected[name], abs=1e-9)
        keeps, characters = chance.random() < 0.5, chance.randint(0, 12_000)
        value = oracle.paper_report(expected["findings"], expected["impression"], keeps, characters)
        assert paper.report(both, keeps, characters) == pytest.approx(value, abs=1e-9)


GOLDEN = [
    (right(4, 4), 1.0),
    (right(0, 4), 0.107142857),
    (right(1, 4), 0.442708333),
    (right(2, 4), 0.685515873),
    (right(3, 4), 0.871279762),
    (right(4, 4, 1), 0.917900485),
    (right(4, 4, 2), 0.798095926),
    (right(4, 4, 5), 0.5),
    (right(0, 4, 1), 0.053571429),
    (told(), 1.0),
    (told((), 1), 0.5),
    (told((), 2), 0.261203875),
    (told((), 5), 0.082099515),
    (told([RIGHT] * 3 + [HALF]), 0.958891369),
    (told([RIGHT] * 3 + [EMPTY]), 0.774470899),
]


@pytest.mark.parametrize(("judged", "value"), GOLDEN)
def test_golden_values(judged: SectionJudgement, value: float) -> None:
    assert Tif(rho=0.0).section(judged) == pytest.approx(value, abs=1e-9)


def in_order(pattern: str, false: int = 0) -> SectionJudgement:
    return told([{"1": RIGHT, "p": HALF, "e": EMPTY, "0": MISSED}[sign] for sign in pattern], false)


PAPER_GOLDEN = [
    ("1111", 0, 2.25),
    ("0000", 0, 0.0),
    ("", 0, 2.0),
    ("", 1, 0.0),
    ("", 5, 0.0),
    ("1100", 0, 2.0597),
    ("0011", 0, 1.4764),
    ("1000", 0, 1.7858),
    ("0001", 0, 1.2094),
    ("1000", 1, 1.5358),
    ("1000", 2, 1.3413),
    ("1000", 3, 1.2233),
    ("1000", 4, 1.1458),
    ("1000", 5, 1.0913),
    ("0000", 1, 0.05),
    ("0000", 50, 0.05),
    ("1e", 2, 1.775),
    ("10", 2, 1.5806),
    ("10", 0, 2.025),
    ("01", 0, 1.525),
]


@pytest.mark.parametrize(("pattern", "false", "value"), PAPER_GOLDEN)
def test_golden_values_of_the_paper(pattern: str, false: int, value: float) -> None:
    assert TifPaper().section(in_order(pattern, false)) == pytest.approx(value, abs=5e-5)


def test_the_paper_depends_on_order() -> None:
    values = [TifPaper().section(in_order("".join(order))) for order in permutations("110000")]
    assert (min(values), max(values)) == (pytest.approx(1.2693, abs=5e-5), pytest.approx(1.9224, abs=5e-5))


def test_the_greatest_values_of_the_paper() -> None:
    paper = TifPaper()
    full = {"findings": paper.section(right(4, 4)), "impression": paper.section(right(2, 2))}
    normal = dict.fromkeys(("findings", "impression"), paper.section(told()))
    assert paper.report(full, True, 1600) == pytest.approx(2.35)
    assert paper.report(normal, True, 1600) == pytest.approx(2.1)
    assert paper.report(full, True, 6600) == pytest.approx(2.35 / 2)


def test_the_ablations() -> None:
    assert reward("tif_no_running_cost").work == reward("tif:alpha=0").work
    assert reward("tif_no_control_effort").work == reward("tif:gamma=0").work
    free, straight = PRESETS["tif_no_control_effort"], PRESETS["tif_no_running_cost"]
    assert free.section(right(2, 4, 50)) == free.section(right(2, 4)) == TIF.section(right(2, 4))
    steps = [straight.section(right(hits, 4)) for hits in range(1, 5)]
    assert [b - a for a, b in pairwise(steps)] == pytest.approx([0.2 / 0.4 / 4] * 3), "each fact pays the same"
    curved = [TIF.section(right(hits, 4)) for hits in range(1, 5)]
    falls = [b - a for a, b in pairwise(curved)]
    assert falls == sorted(falls, reverse=True), "with the running cost the first ones pay most"


@given(st.floats(0.05, 5.0), st.floats(1.01, 4.0))
def test_what_the_ratio_of_alpha_and_gamma_does(coefficient: float, more: float) -> None:
    """More alpha: saying nothing is worth less. More gamma: false facts are, and true ones without them are not."""
    for facts, hits, false in [(4, 4, 3), (6, 2, 1), (1, 1, 10)]:
        low, high = Tif(gamma=coefficient), Tif(gamma=coefficient * more)
        assert high.section(right(hits, facts, false)) < low.section(right(hits, facts, false))
        assert high.section(right(hits, facts)) == low.section(right(hits, facts))
        low, high = Tif(alpha=coefficient), Tif(alpha=coefficient * more)
        assert high.section(right(0, facts)) < low.section(right(0, facts))
        assert high.section(right(facts, facts, false)) == pytest.approx(low.section(right(facts, facts, false)))


def test_whom_the_ratio_favours() -> None:
    """A report that finds more and invents more against one that does neither."""
    bold, careful = right(4, 5, 2), right(3, 5)
    assert PRESETS["tif 1:0.4"].section(bold) > PRESETS["tif 1:0.4"].section(careful)
    assert PRESETS["tif 0.4:1"].section(bold) < PRESETS["tif 0.4:1"].section(careful)
