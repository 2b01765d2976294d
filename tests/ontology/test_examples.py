"""Every rule of the ontology, run through the parser with the examples that it carries."""

from __future__ import annotations

import pytest

from cabs.ontology import Ontology, load_ontology
from cabs.ontology.examples import Case, cases, read_fact, run_case, written
from cabs.parsing import parse
from cabs.values import Attribute, Fact, Location, ParsedReport, Span


def fact(entity: str, status: str = "present", certainty: str = "definite", **slots: object) -> Fact:
    made: dict[str, object] = {
        "section": "findings", "status": status, "entity": entity, "kind": "abnormality", "name": entity,
        "organ": None, "side": None, "location": Location(), "attributes": (), "certainty": certainty,
        "mention": Span(0, 1), "evidence": (Span(0, 1),), **slots,
    }  # fmt: skip
    return Fact(**made)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("notation", "parsed", "meets"),
    [
        ("+cyst", fact("cyst"), True),
        ("+cyst", fact("cyst", certainty="possible"), False),
        ("?cyst", fact("cyst", certainty="possible"), True),
        ("-cyst", fact("cyst", "absent"), True),
        ("-cyst", fact("cyst"), False),
        ("+cyst", fact("mass"), False),
        ("+cyst right", fact("cyst", side="right"), True),
        ("+cyst right", fact("cyst", side="left"), False),
        ("+cyst", fact("cyst", side="left"), False),
        ("+cyst @kidney", fact("renal_cyst", organ="kidney"), True),
        ("+cyst@spleen", fact("cyst@spleen", organ="spleen"), True),
        ("+renal_cyst @kidney left", fact("renal_cyst", organ="kidney", side="left"), True),
        ("+renal_cyst @kidney", fact("renal_cyst", organ="liver"), False),
        ("+cyst type=simple", fact("cyst", attributes=(Attribute("type", "simple", "simple"),)), True),
        ("+cyst type=simple", fact("cyst"), False),
    ],
)
def test_notation(tiny: Ontology, notation: str, parsed: Fact, meets: bool) -> None:
    assert read_fact(notation, tiny).meets(parsed) is meets
    if meets:
        assert read_fact(written(parsed), tiny).meets(parsed)


def test_all_facts_must_be_listed_and_found(tiny: Ontology) -> None:
    example = next(case for case in cases(tiny) if case.rule == "deny" and case.polarity == "match")
    denied, stated = fact("mass", "absent"), fact("mass")
    for facts, passes in (((denied,), True), ((), False), ((stated,), False), ((denied, stated), False)):
        failure = run_case(example, lambda text, facts=facts: ParsedReport(facts), tiny)  # type: ignore[misc]
        assert (failure is None) is passes
    said = str(run_case(example, lambda text: ParsedReport((stated,)), tiny))
    assert said == "context/cues.yaml: deny: match: 'No mass.': expected -mass; found +mass"


def test_a_parser_that_finds_nothing_fails_what_states_something(tiny: Ontology) -> None:
    results = (run_case(case, lambda text: ParsedReport(), tiny) for case in cases(tiny))
    assert [failure.case.example.text for failure in results if failure is not None] == [
        "No mass.",
        "A mass.",
        "A pleural PE.",
    ]


@pytest.mark.parametrize("case", cases(load_ontology()), ids=lambda case: f"{case.rule}-{case.polarity}")
def test_rule(case: Case, real: Ontology) -> None:
    failure = run_case(case, parse, real)
    assert failure is None, str(failure)
