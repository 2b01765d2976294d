"""The steps of the parser as spaCy components: sections, sentences, mentions, statements, facts.

`nlp.add_pipe("cabs_facts")` finds them by name (entry points). Each one takes what the step before left on
the document and makes it itself where that step is not in the pipeline, so that each also runs alone.
Positions are characters of `doc.text` and equal those of `cabs.parse`.

| component | leaves |
| --- | --- |
| cabs_sections | `doc._.cabs_sections`: stretches with a role; `doc.spans["cabs_sections"]` |
| cabs_sentences | `doc._.cabs_sentences`: sentences with their section; `doc.spans["cabs_sentences"]` |
| cabs_mentions | `doc._.cabs_mentions`: known words with what they may mean; `doc.spans["cabs_mentions"]` |
| cabs_statements | `doc._.cabs_statements`: what each sentence states by itself: status, organ, side |
| cabs_facts | `doc._.cabs_report` and `doc._.cabs_facts`; `doc.spans["cabs_facts"]`, labelled by entity |
| cabs_abbreviations | `doc._.cabs_abbreviations`, read by cabs_facts as long forms (needs scispacy) |

`span._.cabs_facts` are the facts whose mention lies in a span, `span._.cabs_section` the section it starts
in. What is left on a document is made of plain lists, so that documents can be saved and sent to other
processes.
"""

from __future__ import annotations

import json
import warnings
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from itertools import chain
from typing import Any, NamedTuple

from spacy.language import Language
from spacy.tokens import Doc, Span, SpanGroup

from cabs.errors import MissingExtraError
from cabs.io.facts import report_from_json, report_to_json
from cabs.ontology import load_ontology
from cabs.parsing.expansion import Abbreviation, Expansion
from cabs.parsing.parser import RulesParser, parser_of
from cabs.parsing.scan import ATTRIBUTE, CUE, ENTITY, PLACE, SIDE, SIZE, STATE, Token
from cabs.parsing.sections import Stretch
from cabs.parsing.sentences import Sentence
from cabs.values import Fact, ParsedReport

MENTION_KINDS = {
    ENTITY: "entity",
    STATE: "predicate",
    PLACE: "place",
    SIDE: "side",
    ATTRIBUTE: "attribute",
    SIZE: "size",
    CUE: "cue",
}
Component = Callable[[Doc], Doc]
Step = Callable[[Doc, RulesParser], None]


class SectionSentence(NamedTuple):
    """A sentence (characters `start` to `end`), the words of the heading above it and its section."""

    start: int
    end: int
    heading: str
    section: str


class Mention(NamedTuple):
    """Known words (characters `start` to `end`), their kind and the ids or values that they may mean."""

    start: int
    end: int
    kind: str
    ids: tuple[str, ...]


class Stated(NamedTuple):
    """What one sentence says of one thing. `entity` is None while its place is left to other sentences."""

    start: int
    end: int
    status: str
    certainty: str
    entity: str | None
    organ: str | None
    side: str | None


@lru_cache(maxsize=8)
def _parser(path: str | None, extra: tuple[str, ...]) -> RulesParser:
    return parser_of(load_ontology(path, extra))


class _Step:
    """A component: it holds the ontology's folders, so that it can be pickled, and does one step."""

    def __init__(self, step: Step, ontology: str | None, extra: Iterable[str]) -> None:
        self._step, self._ontology, self._extra = step, ontology, tuple(extra)

    def __call__(self, doc: Doc) -> Doc:
        self._step(doc, _parser(self._ontology, self._extra))
        return doc


def _keep(doc: Doc, name: str, rows: Iterable[tuple[Any, ...]]) -> None:
    doc.user_data[name] = [list(row) for row in rows]


def _group(doc: Doc, name: str, labelled: Iterable[tuple[int, int, str]]) -> None:
    """Spans of whole tokens around the characters, for displays and for other components."""
    spans = (doc.char_span(a, b, label=label, alignment_mode="expand") for a, b, label in labelled)
    doc.spans[name] = SpanGroup(doc, name=name, spans=[s for s in spans if s is not None])


def _sections(doc: Doc, parser: RulesParser) -> None:
    stretches = parser.stretches(doc.text)
    _keep(doc, "cabs_sections", stretches)
    _group(doc, "cabs_sections", ((s.start, s.end, s.role) for s in stretches))


def _sentences(doc: Doc, parser: RulesParser) -> None:
    _after(doc, "cabs_sections", _sections, parser)
    found = [
        SectionSentence(*sentence, stretch.role)
        for stretch in doc._.cabs_sections
        for sentence in parser.sentences(doc.text, stretch)
    ]
    _keep(doc, "cabs_sentences", found)
    _group(doc, "cabs_sentences", ((s.start, s.end, s.section) for s in found))


def _mentions(doc: Doc, parser: RulesParser) -> None:
    _after(doc, "cabs_sentences", _sentences, parser)
    found = [
        Mention(sentence.start + token.start, sentence.start + token.end, MENTION_KINDS[token.kind], _ids(token))
        for sentence in doc._.cabs_sentences
        for token in parser.tokens(doc.text, Sentence(*sentence[:3]))
        if token.kind in MENTION_KINDS
    ]
    _keep(doc, "cabs_mentions", found)
    _group(doc, "cabs_mentions", ((m.start, m.end, m.kind) for m in found))


def _ids(token: Token) -> tuple[str, ...]:
    """What a token may mean, by its kind."""
    form = token.form
    if token.kind == ATTRIBUTE:
        return tuple(f"{kind}={value}" if value else kind for kind, value in token.attributes)
    if form is None:
        return tuple(f"{mm:g} mm" for mm in token.mm)
    by_kind: dict[str, Iterable[str]] = {
        ENTITY: form.entities,
        STATE: form.predicates,
        PLACE: form.places,
        SIDE: [form.side] if form.side else [],
        CUE: [cue.rule for cue in form.cues],
    }
    return tuple(by_kind.get(token.kind, ()))


def _statements(doc: Doc, parser: RulesParser) -> None:
    _after(doc, "cabs_sentences", _sentences, parser)
    found = []
    for sentence in doc._.cabs_sentences:
        for s in parser.reading(doc.text, Sentence(*sentence[:3])).statements:
            start, end = (sentence.start + at for at in s.mention)
            found.append(Stated(start, end, s.status, s.certainty, s.entity, s.where.organ, s.where.side))
    _keep(doc, "cabs_statements", found)


def _facts(doc: Doc, parser: RulesParser) -> None:
    if doc._.cabs_abbreviations:
        expansion = Expansion(doc.text, doc._.cabs_abbreviations)
        report = expansion.restored(parser.parse(expansion.text))
    else:
        _after(doc, "cabs_sentences", _sentences, parser)
        report = parser.report(doc.text, _parts(doc))
    doc.user_data["cabs_report"] = json.dumps(report_to_json(report))
    _group(doc, "cabs_facts", ((*fact.mention, fact.entity) for fact in report.facts))


def _parts(doc: Doc) -> Iterator[tuple[Stretch, list[Sentence]]]:
    """The sentences of the document, stretch by stretch."""
    sentences = doc._.cabs_sentences
    starts = [sentence.start for sentence in sentences]
    for stretch in doc._.cabs_sections:
        inside = sentences[bisect_left(starts, stretch.start) : bisect_left(starts, stretch.end)]
        yield stretch, [Sentence(*s[:3]) for s in inside]


def _after(doc: Doc, name: str, step: Step, parser: RulesParser) -> None:
    """Do an earlier step that no component has done."""
    if name not in doc.user_data:
        step(doc, parser)


class _Abbreviations:
    """Finds abbreviations that a text defines itself, with scispacy's detector (Schwartz and Hearst 2003).

    An abbreviation that the ontology knows with one meaning keeps it: in "nodule of the right lung (RUL)" the
    detector would take the place for a short form of the words before it.
    """

    def __init__(self, nlp: Language, ontology: str | None, extra: Iterable[str]) -> None:
        try:
            from scispacy.abbreviation import AbbreviationDetector
        except ImportError as error:
            raise MissingExtraError(
                "abbreviations are found with scispacy",
                place="cabs_abbreviations",
                hint="pip install 'scispacy>=0.6.2' 'pandas<3.1' 'pyarrow<26', in an environment of its own",
            ) from error
        self._detector = AbbreviationDetector(nlp)
        knowledge = load_ontology(ontology, tuple(extra))
        ambiguous = {rule.abbr for rule in knowledge.abbreviation_rules}
        entities, structures = knowledge.entities.values(), knowledge.structures.values()
        listed = chain((e.abbreviations for e in entities), (s.abbreviations for s in structures))
        self._known = frozenset(chain.from_iterable(listed)) - ambiguous

    def __call__(self, doc: Doc) -> Doc:
        with warnings.catch_warnings():
            # The detector's matcher warns of every document that defines no abbreviation.
            warnings.filterwarnings("ignore", message=r"\[W036\]")
            # It leaves spans, which can't be saved, so it gets a copy.
            detected = self._detector(doc.copy())._.abbreviations
        found = {
            Abbreviation(short.start_char, short.end_char, short._.long_form.text)
            for short in detected
            if short.text not in self._known
        }
        _keep(doc, "cabs_abbreviations", sorted(found))
        return doc


_CONFIG: dict[str, Any] = {"ontology": None, "extra": []}


def _factory(name: str, step: Step) -> Callable[..., Component]:
    def make(nlp: Language, name: str, ontology: str | None, extra: list[str]) -> Component:  # noqa: ARG001
        return _Step(step, ontology, extra)

    Language.factory(name, default_config=_CONFIG, func=make)
    return make


def _abbreviations(
    nlp: Language,
    name: str,  # noqa: ARG001  # spaCy passes it
    ontology: str | None,
    extra: list[str],
) -> Component:
    return _Abbreviations(nlp, ontology, extra)


def _rows(name: str, row: Callable[..., Any]) -> None:
    Doc.set_extension(name, getter=lambda doc: tuple(row(*r) for r in doc.user_data.get(name, ())), force=True)


def _report(doc: Doc) -> ParsedReport | None:
    stored = doc.user_data.get("cabs_report")
    return None if stored is None else report_from_json(json.loads(stored), "cabs_report")


def _all_facts(doc: Doc) -> tuple[Fact, ...]:
    report = _report(doc)
    return report.facts if report else ()


def _span_facts(span: Span) -> tuple[Fact, ...]:
    inside = (f for f in _all_facts(span.doc) if span.start_char <= f.mention.start < span.end_char)
    return tuple(inside)


def _span_section(span: Span) -> str | None:
    stretches: tuple[Stretch, ...] = span.doc._.cabs_sections
    return next((s.role for s in stretches if s.start <= span.start_char < s.end), None)


def _mention(start: int, end: int, kind: str, ids: Iterable[str]) -> Mention:
    return Mention(start, end, kind, tuple(ids))


for _name, _row in (
    ("cabs_sections", Stretch),
    ("cabs_sentences", SectionSentence),
    ("cabs_mentions", _mention),
    ("cabs_statements", Stated),
    ("cabs_abbreviations", Abbreviation),
):
    _rows(_name, _row)
Doc.set_extension("cabs_report", getter=_report, force=True)
Doc.set_extension("cabs_facts", getter=_all_facts, force=True)
Span.set_extension("cabs_facts", getter=_span_facts, force=True)
Span.set_extension("cabs_section", getter=_span_section, force=True)

make_sections = _factory("cabs_sections", _sections)
make_sentences = _factory("cabs_sentences", _sentences)
make_mentions = _factory("cabs_mentions", _mentions)
make_statements = _factory("cabs_statements", _statements)
make_facts = _factory("cabs_facts", _facts)
make_abbreviations = Language.factory("cabs_abbreviations", default_config=_CONFIG, func=_abbreviations)
