"""A parsed report → its canonical form, so that two ways to say the same are the same.

Bilateral unmeasured facts become a right and a left one; unmeasured facts of one entity, organ, side, status
and certainty become one; with scope "report" findings take in what the impression repeats; a present fact
overrules a denial that reaches it. Source: the specification of CABS, "Report and fact".
"""

from __future__ import annotations

from collections.abc import Iterable
from operator import attrgetter
from typing import TYPE_CHECKING

from cabs.matching.agreement import Agreement, Outcome
from cabs.matching.alignment import CanonicalReport
from cabs.matching.denial import Denials
from cabs.matching.item import Item, Items
from cabs.matching.settings import Scope
from cabs.values import Fact, Normal, ParsedReport

if TYPE_CHECKING:
    from cabs.ontology import Ontology

_order = attrgetter("order")
_place = attrgetter("organ", "span")


class Canon:
    """Brings reports into canonical form under one ontology and scope."""

    def __init__(self, ontology: Ontology, items: Items, agreement: Agreement, denials: Denials, scope: Scope) -> None:
        self._ontology, self._items, self._agreement = ontology, items, agreement
        self._denials, self._scope = denials, scope

    def canonical(self, report: ParsedReport) -> CanonicalReport:
        """The canonical form of a report; canonical already, it stays as it is."""
        items = self._joined(item for fact in report.facts for item in self._items.of(fact))
        present = tuple(item for item in items if item.fact.status == "present")
        absent, internal = self._overruled(present, [item for item in items if item.fact.status == "absent"])
        normals: list[Normal] = []
        if report.normal:
            weighty = self._denials.weighty_organs(present)
            normals = sorted({n for n in report.normal if n.organ not in weighty}, key=_place)
        return CanonicalReport(
            present=tuple(item.fact for item in present),
            absent=tuple(item.fact for item in absent),
            normals=tuple(normals),
            internal=internal,
            read=report.read or bool(report.facts or report.normal),
            items=present,
            denials=absent,
        )

    def _joined(self, items: Iterable[Item]) -> list[Item]:
        stated = list(items)
        if self._scope == "section":
            made = self._united(stated, apart=True)
        else:
            if any(map(_from_impression, stated)):
                stated = self._absorbed(self._united(stated, apart=True))
            made = self._united(stated, apart=False)
        if len(made) < len(stated):  # else each stays alone, and in order
            made.sort(key=_order)
        return made

    def _united(self, items: Iterable[Item], apart: bool) -> list[Item]:
        """Unmeasured items that say the same of one side are one; `apart` keeps the sections apart."""
        groups: dict[object, list[Item]] = {}
        for item in sorted(items, key=_order):
            groups.setdefault(_group(item, len(groups), apart), []).append(item)
        return [group[0] if len(group) == 1 else self._items.united(group) for group in groups.values()]

    def _absorbed(self, items: list[Item]) -> list[Item]:
        """Each present fact of the impression goes into the findings fact that it fits best, if it conflicts
        with none of that fact's slots; its certainty wins."""
        kept = [item for item in items if not _from_impression(item)]
        findings: dict[str, list[int]] = {}
        for at, item in enumerate(kept):
            if item.fact.status == "present":
                findings.setdefault(item.head, []).append(at)
        for item in filter(_from_impression, items):
            fits = [at for at in findings.get(item.head, ()) if self._takes_in(kept[at], item)]
            if not fits:
                kept.append(item)
                continue
            best = fits[0]
            if len(fits) > 1:
                best = max(fits, key=lambda at: (self._agreement.evidence(kept[at], item), -at))
            kept[best] = self._items.absorbed(kept[best], item)
        return kept

    def _takes_in(self, findings: Item, impression: Item) -> bool:
        if not self._items.same_entity(findings, impression) or conflict(findings.organ, impression.organ):
            return False
        verdicts = self._agreement.verdicts(findings, impression)
        return all(v.outcome is not Outcome.WRONG or v.detail == "certainty" for v in verdicts)

    def _overruled(
        self, present: tuple[Item, ...], absent: list[Item]
    ) -> tuple[tuple[Item, ...], tuple[tuple[Fact, Fact], ...]]:
        """The denials that stand, and (present fact, denial) for those that a present fact of their own
        report overrules."""
        kept: list[Item] = []
        internal: list[tuple[Fact, Fact]] = []
        denied = self._denials.denied(present, absent, self._scope)
        for at, denial in enumerate(absent):
            if at in denied:
                internal.append((present[denied[at]].fact, denial.fact))
            else:
                kept.append(denial)
        return tuple(kept), tuple(internal)


def conflict(a: str | None, b: str | None) -> bool:
    """Whether two organs conflict; an unknown one never does."""
    return a is not None and b is not None and a != b


def _from_impression(item: Item) -> bool:
    return item.fact.section == "impression" and item.fact.status == "present"


def _group(item: Item, number: int, apart: bool) -> object:
    """What must be equal for two items to be one. A measured lesion stands alone, and denials of different
    qualities ("no large", "no new") deny each their own."""
    if item.measured:
        return number
    fact = item.fact
    key = (fact.status, item.entity, item.words, item.organ, item.sides, item.certainty)
    qualities = item.slots.keys if fact.status == "absent" else None
    return (*key, qualities, fact.section if apart else None)
