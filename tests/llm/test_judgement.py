"""[TIF]'s protocol: the reference's list is fixed, ids are echoed, quotes are checked."""

from __future__ import annotations

import json
from typing import Any

import pytest

from cabs.llm.failure import RefusedError
from cabs.llm.judgement import judged
from cabs.llm.laid import laid_out
from cabs.llm.settling import settled
from cabs.llm.terms import terms_of
from cabs.matching import Matcher, Settings
from cabs.metrics import count, errors_of, score
from cabs.parsing import parse

REFERENCE = "There is a 9 mm nodule in the right upper lobe. Small left pleural effusion."
PREDICTION = (
    "A 9 mm nodule is seen in the left upper lobe. Small left pleural effusion. Moderate ascites. No pneumothorax."
)
NODULE, EFFUSION, ASCITES = (
    "A 9 mm nodule is seen in the left upper lobe.",
    "Small left pleural effusion.",
    "Moderate ascites.",
)


@pytest.fixture(scope="module")
def matcher(ontology) -> Matcher:
    return Matcher(ontology)


@pytest.fixture(scope="module")
def ours(matcher: Matcher):
    return matcher.canonical(parse(REFERENCE))


def verdict(id: str, hit: Any = True, evidence: str = "", **changes: Any) -> dict[str, Any]:
    usual = {"location_match": hit, "attribute_match": hit, "certainty_match": hit}
    return {"id": id, "hit": hit, **usual, "evidence": evidence, **changes}


def answer(*verdicts: dict[str, Any], false: tuple[dict[str, Any], ...] = ()) -> str:
    return json.dumps({"verdicts": list(verdicts), "false_positives": list(false)})


FALSE = {"name": "ascites", "organ": "peritoneum", "evidence": ASCITES}


def of(ours, name: str) -> str:
    """The id under which a fact goes."""
    return f"R{[f.name for f in ours.present].index(name) + 1}"


def test_verdicts_become_an_alignment(ontology, matcher: Matcher, ours) -> None:
    said = answer(
        verdict(of(ours, "pulmonary nodule"), True, NODULE, location_match=False),
        verdict(of(ours, "pleural effusion"), True, EFFUSION, attribute_match=False),
        false=(FALSE,),
    )
    found = judged(said, ours.present, PREDICTION, terms_of(ontology))
    told, aligned = laid_out(ours, found, parse(PREDICTION), PREDICTION, matcher, terms_of(ontology))
    values = score(count(aligned, matcher))
    assert (values["precision"], values["recall"], values["loc_acc"], values["att_acc"]) == (2 / 3, 1.0, 0.5, 0.5)
    named = {(error.error, error.name) for error in errors_of(aligned)}
    assert named == {
        ("wrong_side", "pulmonary nodule"),
        ("other_attribute", "pleural effusion"),
        ("hallucinated", "ascites"),
    }
    assert [f.name for f in told.facts if f.status == "absent"] == ["pneumothorax"]
    assert 0 < values["cabs_score"] < 1


def test_a_fact_without_a_verdict_is_missed_and_counted(ontology, ours) -> None:
    found = judged(answer(verdict("R1", False)), ours.present, PREDICTION, terms_of(ontology))
    assert (found.hits, [issue.code for issue in found.issues]) == ((), ["unanswered"])


@pytest.mark.parametrize(
    ("said", "why"),
    [
        (answer(), "judges none of 2"),
        (answer(verdict("R3", False)), "an id that is not in the list"),
        (answer(verdict("R1", False), verdict("R1", False)), "an id twice"),
        (answer(verdict("R1", "false")), "verdicts.0.hit"),
        (answer(verdict("R1", 1)), "verdicts.0.hit"),
        (answer(verdict("R1", None)), "verdicts.0.hit"),
        (answer(verdict("R1", True, "It is all there.")), "none of its 1 quotes"),
        (
            answer(verdict("R1", False), false=({"name": "", "organ": "lung", "evidence": ASCITES},)),
            "false_positives.0.name",
        ),
        (json.dumps({"verdicts": [verdict("R1", False)]}), "0 objects"),
        ("", "empty"),
    ],
)
def test_a_judgement_that_breaks_the_protocol_is_refused(ontology, ours, said: str, why: str) -> None:
    with pytest.raises(RefusedError, match=why):
        judged(said, ours.present, PREDICTION, terms_of(ontology))


def test_quotes_that_are_not_there_are_refused_and_counted(ontology, ours) -> None:
    said = answer(
        verdict("R1", True, EFFUSION), verdict("R2", True, "A nodule is seen."), false=({**FALSE, "evidence": "x y z"},)
    )
    found = judged(said, ours.present, PREDICTION, terms_of(ontology))
    assert ([hit.at for hit in found.hits], found.extra) == ([0], ())
    assert [issue.code for issue in found.issues] == ["not_verbatim", "not_verbatim"]


def test_without_a_hit_nothing_matches(ontology, ours, matcher: Matcher) -> None:
    said = answer(verdict("R1", False, NODULE, location_match=True), verdict("R2", False, attribute_match=True))
    found = judged(said, ours.present, PREDICTION, terms_of(ontology))
    _, aligned = laid_out(ours, found, parse(PREDICTION), PREDICTION, matcher, terms_of(ontology))
    assert (aligned.hits, len(aligned.missed)) == ((), 2)


def test_a_normal_reference_asks_for_false_positives_alone(ontology, matcher: Matcher) -> None:
    ours = matcher.canonical(parse("The lungs are clear."))
    found = judged(answer(false=(FALSE,)), ours.present, PREDICTION, terms_of(ontology))
    _, aligned = laid_out(ours, found, parse(PREDICTION), PREDICTION, matcher, terms_of(ontology))
    assert [fact.name for fact in aligned.hallucinated] == ["ascites"]
    assert judged(answer(), ours.present, "The lungs are clear.", terms_of(ontology)).extra == ()


def test_one_statement_answers_for_one_fact(ontology, matcher: Matcher) -> None:
    ours = matcher.canonical(parse("Bilateral pleural effusions."))
    text = "Pleural effusions on both sides."
    said = answer(verdict("R1", True, text), verdict("R2", True, text))
    found = judged(said, ours.present, text, terms_of(ontology))
    _, aligned = laid_out(ours, found, parse(text), text, matcher, terms_of(ontology))
    assert (len(aligned.hits), len(aligned.hallucinated), len(aligned.prediction.present)) == (2, 0, 2)


def test_sections_that_are_scored_apart_are_judged_apart(ontology) -> None:
    matcher = Matcher(ontology, Settings(scope="section"))
    ours = matcher.canonical(parse("FINDINGS: Cardiomegaly.\nIMPRESSION: Cardiomegaly."))
    text = "FINDINGS: The heart is enlarged.\nIMPRESSION: No acute disease."
    said = answer(verdict("R1", True, "The heart is enlarged."), verdict("R2", True, "The heart is enlarged."))
    found = judged(said, ours.present, text, terms_of(ontology), sections=True)
    assert ([hit.at for hit in found.hits], [i.code for i in found.issues]) == ([0], ["outside_sections"])


def test_a_contradiction_is_counted_as_ever(ontology, matcher: Matcher, ours) -> None:
    text = "No pleural effusion. No nodule."
    found = judged(answer(verdict("R1", False), verdict("R2", False)), ours.present, text, terms_of(ontology))
    _, aligned = laid_out(ours, found, parse(text), text, matcher, terms_of(ontology))
    by_rules = matcher.align(ours, parse(text))
    assert aligned.contradictions == by_rules.contradictions
    assert aligned.contradictions


FOUR = "There is a 9 mm nodule in the right upper lobe. Small left pleural effusion. Right pneumothorax. Cardiomegaly."
ONE = (
    "There is a small left pleural effusion. No pneumothorax. No pulmonary nodule. The heart is normal in size. "
    "The lungs are clear."
)
OWN = {
    "pneumothorax": "No pneumothorax.", "pulmonary nodule": "No pulmonary nodule.",
    "cardiomegaly": "The heart is normal in size.", "pleural effusion": "There is a small left pleural effusion.",
}  # fmt: skip


@pytest.mark.parametrize("quote", ["There is a small left pleural effusion.", "pleural", ONE, OWN])
def test_a_verbatim_quote_is_evidence_of_what_it_states_alone(ontology, matcher: Matcher, quote: Any) -> None:
    four = matcher.canonical(parse(FOUR))
    quotes = [quote[f.name] if isinstance(quote, dict) else quote for f in four.present]
    said = answer(*(verdict(f"R{n}", True, words) for n, words in enumerate(quotes, 1)))
    found = judged(said, four.present, ONE, terms_of(ontology))
    assert [four.present[hit.at].name for hit in found.hits] == ["pleural effusion"]
    assert [issue.code for issue in found.issues] == ["evidence_beside_the_point"] * 3
    _, aligned = laid_out(four, found, parse(ONE), ONE, matcher, terms_of(ontology))
    assert {c.fact.name for c in aligned.contradictions}.isdisjoint(pair.reference.name for pair in aligned.hits)


@pytest.mark.parametrize(
    "quote", ["No pneumothorax.", "lungs", "The lungs are clear.", "heart", "left", "is normal in"]
)
def test_words_that_state_nothing_are_no_evidence(ontology, matcher: Matcher, quote: str) -> None:
    four = matcher.canonical(parse(FOUR)).present
    said = answer(*(verdict(f"R{n}", True, quote) for n in range(1, 5)))
    with pytest.raises(RefusedError, match="none of its 4 quotes"):
        judged(said, four, ONE, terms_of(ontology))


def test_a_statement_answers_for_as_many_facts_as_the_rules_read_in_it(ontology, matcher: Matcher) -> None:
    ours = matcher.canonical(
        parse("Right pleural effusion. Left pleural effusion. Small cyst in the left kidney.")
    ).present
    text = "Left pleural effusion. Cardiomegaly and cysts in both kidneys."
    evidence = [text[:22] if f.name == "pleural effusion" else text[23:] for f in ours]
    said = answer(*(verdict(f"R{n}", True, words) for n, words in enumerate(evidence, 1)))
    found = judged(said, ours, text, terms_of(ontology))
    assert [(ours[hit.at].name, ours[hit.at].side) for hit in found.hits] == [
        (f.name, f.side) for f in ours if f.side == "left"
    ]  # the statement of the left one goes to the left one
    assert [issue.code for issue in found.issues] == ["evidence_used"]


def test_words_that_the_ontology_lacks_may_say_a_fact_once(ontology, matcher: Matcher) -> None:
    ours = matcher.canonical(parse("Cardiomegaly. Right pneumothorax.")).present
    text = "The cardiac silhouette has outgrown the chest."
    said = answer(verdict("R1", True, text), verdict("R2", True, text))
    found = judged(said, ours, text, terms_of(ontology))
    assert (len(found.hits), [issue.code for issue in found.issues]) == (1, ["evidence_used"])


def test_a_false_positive_needs_a_statement_too(ontology, ours) -> None:
    false = tuple({"name": n, "organ": "bone", "evidence": "No pneumothorax."} for n in ("fracture", "pneumothorax"))
    extra = {"name": "free abdominal ascites", "organ": "peritoneum", "evidence": ASCITES}
    found = judged(
        answer(verdict("R1", False), verdict("R2", False), false=(*false, extra)), ours.present, PREDICTION,
        terms_of(ontology),
    )  # fmt: skip
    assert [one.name for one in found.extra] == ["free abdominal ascites"]
    assert [issue.code for issue in found.issues] == ["evidence_beside_the_point"] * 2


HISTORY = (
    "HISTORY: Pneumothorax. Pleural effusion.\nFINDINGS: Clear lungs. Pleural effusion.\nIMPRESSION: Pleural effusion."
)


def test_a_quote_is_found_where_the_report_is_read(ontology) -> None:
    matcher = Matcher(ontology, Settings(scope="section"))
    ours = matcher.canonical(parse("FINDINGS: Pleural effusion.\nIMPRESSION: Pleural effusion.")).present
    said = answer(verdict("R1", True, "Pleural effusion."), verdict("R2", True, "Pleural effusion."))
    for sections in (True, False):
        found = judged(said, ours, HISTORY, terms_of(ontology), sections=sections)
        assert [hit.section for hit in found.hits] == ["findings", "impression"]
        assert len({hit.span for hit in found.hits}) == 2
    (alone,) = judged(answer(verdict("R1", False), verdict("R2", True, "Pleural effusion.")), ours, HISTORY,
                      terms_of(ontology), sections=True).hits  # fmt: skip
    assert alone.section == "impression"


def test_a_judgement_that_quotes_the_history_alone_is_refused(ontology, matcher: Matcher) -> None:
    ours = matcher.canonical(parse("Pneumothorax.")).present
    with pytest.raises(RefusedError, match="none of its 1 quotes"):
        judged(answer(verdict("R1", True, "Pneumothorax.")), ours, HISTORY, terms_of(ontology))


SETTLED = (
    "Opacity in the left lower lobe. Cardiomegaly.",
    "Left lower lobe consolidation. The heart is enlarged. Ascites.",
)


def matches(*pairs: tuple[str, str]) -> str:
    return json.dumps({"matches": [{"reference": r, "prediction": p} for r, p in pairs]})


def test_facts_under_two_names_are_joined(matcher: Matcher) -> None:
    reference, prediction = map(parse, SETTLED)
    first = matcher.align(reference, prediction)
    assert first.missed, "the rules take the two for different things"
    at = [f.organ for f in first.hallucinated].index(first.missed[0].organ) + 1
    made = settled(matches(("R1", f"P{at}")), first, matcher)
    assert len(made.hits) == len(first.hits) + 1
    assert (len(made.missed), len(made.hallucinated)) == (len(first.missed) - 1, len(first.hallucinated) - 1)
    assert settled(matches(), first, matcher).hits == first.hits


def test_two_organs_are_never_one(matcher: Matcher) -> None:
    first = matcher.align(*map(parse, SETTLED))
    at = next(n for n, f in enumerate(first.hallucinated, 1) if f.organ != first.missed[0].organ)
    assert settled(matches(("R1", f"P{at}")), first, matcher).hits == first.hits


def test_two_entities_that_the_ontology_tells_apart_are_never_one(matcher: Matcher) -> None:
    first = matcher.align(parse("Pulmonary nodule."), parse("Bronchiectasis."))
    refused: list[Any] = []
    assert settled(matches(("R1", "P1")), first, matcher, refused.append).hits == ()
    assert [issue.code for issue in refused] == ["pair_refused"]


@pytest.mark.parametrize(
    "said", [matches(("R9", "P1")), matches(("R1", "P9")), matches(("R1", "P1"), ("R1", "P2")), "[]"]
)
def test_a_settlement_that_breaks_the_protocol_is_refused(matcher: Matcher, said: str) -> None:
    with pytest.raises(RefusedError):
        settled(said, matcher.align(*map(parse, SETTLED)), matcher)
