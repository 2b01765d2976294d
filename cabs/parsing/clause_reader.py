"""One clause → what it states."""

from __future__ import annotations

import re
from collections.abc import Iterator

from cabs.ontology import Ontology
from cabs.parsing import interned
from cabs.parsing.heads import Head, heads, is_preposition
from cabs.parsing.locating import Locator
from cabs.parsing.members import members
from cabs.parsing.naming import Named, Naming
from cabs.parsing.normality import normal_organs
from cabs.parsing.places import NOWHERE, Where, phrases, resolve
from cabs.parsing.scan import ENTITY, Token
from cabs.parsing.scope import Cued, Reach, alternatives, covered
from cabs.parsing.several import several_in
from cabs.parsing.sharing import lent, shared, sided
from cabs.parsing.sized_places import Sized
from cabs.parsing.slots import Slot, slots
from cabs.parsing.statements import Reference, Several, Spoken, Statement
from cabs.values import Attribute, Likelihood, Side, Span

_WEAKEST_FIRST: tuple[Likelihood, ...] = ("doubtful", "possible", "probable")
_WORD = re.compile(r"[^\s-]+")


class ClauseReader:
    """Reads one clause under a heading (`above`), after the place that the sentence spoke of before (`topic`) and the
    noun that it `named` last. `sized`: what a measured place states under the heading."""

    def __init__(
        self,
        ontology: Ontology,
        naming: Naming,
        clause: list[Token],
        sentence: str,
        above: Where,
        topic: Where,
        named: Token | None,
        sized: Sized | None,
    ) -> None:
        self._ontology, self._naming, self._sentence, self._above = ontology, naming, sentence, above
        self._tokens = clause
        self._heads = heads(clause, named, sized)
        self._locator = Locator(ontology, naming, self._tokens, self._heads, above, topic)
        self.topic = self._locator.topic
        cued = Cued(clause)
        self._denials = cued.reaches("negation")
        self._certainties = cued.reaches("certainty")
        self._past = cued.reaches("history")
        self._changes = cued.reaches("change")
        self._advice = cued.reaches("recommendation")
        self._either = alternatives(clause, self._heads)

    @property
    def named(self) -> Token | None:
        """The noun that the clause names last; None where it names none."""
        return next((h.token for h in reversed(self._heads) if h.token.kind == ENTITY), None)

    @property
    def several(self) -> Several | None:
        """The places of the clause that the size of one would make a finding."""
        return several_in(self._tokens, self._denials, self._ontology)

    def statements(self, spoken: Spoken) -> list[Statement]:
        """What the clause states, head by head, after what the sentence has `spoken` of."""
        found: list[Statement] = []
        last: list[Statement] = []
        for i, head in enumerate(self._heads):
            if head.silent or covered(self._advice, head) or self._holds(i, head):
                continue
            last = [self._sharing(s, spoken.told) for s in self._stated(i, head, last[-1:], spoken.last)]
            found.extend(last)
            spoken = spoken.after(last)
        return found

    def _sharing(self, statement: Statement, source: Where) -> Statement:
        if statement.status == "absent":
            return statement
        where = shared(statement.where, source, self._ontology)
        return statement if where is statement.where else statement._replace(where=where)

    def normal(self) -> list[tuple[str, Span]]:
        """Organs that the clause says are normal."""
        return normal_organs(self._ontology, self._tokens, self._heads, self._denials, self.topic, self._above)

    def _stated(self, i: int, head: Head, before: list[Statement], source: Where) -> Iterator[Statement]:
        linked = before[0].where if before and self._linked(i) else NOWHERE
        if before and self._reason(i) and not self._naming_lasts(head) and self._lasts(before[0]):
            return  # "nephrectomy for cancer": the disease is the reason of what was done, not a finding
        region, own = self._region(i, head), self._locator.own(i)
        several = members(self._tokens, region, own)
        for member in several:
            others = {m.told for m in several} - {member.told}
            taken = {j for m in several for p in m.places for j in range(p.first, p.end)}
            common = [p for p in own if taken.isdisjoint(range(p.first, p.end))]
            side = resolve(list(member.places), self._ontology, self._locator.hints(head)).side
            groups = self._locator.places(i, [*common, *member.places], linked, source)
            groups = [w._replace(side=side or w.side) for w in groups]
            yield from self._as_stated(i, head, groups, [j for j in region if j not in others], bool(own))
        if not several:
            yield from self._as_stated(i, head, self._locator.places(i, own, linked, source), region, bool(own))

    def _as_stated(self, i: int, head: Head, groups: list[Where], region: list[int], own: bool) -> Iterator[Statement]:
        absent = covered(self._denials, head)
        gone = any(r.cue.value == "resolved" and r.covers(head) for r in self._changes)
        past = covered(self._past, head)
        found = self._slots(head, region, absent)
        for at, where, named in self._named(head, groups):
            if past and not named.lasting:
                continue
            yield Statement(
                "absent" if absent or gone else "present",
                named.finding,
                named.entity,
                self._where(head, where if own else lent(where, named.organ, self._ontology), named),
                (*found, *self._meant(head, named, found)),
                "definite" if absent or gone else self._likelihood(i, at),
                interned.span(head.token.start, head.token.end),
                _reference(head),
                i == 0 and not where.spans and self._explains(head) and self._refers(head),
                head.token.form.inner if head.token.form is not None else (),
            )

    def _likelihood(self, i: int, at: int) -> Likelihood:
        """What the weakest hedge that reaches the word at `at` leaves of certainty; an alternative is possible."""
        if not self._certainties and i not in self._either:
            return "definite"
        grades = {r.cue.value for r in self._certainties if r.start <= at < r.end}
        if i in self._either:
            grades.add("possible")
        return next((grade for grade in _WEAKEST_FIRST if grade in grades), "definite")

    def _named(self, head: Head, groups: list[Where]) -> Iterator[tuple[int, Where, Named]]:
        """What the head names at each of its places, with the index of the word that says the place."""
        for where in groups:
            if (named := self._naming.named(head.token, where, self._above)) is not None:
                yield head.at, where, named
        for at, where in self._locator.coordinated(head):
            if (named := self._naming.moved(head.token, where)) is not None:
                yield at, where, named

    def _where(self, head: Head, where: Where, named: Named) -> Where:
        """The place with the organ of what is named there, and a side from the heading or the name if it has none."""
        said = head.token.form.side if head.token.form is not None else None
        headed = named.inherits or self._above.organ in (None, named.organ)
        own = self._of_device(head, where, named) if named.lasting else where.side
        side = own or (self._above.side if headed and sided(where, self._ontology) else None)
        return where._replace(
            organ=named.organ, side=side or said, spans=_with_own_words(head, where.spans, self._sentence)
        )

    def _of_device(self, head: Head, where: Where, named: Named) -> Side | None:
        """The side of a device: the one told in front of it, where it enters the body, not that of the chamber of
        another organ in which it ends."""
        front = resolve(phrases(self._tokens, head.first, head.at), self._ontology, self._locator.hints(head)).side
        if front in ("right", "left"):
            return front
        if head.token.form is not None and head.token.form.side in ("right", "left"):
            return head.token.form.side
        organs = {self._ontology.organ_of(id) for id in where.ids}
        return None if organs and not where.side_spans and organs.isdisjoint((None, named.organ)) else where.side

    def _slots(self, head: Head, region: list[int], absent: bool) -> tuple[Slot, ...]:
        silent = {j for r in self._denials for j in range(r.start, r.end)} if not absent else self._fillers()
        further = [r.at for r in self._changes if r.at not in region and r.at < head.first and self._nearest(r, head)]
        return tuple(slots(self._tokens, sorted([*further, *region]), self._sentence, silent))

    def _meant(self, head: Head, named: Named, found: tuple[Slot, ...]) -> Iterator[Slot]:
        """What the head's noun says besides, where a wider entity takes its place (a "hypodensity" of the spleen is a
        hypodense splenic lesion)."""
        says = self._ontology.entity(named.finding).predicate_attribute
        if says is None or named.entity in (None, named.finding) or says[0] in [a.kind for a, _ in found]:
            return
        if self._ontology.entity(str(named.entity)).finding != named.finding:
            span = Span(head.token.start, head.token.end)
            yield Attribute(says[0], self._sentence[span.start : span.end], says[1], ()), span

    def _fillers(self) -> set[int]:
        """Words that add nothing to a denial ("no significant effusion")."""
        return {j for j, t in enumerate(self._tokens) if t.form is not None and t.form.cue("filler")}

    def _nearest(self, reach: Reach, head: Head) -> bool:
        """True where the head is the first one that a cue in front of it governs ("development of a large mass")."""
        governed = [h for h in self._heads if reach.covers(h)]
        return bool(governed) and governed[0] is head

    def _region(self, i: int, head: Head) -> list[int]:
        """Indices of the tokens that can qualify the head; of a predicate also those behind its subject."""
        first = head.first
        if head.subject and (end := self._tokens.index(head.subject[-1]) + 1) < first:
            first = max(end, self._heads[i - 1].end if i else 0)
        return [*range(first, head.at), *range(head.at + 1, max(self._locator.stop(i), head.end))]

    def _linked(self, i: int) -> bool:
        """True where the head explains or accompanies the one before it ("likely scar", "with effusion")."""
        between = self._tokens[self._heads[i - 1].end : self._heads[i].first] if i else []
        if i == 0:
            return False
        head = self._heads[i]
        listed = all(t.kind in ("&", "d") or t.text == "-" for t in between) and self._naming.takes_place(head.token)
        return listed or self._explains(head) or any(t.text == "with" for t in between)

    def _explains(self, head: Head) -> bool:
        return any(r.cue.direction != "backward" and r.covers(head) for r in self._certainties)

    def _refers(self, head: Head) -> bool:
        """True where the clause starts from what the sentence before named ("This is ...")."""
        cues = [t.form.cue("anaphora") for t in self._tokens[: head.first] if t.form is not None]
        return any(cue is not None and cue.value == "same" for cue in cues)

    def _holds(self, i: int, head: Head) -> bool:
        """True where something else is denied in the head, which is known ("no calcification within the mass")."""
        if i == 0 or not head.definite or not self._denials:
            return False
        lead = next((t for t in reversed(self._tokens[: head.first]) if t.kind != "d"), None)
        if lead is None or not (lead.kind == "p" or is_preposition(lead)):
            return False
        return any(r.covers(head) and r.covers(self._heads[i - 1]) for r in self._denials)

    def _reason(self, i: int) -> bool:
        between = self._tokens[self._heads[i - 1].end : self._heads[i].first] if i else []
        return [t.text for t in between if t.kind != "d"] == ["for"]

    def _lasts(self, statement: Statement) -> bool:
        return self._ontology.entity(statement.entity or statement.finding).kind != "abnormality"

    def _naming_lasts(self, head: Head) -> bool:
        named = self._naming.named(head.token, NOWHERE, self._above)
        return named is not None and named.lasting


def _with_own_words(head: Head, spans: tuple[tuple[int, int], ...], sentence: str) -> tuple[tuple[int, int], ...]:
    """The words of a place with those that the name itself says ("right" + "inguinal" of "inguinal hernia")."""
    form, start = head.token.form, head.token.start
    if form is not None and form.placed:
        first = [m.start() for m in _WORD.finditer(head.token.text)][-form.placed :][0]
        return (*spans, (start + first, head.token.end))
    words = form.anatomic if form is not None else 0
    if not words:
        return spans
    end = start + [m.end() for m in _WORD.finditer(head.token.text)][:words][-1]
    i = next((n for n, (_, b) in enumerate(spans) if b <= start and not sentence[b:start].strip()), None)
    if i is None:
        return spans
    return (*spans[:i], (spans[i][0], end), *spans[i + 1 :])


def _reference(head: Head) -> Reference | None:
    if head.another:
        return "other"
    if head.largest:
        return "largest"
    return "same" if head.definite else None
