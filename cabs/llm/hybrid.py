"""Rules first: an LLM reads only the sentences that they leave unexplained. The parser that `--parser hybrid` names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from cabs.llm.asking import Question
from cabs.llm.extraction import extraction
from cabs.llm.fence import fenced
from cabs.llm.parser import LlmParser
from cabs.llm.terms import Terms
from cabs.parsing.sentences import Sentence
from cabs.studies.coverage.phrases import sentence_coverage
from cabs.values import ParsedReport


class HybridParser(LlmParser):
    """The rules' facts, and those that a server finds in sentences of which the rules can make nothing. Most reports
    have no such sentence, and nobody is asked about them."""

    name = "hybrid"

    async def facts(self, text: str) -> ParsedReport:
        """The facts of a report, to be awaited by work of the service."""
        known = self.terms.rules.parse(text)
        left = unexplained(text, self.terms)
        if not left:
            return known
        read = partial(extraction, text=_alone(text, left), terms=self.terms, among=text)
        found = await self.service.ask(self._of(text, left), read)
        facts, normal = (*known.facts, *found.facts), (*known.normal, *found.normal)
        issues = [issue for issue in known.issues if issue.code != "unread" or not (facts or normal)]
        return ParsedReport(facts, normal, bool(facts or normal), (*issues, *found.issues))

    def _of(self, text: str, left: Sequence[Sentence]) -> Question:
        block = fenced("\n".join(text[s.start : s.end] for s in left))
        values: Mapping[str, str] = {"mark": block.mark, "report": block.block}
        return Question(self.prompt, self.prompt.messages(values), self._schema)


def unexplained(text: str, terms: Terms) -> list[Sentence]:
    """The sentences of findings and impression that state something in words which the rules do not know: no statement
    is read in them, and words are left that name something or are said of it."""
    found = []
    for stretch in terms.stretches(text):
        for sentence in terms.rules.sentences(text, stretch):
            reading = terms.rules.reading(text, sentence)
            if reading.statements or reading.normal or reading.about is not None:
                continue
            phrases = sentence_coverage(terms.rules.tokens(text, sentence)).phrases
            if any(phrase.role != "modifier" for phrase in phrases):
                found.append(sentence)
    return found


def _alone(text: str, kept: Sequence[Sentence]) -> str:
    """The text with blanks in place of all but some sentences: positions stay what they are."""
    blank = "".join(c if c == "\n" else " " for c in text)
    parts, at = [], 0
    for sentence in kept:
        parts += [blank[at : sentence.start], text[sentence.start : sentence.end]]
        at = sentence.end
    return "".join([*parts, blank[at:]])
