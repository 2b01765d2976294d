"""Laws of the scores, stated on facts."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import assume, given
from hypothesis import strategies as st

from cabs.matching import KINDS, Settings
from cabs.metrics import Counts, count, count_by, metrics, score, total
from cabs.values import Fact, ParsedReport
from tests.matching.build import fact, matcher, report
from tests.properties.strategies import VALUES, facts, reports

SETTINGS = [
    Settings(),
    Settings(match="hierarchical"),
    Settings(scope="section"),
    Settings(location_extra="disagree", attributes_extra="all", kinds=KINDS),
    Settings(attributes_extra="ignore", fidelity_over="hits", fm_over="hit", fm_base="reference"),
]
every_setting = st.sampled_from(SETTINGS)


def counted(reference: ParsedReport, prediction: ParsedReport | None, settings: Settings | None = None) -> Counts:
    chosen = matcher(settings)
    return count(chosen.align(reference, prediction), chosen)


def scored(
    reference: ParsedReport, prediction: ParsedReport | None, settings: Settings | None = None
) -> dict[str, float | None]:
    return score(counted(reference, prediction, settings), settings)


def better(name: str, after: float, before: float) -> bool:
    return after > before if metrics()[name].higher else after < before


@given(reports(), every_setting)
def test_self_comparison_is_perfect(one: ParsedReport, settings: Settings) -> None:
    counts = counted(one, one, settings)
    values = score(counts, settings)
    for name, metric in metrics(settings).items():
        assert values[name] in (None, (1.0 if metric.higher else 0.0)), name
    assert counts.cabs_facts + counts.cabs_normal == 10**9 * counts.reports


@given(reports(), facts(("hydronephrosis", "pneumothorax"), mm=(50.0,), section="findings"))
def test_a_false_fact_lowers_precision_and_leaves_recall(one: ParsedReport, false: Fact) -> None:
    assume(all(f.entity != false.entity for f in one.facts))
    before, after = counted(one, one), counted(one, replace(one, facts=(*one.facts, false)))
    assert after.extra == before.extra + 1
    assert after.hits == before.hits
    if before.facts:
        assert score(after)["recall"] == 1.0
        assert float(score(after)["precision"] or 0) < 1.0
    assert float(score(after)["f1"] or 0) < 1.0


@given(reports(), st.data())
def test_a_dropped_fact_lowers_recall_and_leaves_precision(one: ParsedReport, data: st.DataObject) -> None:
    canon = matcher().canonical(one)
    rest = [f for f in canon.present if f.kind == "abnormality"]
    assume(rest)
    dropped = data.draw(st.sampled_from(rest))
    kept = report(*(f for f in canon.present if f is not dropped), *canon.absent)
    values = scored(report(*canon.present, *canon.absent), kept)
    assert float(values["recall"] or 0) < 1.0
    assert values["precision"] in (1.0, None)


FLIPS = {
    "side": lambda f: (
        replace(f, side={"right": "left", "left": "right"}[f.side]) if f.side in ("right", "left") else None
    ),
    "status": lambda f: replace(f, status="absent"),
    "severity": lambda f: _severer(f),
}


def _severer(one: Fact) -> Fact | None:
    """The fact with a severity at the other end of the scale, if it has one."""
    ends = {"trace": "severe", "mild": "severe", "small": "severe", "moderate": "trace", "severe": "trace"}
    changed = [
        replace(a, value=ends[str(a.value)], text=ends[str(a.value)]) if a.kind == "severity" else a
        for a in one.attributes
    ]
    return replace(one, attributes=tuple(changed)) if changed != list(one.attributes) else None


@given(reports(), st.sampled_from(sorted(FLIPS)), every_setting, st.data())
def test_a_flip_of_a_correct_fact_never_raises_a_score(
    one: ParsedReport, flip: str, settings: Settings, data: st.DataObject
) -> None:
    present = [i for i, f in enumerate(one.facts) if f.status == "present"]
    assume(present)
    at = data.draw(st.sampled_from(present))
    flipped = FLIPS[flip](one.facts[at])
    assume(flipped is not None)
    wrong = replace(one, facts=(*one.facts[:at], flipped, *one.facts[at + 1 :]))
    before, after = scored(one, one, settings), scored(one, wrong, settings)
    for name, value in after.items():
        old = before[name]
        assert value is None or old is None or not better(name, value, old), name


@given(reports(), reports(), every_setting)
def test_swapping_the_sides_swaps_precision_and_recall(
    one: ParsedReport, other: ParsedReport, settings: Settings
) -> None:
    there, back = scored(one, other, settings), scored(other, one, settings)
    assert (there["precision"], there["recall"]) == (back["recall"], back["precision"])
    assert there["f1"] == back["f1"]
    assert (there["or_precision"], there["or_recall"]) == (back["or_recall"], back["or_precision"])


@given(reports(), reports(), facts(("pleural_effusion", "consolidation", "renal_cyst"), mm=()), every_setting)
def test_bilateral_equals_right_and_left(
    one: ParsedReport, other: ParsedReport, two_sided: Fact, settings: Settings
) -> None:
    both = replace(two_sided, side="bilateral")
    sides = [replace(two_sided, side=side) for side in ("right", "left")]
    first, second = replace(one, facts=(*one.facts, both)), replace(one, facts=(*sides, *one.facts))
    assert counted(first, other, settings) == counted(second, other, settings)
    assert counted(other, first, settings) == counted(other, second, settings)


@given(reports(), reports(), every_setting, st.randoms(use_true_random=False))
def test_order_never_matters(one: ParsedReport, other: ParsedReport, settings: Settings, random) -> None:  # type: ignore[no-untyped-def]
    def shuffled(parsed: ParsedReport) -> ParsedReport:
        moved = list(parsed.facts)
        random.shuffle(moved)
        return replace(parsed, facts=tuple(moved))

    chosen = matcher(settings)
    assert chosen.align(one, other) == chosen.align(shuffled(one), shuffled(other))


@given(st.lists(st.tuples(reports(), reports()), max_size=4), every_setting)
def test_corpus_counts_are_the_sum_of_report_counts(
    pairs: list[tuple[ParsedReport, ParsedReport]], settings: Settings
) -> None:
    rows = [counted(*pair, settings) for pair in pairs]
    added = Counts()
    for row in reversed(rows):
        added = row + added
    assert total(rows) == added


@given(reports(), reports(), st.sampled_from(["organ", "entity", "section", "kind"]))
def test_parts_add_up_to_the_whole(one: ParsedReport, other: ParsedReport, by: str) -> None:
    chosen = matcher(Settings(kinds=KINDS))
    found = chosen.align(one, other)
    whole, parts = count(found, chosen), total(list(count_by(found, by, chosen).values()))  # type: ignore[arg-type]
    for name in ("facts", "hits", "extra", "consistent", "contradicted", "weight_missed", "critical_missed"):
        assert getattr(whole, name) == getattr(parts, name), name


@given(reports(), reports(), every_setting)
def test_scores_stay_in_their_range(one: ParsedReport, other: ParsedReport, settings: Settings) -> None:
    for name, value in scored(one, other, settings).items():
        assert value is None or 0 <= value <= (1 if metrics()[name].scale == 1 else float("inf")), name


EDITS = ["omit", "swap", "side", "severity", "certainty", "negate", "insert"]
CLEAN = [
    fact("pulmonary_nodule", side="right", at=("rul",), severity="mild"),
    fact("consolidation", side="left", at=("lll",), severity="moderate"),
    fact("pleural_effusion", side="right", severity="small"),
    fact("renal_cyst", side="left", severity="mild"),
    fact("metastasis", "liver", certainty="possible"),
    fact("cardiomegaly", severity="mild"),
    fact("pneumothorax", side="left", severity="trace"),
]
INSERTED = [fact("hydronephrosis", side="right"), fact("hepatic_cyst"), fact("metastasis", "lung")]


def edited(one: Fact, edit: str) -> tuple[Fact, ...]:
    """The fact with one error; the fact alone where the edit doesn't apply to it."""
    if edit == "omit":
        return ()
    if edit == "swap":
        return (
            fact("splenectomy" if one.entity == "hydronephrosis" else "hydronephrosis", mm=(float(len(one.name)),)),
        )
    if edit == "certainty":
        return (replace(one, certainty="possible" if one.certainty == "definite" else "definite"),)
    flipped = FLIPS.get({"negate": "status"}.get(edit, edit), lambda f: None)(one)
    return (one,) if flipped is None else (flipped,)


@given(st.lists(st.sampled_from(EDITS), min_size=len(CLEAN), max_size=len(CLEAN)), st.permutations(range(len(CLEAN))))
def test_cabs_score_falls_strictly_with_each_error(edits: list[str], order: list[int]) -> None:
    reference = report(*CLEAN)
    stated: dict[int, tuple[Fact, ...]] = {i: (one,) for i, one in enumerate(CLEAN)}
    inserted: list[Fact] = []
    last = 1.0
    for at in order:
        if edits[at] == "insert":
            if len(inserted) == len(INSERTED):
                continue
            inserted.append(INSERTED[len(inserted)])
        else:
            stated[at] = edited(CLEAN[at], edits[at])
            if stated[at] == (CLEAN[at],):
                continue
        prediction = report(*(f for group in stated.values() for f in group), *inserted)
        value = scored(reference, prediction)["cabs_score"]
        assert value is not None
        assert value < last, (edits[at], CLEAN[at].entity)
        last = value


def test_every_value_of_the_strategies_is_listed() -> None:
    kinds = matcher().ontology.attribute_kinds
    assert all(value in kinds[kind].values for kind, values in VALUES.items() for value in values)
