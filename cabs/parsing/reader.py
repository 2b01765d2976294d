"""One sentence under its heading → what it states, without regard to the sentences around it."""

from __future__ import annotations

from functools import lru_cache

from cabs.ontology import Ontology
from cabs.parsing.clause_reader import ClauseReader
from cabs.parsing.clauses import clauses
from cabs.parsing.form import Cue
from cabs.parsing.lexicon import Lexicon
from cabs.parsing.naming import Naming
from cabs.parsing.places import NOWHERE, Where, joined, phrases, resolve, unsaid
from cabs.parsing.scan import ENTITY, PLACE, STATE, Token, scan
from cabs.parsing.several import largest_of, tells_largest
from cabs.parsing.sized_places import Sized
from cabs.parsing.slots import slots
from cabs.parsing.statements import About, Reading, Several, Spoken, Statement
from cabs.parsing.tokens import tokens_of
from cabs.values import Span

_HEADINGS = 4096


class SentenceReader:
    """Reads sentences by an ontology. It keeps nothing between calls but the headings that it has read."""

    def __init__(self, ontology: Ontology, lexicon: Lexicon) -> None:
        self._ontology, self._lexicon, self._naming = ontology, lexicon, Naming(ontology)
        self._heading = lru_cache(maxsize=_HEADINGS)(self._headed)

    def read(self, sentence: str, heading: str) -> Reading:
        """The reading of a sentence; `heading` is the words of the heading above it, `""` for none."""
        tokens = tokens_of(sentence, self._lexicon, heading)
        above, sized = self._heading(heading)
        if sized is not None and not sized[1] and any(t.kind in (ENTITY, STATE) for t in tokens):
            sized = None  # it names its finding itself
        statements: list[Statement] = []
        normal: list[tuple[str, Span]] = []
        topic, spoken = NOWHERE, Spoken()
        named: Token | None = None
        several: Several | None = None
        for clause in _heeded(clauses(tokens)):
            reader = ClauseReader(self._ontology, self._naming, clause, sentence, above, topic, named, sized)
            stated = reader.statements(spoken) or self._of_several(several, clause, sentence)
            spoken = spoken.after(stated)
            if _excepts(clause):
                statements = [s for s in statements if not self._excepted(s, stated)]
            if statements and not stated:
                statements[-1] = self._told_on(statements[-1], clause, sentence)
            statements.extend(stated)
            normal.extend(reader.normal())
            topic, named, several = reader.topic, reader.named or named, reader.several or several
        about = None if statements else self._about(tokens, sentence)
        place = next((s.where for s in reversed(statements) if s.where.organ), topic)
        left = unsaid(place) if place.organ else NOWHERE
        return Reading(tuple(statements), tuple(normal), about, left, above, _unsaid(several))

    def _headed(self, heading: str) -> tuple[Where, Sized | None]:
        """The place that a heading names, and what a measured place states below it."""
        if not heading:
            return NOWHERE, None
        tokens = scan(heading, self._lexicon)
        where = unsaid(resolve(phrases(tokens, 0, len(tokens)), self._ontology))
        told = where.side != "bilateral" or any(t.form is not None and t.form.side for t in tokens)
        sized = next((t.form.measured for t in tokens if t.form is not None and t.form.measured), None)
        sized = sized or (self._finding(tokens[-1]) if tokens else None)
        return (where if told else where._replace(side=None)), sized  # "Lungs:" heads what is in either of them

    def _finding(self, token: Token) -> Sized | None:
        """The finding that a heading ends with ("Pulmonary nodules"); any measured place below it states one."""
        if token.kind != ENTITY or token.form is None:
            return None
        entity = token.form.entities[0]
        return (entity, 0.0) if self._ontology.entity(entity).kind == "abnormality" else None

    def _told_on(self, last: Statement, clause: list[Token], sentence: str) -> Statement:
        """The last statement with what a clause without one says of it ("some of which have grown")."""
        cues = [cue for t in clause if t.form is not None and (cue := t.form.cue("anaphora")) is not None]
        if last.status == "absent" or not (cues or all(t.kind != PLACE for t in clause)):
            return last
        known = [attribute for attribute, _ in last.slots]
        more = slots(clause, range(len(clause)), sentence, set())
        told = (*last.slots, *(slot for slot in more if slot[0] not in known))
        return last._replace(slots=told, where=self._largest(last.where, clause, cues))

    def _largest(self, where: Where, clause: list[Token], cues: list[Cue]) -> Where:
        """A place with that of the largest one among several, in the same organ."""
        if all(cue.value != "largest" for cue in cues):
            return where
        told = resolve(phrases(clause, 0, len(clause)), self._ontology, (where.organ,) if where.organ else ())
        return joined(where, told) if told.organ in (None, where.organ) else where

    def _excepted(self, denied: Statement, stated: list[Statement]) -> bool:
        """True where what is denied is there after all, by way of exception ("no nodes apart from a 12 mm one")."""
        found = {s.entity for s in stated if s.status == "present" and s.entity}
        kinds = {kind for entity in found for kind in (entity, *self._ontology.ancestors(entity))}
        return denied.status == "absent" and denied.entity in kinds

    def _of_several(self, several: Several | None, clause: list[Token], sentence: str) -> list[Statement]:
        """What a clause tells of the largest of the places that a clause before names."""
        if several is None or not tells_largest(clause):
            return []
        about = self._said(clause, sentence, several.where.organ)
        stated = largest_of(several, about)
        return [] if stated is None else [stated]

    def _about(self, tokens: list[Token], sentence: str) -> About | None:
        if not any(t.form is not None and t.form.cue("anaphora") for t in tokens[:3]):
            return None
        return self._said(tokens, sentence, None)

    def _said(self, tokens: list[Token], sentence: str, organ: str | None) -> About:
        where = resolve(phrases(tokens, 0, len(tokens)), self._ontology, (organ,) if organ else ())
        told = tuple(slots(tokens, range(len(tokens)), sentence, set()))
        return About(where, told, tells_largest(tokens), Span(tokens[0].start, tokens[-1].end))


def _unsaid(several: Several | None) -> Several | None:
    """Several places without their words, which are those of another sentence for the one that comes."""
    return None if several is None else several._replace(where=unsaid(several.where))


def _excepts(clause: list[Token]) -> bool:
    form = clause[0].form
    return form is not None and form.cue("exception") is not None


def _heeded(found: list[list[Token]]) -> list[list[Token]]:
    """The clauses up to one that turns the rest of the sentence into advice, technique or talk."""
    for n, clause in enumerate(found):
        cues = [
            c for t in clause if t.form is not None and t.form.cues for c in t.form.cues if c.cls == "recommendation"
        ]
        if not cues:
            continue
        if any(c.reach == "sentence" and c.direction == "both" for c in cues):
            return []
        if any(c.reach == "sentence" for c in cues):
            return found[: n + 1]
    return found
