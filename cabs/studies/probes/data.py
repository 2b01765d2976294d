"""The study's data beside this file: what probes do and what is asked of a metric, and the words they are made with."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from functools import cached_property, lru_cache
from importlib.resources import files
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError

from cabs.errors import InputError

FILES = ("probes.yaml", "lexicon.yaml")
Kind = Literal["below", "not_above", "same", "above", "at_most", "costs", "milder"]
Edit = tuple[str, str]


class Record(BaseModel):
    """A part of the data; unknown fields are refused."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Rule(Record):
    """What a sound metric does with a probe. `than`: texts that it is held against; `by`: the name of a margin; empty
    `families` and `only`: it holds for every metric."""

    kind: Kind
    than: tuple[str, ...] = ()
    by: str = ""
    families: tuple[str, ...] = ()
    only: tuple[str, ...] = ()

    def applies(self, name: str, family: str) -> bool:
        """Whether it holds for a metric; options in a name don't matter."""
        return (not self.families or family in self.families) and (not self.only or name.partition(":")[0] in self.only)


class Probe(Record):
    """A text in place of a prediction: what it does, why the rules, and the rules."""

    id: str
    does: str
    why: str = ""
    rules: tuple[Rule, ...] = ()


class Probes(Record):
    """All probes and the margins of their rules; `beside` are texts that others are held against."""

    margins: dict[str, float]
    probes: tuple[Probe, ...]
    beside: tuple[Probe, ...]

    @property
    def ids(self) -> tuple[str, ...]:
        """Every text by its name."""
        return tuple(probe.id for probe in (*self.beside, *self.probes))


class Words(Record):
    """The lexicon as it is written."""

    lists: dict[str, list[str]]
    mixed: list[str]
    verbs: list[str]
    deny: list[Edit]
    assert_: list[Edit]
    asserted: list[Edit]
    hedge: list[Edit]
    sides: list[tuple[str, str]]
    one_sided: list[str]
    leaning: list[str]
    pointing: list[str]
    reword: list[Edit]
    equal_words: list[Edit]
    says: str
    says_possible: str
    normal: str


WITHOUT = "without_"
"""Before the name of a probe: the reference without the sentences that it changes."""

NOMINAL = "{nominal}"
"""Opens patterns that only fit a sentence without a verb."""


@dataclass(frozen=True)
class Frame:
    """A pattern for a whole sentence and what becomes of it."""

    pattern: re.Pattern[str]
    becomes: str
    nominal: bool


@dataclass(frozen=True, eq=False)
class Lexicon:
    """The lexicon, its patterns compiled; made once, and equal to itself alone."""

    words: Words

    @cached_property
    def mixed(self) -> re.Pattern[str]:
        """Fits in a sentence that says more than one thing."""
        return self._any(self.words.mixed)

    @cached_property
    def verb(self) -> re.Pattern[str]:
        """Fits a verb."""
        return self._any(self.words.verbs)

    @cached_property
    def one_sided(self) -> re.Pattern[str]:
        """Fits in a sentence that keeps its side."""
        return self._any(self.words.one_sided)

    @cached_property
    def leaning(self) -> re.Pattern[str]:
        """Fits a sentence that speaks of the one before it, from its beginning."""
        opening, anywhere = ("|".join(map(re.escape, words)) for words in (self.words.leaning, self.words.pointing))
        return re.compile(rf"(?:{opening})\b|.*\b(?:{anywhere})\b", re.IGNORECASE | re.DOTALL)

    @cached_property
    def sides(self) -> tuple[re.Pattern[str], dict[str, str]]:
        """Fits a word that names a side, and what each becomes, in lower case."""
        other = {**dict(self.words.sides), **{b: a for a, b in self.words.sides}}
        ordered = sorted(other, key=len, reverse=True)
        pattern = rf"\b(?:{'|'.join(map(re.escape, ordered))})\b"
        return re.compile(pattern, re.IGNORECASE), {a.lower(): b for a, b in other.items()}

    def frames(self, name: Literal["deny", "assert_", "hedge", "reword"]) -> tuple[Frame, ...]:
        """The frames of an edit."""
        return _frames(self, name)

    def filled(self, pattern: str) -> str:
        """A pattern with the lists in place of their names."""
        for name, items in self.words.lists.items():
            pattern = pattern.replace(f"{{{name}}}", f"(?:{'|'.join(items)})")
        return pattern

    def _any(self, patterns: list[str]) -> re.Pattern[str]:
        return re.compile("|".join(map(self.filled, patterns)), re.IGNORECASE)


@lru_cache(maxsize=16)
def _frames(lexicon: Lexicon, name: str) -> tuple[Frame, ...]:
    found = []
    for pattern, becomes in getattr(lexicon.words, name):
        nominal = pattern.startswith(NOMINAL)
        compiled = re.compile(lexicon.filled(pattern.removeprefix(NOMINAL)), re.IGNORECASE)
        found.append(Frame(compiled, becomes, nominal))
    return tuple(found)


@lru_cache(maxsize=1)
def load() -> tuple[Probes, Lexicon, str]:
    """The probes, the lexicon and the hash of both files.

    Raises:
        InputError: a file can't be read, or a rule names a text or a margin that there isn't.
    """
    texts = [files(__package__).joinpath(name).read_text(encoding="utf-8") for name in FILES]
    probes = _checked(FILES[0], _page(FILES[0], texts[0]), Probes)
    page = _page(FILES[1], texts[1])
    words = _checked(FILES[1], {("assert_" if k == "assert" else k): v for k, v in page.items()}, Words)
    _known(probes)
    return probes, Lexicon(words), hashlib.sha256("\x1f".join(texts).encode()).hexdigest()


def _page(name: str, text: str) -> Any:
    import yaml

    try:
        return yaml.safe_load(text)
    except yaml.YAMLError as error:
        raise InputError(f"can't be read as YAML: {error}", place=name) from None


def _checked(name: str, page: Any, kind: Any) -> Any:
    try:
        return TypeAdapter(kind).validate_python(page)
    except ValidationError as error:
        first = error.errors()[0]
        raise InputError(first["msg"], place=f"{name}: {'.'.join(map(str, first['loc']))}") from None


def _known(probes: Probes) -> None:
    for probe in probes.probes:
        for rule in probe.rules:
            named = [*rule.than, *(f"{WITHOUT}{name}" for name in (probe.id, *rule.than) if rule.kind == "milder")]
            unknown = [other for other in named if other not in probes.ids]
            unknown += [rule.by] if rule.by and rule.by not in probes.margins else []
            if unknown:
                raise InputError(f"there is no {unknown[0]!r}", place=f"{FILES[0]}: {probe.id}")
