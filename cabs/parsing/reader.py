"""One sentence under its heading → what it states, without regard to the sentences around it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from cabs.ontology import Ontology
from cabs.parsing.clauses import Clause, clauses
from cabs.parsing.heads import Head, heads
from cabs.parsing.lexicon import Lexicon
from cabs.parsing.members import members
from cabs.parsing.naming import Naming
from cabs.parsing.places import NOWHERE, PlacePhrase, Where, joined, phrases, resolve
from cabs.parsing.scan import CUE, ENTITY, PLACE, SIDE, STATE, Token, scan
from cabs.parsing.scope import Reach, alternatives, reaches
from cabs.parsing.slots import Slot, slots
from cabs.values import Certainty, Span, Status


@dataclass(frozen=True, slots=True)
class Statement:
    """One abnormality as one sentence states it. Spans count from the sentence's start.

    `entity` is None while the finding waits for a place from the sentences before (`finding` says which).
    `reference`: it may speak of the same thing as before ("the mass"), or says that it is another.
    """

    status: Status
    finding: str
    entity: str | None
    where: Where
    slots: tuple[Slot, ...]
    certainty: Certainty
    mention: Span
    reference: Literal["same", "other"] | None = None


@dataclass(frozen=True, slots=True)
class Reading:
    """What a sentence states: abnormalities, normal organs, words about what was named before (`about`), and the
    place that it leaves to the next sentence."""

    statements: tuple[Statement, ...] = ()
    normal: tuple[tuple[str, Span], ...] = ()
    about: tuple[Where, tuple[Slot, ...]] | None = None
    place: Where = NOWHERE


class SentenceReader:
    """Reads sentences by an ontology. It keeps no state between calls."""

    def __init__(self, ontology: Ontology, lexicon: Lexicon) -> None:
        self._ontology, self._lexicon, self._naming = ontology, lexicon, Naming(ontology)

    def read(self, sentence: str, heading: str) -> Reading:
        """The reading of a sentence; `heading` is the words of the heading above it, `""` for none."""
        tokens = scan(sentence, self._lexicon, heading)
        above = self._heading(heading)
        statements: list[Statement] = []
        normal: list[tuple[str, Span]] = []
        topic = NOWHERE
        for clause in clauses(tokens):
            reader = _ClauseReader(self._ontology, self._naming, clause, sentence, above, topic)
            statements.extend(reader.statements())
            normal.extend(reader.normal())
            topic = reader.topic
        about = None if statements else self._about(tokens, sentence)
        place = next((s.where for s in reversed(statements) if s.where.organ), topic)
        return Reading(
            tuple(statements), tuple(normal), about, replace(place, spans=()) if place.organ else NOWHERE
        )

    def _heading(self, heading: str) -> Where:
        if not heading:
            return NOWHERE
        tokens = scan(heading, self._lexicon)
        return replace(resolve(phrases(tokens, 0, len(tokens)), self._ontology), spans=())

    def _about(self, tokens: list[Token], sentence: str) -> tuple[Where, tuple[Slot, ...]] | None:
        if not any(t.form is not None and t.form.cue("anaphora") for t in tokens[:3]):
            return None
        where = resolve(phrases(tokens, 0, len(tokens)), self._ontology)
        return where, tuple(slots(tokens, range(len(tokens)), sentence, set()))


class _ClauseReader:
    """Reads one clause; lives as long as the clause is read."""

    def __init__(
        self, ontology: Ontology, naming: Naming, clause: Clause, sentence: str, above: Where, topic: Where
    ) -> None:
        self._ontology, self._naming, self._clause, self._sentence, self._above = (
            ontology,
            naming,
            clause,
            sentence,
            above,
        )
        self._tokens = clause.tokens
        self._heads = heads(clause.tokens)
        self._denials = reaches(clause, "negation")
        self._hedges = [r for r in reaches(clause, "certainty") if r.cue.value != "definite"]
        self._past = reaches(clause, "history")
        self._changes = reaches(clause, "change")
        self._advice = reaches(clause, "recommendation")
        self._either = alternatives(clause, self._heads)
        lead = self._heads[0].first if self._heads else len(self._tokens)
        self._lead = phrases(self._tokens, 0, lead)
        self.topic = resolve(self._lead, ontology, self._hints()) if self._lead else topic
        self._previous = NOWHERE

    def _hints(self) -> tuple[str, ...]:
        return (self._above.organ,) if self._above.organ else ()

    def statements(self) -> list[Statement]:
        """What the clause states, head by head."""
        found: list[Statement] = []
        for i, head in enumerate(self._heads):
            if any(r.covers(head) for r in self._advice):
                continue
            stated = self._stated(i, head)
            found.extend(stated)
            self._previous = stated[-1].where if stated else NOWHERE
        return found

    def _stated(self, i: int, head: Head) -> list[Statement]:
        region = self._region(i, head)
        own = self._own(i, head)
        several = members(self._tokens, region, own)
        if several:
            shared = [p for p in own if all(p not in m.places for m in several)]
            found = []
            for member in several:
                others = {m.size for m in several} - {member.size}
                groups = self._places(i, head, [*shared, *member.places])
                found.extend(self._as_stated(i, head, groups, [j for j in region if j not in others]))
            return found
        return self._as_stated(i, head, self._places(i, head, own), region)

    def _as_stated(self, i: int, head: Head, groups: list[Where], region: list[int]) -> list[Statement]:
        denied = any(r.covers(head) for r in self._denials)
        past = any(r.covers(head) for r in self._past)
        unsaid = {j for r in self._denials for j in range(r.start, r.end)} if not denied else set()
        found_slots = tuple(slots(self._tokens, region, self._sentence, unsaid))
        gone = any(r.cue.value == "resolved" and r.covers(head) for r in self._changes)
        hedged = any(r.covers(head) for r in self._hedges) or (i in self._either and not denied)
        stated: list[Statement] = []
        for where, named in [
            *((w, self._naming.named(head.token, w, self._above)) for w in groups),
            *((w, self._naming.moved(head.token, w)) for w in self._coordinated(head)),
        ]:
            if named is None or (past and not named.lasting):
                continue
            stated.append(
                Statement(
                    "absent" if denied or gone else "present",
                    named.finding,
                    named.entity,
                    replace(
                        where,
                        organ=named.organ,
                        side=where.side or (self._above.side if named.inherits else None),
                    ),
                    found_slots,
                    "possible" if hedged and not (denied or gone) else "definite",
                    Span(head.token.start, head.token.end),
                    _reference(head),
                )
            )
        return stated

    def _coordinated(self, head: Head) -> list[Where]:
        """Places that share the head's noun with its own ("sternal or" + "vertebral fracture")."""
        tokens = self._tokens
        if head.token.kind != ENTITY or head.at - head.first < 2 or tokens[head.at - 1].kind != "&":
            return []
        before = [t for t in tokens[head.first : head.at] if t.kind == PLACE and t.form and t.form.adjective]
        return [resolve([PlacePhrase(0, 1, [t])], self._ontology, self._hints()) for t in before]

    def _region(self, i: int, head: Head) -> list[int]:
        """Indices of the tokens that can qualify the head."""
        stop = self._heads[i + 1].first if i + 1 < len(self._heads) else len(self._tokens)
        return [*range(head.first, head.at), *range(head.at + 1, max(stop, head.end))]

    def _places(self, i: int, head: Head, own: list[PlacePhrase]) -> list[Where]:
        """The places of a head; more than one where coordinated places lie in different organs."""
        if own:
            where = [resolve(group, self._ontology, self._hints_of(head)) for group in self._split(own, head)]
            return [w if w.organ or not self.topic.organ else joined(w, self.topic) for w in where]
        shared = self._shared(i)
        if shared is not None:
            return [shared]
        return [self._previous if self._previous.organ and self._linked(i) else self.topic]

    def _linked(self, i: int) -> bool:
        """True where the head explains or accompanies the one before it ("likely scar", "with effusion")."""
        if i == 0:
            return False
        head, between = self._heads[i], self._tokens[self._heads[i - 1].end : self._heads[i].first]
        offered = any(
            r.cue.direction != "backward" and r.covers(head) for r in reaches(self._clause, "certainty")
        )
        return offered or any(t.text == "with" for t in between)

    def _own(self, i: int, head: Head) -> list[PlacePhrase]:
        stop = self._heads[i + 1].first if i + 1 < len(self._heads) else len(self._tokens)
        before = phrases(self._tokens, head.first, head.at)
        if head.subject:
            first = self._tokens.index(head.subject[0])
            subject = _nouns(PlacePhrase(first, first + len(head.subject), head.subject))
            rest = head.end if first > head.at else head.at + 1
            return [*before, *subject, *phrases(self._tokens, rest, stop)]
        return [*before, *phrases(self._tokens, head.at + 1, stop)]

    def _hints_of(self, head: Head) -> tuple[str, ...]:
        return (*self._naming.organs(head.token), *self._hints())

    def _split(self, own: list[PlacePhrase], head: Head) -> list[list[PlacePhrase]]:
        """Coordinated places grouped by organ, if the head's entity takes its organ from its place."""
        if not self._naming.takes_place(head.token):
            return [own]
        groups: dict[str | None, list[PlacePhrase]] = {}
        for phrase in own:
            coordinated = any(t.kind == "&" for t in self._tokens[phrase.first : phrase.end])
            for part in _nouns(phrase) if coordinated else [phrase]:
                organ = (
                    resolve([part], self._ontology, self._hints_of(head)).organ if not part.beside else None
                )
                groups.setdefault(organ, []).append(part)
        loose = groups.pop(None, [])
        if not groups:
            return [own]
        first = next(iter(groups))
        groups[first] = [*loose, *groups[first]]
        spoken = [*self._tokens[head.first : head.at], *(t for p in own for t in self._tokens[p.first : p.end])]
        return list(groups.values()) if any(t.kind == "&" for t in spoken) else [own]

    def _shared(self, i: int) -> Where | None:
        """The place of the next head, if both stand side by side before it ("effusion and atelectasis on the left")."""
        if i + 1 >= len(self._heads):
            return None
        head, following = self._heads[i], self._heads[i + 1]
        between = self._tokens[head.end : following.first]
        if following.subject or not between or any(t.kind not in ("&", "d") for t in between):
            return None
        if phrases(self._tokens, following.first, following.at):
            return None
        own = self._own(i + 1, following)
        return resolve(own, self._ontology, self._hints_of(head)) if own else self._shared(i + 1)

    def normal(self) -> list[tuple[str, Span]]:
        """Organs that the clause says are normal."""
        found: list[tuple[str, Span]] = []
        for at, token in enumerate(self._tokens):
            if token.form is None or token.kind in (ENTITY,) or not token.form.cue("normality"):
                continue
            if any(r.start <= at < r.end for r in self._denials):
                continue
            span = Span(self._tokens[0].start, token.end)
            found.extend((organ, span) for organ in self._subjects(at))
        return found

    def _subjects(self, at: int) -> list[str]:
        taken = {j for h in self._heads for j in range(h.first, h.end)}
        spoken = [t for j, t in enumerate(self._tokens) if t.kind == PLACE and j not in taken]
        organs = [o for t in spoken if t.form for p in t.form.places[:1] if (o := self._ontology.organ_of(p))]
        return list(dict.fromkeys(organs)) or ([self._above.organ] if self._above.organ else [])


def _reference(head: Head) -> Literal["same", "other"] | None:
    if head.another:
        return "other"
    return "same" if head.definite else None


def _nouns(phrase: PlacePhrase) -> list[PlacePhrase]:
    """A coordination of places, each noun with the adjectives before it, the noun first ("hilar and axillary nodes"
    is one, "liver and spleen" are two)."""
    found: list[PlacePhrase] = []
    first, end, beside = phrase.first, phrase.end, phrase.beside
    run: list[Token] = []
    for token in (t for t in phrase.tokens if t.kind in (PLACE, SIDE)):
        run.append(token)
        if token.kind == PLACE and token.form is not None and not token.form.adjective:
            found.append(PlacePhrase(first, end, run, beside, token))
            run = []
    if run and found:
        found[-1].tokens.extend(run)
    elif run:
        found.extend(PlacePhrase(first, end, [t], beside) for t in run)
    return found
