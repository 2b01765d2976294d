"""One report → what it adds: counts by column, its row, its disagreements."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from cabs.matching import CanonicalReport
from cabs.matching.item import Item
from cabs.metrics.estimates import cell
from cabs.studies.agreement.slots import Slot, entity_of
from cabs.studies.agreement.units import Pairing, UnitPair, Units
from cabs.values import Fact, ParsedReport, Status

STATUSES: tuple[Status, ...] = ("present", "absent")
LABELS = ("present", "absent", "not mentioned")
TWO = 2
"""So many differing units make a report that differs."""


@dataclass(frozen=True, slots=True)
class Difference:
    """One disagreement: a fact that one reading lacks (`slot` "fact"), or a slot in which two paired facts differ."""

    id: str
    status: Status
    slot: str
    a: Fact | None
    b: Fact | None
    said_a: str
    said_b: str


@dataclass(frozen=True, slots=True)
class ReportAgreement:
    """What one report adds. `counts` are columns as `column` names them; `labels` its (present, absent, not mentioned)
    cells by entity; `categories` what was said in each slot."""

    id: str
    counts: Mapping[str, int]
    labels: Mapping[str, tuple[str, str]]
    categories: Mapping[str, frozenset[str]]
    differences: tuple[Difference, ...]


def column(status: Status, name: str) -> str:
    """The name of a column of one status."""
    return f"{status}:{name}"


def slot_column(status: Status, slot: str, name: str = "") -> str:
    """The name of a column of one slot, or what the cells of its table start with."""
    return column(status, f"{slot}:{name}")


class Comparer:
    """Compares two readings of one report after another."""

    def __init__(self, pairing: Pairing, slots: tuple[Slot, ...]) -> None:
        self.pairing, self.slots = pairing, slots

    def compare(self, id: str, a: ParsedReport, b: ParsedReport) -> ReportAgreement:
        """What the readings `a` and `b` of report `id` add."""
        ours, theirs = self.pairing.ready(a), self.pairing.ready(b)
        counts: Counter[str] = Counter({"reports": 1, "unread_a": int(not a.read), "unread_b": int(not b.read)})
        categories: dict[str, set[str]] = {}
        differences: list[Difference] = []
        for status in STATUSES:
            units = self.pairing.units(ours[status], theirs[status])
            counts.update(_counts(status, units))
            for pair in units.pairs:
                for slot in self.slots:
                    self._slot(status, slot, pair, counts, categories)
            differences.extend(self._differences(id, status, units))
        frozen = {name: frozenset(found) for name, found in categories.items()}
        return ReportAgreement(id, counts, _labels(ours, theirs), frozen, tuple(differences))

    def _slot(
        self, status: Status, slot: Slot, pair: UnitPair, counts: Counter[str], categories: dict[str, set[str]]
    ) -> None:
        counts[slot_column(status, slot.name, "agree")] += slot.agrees(pair)
        counts[slot_column(status, slot.name, "stated")] += slot.stated(pair.a) or slot.stated(pair.b)
        if slot.category is not None:
            said = slot.category(pair.a), slot.category(pair.b)
            prefix = slot_column(status, slot.name)
            counts[cell(prefix, *said)] += 1
            categories.setdefault(prefix, set()).update(said)

    def _differences(self, id: str, status: Status, units: Units) -> Iterator[Difference]:
        for fact in units.only_a:
            yield Difference(id, status, "fact", fact, None, fact.name, "")
        for fact in units.only_b:
            yield Difference(id, status, "fact", None, fact, "", fact.name)
        for pair in units.pairs:
            for slot in self.slots:
                if slot.name != "attributes" and not slot.agrees(pair):
                    said = _said(slot, pair.a), _said(slot, pair.b)
                    yield Difference(id, status, slot.name, pair.a.fact, pair.b.fact, *said)


def _counts(status: Status, units: Units) -> dict[str, int]:
    full = sum(pair.full for pair in units.pairs)
    paired, a, b = len(units.pairs), len(units.only_a), len(units.only_b)
    differing, fully = a + b, a + b + paired - full
    numbers = {
        "a": paired + a, "b": paired + b, "paired": paired, "full": full, "differing": differing,
        "differing_fully": fully, "two": int(differing >= TWO), "two_fully": int(fully >= TWO),
    }  # fmt: skip
    return {column(status, name): n for name, n in numbers.items()}


def _labels(a: Mapping[Status, CanonicalReport], b: Mapping[Status, CanonicalReport]) -> dict[str, tuple[str, str]]:
    ours, theirs = _label(a), _label(b)
    return {entity: (ours.get(entity, LABELS[2]), theirs.get(entity, LABELS[2])) for entity in sorted({*ours, *theirs})}


def _label(reading: Mapping[Status, CanonicalReport]) -> dict[str, str]:
    """Entity → its status; present beats absent."""
    return {entity_of(item): status for status in reversed(STATUSES) for item in reading[status].items}


def _said(slot: Slot, item: Item) -> str:
    """What a fact says in a slot, in the words of the report where it has them."""
    if slot.name == "location":
        return item.fact.location.text or ", ".join(item.places)
    if slot.name in item.attributes:
        return "; ".join(a.text or a.value or "" for a in item.attributes[slot.name])
    return slot.category(item) if slot.category is not None and slot.stated(item) else ""
