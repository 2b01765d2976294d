"""A report → its facts, by the rules of an ontology."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from cabs.ontology import Ontology, load_ontology
from cabs.ontology.rules import CueClass
from cabs.parsing import interned
from cabs.parsing.joining import SectionJoiner
from cabs.parsing.language import is_foreign
from cabs.parsing.lexicon import Lexicon
from cabs.parsing.naming import Naming
from cabs.parsing.reader import SentenceReader
from cabs.parsing.scan import CUE, ENTITY, PLACE, SIDE, SIZE, STATE, Token, scan
from cabs.parsing.scope import reaches
from cabs.parsing.sections import SectionFinder, Stretch
from cabs.parsing.sentences import Sentence, sentences, starts_item
from cabs.parsing.statements import Reading
from cabs.parsing.tokens import tokens_of
from cabs.values import Fact, Issue, Normal, ParsedReport, Section

CACHED_SENTENCES = 1 << 14
"""Readings kept per parser: a sentence under one heading is read once. Bounded, so that a long run's memory stays flat
(`make big`)."""

_HEADINGS = 4096
"""So many headings, and words behind one, are kept as tokens."""

NAME = "rules"
"""The parser's name in signatures."""


class RulesParser:
    """Parses reports by rules. Thread-safe; the same text gives the same facts in every process.

    Time grows linearly with the text. The readings of sentences are kept in a bounded cache.
    """

    def __init__(self, ontology: Ontology, cached_sentences: int = CACHED_SENTENCES) -> None:
        self.ontology = ontology
        self._lexicon = Lexicon(ontology)
        self._naming = Naming(ontology)
        self._finder = SectionFinder(ontology)
        reader = SentenceReader(ontology, self._lexicon)
        self._read = lru_cache(cached_sentences)(reader.read)
        self._scan = lru_cache(_HEADINGS)(lambda words: tuple(scan(words, self._lexicon)))  # headings come again
        self._is_heading = lru_cache(cached_sentences)(self._heads_text)

    def parse(self, text: str) -> ParsedReport:
        """The facts, normality statements and issues of a report. An empty text gives an unread report."""
        return self.report(text, ((s, self.sentences(text, s)) for s in self.stretches(text)))

    def stretches(self, text: str) -> list[Stretch]:
        """The stretches of a report that are findings or impression, in order."""
        return [s for s in self._finder.stretches(text) if s.role != "ignored"]

    def sentences(self, text: str, stretch: Stretch) -> list[Sentence]:
        """The sentences of a stretch in order."""
        return sentences(text, stretch.start, stretch.end, self._is_heading)

    def tokens(self, text: str, sentence: Sentence) -> list[Token]:
        """The known forms, measurements and words of a sentence; they count from its start."""
        return tokens_of(text[sentence.start : sentence.end], self._lexicon)

    def reading(self, text: str, sentence: Sentence) -> Reading:
        """What a sentence states, apart from those around it; its spans count from its start."""
        return self._read(text[sentence.start : sentence.end], sentence.heading)

    def report(self, text: str, parts: Iterable[tuple[Stretch, Iterable[Sentence]]]) -> ParsedReport:
        """The facts of a report that is cut into stretches and sentences."""
        if is_foreign(text, self.ontology.spelling.foreign):
            return ParsedReport((), (), False, (Issue("language", "the report is not in English, and so not read"),))
        facts: list[Fact] = []
        normal: list[Normal] = []
        for stretch, stated in parts:
            section: Section = "impression" if stretch.role == "impression" else "findings"
            joiner = SectionJoiner(self.ontology, self._naming, text, section)
            for sentence in stated:
                reading = self.reading(text, sentence)
                joiner.add(sentence, reading)
                normal.extend(
                    interned.normal(organ, interned.span(span.start + sentence.start, span.end + sentence.start))
                    for organ, span in reading.normal
                )
            facts.extend(joiner.facts())
        read = bool(facts or normal)
        return ParsedReport(tuple(facts), tuple(normal), read, () if read else (_unread(text),))

    def _heads_text(self, words: str, behind: str) -> bool:
        """True for words before a colon that name a place ("Lungs:"). A finding heads what states one itself
        ("Nodules: a nodule of 5 mm"); with only its properties behind it it is a statement ("Emphysema: mild"),
        and so is a denial."""
        tokens = self._scan(words)
        kinds = {t.kind for t in tokens}
        if "v" in kinds:
            return False
        if ENTITY in kinds and _cued(tokens, "negation"):
            return False
        if ENTITY in kinds and behind and not _cued(tokens, "exam"):
            return starts_item(behind) or self._restated(tokens, self._scan(behind))
        if any(c.isdigit() for c in behind) and _only_measured(self._scan(behind)):
            return False
        return not kinds.isdisjoint((PLACE, SIDE, ENTITY))

    def _restated(self, tokens: Sequence[Token], behind: Sequence[Token]) -> bool:
        """True where the words behind a finding state one of its kind; what they say besides, or offer for it, makes
        it a statement ("Pneumonia: consolidation in the left lower lobe", "Opacity: probably pneumonia")."""
        at = next((i for i, t in enumerate(behind) if t.kind == ENTITY), None)
        if at is None or any(r.start <= at < r.end for r in reaches(list(behind), "certainty")):
            return False
        headed, stated = _entities(tokens), _entities(behind[at : at + 1])
        is_a = self.ontology.is_a
        return any(is_a(a, b) or is_a(b, a) for a in headed for b in stated)


def _only_measured(behind: Sequence[Token]) -> bool:
    """True for a measurement without another word of weight ("Segment 4: 12 mm")."""
    kinds = {t.kind for t in behind}
    return SIZE in kinds and kinds.isdisjoint((ENTITY, STATE, PLACE, CUE))


def _cued(tokens: Sequence[Token], kind: CueClass) -> bool:
    return any(t.form is not None and t.form.cue(kind) is not None for t in tokens)


def _entities(tokens: Sequence[Token]) -> list[str]:
    """The entities that the nouns among these tokens can name."""
    return [e for t in tokens if t.kind == ENTITY and t.form is not None for e in t.form.entities]


def _unread(text: str) -> Issue:
    if not text.strip():
        return Issue("empty", "the report is empty")
    return Issue("unread", "no finding and no statement of normality was recognised (is the report in English?)")


@lru_cache(maxsize=8)
def parser_of(ontology: Ontology) -> RulesParser:
    """The parser of an ontology; made once, shared by all who ask."""
    return RulesParser(ontology)


def parse(text: str, *, ontology: Ontology | None = None) -> ParsedReport:
    """Parses a report with the rules parser (see `RulesParser.parse`); the shipped ontology is the default."""
    return parser_of(ontology or load_ontology()).parse(text)
