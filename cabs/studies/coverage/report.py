"""One report → how much of its read sections the parser explains, and what it leaves."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields

from cabs.io.reports import ReportText
from cabs.ontology import Ontology
from cabs.parsing.parser import RulesParser, parser_of
from cabs.parsing.sentences import Sentence
from cabs.studies.coverage.phrases import Phrase, Role, SentenceCoverage, sentence_coverage
from cabs.values import Span


@dataclass(frozen=True, slots=True)
class Occurrence:
    """Unexplained words where they stand: the words, their role, the noun phrase around them, the sentence, and
    whether the sentence stated any fact."""

    words: str
    role: Role
    within: str
    sentence: Span
    fact: bool


@dataclass(frozen=True, slots=True)
class Explained:
    """Sentences by how much of their content the parser explains (`full`, `partly`, `none`; those without content are
    left out), sentences that state a fact, content words and those explained. Adds up over reports."""

    reports: int = 0
    unread: int = 0
    sentences: int = 0
    full: int = 0
    partly: int = 0
    none: int = 0
    with_fact: int = 0
    words: int = 0
    words_explained: int = 0

    def __add__(self, other: Explained) -> Explained:
        return Explained(*(getattr(self, f.name) + getattr(other, f.name) for f in fields(self)))


@dataclass(frozen=True, slots=True)
class ReportCoverage:
    """The coverage of one report."""

    id: str
    text: str
    explained: Explained
    phrases: tuple[Occurrence, ...]


def report_coverage(parser: RulesParser, report: ReportText) -> ReportCoverage:
    """The coverage of a report's findings and impression. Other sections are not read and don't count."""
    text = report.text
    parts = [(stretch, parser.sentences(text, stretch)) for stretch in parser.stretches(text)]
    parsed = parser.report(text, parts)
    stated = {span.start for fact in parsed.facts for span in fact.evidence}
    total, found = Explained(reports=1, unread=int(not parsed.read)), list[Occurrence]()
    for sentence in (s for _, sentences in parts for s in sentences):
        coverage = sentence_coverage(parser.tokens(text, sentence))
        fact = any(sentence.start <= start < sentence.end for start in stated)
        total += _of_sentence(coverage, fact)
        found.extend(_occurrence(text, sentence, phrase, fact) for phrase in coverage.phrases)
    return ReportCoverage(report.id, text, total, tuple(found))


def _of_sentence(coverage: SentenceCoverage, fact: bool) -> Explained:
    content, explained = coverage.content, coverage.explained
    return Explained(
        sentences=int(content > 0),
        full=int(0 < content == explained),
        partly=int(0 < explained < content),
        none=int(0 == explained < content),
        with_fact=int(fact and content > 0),
        words=content,
        words_explained=explained,
    )


def _occurrence(text: str, sentence: Sentence, phrase: Phrase, fact: bool) -> Occurrence:
    words = _words(text, sentence, phrase.start, phrase.end)
    within = _words(text, sentence, phrase.first, phrase.last)
    return Occurrence(words, phrase.role, within, Span(sentence.start, sentence.end), fact)


def _words(text: str, sentence: Sentence, start: int, end: int) -> str:
    return " ".join(text[sentence.start + start : sentence.start + end].split())


def covering(ontology: Ontology) -> Callable[[ReportText], ReportCoverage]:
    """The function that makes the coverage of reports; each process makes its own."""
    parser = parser_of(ontology)

    def cover(report: ReportText) -> ReportCoverage:
        return report_coverage(parser, report)

    return cover
