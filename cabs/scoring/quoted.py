"""Quoted facts → facts: names, places and attributes that a person or another tool wrote, read by the
ontology."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import get_args

from cabs.ontology import Ontology
from cabs.parsing.lexicon import Lexicon
from cabs.parsing.places import NOWHERE, Where, joined, phrases, resolve
from cabs.parsing.scan import scan
from cabs.parsing.slots import slots
from cabs.scoring.adopt import WORDS
from cabs.values import (
    OTHER,
    Attribute,
    Fact,
    Issue,
    Kind,
    Location,
    ParsedReport,
    QuotedFact,
    QuotedReport,
    Section,
    Span,
)

NO_SPAN = Span(0, 0)
"""Stands for a position that is not known because there is no text, or the quote is not in it."""

OWN_SCHEME = "cabs"


class QuoteReader:
    """Turns quoted reports into parsed ones. What it reads words with is made on first use."""

    def __init__(self, ontology: Ontology) -> None:
        self.ontology = ontology

    @cached_property
    def _lexicon(self) -> Lexicon:
        return Lexicon(self.ontology)

    def read(self, report: QuotedReport) -> ParsedReport:
        """The report's facts with ids and positions. It counts as read: someone has read it. Quotes that are
        not in the text to the letter lose their position and are listed as issues."""
        cursor = _Cursor(report.text)
        facts = tuple(self._fact(fact, report.scheme, cursor) for fact in report.facts)
        return ParsedReport(facts, (), True, tuple(cursor.issues))

    def attributes(self, text: str, kind: str | None = None) -> tuple[Attribute, ...]:
        """The typed attributes that some words state; with a kind, the one of this kind with the whole text.

        Words without a reading keep their text under the given kind, or as kind "other".
        """
        found = self._typed(text)
        if kind is None:
            return found or (Attribute(WORDS, text),)
        same = next((a for a in found if a.kind == kind), None)
        return (Attribute(kind, text, same.value, same.mm) if same else Attribute(kind, text),)

    def where(self, texts: tuple[str, ...], organ: str | None = None) -> Where:
        """What place words name together; the organ, where it is known, settles ambiguous ones."""
        places, hints = NOWHERE, (organ,) if organ else ()
        for text in texts:
            tokens = scan(text, self._lexicon)
            places = joined(places, resolve(phrases(tokens, 0, len(tokens)), self.ontology, hints))
        return places

    def _typed(self, text: str) -> tuple[Attribute, ...]:
        tokens = scan(text, self._lexicon)
        return tuple(attribute for attribute, _ in slots(tokens, range(len(tokens)), text, set()))

    def _fact(self, quoted: QuotedFact, scheme: str, cursor: _Cursor) -> Fact:
        organ = self._stated_organ(quoted.organ, scheme)
        where = self.where(quoted.location, organ)
        entity = self.entity(quoted.name, where, organ)
        evidence = cursor.sentence(quoted)
        return Fact(
            section=quoted.section,
            status=quoted.status,
            entity=entity,
            kind=self.kind(entity),
            name=quoted.name if entity == OTHER else self.ontology.entity(entity).label,
            organ=organ or self._usual_organ(entity, where, self._organs(quoted.organ, scheme)),
            side=quoted.side or where.side,
            location=Location(", ".join(quoted.location), where.ids),
            attributes=tuple(a for kind, text in quoted.attributes for a in self._pieces(kind, text)),
            certainty=quoted.certainty,
            mention=cursor.mention(quoted, evidence),
            evidence=() if evidence is None else (evidence,),
        )

    def _pieces(self, kind: str | None, text: str) -> Iterator[Attribute]:
        """One string of attributes is a list with commas; one with a kind is whole."""
        for piece in [text] if kind else text.split(","):
            if piece.strip():
                yield from self.attributes(piece.strip(), kind)

    def entity(self, name: str, where: Where, organ: str | None) -> str:
        """The entity of a name at a place; `other` where the ontology does not know the name."""
        entity = self.ontology.resolve(name)
        if entity is None:
            return OTHER
        if self.ontology.entity(entity).organs:
            return entity
        place = organ or where.organ
        return self.ontology.compose(entity, where.ids, place) if place or where.ids else entity

    def kind(self, entity: str) -> Kind:
        """The kind of an entity; an unknown one is an abnormality."""
        kind = "abnormality" if entity == OTHER else self.ontology.entity(entity).kind
        return next((k for k in get_args(Kind) if k == kind), "abnormality")

    def _organs(self, category: str | None, scheme: str) -> tuple[str, ...]:
        """The organs that another scheme's category stands for."""
        return tuple(o.id for o in self.ontology.organs.values() if category and o.crosswalk.get(scheme) == category)

    def _stated_organ(self, category: str | None, scheme: str) -> str | None:
        if scheme == OWN_SCHEME:
            return category if category in self.ontology.organs else None
        organs = self._organs(category, scheme)
        return organs[0] if len(organs) == 1 else None

    def _usual_organ(self, entity: str, where: Where, allowed: tuple[str, ...]) -> str | None:
        """The organ of an entity whose category is coarser than an organ: its own, or that of its place."""
        own = () if entity == OTHER else self.ontology.entity(entity).organs
        choices = [organ for organ in (where.organ, *own) if organ and (not own or organ in own)]
        return next((o for o in choices if o in allowed), choices[0] if choices else None)


class _Cursor:
    """Finds quotes in a text, each from where the last one stood, so that repeated sentences are told
    apart."""

    def __init__(self, text: str | None) -> None:
        self.text, self.at = text, dict.fromkeys(get_args(Section), 0)
        self.issues: list[Issue] = []

    def sentence(self, quoted: QuotedFact) -> Span | None:
        if not quoted.evidence or self.text is None:
            return None
        span = self._find(quoted.evidence, self.at[quoted.section])
        if span is None:
            self.issues.append(Issue("not_verbatim", f"a quote is not in the text: {quoted.evidence[:60]!r}"))
        else:
            self.at[quoted.section] = span.start
        return span

    def mention(self, quoted: QuotedFact, evidence: Span | None) -> Span:
        if self.text is None:
            return NO_SPAN
        start = evidence.start if evidence else 0
        found = self._find(quoted.mention, start) if quoted.mention else None
        return found or evidence or NO_SPAN

    def _find(self, words: str, start: int) -> Span | None:
        text = self.text or ""
        at = text.find(words, start)
        at = at if at >= 0 else text.find(words)
        return Span(at, at + len(words)) if at >= 0 else None
