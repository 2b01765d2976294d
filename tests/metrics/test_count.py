"""Counts and scores of hand-made pairs, and the empty cases as a table."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cabs.matching import KINDS, Settings
from cabs.metrics import MACRO, NAMES, Counts, count, count_by, macro, metrics, score, total
from cabs.values import Fact, ParsedReport
from tests.matching.build import fact, matcher, report


def counted(ours: ParsedReport, theirs: ParsedReport | None, settings: Settings | None = None) -> Counts:
    chosen = matcher(settings)
    return count(chosen.align(ours, theirs), chosen)


def facts(number: int) -> list[Fact]:
    return [fact("pulmonary_nodule", mm=(10.0 * (i + 1),), start=i) for i in range(number)]


UNREAD = ParsedReport()
NORMAL = report(normal=["heart"])
# K, hits, F → precision, recall, F1
EMPTY = [
    (0, 0, 0, None, None, None),
    (0, 0, 2, 0.0, None, 0.0),
    (2, 0, 0, None, 0.0, 0.0),
    (2, 0, 1, 0.0, 0.0, 0.0),
    (2, 1, 0, 1.0, 0.5, 2 / 3),
    (2, 1, 1, 0.5, 0.5, 0.5),
    (2, 2, 0, 1.0, 1.0, 1.0),
    (2, 2, 2, 0.5, 1.0, 2 / 3),
]


@pytest.mark.parametrize(("k", "h", "f", "precision", "recall", "f1"), EMPTY)
def test_the_empty_cases(k, h, f, precision, recall, f1) -> None:  # type: ignore[no-untyped-def]
    ours = facts(k)
    wrong = [fact("hydronephrosis", mm=(100.0 + i,)) for i in range(f)]
    counts = counted(report(*ours), report(*ours[:h], *wrong))
    assert (counts.facts, counts.hits, counts.extra) == (k, h, f)
    values = score(counts)
    assert (values["precision"], values["recall"], values["f1"]) == (precision, recall, f1)
    assert values["loc_acc"] == (1.0 if h else None)
    assert values["fc_rate"] == (h / k if k else None)
    assert (values["fc_f1"] is None) == (f1 is None)


def test_every_key_is_always_there() -> None:
    assert tuple(score(Counts())) == NAMES == tuple(metrics(Settings(fm_base="reference")))
    assert set(score(Counts()).values()) == {None}
    assert tuple(macro([])) == MACRO
    assert set(macro([]).values()) == {None}


def test_an_unread_reference_is_unscored() -> None:
    assert counted(UNREAD, report(fact("consolidation"))) == Counts(unscored=1)
    chosen = matcher()
    assert count_by(chosen.align(UNREAD, NORMAL), "organ", chosen) == {}


def test_an_unread_prediction_has_missed_everything() -> None:
    for missing in (UNREAD, None):
        values = score(counted(report(fact("consolidation")), missing))
        assert (values["recall"], values["f1"], values["precision"], values["read_rate"]) == (0, 0, None, 0)
        assert values["cabs_score"] == pytest.approx(1 / 1.5)


def test_an_unread_prediction_is_never_a_correct_normal() -> None:
    values = score(counted(NORMAL, UNREAD))
    assert (values["normal_specificity"], values["cabs_score_normal"]) == (0, 0)
    values = score(counted(NORMAL, NORMAL))
    assert (values["normal_specificity"], values["cabs_score_normal"], values["cabs_score"]) == (1, 1, None)


def test_devices_leave_a_report_normal() -> None:
    values = score(counted(report(fact("central_line")), report(fact("central_line"))))
    assert values["normal_specificity"] == 1
    assert values["f1"] is None
    every = score(counted(report(fact("central_line")), report(fact("central_line")), Settings(kinds=KINDS)))
    assert every["f1"] == 1


REFERENCE = report(
    fact("consolidation", side="right", at=("rul",)),
    fact("pulmonary_nodule", mm=(8,)),
    fact("pleural_effusion", side="left", severity="mild"),
    fact("cardiomegaly", certainty="possible"),
    fact("central_line"),
)
PREDICTION = report(
    fact("consolidation", side="right", at=("rul",)),  # right
    fact("pulmonary_nodule", mm=(20,)),  # another size
    fact("pleural_effusion", side="right", severity="mild"),  # another side
    fact("cardiomegaly", status="absent"),  # missed and contradicted
    fact("pneumothorax", side="left"),  # invented, critical
    fact("metastasis", "liver"),  # invented, critical
)


def test_the_counts_of_a_pair() -> None:
    counts = counted(REFERENCE, PREDICTION)
    assert counts == Counts(
        reports=1,
        prediction_read=1,
        with_facts=1,
        facts=4,
        hits=3,
        extra=2,
        exact=3,
        location_hits=2,
        attribute_hits=2,
        consistent=1,
        certainty_hits=3,
        contradicted=1,
        organs_reference=3,  # lung, pleura, heart
        organs_prediction=3,  # lung, pleura, liver
        organs_both=2,
        organs_either=4,
        organs_hit=2,
        organs_full=0,
        organs_full_hit=1,  # lung; the pleura holds an invented fact
        weight_hits=1500,
        weight_missed=250,
        weight_extra=2000,
        critical_missed=0,
        critical_invented=2,
        cabs_facts=counts.cabs_facts,
    )
    right = 0.5 * (1 + 0.7 + 0.5)
    wrong = 0.5 * (0.3 + 0.5) + 0.25 / 2 + 2.0 + 0.25 / 2
    assert score(counts)["cabs_score"] == pytest.approx((1 + right) / (1 + right + wrong), abs=1e-9)


def test_the_scores_of_a_pair() -> None:
    values = score(counted(REFERENCE, PREDICTION))
    expected = {
        "precision": 3 / 5,
        "recall": 3 / 4,
        "f1": 6 / 9,
        "loc_acc": 2 / 3,
        "att_acc": 2 / 3,
        "fc_rate": 1 / 4,
        "fc_f1": 2 / 9,
        "or_rate": 2 / 3,
        "or_precision": 2 / 3,
        "or_recall": 2 / 3,
        "or_f1": 2 / 3,
        "fmor_rate": 0,
        "certainty_acc": 1,
        "contradiction_rate": 1 / 9,
        "weighted_f1": 3000 / (1750 + 3500),
        "critical_missed_per_100": 0,
        "critical_invented_per_100": 200,
        "read_rate": 1,
    }
    assert {name: values[name] for name in expected} == pytest.approx(expected)


def test_the_open_parameters() -> None:
    chosen = Settings(fidelity_over="hits", fm_over="hit", fm_base="reference")
    values = score(counted(REFERENCE, PREDICTION, chosen), chosen)
    assert values["fc_rate"] == pytest.approx(1 / 3)
    assert values["fmor_rate"] == pytest.approx(1 / 3)
    union = Settings(fm_over="hit")
    assert score(counted(REFERENCE, PREDICTION, union), union)["fmor_rate"] == pytest.approx(1 / 4)


def test_macro_takes_the_same_references_for_every_system() -> None:
    silent = [counted(REFERENCE, NORMAL), counted(NORMAL, NORMAL)]
    perfect = [counted(REFERENCE, REFERENCE), counted(NORMAL, PREDICTION)]
    assert macro(silent)["precision"] == 0
    assert macro(perfect)["f1"] == 1
    assert macro(perfect)["cabs_score"] == 1
    assert macro([*silent, *perfect])["recall"] == 0.5


def test_parts_by_organ_entity_section_and_kind() -> None:
    chosen = matcher()
    found = chosen.align(REFERENCE, PREDICTION)
    organs = count_by(found, "organ", chosen)
    assert list(organs) == ["heart", "liver", "lung", "pleura"]
    assert score(organs["lung"])["f1"] == 1
    assert organs["liver"].extra == 1
    assert organs["heart"].contradicted == 1
    assert {c.reports for c in organs.values()} == {1}
    kinds = count_by(found, "kind", chosen)
    assert list(kinds) == ["abnormality", "device"]
    assert kinds["device"].facts == 1
    assert list(count_by(found, "section", chosen)) == ["findings"]
    assert "pneumothorax" in count_by(found, "entity", chosen)


def test_section_scope_counts_each_section_apart() -> None:
    both = report(fact("consolidation"), fact("consolidation", section="impression"))
    assert counted(both, both).facts == 1
    apart = counted(both, both, Settings(scope="section"))
    assert (apart.facts, apart.organs_reference, apart.organs_full) == (2, 2, 2)


def test_totals() -> None:
    rows = [counted(REFERENCE, PREDICTION), counted(NORMAL, NORMAL), counted(UNREAD, NORMAL)]
    added = total(rows)
    assert (added.reports, added.unscored, added.normal_correct) == (2, 1, 1)
    assert added == rows[2] + rows[0] + rows[1]
    assert total([]) == Counts()


def test_a_weightier_or_lighter_fact() -> None:
    weigh = matcher().weigher.significance
    assert weigh(fact("pulmonary_nodule")) == "actionable"
    assert weigh(fact("pulmonary_nodule", mm=(31,))) == "critical"
    assert weigh(fact("pulmonary_nodule", mm=(3,))) == "minor"
    assert weigh(fact("pleural_effusion", severity="severe")) == "critical"
    assert weigh(fact("pulmonary_nodule", mm=(3,), severity="severe")) == "actionable"
    assert weigh(fact("pneumothorax", severity="severe")) == "critical"
    assert weigh(fact("hepatic_cyst", severity="trace")) == "benign"
    assert weigh(replace(fact("cardiomegaly"), entity="not_listed")) == "minor"


def test_an_is_a_relative_is_worth_more_than_a_miss_and_less_than_a_hit() -> None:
    reference = report(fact("consolidation"))
    value = {
        name: score(counted(reference, report(fact(name))))["cabs_score"] or 0
        for name in ("consolidation", "opacity", "cardiomegaly")
    }
    assert 1 == value["consolidation"] > value["opacity"] > value["cardiomegaly"] > 0
    assert value["opacity"] == pytest.approx((1 + 0.25) / (1 + 0.25 + 0.25))
