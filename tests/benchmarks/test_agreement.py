"""The figures of `make accuracy`, on cases small enough to count by hand."""

from __future__ import annotations

from typing import Any

from benchmarks.accuracy import GOLD
from benchmarks.agreement import Agreement, Item, from_gold, normal_words
from benchmarks.rooms.gold import faults, gold_files

TEXT = "Small right pleural effusion. A 9 mm nodule in the left upper lobe. No pneumothorax."


def fact(name: str, mention: str, sentence: str, **slots: Any) -> dict[str, object]:
    return {
        "status": "present",
        "name": name,
        "mention": mention,
        "sentence": sentence,
        "certainty": "definite",
        **slots,
    }


GOLD_FACTS = [
    fact("pleural effusion", "effusion", "Small right pleural effusion.", organ="pleura", side="right"),
    fact(
        "pulmonary nodule",
        "nodule",
        "A 9 mm nodule in the left upper lobe.",
        organ="lung",
        side="left",
        location="left upper lobe",
        attributes=[{"kind": "size", "text": "9 mm"}],
    ),
    fact("pneumothorax", "pneumothorax", "No pneumothorax.", organ="pleura", status="absent"),
]


def items(*changed: dict[str, object]) -> list[Item]:
    return from_gold(changed, TEXT)


def figures(found: list[Item], **options: Any) -> dict[str, dict[str, float]]:
    agreement = Agreement(**options)
    agreement.add(items(*GOLD_FACTS), found)
    return agreement.figures()


def test_a_reader_agrees_with_itself_on_every_gold_file() -> None:
    for name, records in gold_files([GOLD]):
        agreement = Agreement()
        for record in records:
            facts = from_gold(record["facts"], record["text"])
            agreement.add(facts, facts)
        result = agreement.figures()
        assert result["present"]["entity_f1"] == result["absent"]["entity_f1"] == 1.0, name
        assert result["slots"]["organ"] == result["slots"]["side"] == result["slots"]["certainty"] == 1.0, name


def test_missed_and_extra_facts() -> None:
    found = items(GOLD_FACTS[0], fact("mass", "lobe", "A 9 mm nodule in the left upper lobe."))
    present = figures(found)["present"]
    assert (present["mention_p"], present["mention_r"], present["mention_f1"]) == (0.5, 0.5, 0.5)
    assert figures(found)["absent"]["mention_f1"] == 0.0


def test_what_cant_be_divided_is_none_and_what_is_wrong_is_0() -> None:
    nothing = Agreement().figures()
    assert set(nothing["present"].values()) == {0, None}
    assert {name for name, value in nothing["slots"].items() if value is not None} == {"size_gold"}
    none_there = Agreement()
    none_there.add([], items(GOLD_FACTS[0]))
    present = none_there.figures()["present"]
    assert (present["mention_p"], present["mention_r"], present["mention_f1"]) == (0.0, None, 0.0)


def test_another_name_is_a_mention_but_no_entity_until_it_resolves() -> None:
    found = items(GOLD_FACTS[0], {**GOLD_FACTS[1], "name": "lung nodule"}, GOLD_FACTS[2])
    literal = figures(found)["present"]
    assert (literal["mention_f1"], literal["entity_f1"], literal["name_f1"]) == (1.0, 0.5, 0.5)
    resolved = figures(found, resolve=lambda name: "nodule" if "nodule" in name else None)["present"]
    assert (resolved["entity_f1"], resolved["name_f1"]) == (1.0, 0.5)


def test_slots_count_paired_facts() -> None:
    other = {**GOLD_FACTS[1], "side": "right", "organ": "pleura", "location": "upper lobe", "attributes": []}
    slots = figures(items(GOLD_FACTS[0], other))["slots"]
    assert (slots["organ"], slots["side"], slots["certainty"]) == (0.5, 0.5, 1.0)
    assert (slots["location"], slots["size"]) == (0.8, 0.0)


def test_names_are_compared_without_order_plural_and_spelling() -> None:
    assert normal_words("Tumours of the liver") == normal_words("liver tumor")
    assert normal_words("haematoma") == normal_words("hematoma")
    assert normal_words("mass") != normal_words("mas")


def test_every_disagreement_is_a_fault_of_one_kind() -> None:
    other = {**GOLD_FACTS[1], "name": "mass", "side": "right", "location": "upper lobe", "certainty": "possible"}
    denied = {**GOLD_FACTS[0], "status": "absent"}
    found = items(denied, other, fact("emphysema", "lobe", "A 9 mm nodule in the left upper lobe.", status="absent"))
    told = [(kind, name) for kind, name, _ in faults(Agreement(), items(*GOLD_FACTS), found)]
    assert told == [
        ("present, read otherwise", "pleural effusion"),
        ("present other name", "pulmonary nodule / mass"),
        ("side", "pulmonary nodule: left / right"),
        ("certainty", "pulmonary nodule: definite / possible"),
        ("location", "-[left] +[]"),
        ("absent missed", "pneumothorax"),
        ("absent extra", "pleural effusion"),
        ("absent extra", "emphysema"),
    ]


def test_a_size_and_an_attribute_are_faults_where_they_differ() -> None:
    other = {
        **GOLD_FACTS[1],
        "attributes": [{"kind": "size", "text": "8 mm"}, {"kind": "margin", "text": "spiculated"}],
    }
    told = list(faults(Agreement(), items(GOLD_FACTS[1]), items(other)))
    assert [(kind, name) for kind, name, _ in told] == [("size", "-[9] +[8]"), ("attribute", "-[] +[spiculated]")]
