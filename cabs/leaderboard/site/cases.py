"""The cases of a board as the explorer reads them: one index, and pieces that it loads when they are looked at.

Positions are turned from characters into the UTF-16 units that a browser counts in.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from cabs.leaderboard.entrant import Case
from cabs.ontology import Ontology
from cabs.scoring.case import MARKS, Entry
from cabs.scoring.explain import fact_in_words, said
from cabs.values import Fact, Span

PIECE = 100
"""Reports of one system in a piece."""

STATUSES = ("scored", "missing", "unread", "unscored")
DIGITS = 4
"""Decimals of a score that a page shows."""

Json = dict[str, Any]
Take = Callable[..., None]


@dataclass(slots=True)
class Vocabulary:
    """Words that are numbered in the order in which they come."""

    numbers: dict[str, int] = field(default_factory=dict)

    def number(self, word: str) -> int:
        """The number of a word."""
        return self.numbers.setdefault(word, len(self.numbers))


@dataclass(slots=True)
class Explorer:
    """What the pages of the explorer are made of. `systems`: name → address, name → its cases in the order of `ids`.
    `text` False: the cases hold no word of a report."""

    ontology: Ontology
    systems: Mapping[str, Sequence[Case]]
    slugs: Mapping[str, str]
    metrics: Mapping[str, str]
    text: bool = True
    entities: Vocabulary = field(default_factory=Vocabulary)
    organs: Vocabulary = field(default_factory=Vocabulary)
    errors: Vocabulary = field(default_factory=Vocabulary)

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids of the reports, sorted."""
        return tuple(case.id for case in next(iter(self.systems.values())))

    def parts(self) -> Iterator[tuple[tuple[object, ...], object]]:
        """(path, value) of every part: ("rows", k) of system k, ("texts", n) the references of piece n, ("cases", k, n)
        the piece n of system k, ("index",) last."""
        for k, cases in enumerate(self.systems.values()):
            rows = [self._row(case) for case in cases]
            yield ("rows", k), rows
            for n, piece in enumerate(_pieces(cases)):
                yield ("cases", k, n), [self._case(case) for case in piece]
        for n, piece in enumerate(_pieces(self._references())):
            yield ("texts", n), piece
        yield ("index",), self._index()

    def _references(self) -> list[str | None]:
        """The reference of every id, of whichever system has it."""
        known: dict[str, str | None] = dict.fromkeys(self.ids)
        for cases in self.systems.values():
            for case in cases:
                known[case.id] = known[case.id] or case.reference
        return list(known.values())

    def _index(self) -> Json:
        return {
            "systems": [{"name": name, "slug": self.slugs[name]} for name in self.systems],
            "ids": list(self.ids),
            "entities": [[id, self.label(id)] for id in self.entities.numbers],
            "organs": [[id, self.organ(id)] for id in self.organs.numbers],
            "errors": list(self.errors.numbers),
            "marks": list(MARKS),
            "statuses": list(STATUSES),
            "metrics": list(self.metrics.values()),
            "piece": PIECE,
            "text": self.text,
        }

    def label(self, entity: str) -> str:
        """What an entity is called."""
        return label_of(self.ontology, entity)

    def organ(self, organ: str) -> str:
        """What an organ is called."""
        known = self.ontology.organs.get(organ)
        return (organ or "unknown").replace("_", " ") if known is None else known.label

    def _row(self, case: Case) -> list[Any]:
        """[status, entries as [mark, entity, organ, errors...]] of a case, in numbers."""
        found = []
        for entry in case.entries:
            if entry.counts:
                errors = [self.errors.number(name) for name in entry.errors]
                entity, organ = self.entities.number(entry.fact.entity), self.organs.number(entry.fact.organ or "")
                found.append([MARKS.index(entry.mark), entity, organ, *errors])
        return [STATUSES.index(case.status), found]

    def _case(self, case: Case) -> Json:
        sides = {"reference": _Units(case.reference), "prediction": _Units(case.prediction)}
        scores = [None if (value := case.scores[name]) is None else round(value, DIGITS) for name in self.metrics]
        return {
            "t": case.prediction,
            "y": case.reason,
            "s": scores,
            "e": [_entry(entry, sides) for entry in case.entries],
        }


def label_of(ontology: Ontology, entity: str) -> str:
    """What an ontology calls an entity; the words of its id where it does not know it."""
    try:
        return ontology.entity(entity).label
    except KeyError:
        return entity.replace("_", " ")


def _pieces(items: Sequence[Any]) -> Iterator[Sequence[Any]]:
    return (items[at : at + PIECE] for at in range(0, len(items), PIECE))


def _entry(entry: Entry, sides: Mapping[str, _Units]) -> Json:
    return {
        "m": MARKS.index(entry.mark),
        "c": int(entry.counts),
        "r": _fact(entry.reference, sides["reference"]),
        "p": _fact(entry.prediction, sides["prediction"]),
        "w": list(said(entry)),
        "d": [[int(denial.side == "prediction"), *sides[denial.side].span(denial.span)] for denial in entry.denials],
    }


def _fact(fact: Fact | None, units: _Units) -> Json | None:
    if fact is None:
        return None
    return {
        "w": fact_in_words(fact) or fact.entity,
        "m": units.span(fact.mention),
        "e": [units.span(span) for span in fact.evidence],
        "x": fact.section,
    }


class _Units:
    """Positions in a text, from characters to UTF-16 units."""

    def __init__(self, text: str | None) -> None:
        self.wide = () if text is None or text.isascii() else tuple(i for i, c in enumerate(text) if c > "\uffff")

    def span(self, span: Span) -> list[int]:
        """[start, end] in UTF-16 units."""
        return [self._unit(span.start), self._unit(span.end)]

    def _unit(self, at: int) -> int:
        return at + bisect_right(self.wide, at - 1) if self.wide else at
