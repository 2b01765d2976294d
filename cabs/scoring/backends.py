"""Who reads texts and who matches facts: the rules, or what users name (`--parser`, `--matcher`), built-in or of
another package by entry point (`cabs.parsers`, `cabs.matchers`).

A parser is a function from a text to a parsed report. It may have more, which is used where it is there: a `name` for
signatures, `items()` with what its facts depend on besides, and, where it waits for others, `begin(text)` and the
`window` of texts that are worth handing over in advance.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from cabs.errors import CabsError, SettingError
from cabs.matching import Alignment, Settings
from cabs.ontology import Ontology
from cabs.parsing.parser import NAME as RULES
from cabs.registry import Registry, offer
from cabs.values import Pair, ParsedReport

if TYPE_CHECKING:
    from cabs.scoring.judge import Parser

PARSERS = Registry("parser", "cabs.parsers", {"llm": "cabs.llm.made:parser", "hybrid": "cabs.llm.made:parser"})
"""name → the function that makes the parser of the name, an ontology and options."""

MATCHERS = Registry("matcher", "cabs.matchers", {"llm": "cabs.llm.made:matcher", "hybrid": "cabs.llm.made:matcher"})
"""name → the function that makes the aligner of the name, an ontology, settings, a parser and options."""

Items = tuple[tuple[str, str], ...]
Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class Aligned:
    """Both sides of a pair as they were read, and their alignment."""

    reference: ParsedReport
    prediction: ParsedReport | None
    alignment: Alignment


class Aligner(Protocol):
    """Reads a pair and aligns it in its own way, instead of the parser and the rules of matching.

    `begin` hands a pair over whose alignment will be asked for; `window` pairs are worth handing over in advance.
    """

    name: str

    @property
    def window(self) -> int:
        """Pairs to hand over in advance."""

    def begin(self, pair: Pair) -> None:
        """Work on a pair goes on from here."""

    def align(self, pair: Pair) -> Aligned:
        """The alignment of a pair.

        Raises:
            CabsError: there is none, and the pair is unscored.
        """

    def items(self) -> Items:
        """What its alignments depend on, for signatures."""


def parser_named(name: str, ontology: Ontology, options: Mapping[str, Any]) -> Parser | None:
    """The parser of a name; None for that of the rules.

    Raises:
        SettingError: there is none of this name, or an option is wrong; CabsError: it can't be made.
    """
    if name == RULES:
        return None
    found = _maker(PARSERS, name)(name, ontology, options)
    if not callable(found):
        raise CabsError(f"parser {name!r} is none", place="--parser", hint="a parser is a function of a text")
    return found  # type: ignore[no-any-return]


def aligner_named(
    name: str, ontology: Ontology, settings: Settings, parser: Parser | None, options: Mapping[str, Any]
) -> Aligner | None:
    """The aligner of a name; None for the rules of matching.

    Raises:
        SettingError: there is none of this name, or an option is wrong; CabsError: it can't be made.
    """
    if name == RULES:
        return None
    return _maker(MATCHERS, name)(name, ontology, settings, parser, options)  # type: ignore[no-any-return]


def _maker(registry: Registry, name: str) -> Any:
    if name not in registry.names:
        hint = offer(name, (RULES, *registry.names))
        raise SettingError(f"there is no {registry.kind} {name!r}", place=f"--{registry.kind}", hint=hint)
    return registry.load(name)


def items_of(backend: object) -> Items:
    """What the answers of a parser or an aligner depend on besides the ontology; nothing for the rules."""
    items = getattr(backend, "items", None)
    return tuple(items()) if callable(items) else ()


def signed(parser: object, aligner: object) -> Items:
    """The settings of both for a signature. What the aligner has under a name of the parser's goes by its own."""
    told = dict(items_of(parser))
    name = getattr(aligner, "name", "")
    mine = [("matcher", name), *items_of(aligner)] if name else []
    for key, text in mine:
        if told.setdefault(key, text) != text:
            told[f"matcher_{key}"] = text
    return tuple(told.items())


def waits(parser: object, aligner: object) -> bool:
    """Whether one of them works on what it is handed over while others are judged."""
    return any(callable(getattr(backend, "begin", None)) for backend in (parser, aligner))


def ahead(pairs: Iterable[Pair], parser: object, aligner: object) -> Iterator[Pair]:
    """The pairs in their order, each handed over some time before it comes: to the aligner, else its texts to the
    parser."""
    if callable(getattr(aligner, "begin", None)):
        return handed_over(pairs, aligner, lambda pair: (pair,))
    return handed_over(pairs, parser, lambda pair: [s for s in (pair.reference, pair.prediction) if isinstance(s, str)])


def handed_over(items: Iterable[Item], backend: Any, parts: Callable[[Item], Iterable[object]]) -> Iterator[Item]:
    """The items in their order; the parts of each go to `backend.begin` while up to `backend.window` others wait in
    front of it, so that memory does not grow. The items alone where the backend has no such method."""
    if not callable(getattr(backend, "begin", None)):
        yield from items
        return
    waiting: deque[Item] = deque()
    for item in items:
        for part in parts(item):
            backend.begin(part)
        waiting.append(item)
        if len(waiting) > getattr(backend, "window", 1):
            yield waiting.popleft()
    yield from waiting
