"""Reports one by one → what a corpus holds that the parser does not know."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, NamedTuple

from cabs.ontology import Ontology
from cabs.ontology.names import Names
from cabs.ontology.nearest import nearest_of
from cabs.ontology.search import Hit
from cabs.signature import Signature
from cabs.studies.coverage.phrases import Role
from cabs.studies.coverage.report import Explained, Occurrence, ReportCoverage
from cabs.values import Span

SCHEMA_VERSION = 1
"""Of the coverage page; a change that a reader would notice raises it."""

SPELLINGS = 50
"""Different spellings, and different phrases around it, that are counted of one phrase; further ones are not."""

SHARED = 5
"""Without text, a phrase is told only if so many reports share it: what one report alone says may point to a person."""


class Example(NamedTuple):
    """Where a phrase stands for the first time: the report, the sentence's characters, its text, and the phrase as it
    is spelt there (both "" without text)."""

    id: str
    sentence: Span
    text: str
    words: str


@dataclass(frozen=True, slots=True)
class PhraseRow:
    """One unexplained phrase of a corpus: its most frequent spelling and role, how often and in how many reports it
    stands, how many of these sentences state some fact, the most frequent noun phrase around it (`within`, "" where
    there is none wider), where it stands first, and the known name that is nearest."""

    phrase: str
    role: Role
    count: int
    reports: int
    with_fact: int
    within: str
    example: Example
    near: Hit | None


@dataclass(frozen=True, slots=True)
class Coverage:
    """The coverage of a corpus: sums over its reports, and the unexplained phrases, the most frequent first.

    `phrases` holds the rows that were asked for, `different` how many there are in all.
    """

    signature: Signature
    explained: Explained
    different: int
    phrases: tuple[PhraseRow, ...]

    def to_json(self) -> dict[str, Any]:
        """The coverage in JSON's own types."""
        return {
            "schema_version": SCHEMA_VERSION,
            "signature": str(self.signature),
            "explained": asdict(self.explained),
            "different": self.different,
            "phrases": [_row(row) for row in self.phrases],
        }


def _row(row: PhraseRow) -> dict[str, Any]:
    start, end = row.example.sentence
    near = None if row.near is None else {"id": row.near.id, "name": row.near.name, "score": row.near.score}
    example = {"id": row.example.id, "start": start, "end": end, "text": row.example.text, "words": row.example.words}
    return {**asdict(row), "example": example, "near": near}


@dataclass(slots=True)
class _Entry:
    example: Example
    count: int = 0
    reports: int = 0
    with_fact: int = 0
    last: int = -1
    roles: Counter[Role] = field(default_factory=Counter)
    spellings: Counter[str] = field(default_factory=Counter)
    within: Counter[str] = field(default_factory=Counter)

    def add(self, found: Occurrence, report: int) -> None:
        self.count += 1
        self.with_fact += found.fact
        self.reports += report != self.last
        self.last = report
        self.roles[found.role] += 1
        _count(self.spellings, found.words.lower())
        _count(self.within, found.within.lower())


def _count(counter: Counter[str], text: str) -> None:
    if text in counter or len(counter) < SPELLINGS:
        counter[text] += 1


def _most(counter: Counter[Any]) -> Any:
    return min(counter, key=lambda text: (-counter[text], text))


class CoverageTally:
    """Adds reports up. Memory grows with the number of different phrases, not with that of reports."""

    def __init__(self, ontology: Ontology) -> None:
        self._ontology, self._names = ontology, Names(ontology.spelling)
        self._entries: dict[str, _Entry] = {}
        self._total = Explained()

    def add(self, report: ReportCoverage) -> None:
        """Add one report."""
        self._total += report.explained
        for found in report.phrases:
            key = self._names.key(found.words)
            entry = self._entries.get(key)
            if entry is None:
                words = " ".join(report.text[slice(*found.sentence)].split())
                entry = self._entries[key] = _Entry(Example(report.id, found.sentence, words, found.words))
            entry.add(found, self._total.reports)

    def coverage(
        self, signature: Signature, *, top: int = 0, roles: Sequence[Role] = (), least: int = 1, text: bool = True
    ) -> Coverage:
        """The coverage of the reports so far.

        `top`: rows at most (0: all). `roles`: only phrases of these. `least`: only phrases of so many reports or
        more. `text`: False leaves out sentences and phrases around, and every phrase that fewer than `SHARED`
        reports share.
        """
        chosen = [e for e in self._entries.values() if not roles or _most(e.roles) in roles]
        chosen = [e for e in chosen if e.reports >= (least if text else max(least, SHARED))]
        chosen.sort(key=lambda e: (-e.count, -e.reports, _most(e.spellings)))
        rows = self._rows(chosen[: top or None], text)
        return Coverage(signature, self._total, len(chosen), tuple(rows))

    def _rows(self, entries: Iterable[_Entry], text: bool) -> Iterable[PhraseRow]:
        nearest = nearest_of(self._ontology)
        for entry in entries:
            phrase, within = _most(entry.spellings), _most(entry.within)
            example = entry.example if text else entry.example._replace(text="", words="")
            yield PhraseRow(
                phrase,
                _most(entry.roles),
                entry.count,
                entry.reports,
                entry.with_fact,
                within if text and within != phrase else "",
                example,
                nearest.of(phrase),
            )
