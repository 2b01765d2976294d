"""Another judge's verdict on the slots of a hit, put over what the rules of matching say of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from cabs.matching.alignment import AlignedPair, Disagreement, ErrorName, Slot
from cabs.values import Fact

PLACE, CERTAINTY, OTHER_KIND = "place", "certainty", "other"


@dataclass(frozen=True, slots=True)
class Ruling:
    """Whether place, attributes and certainty of a hit agree."""

    location: bool
    attributes: bool
    certainty: bool


def ruled(pair: AlignedPair, ruling: Ruling, cost: Callable[[str], float]) -> AlignedPair:
    """The pair as the ruling has it, whatever its names; it is a hit of the very entity.

    Disagreements that the rules name stay where the ruling agrees that there is one; elsewhere they are listed without
    counting. One that only the ruling sees is named after its slot, with the words of the reference.
    """
    verdicts: dict[Slot, bool] = {
        "location": ruling.location, "attributes": ruling.attributes, "certainty": ruling.certainty,
    }  # fmt: skip
    named = tuple(d if not verdicts[d.slot] else replace(d, counts=False, cost=0.0) for d in pair.disagreements)
    seen = {d.slot for d in named if d.counts}
    unseen = tuple(_unnamed(slot, pair.reference, cost) for slot, ok in verdicts.items() if not ok and slot not in seen)
    return replace(
        pair,
        exact=True,
        location=ruling.location,
        attributes=ruling.attributes,
        certainty=ruling.certainty,
        disagreements=(*named, *unseen),
    )


def _unnamed(slot: Slot, reference: Fact, cost: Callable[[str], float]) -> Disagreement:
    """A disagreement of which no more is known than its slot."""
    name: ErrorName
    if slot == "location":
        detail, name, words = PLACE, "wrong_site", reference.location.text
    elif slot == "certainty":
        over = reference.certainty == "possible"
        detail, name, words = CERTAINTY, "certainty_overstated" if over else "certainty_understated", ""
    else:
        detail = reference.attributes[0].kind if reference.attributes else OTHER_KIND
        name, words = "other_attribute", "; ".join(a.text or a.value or "" for a in reference.attributes)
    return Disagreement(slot, detail, name, words, "", cost(detail), True)
