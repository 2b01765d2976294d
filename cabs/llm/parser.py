"""A report → its facts, by asking an LLM. The parser that `--parser llm` names."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import Future
from functools import partial

from cabs.llm.ahead import Ahead
from cabs.llm.asking import Question
from cabs.llm.extraction import extraction
from cabs.llm.fence import fenced
from cabs.llm.prompt import prompt
from cabs.llm.server import Server
from cabs.llm.service import Service, service_of
from cabs.llm.shapes import extraction_schema
from cabs.llm.terms import UNKNOWN, terms_of
from cabs.ontology import Ontology
from cabs.values import Issue, ParsedReport

PROMPT = "extract"


class LlmParser:
    """Parses reports by asking a server. Calling it waits for the answer; `begin` lets the work go on meanwhile, so
    that many reports are read at once. Thread-safe.

    A report without a usable answer raises `LlmError` (a `CabsError`), and is unscored; a server that refuses all work
    raises `UnavailableError`.
    """

    name = "llm"

    def __init__(self, ontology: Ontology, server: Server, service: Service | None = None) -> None:
        self.ontology, self.server, self.terms = ontology, server, terms_of(ontology)
        self.service = service or service_of(server)
        self.prompt = prompt(PROMPT).given(
            {"organs": ", ".join((*self.terms.organs, UNKNOWN)), "kinds": ", ".join(self.terms.kinds)}
        )
        self._schema = extraction_schema((*self.terms.organs, UNKNOWN), self.terms.kinds)
        self._reports: Ahead[str, ParsedReport] = Ahead(self.service, self.facts)

    @property
    def window(self) -> int:
        """How many reports are worth handing over before the first is asked for."""
        return 2 * self.server.concurrency

    def begin(self, text: str) -> Future[ParsedReport]:
        """The facts of a report, worked out meanwhile."""
        return self._reports.begin(text)

    def __call__(self, text: str) -> ParsedReport:
        """The facts of a report. An empty text gives an unread report and asks nobody.

        Raises:
            LlmError: there is no usable answer; UnavailableError: the server refuses all work or is gone.
        """
        return self._reports(text)

    def items(self) -> tuple[tuple[str, str], ...]:
        """What its facts depend on as (name, text), for signatures. Finds out how answers get their form.

        Raises:
            UnavailableError: the server refuses all work or can't be reached.
        """
        rung = self.service.rung(self.question("All clear."))
        return ("prompt", self.prompt.stamp), ("rung", rung), *self.server.items()

    async def facts(self, text: str) -> ParsedReport:
        """The facts of a report, to be awaited by work of the service."""
        if not text.strip():
            return ParsedReport((), (), False, (Issue("empty", "the report is empty"),))
        return await self.service.ask(self.question(text), partial(extraction, text=text, terms=self.terms))

    def question(self, text: str) -> Question:
        """What is asked of a report."""
        block = fenced(text)
        values: Mapping[str, str] = {"mark": block.mark, "report": block.block}
        return Question(self.prompt, self.prompt.messages(values), self._schema)
