"""Two ways to say the same take one form."""

from dataclasses import replace

from cabs.matching import Settings
from cabs.values import Fact, ParsedReport
from tests.matching.build import fact, matcher, report

SECTIONS = Settings(scope="section")


def canonical(*facts: Fact, settings: Settings | None = None) -> tuple[Fact, ...]:
    return matcher(settings).canonical(report(*facts)).present


def said(facts: tuple[Fact, ...]) -> list[tuple[object, ...]]:
    """What facts say, without where they stand."""
    return [(f.entity, f.organ, f.side, f.location.ids, f.attributes, f.certainty, f.status) for f in facts]


def test_an_unmeasured_bilateral_fact_is_a_right_and_a_left_one() -> None:
    both = canonical(fact("pleural_effusion", side="bilateral", severity="mild"))
    each = canonical(
        fact("pleural_effusion", side="right", severity="mild"),
        fact("pleural_effusion", side="left", severity="mild"),
    )
    assert [f.side for f in both] == ["left", "right"]
    assert said(both) == said(each)


def test_the_places_of_a_bilateral_fact_go_to_their_side() -> None:
    both = canonical(fact("consolidation", side="bilateral", at=("rml", "lll")))
    assert said(both) == said(
        canonical(fact("consolidation", side="right", at=("rml",)), fact("consolidation", side="left", at=("lll",)))
    )


def test_a_place_without_its_side_word_is_the_place_of_the_side() -> None:
    assert said(canonical(fact("consolidation", side="bilateral", at=("lower_lobe",)))) == said(
        canonical(fact("consolidation", side="right", at=("rll",)), fact("consolidation", side="left", at=("lll",)))
    )


def test_a_measured_bilateral_fact_stays_one() -> None:
    (only,) = canonical(fact("pulmonary_nodule", side="bilateral", mm=(8,)))
    assert only.side == "bilateral"


def test_the_side_is_that_of_the_places_where_none_is_stated() -> None:
    (only,) = canonical(fact("consolidation", at=("rul",)))
    assert only.side == "right"


def test_unmeasured_facts_of_one_side_are_one_with_their_places_united() -> None:
    (only,) = canonical(
        fact("consolidation", side="right", at=("rul",), start=5),
        fact("consolidation", side="right", at=("rll",), start=50),
    )
    assert only.location.ids == ("rll", "rul")
    assert len(only.evidence) == 2
    assert only.mention.start == 5


def test_facts_of_different_certainty_or_side_or_with_a_measurement_stay_apart() -> None:
    assert len(canonical(fact("consolidation"), fact("consolidation", certainty="possible"))) == 2
    assert len(canonical(fact("consolidation"), fact("consolidation", side="right"))) == 2
    assert len(canonical(fact("pulmonary_nodule", mm=(5,)), fact("pulmonary_nodule", mm=(9,)))) == 2
    assert len(canonical(fact("pulmonary_nodule", mm=(5,)), fact("pulmonary_nodule", mm=(5,), start=9))) == 2


def test_finding_and_place_are_the_entity() -> None:
    (only,) = canonical(fact("cyst", at=("liver_s4",)))
    assert (only.entity, only.organ, only.name) == ("hepatic_cyst", "liver", "hepatic cyst")


def test_the_impression_is_absorbed_and_its_certainty_wins() -> None:
    (only,) = canonical(
        fact("consolidation", side="right", at=("rul",), severity="mild"),
        fact("consolidation", section="impression", certainty="possible", density="ground_glass"),
    )
    assert only.section == "findings"
    assert only.certainty == "possible"
    assert {a.kind for a in only.attributes} == {"severity", "density"}
    assert only.location.ids == ("rul",)


def test_the_impression_is_absorbed_by_the_findings_that_it_fits_best() -> None:
    facts = canonical(
        fact("pulmonary_nodule", side="right", mm=(9,)),
        fact("pulmonary_nodule", side="left", mm=(5,)),
        fact("pulmonary_nodule", section="impression", side="left", mm=(6,), margin="spiculated"),
    )
    assert len(facts) == 2
    assert [[a.kind for a in f.attributes] for f in facts if f.side == "left"] == [["margin", "size"]]


def test_a_conflicting_impression_stays() -> None:
    assert (
        len(canonical(fact("pulmonary_nodule", mm=(5,)), fact("pulmonary_nodule", section="impression", mm=(20,)))) == 2
    )
    assert len(canonical(fact("metastasis", "liver"), fact("metastasis", "lung", section="impression"))) == 2


def test_section_scope_joins_nothing_across_sections() -> None:
    facts = (fact("consolidation"), fact("consolidation", section="impression"))
    assert len(canonical(*facts)) == 1
    assert len(canonical(*facts, settings=SECTIONS)) == 2


def test_present_beats_absent_and_is_listed() -> None:
    made = matcher().canonical(
        report(fact("consolidation", at=("rul",)), fact("consolidation", status="absent", start=40))
    )
    assert len(made.present) == 1
    assert made.absent == ()
    assert [(a.status, b.status) for a, b in made.internal] == [("present", "absent")]


def test_a_denial_elsewhere_or_of_another_quality_stands() -> None:
    made = matcher().canonical(
        report(
            fact("consolidation", side="right"),
            fact("consolidation", side="left", status="absent"),
            fact("pulmonary_nodule", severity="small"),
            fact("pulmonary_nodule", status="absent", change="new"),
        )
    )
    assert len(made.absent) == 2
    assert made.internal == ()


def test_denials_of_different_qualities_stay_apart() -> None:
    made = matcher().canonical(
        report(
            fact("pleural_effusion", status="absent", severity="severe"),
            fact("pleural_effusion", status="absent", change="new"),
        )
    )
    assert len(made.absent) == 2


def test_order_never_matters() -> None:
    facts = (
        fact("consolidation", side="right", at=("rul",), start=0),
        fact("consolidation", side="bilateral", at=("lower_lobe",), start=30),
        fact("pulmonary_nodule", section="impression", start=90),
        fact("pulmonary_nodule", mm=(5,), start=60),
        fact("pulmonary_nodule", mm=(8,), start=70),
    )
    assert canonical(*facts) == canonical(*reversed(facts))


def test_read_and_normal() -> None:
    canon = matcher().canonical
    assert not canon(ParsedReport()).read
    assert canon(report(fact("central_line"))).normal
    assert canon(report(normal=["liver"])).normal
    assert not canon(report(fact("consolidation"))).normal
    assert not canon(ParsedReport()).normal
    assert canon(replace(report(fact("consolidation")), read=False)).read


def test_a_normality_statement_yields_to_a_weightier_fact_of_the_organ() -> None:
    canon = matcher().canonical
    assert canon(report(fact("hepatic_cyst"), normal=["liver"])).normals
    assert not canon(report(fact("metastasis", "liver"), normal=["liver"])).normals


def test_an_unknown_entity_id_is_kept_as_it_is() -> None:
    (only,) = canonical(replace(fact("consolidation"), entity="not_listed", organ=None))
    assert only.entity == "not_listed"
    assert only.organ is None
