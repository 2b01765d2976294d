"""Facts of texts that come again: the references of a study come with every system."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache, partial

from cabs.errors import CabsError
from cabs.ontology import Ontology
from cabs.parsing import parse
from cabs.scoring.judge import Parser
from cabs.scoring.pool import mapped
from cabs.values import ParsedReport

REMEMBERED = 8192
"""Texts whose facts are kept from one call to the next."""

FEW = 300
"""Texts for which starting processes costs more than it gains."""


class Reader:
    """Reads each distinct text once; an answer is never another one for having been remembered."""

    def __init__(self, ontology: Ontology, parser: Parser | None) -> None:
        self.own = parser is not None
        self.ontology, self.parser = ontology, parser or partial(parse, ontology=ontology)
        self.known: dict[str, ParsedReport] = {}

    def __call__(self, text: str) -> ParsedReport:
        """The facts of a text; raises what the parser raises."""
        found = self.known.get(text)
        if found is None:
            found = self.known[text] = self.parser(text)
        return found

    def prepare(self, texts: Iterable[str], workers: int) -> None:
        """Read texts that are about to be asked for, in several processes where that is worth it. What is older is
        forgotten first, but none of these."""
        wanted = dict.fromkeys(texts)
        self._forget(wanted)
        new = [text for text in wanted if text not in self.known]
        if workers <= 1 or self.own or len(new) < FEW:
            return
        for text, report in zip(new, mapped(new, partial(_reading, self.ontology), workers), strict=True):
            if report is not None:
                self.known[text] = report

    def _forget(self, wanted: dict[str, None]) -> None:
        rest = [text for text in self.known if text not in wanted]
        for text in rest[: max(0, len(rest) + len(wanted) - REMEMBERED)]:
            del self.known[text]


def _reading(ontology: Ontology) -> Callable[[str], ParsedReport | None]:
    """The function of a process; None where the parser fails, which the one who asks for the text will see."""

    def read(text: str) -> ParsedReport | None:
        try:
            return parse(text, ontology=ontology)
        except CabsError:
            return None

    return read


@lru_cache(maxsize=4)
def reader_of(ontology: Ontology, parser: Parser | None) -> Reader:
    """The reader of an ontology and a parser (None: the rules), kept from one call to the next."""
    return Reader(ontology, parser)
