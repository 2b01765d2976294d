"""The disagreements of an aligned pair, by name, with the words of both sides and their cost."""

from __future__ import annotations

from cabs.matching.agreement import Agreement, Outcome, Verdict
from cabs.matching.alignment import Disagreement, ErrorName, Slot
from cabs.matching.item import Item
from cabs.matching.settings import Settings

OMITTED_SHARE = 0.5
"""An omitted slot costs half a wrong one; so does a broader place."""

_SLOTS: dict[str, Slot] = {"side": "location", "place": "location", "certainty": "certainty"}
_ATTRIBUTE_NAMES: dict[str, ErrorName] = {"size": "wrong_size", "severity": "severity", "change": "change"}
_LOCATION_NAMES: dict[tuple[str, Outcome], ErrorName] = {
    ("side", Outcome.WRONG): "wrong_side",
    ("side", Outcome.OMITTED): "location_broader",
    ("side", Outcome.EXTRA): "unsupported_place",
    ("place", Outcome.WRONG): "wrong_site",
    ("place", Outcome.BROADER): "location_broader",
    ("place", Outcome.OMITTED): "location_broader",
    ("place", Outcome.EXTRA): "unsupported_place",
}


class Namer:
    """Names what differs between two items, under the settings."""

    def __init__(self, agreement: Agreement, settings: Settings) -> None:
        self._agreement, self._settings = agreement, settings

    def disagreements(self, reference: Item, prediction: Item) -> tuple[Disagreement, ...]:
        """Every slot part that doesn't agree, those that the settings ignore included (`counts` False)."""
        verdicts = self._agreement.verdicts(reference, prediction)
        return tuple(
            self._named(verdict, reference, prediction) for verdict in verdicts if verdict.outcome is not Outcome.AGREE
        )

    def _named(self, verdict: Verdict, reference: Item, prediction: Item) -> Disagreement:
        detail, outcome = verdict
        counts = outcome is not Outcome.EXTRA or self._extra_counts(detail)
        share = OMITTED_SHARE if outcome in (Outcome.OMITTED, Outcome.BROADER) else 1.0
        return Disagreement(
            slot=_SLOTS.get(detail, "attributes"),
            detail=detail,
            name=_name(verdict, reference),
            reference=_words(detail, reference),
            prediction=_words(detail, prediction),
            cost=self._agreement.cost(detail) * share if counts else 0.0,
            counts=counts,
        )

    def _extra_counts(self, detail: str) -> bool:
        if detail in _SLOTS:
            return self._settings.location_extra == "disagree"
        if self._settings.attributes_extra == "clinical":
            return self._agreement.clinical(detail)
        return self._settings.attributes_extra == "all"


def _name(verdict: Verdict, reference: Item) -> ErrorName:
    detail, outcome = verdict
    if detail == "certainty":
        return "certainty_overstated" if reference.fact.certainty == "possible" else "certainty_understated"
    if detail in _SLOTS:
        return _LOCATION_NAMES[detail, outcome]
    if outcome is Outcome.EXTRA:
        return "unsupported_attribute"
    return "omitted_attribute" if outcome is Outcome.OMITTED else _ATTRIBUTE_NAMES.get(detail, "other_attribute")


def _words(detail: str, item: Item) -> str:
    """What an item says in this part: the words of the report where there are any."""
    if detail == "side":
        return item.fact.side or ""
    if detail == "place":
        return (item.fact.location.text or ", ".join(item.places)) if item.places else ""
    if detail == "certainty":
        return item.fact.certainty
    return "; ".join(a.text or a.value or "" for a in item.attributes.get(detail, ()))
