"""Two parsed reports → their alignment. Source: the specification of CABS, "Alignment"."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from cabs.matching.agreement import Agreement
from cabs.matching.alignment import AlignedPair, Alignment, CanonicalReport
from cabs.matching.assign import Worth, assign
from cabs.matching.canonical import Canon, conflict
from cabs.matching.denial import Denials
from cabs.matching.disagreement import Namer
from cabs.matching.item import Item, Items
from cabs.matching.settings import Settings
from cabs.matching.weight import Weigher
from cabs.values import OTHER, Fact, ParsedReport

if TYPE_CHECKING:
    from cabs.ontology import Ontology

Edges = dict[int, list[int]]


class Matcher:
    """Aligns reports under one ontology and one set of settings; keep it for many pairs, its look-ups are
    remembered.

    It holds no state that changes an answer: the same pair gives the same alignment, before and after others.
    `weigher` gives the clinical weight of a fact.
    """

    def __init__(self, ontology: Ontology, settings: Settings | None = None) -> None:
        self.ontology, self.settings = ontology, settings or Settings()
        self._items = Items(ontology)
        self._agreement = Agreement(ontology, self._items.places)
        self.weigher = Weigher(ontology)
        self._denials = Denials(ontology, self._agreement, self._items.places, self.weigher)
        self._canon = Canon(ontology, self._items, self._agreement, self._denials, self.settings.scope)
        self._namer = Namer(self._agreement, self.settings)

    def canonical(self, report: ParsedReport) -> CanonicalReport:
        """The report in the form in which it is matched. Keep it where one reference meets many
        predictions."""
        return self._canon.canonical(report)

    def items(self, fact: Fact) -> tuple[Item, ...]:
        """What canonical form makes of one fact: itself, or a right and a left one."""
        return self._items.of(fact)

    def align(
        self, reference: ParsedReport | CanonicalReport, prediction: ParsedReport | CanonicalReport | None
    ) -> Alignment:
        """The alignment of `prediction` (None: a missing one, treated as unread) with `reference`."""
        ours = self._ready(reference)
        theirs = self._ready(ParsedReport() if prediction is None else prediction)
        return self.laid_out(ours, theirs, self._hits(ours.items, theirs.items))

    def laid_out(self, ours: CanonicalReport, theirs: CanonicalReport, hits: Sequence[tuple[int, int]]) -> Alignment:
        """The alignment in which these items (reference, prediction) hit each other, whoever found them."""
        taken = {i for i, _ in hits}, {j for _, j in hits}
        missed = [i for i in range(len(ours.items)) if i not in taken[0]]
        extra = [j for j in range(len(theirs.items)) if j not in taken[1]]
        near = self._near(ours.items, theirs.items, missed, extra) if self.settings.match == "strict" else []
        scope = self.settings.scope
        against = self._denials.contradictions("reference", ours, theirs, scope)
        against += self._denials.contradictions("prediction", theirs, ours, scope)
        denied = {id(c.fact) for c in against}
        return Alignment(
            reference=ours,
            prediction=theirs,
            hits=tuple(self._pair(ours.items[i], theirs.items[j], denied) for i, j in hits),
            near=tuple(self._pair(ours.items[i], theirs.items[j], denied) for i, j in near),
            missed=tuple(ours.items[i].fact for i in missed),
            hallucinated=tuple(theirs.items[j].fact for j in extra),
            contradictions=tuple(against),
        )

    def cost(self, detail: str) -> float:
        """The share of a fact's weight that a wrong slot takes; `detail` as in `Disagreement`."""
        return self._agreement.cost(detail)

    def _ready(self, report: ParsedReport | CanonicalReport) -> CanonicalReport:
        return report if isinstance(report, CanonicalReport) else self._canon.canonical(report)

    def _hits(self, ours: tuple[Item, ...], theirs: tuple[Item, ...]) -> list[tuple[int, int]]:
        def same(i: int, j: int) -> bool:
            return ours[i].content == theirs[j].content and self._may_meet(ours[i], theirs[j])

        if len(ours) == len(theirs) and all(map(same, range(len(ours)), range(len(theirs)))):
            return [(i, i) for i in range(len(ours))]
        return assign(self._edges(ours, theirs), self._worth(ours, theirs), same)

    def _worth(self, ours: tuple[Item, ...], theirs: tuple[Item, ...]) -> Callable[[int, int], Worth]:
        def worth(i: int, j: int) -> Worth:
            exact = self._items.same_entity(ours[i], theirs[j])
            return Worth(int(exact), *self._agreement.evidence(ours[i], theirs[j]))

        return worth

    def _edges(self, ours: tuple[Item, ...], theirs: tuple[Item, ...]) -> Edges:
        """For each reference item the predicted ones that may hit it."""
        by_head: dict[str, list[int]] = {}
        for j, item in enumerate(theirs):
            by_head.setdefault(item.head, []).append(j)
        hierarchical = self.settings.match == "hierarchical"
        edges: Edges = {}
        for i, item in enumerate(ours):
            found: Iterable[int] = by_head.get(item.head, ())
            if item.head == OTHER:
                found = (j for j in found if self._items.same_entity(item, theirs[j]))
            elif hierarchical:
                found = (j for head, at in by_head.items() if self._related(item.head, head) for j in at)
            edges[i] = sorted(j for j in found if self._may_meet(item, theirs[j]))
        return edges

    def _may_meet(self, ours: Item, theirs: Item) -> bool:
        if self.settings.scope == "section" and ours.fact.section != theirs.fact.section:
            return False
        return not conflict(ours.organ, theirs.organ)

    def _related(self, a: str, b: str) -> bool:
        return a == b or (OTHER not in (a, b) and (self.ontology.is_a(a, b) or self.ontology.is_a(b, a)))

    def _near(
        self, ours: tuple[Item, ...], theirs: tuple[Item, ...], missed: list[int], extra: list[int]
    ) -> list[tuple[int, int]]:
        """Is-a relatives in the same organ among what is left."""
        edges: Edges = {}
        for i in missed:
            organ, head = ours[i].organ, ours[i].head
            near = (j for j in extra if organ is not None and theirs[j].organ == organ)
            edges[i] = [j for j in near if self._related(head, theirs[j].head) and self._may_meet(ours[i], theirs[j])]
        return assign(edges, self._worth(ours, theirs), _never)

    def _pair(self, ours: Item, theirs: Item, denied: set[int]) -> AlignedPair:
        named = self._namer.disagreements(ours, theirs)
        wrong = {d.slot for d in named if d.counts}
        return AlignedPair(
            reference=ours.fact,
            prediction=theirs.fact,
            exact=self._items.same_entity(ours, theirs),
            location="location" not in wrong,
            attributes="attributes" not in wrong,
            certainty="certainty" not in wrong,
            disagreements=named,
            contradicted=id(ours.fact) in denied or id(theirs.fact) in denied,
        )


def _never(_i: int, _j: int) -> bool:
    return False


def align(
    reference: ParsedReport,
    prediction: ParsedReport | None,
    *,
    ontology: Ontology,
    settings: Settings | None = None,
) -> Alignment:
    """Align one pair. For many pairs keep a `Matcher`."""
    return Matcher(ontology, settings).align(reference, prediction)
