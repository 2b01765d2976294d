"""What reads the sides of samples, made once in a process."""

from __future__ import annotations

from functools import lru_cache
from threading import Lock

from cabs.matching import Settings
from cabs.ontology import Ontology, load_ontology
from cabs.parsing.parser import parser_of
from cabs.rewards.references import REMEMBERED, SectionReader
from cabs.rewards.rules import rules_judge
from cabs.scoring.joined import joined
from cabs.scoring.judge import Parser
from cabs.scoring.tasks.tumor.grammar import output
from cabs.scoring.tasks.tumor.options import Comparing
from cabs.scoring.tasks.tumor.reader import tumor_reader
from cabs.scoring.tasks.tumor.texts import Stated, stated


class Tools:
    """What reads the sides of samples. Thread-safe; what it remembers never changes an answer."""

    def __init__(self, ontology: Ontology, how: Comparing, parser: Parser | None) -> None:
        self.reader: SectionReader = rules_judge(ontology, Settings(scope="section"), parser).reader
        self.tumors, self._first = tumor_reader(ontology, how), how.first_slice
        self.parse: Parser = parser or parser_of(ontology).parse
        self._known = lru_cache(REMEMBERED)(self._of_text)

    def reference(self, given: object) -> Stated:
        """A reference, text in any form or facts; see `Example`.

        Raises:
            InputError: it is none of these.
        """
        if isinstance(given, str) and given.lstrip()[:1] not in ("{", "["):
            return self._known(given)
        found = self.reader.reference(given)
        tags = output(found.text or "", self._first)
        return Stated(joined(part.report for part in found.sections.values()), tags.key_slice, tags.bbox)

    def _of_text(self, text: str) -> Stated:
        return stated(text, self.parse, self._first)


_MAKING = Lock()


def tools_of(ontology: Ontology | None, how: Comparing, parser: Parser | None) -> Tools:
    """The tools of these options, however many threads ask."""
    with _MAKING:
        return _made(ontology or load_ontology(), how, parser)


_made = lru_cache(maxsize=8)(Tools)
