"""Pairs → alignments by asking an LLM: as a judge of the whole prediction (`--matcher llm`), or of the facts alone that
the rules leave without a partner (`--matcher hybrid`)."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache
from typing import Any

from cabs.errors import CabsError
from cabs.llm.ahead import KEPT, Ahead
from cabs.llm.asking import Question
from cabs.llm.fence import fenced
from cabs.llm.judgement import judged
from cabs.llm.laid import laid_out
from cabs.llm.listing import lines, listed
from cabs.llm.prompt import Prompt, prompt
from cabs.llm.server import Server
from cabs.llm.service import Service, service_of
from cabs.llm.settling import settled
from cabs.llm.shapes import judgement_schema, matches_schema
from cabs.llm.terms import UNKNOWN, Terms, terms_of
from cabs.matching import Alignment, CanonicalReport, Settings
from cabs.ontology import Ontology
from cabs.scoring.backends import Aligned
from cabs.scoring.judge import Judge, Parser, Plan
from cabs.values import Issue, Pair, ParsedReport, QuotedReport

Report = str | QuotedReport | ParsedReport
Sides = tuple[Report, Report | None]


class _Asking(ABC):
    """What both matchers share: pairs are handed over, read and worked on in the service, and asked for later."""

    name = ""
    prompt: Prompt

    def __init__(
        self,
        ontology: Ontology,
        settings: Settings,
        server: Server,
        parser: Parser | None = None,
        service: Service | None = None,
    ) -> None:
        self.settings, self.server, self.terms = settings, server, terms_of(ontology)
        self.service = service or service_of(server)
        self._judge = Judge(Plan(ontology, settings, parser=parser))
        self.matcher = self._judge.matcher
        self._parser: Any = parser
        self._known = lru_cache(KEPT)(self._judge.read)
        self._pairs: Ahead[Sides, Aligned] = Ahead(self.service, self._aligned)

    @property
    def window(self) -> int:
        """How many pairs are worth handing over before the first is asked for."""
        return 2 * self.server.concurrency

    def begin(self, pair: Pair) -> None:
        """Work on a pair, which goes on meanwhile. What the rules read is read here, so that the loop is free to
        ask."""
        if not hasattr(self._parser, "begin"):
            with suppress(CabsError):  # whoever asks for the alignment gets it
                self._known(pair.reference)
        self._pairs.begin((pair.reference, pair.prediction))

    def align(self, pair: Pair) -> Aligned:
        """The alignment of a pair.

        Raises:
            LlmError: there is no usable answer; UnavailableError: the server refuses all work or is gone; CabsError:
                there is no text to judge.
        """
        return self._pairs((pair.reference, pair.prediction))

    async def _read(self, side: Report) -> ParsedReport:
        """The facts of a side; those of a text that a server reads come when they come."""
        if isinstance(side, str) and hasattr(self._parser, "begin"):
            found: ParsedReport = await asyncio.wrap_future(self._parser.begin(side))
            return found  # asking for it here would wait for the very loop that runs this
        return self._known(side)

    def items(self) -> tuple[tuple[str, str], ...]:
        """What its alignments depend on, for signatures. Finds out how answers get their form.

        Raises:
            UnavailableError: the server refuses all work or can't be reached.
        """
        rung = self.service.rung(self._example())
        return ("prompt", self.prompt.stamp), ("rung", rung), *self.server.items()

    @abstractmethod
    def _example(self) -> Question:
        """A question like all that are asked."""

    @abstractmethod
    async def _aligned(self, sides: Sides) -> Aligned:
        """The alignment of a pair, once the server has answered."""


def judge_prompt(terms: Terms) -> Prompt:
    """The prompt of the judge, with the organs of an ontology."""
    return prompt("judge").given({"organs": ", ".join((*terms.organs, UNKNOWN))})


class LlmMatcher(_Asking):
    """A judge in [TIF]'s protocol: the reference's facts in canonical form, the prediction's text, and a verdict on
    each fact. A prediction that is given as facts without their text can't be judged."""

    name = "llm"

    def __init__(self, ontology: Ontology, settings: Settings, server: Server, *rest: Any) -> None:
        super().__init__(ontology, settings, server, *rest)
        self.prompt = judge_prompt(self.terms)
        self._schema = judgement_schema((*self.terms.organs, UNKNOWN))

    def _example(self) -> Question:
        return self.question(CanonicalReport((), (), (), (), True), "All clear.")

    def question(self, reference: CanonicalReport, text: str) -> Question:
        """What is asked of a prediction's text."""
        sections = self.settings.scope == "section"
        block = fenced(text)
        facts = fenced(lines(listed(reference.present, "R", sections=sections)), "facts", beside=text)
        values = {"mark": block.mark, "report": block.block, "facts_mark": facts.mark, "facts": facts.block}
        return Question(self.prompt, self.prompt.messages(values), self._schema)

    async def verdict(self, reference: CanonicalReport, text: str) -> tuple[ParsedReport, Alignment]:
        """The prediction as it is judged, and its alignment; to be awaited by work of the service."""

        def read(said: str) -> tuple[ParsedReport, Alignment]:
            sections = self.settings.scope == "section"
            found = judged(said, reference.present, text, self.terms, sections=sections)
            return laid_out(reference, found, self.terms.rules.parse(text), text, self.matcher, self.terms)

        return await self.service.ask(self.question(reference, text), read)

    async def _aligned(self, sides: Sides) -> Aligned:
        reference = await self._read(sides[0])
        ours, text = self.matcher.canonical(reference), _text(sides[1])
        if not ours.read or not text.strip():
            prediction = None if sides[1] is None else self.terms.rules.parse(text)
            return Aligned(reference, prediction, self.matcher.align(ours, prediction))
        told, alignment = await self.verdict(ours, text)
        return Aligned(reference, told, alignment)


class HybridMatcher(_Asking):
    """The rules match; where they leave facts on both sides without a partner, an LLM says which of these are the same
    under other names. It never takes a hit away, and place and attributes are compared by the rules."""

    name = "hybrid"

    def __init__(self, ontology: Ontology, settings: Settings, server: Server, *rest: Any) -> None:
        super().__init__(ontology, settings, server, *rest)
        self.prompt = prompt("settle")
        self._schema = matches_schema()

    def _example(self) -> Question:
        return Question(self.prompt, (), self._schema)

    async def _aligned(self, sides: Sides) -> Aligned:
        reference = await self._read(sides[0])
        prediction = None if sides[1] is None else await self._read(sides[1])
        first = self.matcher.align(reference, prediction)
        if not first.reference.read or not first.missed or not first.hallucinated:
            return Aligned(reference, prediction, first)
        lists = [*listed(first.missed, "R"), *listed(first.hallucinated, "P")]
        block = fenced(lines(lists), "lists")
        messages = self.prompt.messages({"mark": block.mark, "lists": block.block})

        def read(said: str) -> tuple[Alignment, list[Issue]]:
            refused: list[Issue] = []
            return settled(said, first, self.matcher, refused.append), refused

        final, refused = await self.service.ask(Question(self.prompt, messages, self._schema), read)
        told = None if prediction is None else replace(prediction, issues=(*prediction.issues, *refused))
        return Aligned(reference, told, final)


def _text(side: Report | None) -> str:
    """The text of a prediction, "" for a missing one.

    Raises:
        CabsError: it has none.
    """
    if side is None or isinstance(side, str):
        return side or ""
    if isinstance(side, QuotedReport) and side.text:
        return side.text
    hint = "--matcher rules compares facts"
    raise CabsError("the prediction is given as facts without their text", place="matcher llm", hint=hint)
