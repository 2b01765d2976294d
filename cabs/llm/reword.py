"""A text in other words, by asking an LLM: the rewording that `cabs audit counterfactual --reword llm` names."""

from __future__ import annotations

from concurrent.futures import Future

from cabs.llm.ahead import Ahead
from cabs.llm.asking import Question
from cabs.llm.fence import fenced
from cabs.llm.prompt import prompt
from cabs.llm.server import Server
from cabs.llm.service import Service, service_of
from cabs.llm.shapes import Rewording, rewording_schema, shaped


class LlmRewording:
    """Says texts anew by asking a server; whether the new words hold is for the study to judge. Thread-safe."""

    name = "llm"

    def __init__(self, server: Server, service: Service | None = None) -> None:
        self.server, self.service = server, service or service_of(server)
        self.prompt = prompt("reword")
        self._texts: Ahead[str, str] = Ahead(self.service, self.words)

    @property
    def window(self) -> int:
        """How many texts are worth handing over before the first is asked for."""
        return 2 * self.server.concurrency

    def begin(self, text: str) -> Future[str]:
        """The text in other words, worked out meanwhile.

        Raises (in the future):
            LlmError: there is no usable answer; UnavailableError: the server refuses all work or is gone.
        """
        return self._texts.begin(text)

    def items(self) -> tuple[tuple[str, str], ...]:
        """What the words depend on, for signatures. Finds out how answers get their form."""
        rung = self.service.rung(self._question("All clear."))
        return ("prompt", self.prompt.stamp), ("rung", rung), *self.server.items()

    async def words(self, text: str) -> str:
        """The text in other words, to be awaited by work of the service."""
        return await self.service.ask(self._question(text), lambda said: shaped(said, Rewording).report.strip())

    def _question(self, text: str) -> Question:
        block = fenced(text)
        return Question(
            self.prompt, self.prompt.messages({"mark": block.mark, "report": block.block}), rewording_schema()
        )
