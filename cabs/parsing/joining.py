"""What the sentences of a report state, one after another → its facts: one fact per abnormality and section."""

from __future__ import annotations

from cabs.ontology import Ontology
from cabs.parsing import interned
from cabs.parsing.naming import Naming
from cabs.parsing.places import NOWHERE, Where, joined, moved
from cabs.parsing.sentences import Sentence
from cabs.parsing.several import largest_of
from cabs.parsing.slots import Slot
from cabs.parsing.statements import About, Reading, Several, Statement
from cabs.values import Attribute, Fact, Section, Span

_REMEMBERED = 64


class _Draft:
    """A fact in the making, in characters of the report."""

    __slots__ = ("entity", "evidence", "later", "mention", "organ", "shift", "slots", "statement", "where")

    def __init__(
        self, statement: Statement, entity: str, organ: str | None, where: Where, start: int, evidence: tuple[Span]
    ) -> None:
        self.statement, self.entity, self.organ = statement, entity, organ
        self.where = moved(where, start)
        self.slots = [(a, interned.span(s.start + start, s.end + start)) for a, s in statement.slots]
        self.mention = interned.span(statement.mention.start + start, statement.mention.end + start)
        self.evidence = evidence
        self.later: list[Span] = []

    def add(self, where: Where, slots: list[Slot], evidence: Span) -> None:
        """More of the same fact, from another sentence (or the same)."""
        if (
            not self.where.spans
            or not set(where.ids) <= set(self.where.ids)
            or where.side not in (None, self.where.side)
        ):
            self.where = joined(self.where, where)
        self.slots.extend(s for s in slots if s[0] not in [known for known, _ in self.slots])
        if evidence != (self.later or self.evidence)[-1]:  # sentences come in order
            self.later.append(evidence)


class SectionJoiner:
    """Joins the readings of one section's sentences, in order."""

    def __init__(self, ontology: Ontology, naming: Naming, text: str, section: Section) -> None:
        self._ontology, self._naming, self._text, self._section = ontology, naming, text, section
        self._drafts: list[_Draft] = []
        self._by_entity: dict[tuple[str, str], list[_Draft]] = {}
        self._place, self._heading = NOWHERE, ""
        self._last: list[_Draft] = []
        self._several: Several | None = None

    def add(self, sentence: Sentence, reading: Reading) -> None:
        """Takes the reading of the next sentence."""
        if sentence.heading != self._heading:
            self._heading, self._place = sentence.heading, NOWHERE
        fresh: list[_Draft] = []
        evidence = (interned.span(sentence.start, sentence.end),)  # one for all that the sentence states
        for statement in reading.statements or self._largest(reading.about):
            draft = self._draft(statement, sentence.start, evidence)
            draft.where = self._headed(draft, reading.above)
            earlier = self._same(draft)
            if earlier is not None:
                earlier.add(draft.where, draft.slots, draft.evidence[0])
                continue
            fresh.append(draft)
            self._drafts.append(draft)
            self._by_entity.setdefault((draft.entity, statement.status), []).append(draft)
        self._last = fresh or self._last
        if reading.about is not None and not fresh and self._drafts:
            self._add_about(reading.about, sentence)
        self._several = reading.several
        if reading.place.organ:
            self._place = reading.place

    def _draft(self, statement: Statement, start: int, evidence: tuple[Span]) -> _Draft:
        explained = self._explained(statement)
        if statement.entity is not None:
            draft = _Draft(statement, statement.entity, statement.where.organ, statement.where, start, evidence)
        else:
            named = self._naming.completed(statement.finding, explained.where if explained else self._around(statement))
            where = statement.where._replace(organ=named.organ)
            if not where.spans:
                paired = named.organ is not None and self._ontology.organs[named.organ].paired
                around = self._place.side if statement.status == "present" else None
                where = where._replace(side=(where.side or around) if paired else None)
            draft = _Draft(statement, named.entity or statement.finding, named.organ, where, start, evidence)
        if explained is not None and explained.organ == draft.organ:
            draft.where = explained.where
        if draft.statement.status == "present" and self._positions(draft):
            draft.where = draft.where._replace(side=self._place.side)
        return draft

    def _positions(self, draft: _Draft) -> bool:
        """True where words of position alone tell the place: they are of the part that the sentence before speaks of,
        on its side ("the left kidney ... A cyst at the lower pole")."""
        where, organ = draft.where, draft.organ
        if organ is None or organ != self._place.organ or where.side or not self._ontology.organs[organ].paired:
            return False
        one = self._place.side in ("right", "left")
        return one and bool(where.ids) and not any(map(self._ontology.organ_of, where.ids))

    def _around(self, statement: Statement) -> Where:
        """The place that the sentences before leave, unless the statement names another region."""
        regions = [organs for place in statement.where.ids if (organs := self._organs_around(place))]
        apart = regions and all(self._place.organ not in organs for organs in regions)
        return NOWHERE if apart else self._place

    def _organs_around(self, place: str) -> frozenset[str]:
        """The organs in a place, or else in the part of the body around it; none for a word of position."""
        line = (place, *self._ontology.place_ancestors(place)[:-1])
        return next((organs for id in line if (organs := self._ontology.organs_in(id))), frozenset())

    def _headed(self, draft: _Draft, above: Where) -> Where:
        """The place of a fact; where it names none in its organ, with the one that the heading names ("RUL:")."""
        organ_of, where = self._ontology.organ_of, draft.where
        if draft.organ is None or draft.organ != above.organ:
            return where
        named = [id for id in above.ids if organ_of(id) == draft.organ]
        if len(named) != 1 or named[0] in self._ontology.organs[draft.organ].structures[:1]:
            return where
        if any(organ_of(id) for id in where.ids) or (where.side and above.side not in (None, where.side)):
            return where
        return where._replace(ids=(*where.ids, *named))

    def _explained(self, statement: Statement) -> _Draft | None:
        """The fact of the sentence before that a disease is offered for, also in its place."""
        if not statement.explains or not self._last:
            return None
        return self._last[-1] if self._last[-1].statement.status == "present" else None

    def _same(self, draft: _Draft) -> _Draft | None:
        """An earlier draft that the new one tells again."""
        if draft.statement.reference == "other" and draft.statement.status == "present":
            return None
        if draft.statement.reference == "largest":
            group = next(iter(_latest(self._by_entity.get((draft.entity, "present"), []))), None)
            return None if group is not None and _sizes(group) and _sizes(draft) else group
        if draft.statement.reference == "same" and draft.statement.status == "present":
            known = next((d for d in _latest(self._drafts) if self._meant(d, draft)), None)
            if known is not None:
                return known
        for earlier in _latest(self._by_entity.get((draft.entity, draft.statement.status), [])):
            if earlier.organ == draft.organ and self._retold(earlier, draft):
                return earlier
        return None

    def _meant(self, earlier: _Draft, draft: _Draft) -> bool:
        """True where a definite noun ("the mass") may mean the earlier fact: of a kind with it, at no other place."""
        if earlier.statement.status != "present":
            return False
        own = draft.statement.where
        if own.spans and (own.organ not in (None, earlier.organ) or not self._compatible(earlier.where.ids, own.ids)):
            return False
        if own.side and earlier.where.side and own.side != earlier.where.side:
            return False
        if _sizes(earlier) and _sizes(draft) and _sizes(earlier) != _sizes(draft):
            return False
        finding = draft.statement.finding
        if finding == draft.statement.entity:
            return earlier.entity == finding
        return not self._families(finding).isdisjoint(self._families(earlier.entity))

    def _families(self, entity: str) -> set[str]:
        line = (entity, *self._ontology.ancestors(entity))
        return {id for id in line if self._ontology.entity(id).kind != "root"}

    def _retold(self, earlier: _Draft, draft: _Draft) -> bool:
        if draft.where.side and earlier.where.side and draft.where.side != earlier.where.side:
            return False
        if not self._compatible(earlier.where.ids, draft.where.ids):
            return False
        if draft.statement.status == "absent":
            return True
        return not _conflict([a for a, _ in earlier.slots], [a for a, _ in draft.slots])

    def _compatible(self, first: tuple[str, ...], second: tuple[str, ...]) -> bool:
        if not second or not first:
            return True
        contains = self._ontology.contains
        return all(any(contains(a, b) or contains(b, a) for a in first) for b in second)

    def _largest(self, about: About | None) -> tuple[Statement, ...]:
        """What a sentence tells of the largest of the places that the sentence before names."""
        if about is None or self._several is None or not about.largest:
            return ()
        stated = largest_of(self._several, about)
        return () if stated is None else (stated,)

    def _add_about(self, about: About, sentence: Sentence) -> None:
        draft = self._drafts[-1]
        if draft.statement.status == "absent" or not (about.slots or about.where.spans):
            return
        told = [(a, Span(s.start + sentence.start, s.end + sentence.start)) for a, s in about.slots]
        draft.add(moved(about.where, sentence.start), told, Span(sentence.start, sentence.end))

    def facts(self) -> list[Fact]:
        """The facts of the section in the order of their mentions."""
        return [self._fact(draft) for draft in self._drafts]

    def _fact(self, draft: _Draft) -> Fact:
        entity = self._ontology.entity(draft.entity)
        words = ", ".join(self._text[a:b] for a, b in draft.where.spans)
        return Fact(
            section=self._section,
            status=draft.statement.status,
            entity=entity.id,
            kind=entity.kind,  # type: ignore[arg-type]  # variants and artifacts never get here
            name=entity.label,
            organ=draft.organ,
            side=draft.where.side,
            location=interned.location(words, self._ids(draft)),
            attributes=tuple(a for a, _ in draft.slots),
            certainty=draft.statement.certainty,
            mention=draft.mention,
            evidence=(*draft.evidence, *draft.later),
            likelihood=draft.statement.likelihood,
        )

    def _ids(self, draft: _Draft) -> tuple[str, ...]:
        """The structures of a fact's place; where none lies in its organ, with the one that its name says."""
        ids, organ_of = draft.where.ids, self._ontology.organ_of
        if any(organ_of(id) == draft.organ for id in ids):
            return ids
        return (*ids, *(id for id in draft.statement.inner if organ_of(id) in (None, draft.organ) and id not in ids))


def _latest(drafts: list[_Draft]) -> list[_Draft]:
    """The drafts that a new one may speak of again, the latest first. What lies further back is out of mind, and a
    report of many facts stays linear."""
    return drafts[: -_REMEMBERED - 1 : -1]


def _sizes(draft: _Draft) -> set[tuple[float, ...]]:
    return {a.mm for a, _ in draft.slots if a.kind == "size"}


def _conflict(first: list[Attribute], second: list[Attribute]) -> bool:
    """True where both tell the size or an extent of the lesion, and tell it differently."""
    for kind in ("size", "severity", "count"):
        one = {(a.value or a.text.lower(), a.mm) for a in first if a.kind == kind}
        two = {(a.value or a.text.lower(), a.mm) for a in second if a.kind == kind}
        if two and (one != two):
            return True
    return False
