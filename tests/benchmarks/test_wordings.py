"""How a fact is worded, told from its annotation; and scores from annotated against scores from parsed facts."""

from __future__ import annotations

import random
from typing import Any

import pytest

from benchmarks.agreement import from_gold
from benchmarks.rooms import perturbed, phenomena

HEADED = "Liver: No mass or cyst.\n\nBoth lungs: There is probable emphysema."


def fact(name: str, mention: str, sentence: str, status: str = "present", **slots: Any) -> dict[str, Any]:
    base = {"section": "findings", "organ": None, "location": "", "side": None, "certainty": "definite"}
    return {**base, "status": status, "name": name, "mention": mention, "sentence": sentence, **slots}


def worded(text: str, *facts: dict[str, Any]) -> list[set[str]]:
    around = phenomena.places({"text": text, "facts": list(facts)}, from_gold(facts, text))
    return [{rule["id"] for rule in phenomena.rules() if phenomena.holds(rule, place)} for place in around]


def test_denials_hedges_and_headings() -> None:
    denied = [fact(name, name, "No mass or cyst.", "absent") for name in ("mass", "cyst")]
    hedged = fact("emphysema", "emphysema", "There is probable emphysema.", certainty="possible")
    assert worded(HEADED, *denied, hedged) == [
        {"denial of several", "organ from heading"},
        {"denial of several", "organ from heading"},
        {"hedge", "organ from heading"},
    ]


@pytest.mark.parametrize(
    ("text", "names", "expected"),
    [
        ("No mass other than a cyst.", ["cyst"], {"exception"}),
        ("A cyst and a mass.", ["cyst", "mass"], {"coordination"}),
        ("A PE is seen.", ["PE"], {"abbreviation"}),
        ("The largest cyst is seen. It is a cyst.", ["cyst"], {"anaphora"}),
        ("Emphysma is seen.", ["Emphysma"], {"misspelling"}),
        ("A cyst.", ["cyst"], set()),
    ],
)
def test_wordings_of_one_sentence(text: str, names: list[str], expected: set[str]) -> None:
    assert worded(text, *(fact(name, name, text) for name in names))[0] == expected


def test_several_of_one_kind_and_prior_sizes() -> None:
    text = "Nodules of 4 mm and of 6 mm (previously 3 mm)."
    prior = [{"kind": "change", "text": "previously 3 mm"}]
    facts = [fact("nodule", "Nodules", text), fact("nodule", "Nodules", text, attributes=prior)]
    assert [names & {"several of one kind", "prior size"} for names in worded(text, *facts)] == [
        {"several of one kind"},
        {"several of one kind", "prior size"},
    ]


def test_capitals_are_no_abbreviations_in_a_report_of_capitals() -> None:
    assert worded("A CYST IS SEEN.", fact("cyst", "CYST", "A CYST IS SEEN.")) == [set()]


def test_known_words_and_their_endings_are_no_misspellings() -> None:
    assert phenomena.misspelt("pnuemothorax")
    assert not phenomena.misspelt("pneumothorax")
    assert not phenomena.misspelt("pneumothoraxs")
    assert not phenomena.misspelt("cat")


def test_the_figures_of_a_wording() -> None:
    text = "No pleural effusion or unheard of thing. Emphysema."
    denied = [fact(n, n, "No pleural effusion or unheard of thing.", "absent") for n in ("pleural effusion", "thing")]
    record = {"id": "1", "text": text, "facts": [*denied, fact("emphysema", "Emphysema", "Emphysema.")]}
    figures, _ = phenomena.measure([record])
    row = figures["denial of several"]
    assert (row["facts"], row["mention_recall"], row["entity_recall"], row["status_errors"]) == (2, 0.5, 0.5, 0.0)
    assert row["sentence_f1"] == 0.6667, "one pair among two annotated facts and one read"
    assert figures["hedge"]["facts"] == 0


def test_registers_are_named_by_the_records() -> None:
    records = [{"id": "1", "register": "b"}, {"id": "2"}, {"id": "3", "register": "a"}]
    assert [(name, [r["id"] for r in rs]) for name, rs in phenomena.registers(records)] == [("a", ["3"]), ("b", ["1"])]


REPORT = {
    "id": "1",
    "text": "FINDINGS: Emphysema. Small left pleural effusion. It is new.\nIMPRESSION: Emphysema.",
    "facts": [
        fact("emphysema", "Emphysema", "Emphysema."),
        fact("pleural effusion", "pleural effusion", "Small left pleural effusion. It is new.", side="left"),
        fact("emphysema", "Emphysema", "Emphysema.", section="impression"),
    ],
}


def test_a_report_is_cut_with_its_facts() -> None:
    pieces = perturbed.cut(REPORT)
    assert [(section, text, [f["name"] for f in facts]) for section, text, facts in pieces] == [
        ("findings", "Emphysema.", ["emphysema"]),
        ("findings", "Small left pleural effusion. It is new.", ["pleural effusion"]),
        ("impression", "Emphysema.", ["emphysema"]),
    ]


def test_a_prediction_states_the_facts_of_its_sentences() -> None:
    own = perturbed.cut(REPORT)
    others: list[perturbed.Piece] = [("findings", "Hiatal hernia.", (fact("hiatal hernia", "h", "Hiatal hernia."),))]
    seen = set()
    for seed in range(20):
        text, facts = perturbed.prediction(own, others, random.Random(seed))
        stated = sorted(name for _, words, fs in (*own, *others) if words in text for name in {f["name"] for f in fs})
        assert {f["name"] for f in facts} == set(stated)
        assert (text, facts) == perturbed.prediction(own, others, random.Random(seed))
        seen.add(text)
    assert len(seen) > 5


def test_both_scores_of_a_pair_are_made_alike() -> None:
    _, points = perturbed.measure("file", [REPORT, {**REPORT, "id": "2"}])
    assert points
    assert all(ours == theirs for _, ours, theirs in points), "the parser reads these reports as they are annotated"


def test_the_correlation_needs_points_that_vary() -> None:
    assert perturbed.correlation([("a", 0.1, 0.2), ("b", 0.5, 0.3), ("c", 0.9, 0.8)]) == {"pairs": 3, "spearman": 1.0}
    assert perturbed.correlation([("a", 0.1, 0.2), ("b", 0.5, 0.3)])["spearman"] is None
    assert perturbed.correlation([("a", 1.0, 0.2), ("b", 1.0, 0.3), ("c", 1.0, 0.1)])["spearman"] is None
