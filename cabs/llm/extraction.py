"""An extraction as a server answered it, and the text that it is of → a parsed report, with nothing taken on trust.

Source: the specification of CABS, "Report and fact": evidence that is not verbatim is refused and counted.
"""

from __future__ import annotations

from dataclasses import replace

from cabs.llm.failure import RefusedError
from cabs.llm.quotes import Quotes, spoken_of
from cabs.llm.shapes import AttributeSaid, Extraction, FactSaid, NormalSaid, shaped
from cabs.llm.terms import Terms, section_at
from cabs.values import Fact, Issue, Normal, ParsedReport, QuotedFact, QuotedReport, Section, Span

NOT_VERBATIM, BESIDE, ELSEWHERE = "not_verbatim", "evidence_beside_the_point", "outside_sections"
UNKNOWN_ORGAN, UNKNOWN_KIND, SLOT = "unknown_organ", "unknown_attribute", "slot_not_verbatim"
REFUSALS = (NOT_VERBATIM, BESIDE, ELSEWHERE)
"""Issues for which a fact is refused since its evidence is no good."""


def extraction(said: str, text: str, terms: Terms, among: str = "") -> ParsedReport:
    """The report that an answer describes.

    Facts whose evidence is not in the text, or speaks of nothing that is named, are refused; organs, attribute kinds
    and slots that can't be found lose their place. Each is listed as an issue. An answer that lists nothing stands only
    for a text in which the rules find nothing either. `among`: the whole report, where `text` has blanks for all but
    some of its sentences; then nothing is a good answer too.

    Raises:
        RefusedError: the answer has another shape, is empty for a text that says something, or nothing of it holds.
    """
    answer = shaped(said, Extraction)
    reader = _Reader(text, terms, among or text)
    facts = tuple(fact for item in answer.facts if (fact := reader.fact(item)) is not None)
    normal = tuple(found for item in answer.normal if (found := reader.normal(item)) is not None)
    refused = sum(issue.code in REFUSALS for issue in reader.issues)
    read = bool(facts or normal)
    if not read and refused:
        raise RefusedError(f"none of its {refused} quotes is evidence")
    if not read and not among and terms.rules.parse(text).read:
        raise RefusedError("it lists nothing for a report that states something")
    unread = () if read or among else (Issue("unread", "neither the model nor the rules find a statement"),)
    return ParsedReport(facts, normal, read, (*reader.issues, *unread))


class _Reader:
    """Reads the items of one answer against its text."""

    def __init__(self, text: str, terms: Terms, whole: str) -> None:
        self.text, self.terms, self.issues = text, terms, list[Issue]()
        self._stretches = terms.stretches(whole)
        self._quotes = Quotes(text, lambda span: section_at(self._stretches, span) is not None)

    def fact(self, said: FactSaid) -> Fact | None:
        """The fact of an item; None where it is refused."""
        span = self._evidence(said.evidence, said.name, said.model_dump_json())
        if span is None:
            return None
        section = self._section(span)
        if section is None:
            return None
        (found,) = self.terms.quotes.read(QuotedReport((self._quoted(said, section, span),), None)).facts
        mention = self._quotes.inside(said.mention, span) or span
        return replace(found, mention=mention, evidence=(span,))

    def normal(self, said: NormalSaid) -> Normal | None:
        """The normality statement of an item; None where it is refused."""
        organ = self._organ(said.organ)
        span = self._evidence(said.evidence, said.organ, said.model_dump_json())
        if organ is None or span is None or self._section(span) is None:
            return None
        return Normal(organ, span)

    def _evidence(self, quote: str, name: str, item: str) -> Span | None:
        span = self._quotes.find(quote, item)
        if span is None:
            self.issues.append(Issue(NOT_VERBATIM, "a quote of the answer is not in the text"))
            return None
        if not spoken_of(self.terms.knows, self.text[span.start : span.end], name):
            self.issues.append(Issue(BESIDE, "a quote names nothing that is known, nor the finding", span))
            return None
        return span

    def _section(self, span: Span) -> Section | None:
        section = section_at(self._stretches, span)
        if section is None:
            self.issues.append(Issue(ELSEWHERE, "a quote stands in a section that is not read", span))
        return section

    def _quoted(self, said: FactSaid, section: Section, span: Span) -> QuotedFact:
        evidence = self.text[span.start : span.end]
        return QuotedFact(
            section=section,
            status=said.status,
            name=" ".join(said.name.split()),
            organ=self._organ(said.organ),
            location=self._location(said.location),
            side=None if said.side == "unstated" else said.side,
            attributes=tuple(pair for item in said.attributes if (pair := self._attribute(item)) is not None),
            certainty=said.certainty,
            mention="",
            evidence=evidence,
        )

    def _organ(self, said: str) -> str | None:
        if said.strip().lower() in ("", "unknown"):
            return None
        organ = self.terms.organ(said)
        if organ is None:
            self.issues.append(Issue(UNKNOWN_ORGAN, "the answer names an organ that is not listed"))
        return organ

    def _location(self, said: str) -> tuple[str, ...]:
        if not said.strip():
            return ()
        words = self._quotes.wording(said)
        if not words:
            self.issues.append(Issue(SLOT, "a place of the answer is not in the text"))
            return ()
        return (" ".join(words.split()),)

    def _attribute(self, said: AttributeSaid) -> tuple[str, str] | None:
        if said.kind not in self.terms.kinds:
            self.issues.append(Issue(UNKNOWN_KIND, "the answer names a kind of attribute that is not listed"))
            return None
        words = self._quotes.wording(said.text)
        if not words:
            self.issues.append(Issue(SLOT, "an attribute of the answer is not in the text"))
            return None
        return said.kind, words
