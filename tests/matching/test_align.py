"""Hits, relatives, contradictions: what aligns with what."""

from dataclasses import replace

import pytest

from cabs.errors import SettingError
from cabs.matching import Alignment, Settings, align
from cabs.values import OTHER, Fact, ParsedReport
from tests.matching.build import fact, matcher, ontology, report

HIERARCHICAL = Settings(match="hierarchical")


def aligned(ours: list[Fact], theirs: list[Fact], settings: Settings | None = None) -> Alignment:
    return matcher(settings).align(report(*ours), report(*theirs))


def other(name: str, organ: str | None = None) -> Fact:
    return fact(OTHER, organ, name=name)


def test_the_same_entity_hits_and_the_rest_is_missed_or_hallucinated() -> None:
    found = aligned([fact("consolidation"), fact("cardiomegaly")], [fact("consolidation"), fact("opacity")])
    assert [h.reference.entity for h in found.hits] == ["consolidation"]
    assert [f.entity for f in found.missed] == ["cardiomegaly"]
    assert [f.entity for f in found.hallucinated] == ["opacity"]


def test_decomposed_names_are_the_same_entity() -> None:
    assert aligned([fact("hepatic_cyst")], [fact("cyst", "liver")]).hits[0].exact


def test_organs_must_not_conflict_and_an_unknown_one_never_does() -> None:
    liver, lung, unknown = (replace(fact("metastasis"), organ=organ) for organ in ("liver", "lung", None))
    assert not aligned([liver], [lung]).hits
    for known in (liver, lung, unknown):
        assert aligned([unknown], [known]).hits[0].exact
        assert aligned([known], [unknown]).hits[0].exact
    assert [h.prediction.organ for h in aligned([unknown, liver], [lung, liver]).hits] == ["lung", "liver"]


def test_a_finding_of_unknown_place_is_not_the_entity_that_it_makes_elsewhere() -> None:
    assert not aligned([fact("hepatic_cyst")], [fact("cyst")]).hits
    assert aligned([fact("hepatic_cyst")], [fact("cyst")], HIERARCHICAL).hits


def test_the_impression_may_leave_out_the_organ() -> None:
    (only,) = matcher().canonical(report(fact("metastasis"), fact("metastasis", "liver", section="impression"))).present
    assert (only.entity, only.organ, only.name) == ("metastasis@liver", "liver", "hepatic metastasis")


def test_strict_takes_no_relative_but_notes_it_as_near() -> None:
    found = aligned([fact("consolidation")], [fact("opacity")])
    assert not found.hits
    assert [(p.reference.entity, p.prediction.entity, p.exact) for p in found.near] == [
        ("consolidation", "opacity", False)
    ]
    assert len(found.missed) == len(found.hallucinated) == 1


def test_hierarchical_takes_a_relative_but_likes_the_entity_better() -> None:
    assert not aligned([fact("consolidation")], [fact("opacity")], HIERARCHICAL).hits[0].exact
    found = aligned([fact("consolidation")], [fact("opacity"), fact("consolidation")], HIERARCHICAL)
    assert found.hits[0].exact
    assert found.hallucinated[0].entity == "opacity"
    assert not found.near


def test_more_hits_go_before_an_exact_hit() -> None:
    found = aligned(
        [fact("consolidation"), fact("opacity")], [fact("consolidation", at=("rul",)), fact("consolidation")],
        HIERARCHICAL,
    )  # fmt: skip
    assert len(found.hits) == 2


def test_the_best_agreeing_lesion_is_the_hit() -> None:
    ours = [fact("pulmonary_nodule", at=("rul",), mm=(8,)), fact("pulmonary_nodule", at=("lll",), mm=(20,))]
    theirs = [fact("pulmonary_nodule", at=("lll",), mm=(21,)), fact("pulmonary_nodule", at=("rul",), mm=(9,))]
    assert all(h.consistent for h in aligned(ours, theirs).hits)


@pytest.mark.parametrize(
    ("a", "b", "same"),
    [
        ("mesenteric fogginess", "fogginess, mesenteric", True),
        ("odd haemorrhagic streaks", "Odd hemorrhagic streak", True),
        ("unusual filamentous debris", "unusual filamentuos debris", True),
        ("hypodense whatsit", "hyperdense whatsit", False),
        ("intrahepatic whatsit", "extrahepatic whatsit", False),
        ("ureteral whatsit", "urethral whatsit", False),
        ("whatsit", "whatsit of the other kind", False),
        ("symmetric whatsit", "asymmetric whatsit", False),
        ("…", "…", True),
        ("…", "", False),
    ],
)
def test_names_outside_the_ontology(a: str, b: str, same: bool) -> None:
    assert bool(aligned([other(a)], [other(b)]).hits) == same


def test_names_outside_the_ontology_never_hit_listed_entities() -> None:
    assert not aligned([other("consolidation")], [fact("consolidation")]).hits
    assert not aligned([other("whatsit", "lung")], [other("whatsit", "liver")]).hits


CONTRADICTIONS = [
    # a present fact, what the other report says, whether that contradicts it
    (fact("pleural_effusion"), fact("pleural_effusion", status="absent"), True),
    (fact("pleural_effusion", side="right"), fact("pleural_effusion", status="absent"), True),
    (fact("pleural_effusion", side="right"), fact("pleural_effusion", side="right", status="absent"), True),
    (fact("pleural_effusion", side="right"), fact("pleural_effusion", side="left", status="absent"), False),
    (fact("pleural_effusion"), fact("pleural_effusion", side="left", status="absent"), False),
    (fact("pulmonary_nodule", at=("rul",)), fact("pulmonary_nodule", at=("lung_right",), status="absent"), True),
    (fact("pulmonary_nodule", at=("lung_right",)), fact("pulmonary_nodule", at=("rul",), status="absent"), False),
    (fact("pulmonary_nodule", at=("rll",)), fact("pulmonary_nodule", at=("lower_lobe",), status="absent"), True),
    (fact("pulmonary_nodule", margin="smooth"), fact("pulmonary_nodule", margin="lobulated", status="absent"), False),
    (fact("pulmonary_nodule", other="this"), fact("pulmonary_nodule", other="that", status="absent"), False),
    (fact("pulmonary_nodule", other="this"), fact("pulmonary_nodule", other="this", status="absent"), True),
    (fact("pulmonary_nodule", mm=(9,)), fact("pulmonary_nodule", mm=(10,), status="absent"), True),
    (
        fact("pleural_effusion", severity="small"),
        fact("pleural_effusion", severity="severe", status="absent"),
        False,
    ),
    (
        fact("pleural_effusion", severity="severe"),
        fact("pleural_effusion", severity="severe", status="absent"),
        True,
    ),
    (fact("pleural_effusion"), fact("pleural_effusion", severity="severe", status="absent"), False),
    (fact("pulmonary_nodule"), fact("pulmonary_nodule", change="new", status="absent"), False),
    (fact("pleural_effusion"), fact("pleural_effusion", change="resolved", status="absent"), True),
    (fact("consolidation"), fact("opacity", status="absent"), True),
    (fact("opacity"), fact("consolidation", status="absent"), False),
    (fact("metastasis", "liver"), fact("metastasis", "lung", status="absent"), False),
    (fact("cardiomegaly"), fact("consolidation", status="absent"), False),
]


@pytest.mark.parametrize(("present", "denial", "contradicts"), CONTRADICTIONS)
def test_contradictions_by_denial(present: Fact, denial: Fact, contradicts: bool) -> None:
    found = aligned([present], [denial]).contradictions
    assert [(c.side, c.fact.status, c.denial.status) for c in found] == (  # type: ignore[union-attr]
        [("reference", "present", "absent")] if contradicts else []
    )
    assert bool(aligned([denial], [present]).contradictions) == contradicts


def test_contradictions_by_normality() -> None:
    normal = report(normal=["lung", "liver"])
    chosen = matcher()
    assert chosen.align(report(fact("consolidation")), normal).contradictions
    assert chosen.align(normal, report(fact("consolidation"))).contradictions[0].side == "prediction"
    assert not chosen.align(report(fact("hepatic_cyst")), normal).contradictions
    assert not chosen.align(report(fact("cardiomegaly")), normal).contradictions


def test_a_hit_can_be_contradicted_too() -> None:
    large, small = fact("pleural_effusion", severity="severe"), fact("pleural_effusion", severity="mild")
    denial = fact("pleural_effusion", severity="severe", status="absent")
    (hit,) = aligned([large], [small, denial]).hits
    assert hit.contradicted


def test_section_scope_lets_only_facts_of_one_section_meet() -> None:
    ours = [fact("consolidation"), fact("consolidation", section="impression")]
    theirs = [fact("consolidation")]
    assert len(aligned(ours, theirs).hits) == 1
    assert not aligned(ours, theirs).missed
    apart = aligned(ours, theirs, Settings(scope="section"))
    assert (len(apart.hits), len(apart.missed)) == (1, 1)


def test_a_missing_prediction_is_an_unread_one() -> None:
    found = align(report(fact("consolidation")), None, ontology=ontology())
    assert len(found.missed) == 1
    assert not found.prediction.read
    assert found == align(report(fact("consolidation")), ParsedReport(), ontology=ontology())


def test_a_canonical_reference_can_be_used_again() -> None:
    chosen, reference = matcher(), report(fact("consolidation", side="bilateral"))
    ready = chosen.canonical(reference)
    assert chosen.align(ready, reference) == chosen.align(reference, reference)


@pytest.mark.parametrize(
    "wrong", [{"match": "loose"}, {"kinds": ()}, {"kinds": ("thing",)}, {"scope": "page"}, {"fm_base": ""}]
)
def test_settings_are_checked(wrong: dict) -> None:
    with pytest.raises(SettingError, match="is"):
        Settings(**wrong)


def test_settings_come_back_from_their_items() -> None:
    chosen = Settings(match="hierarchical", scope="section", kinds=("device", "abnormality"), fm_over="hit")
    assert Settings.from_items(dict(chosen.items())) == chosen
    assert chosen.kinds == ("abnormality", "device")
