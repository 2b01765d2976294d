"""One surface form of the ontology: all that it can mean."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from cabs.ontology.rules import CueClass
from cabs.values import Side


@dataclass(frozen=True, slots=True)
class Cue:
    """A context rule as one of its forms calls it."""

    cls: CueClass
    value: str | None
    direction: str
    reach: str
    rule: str


@dataclass(frozen=True, slots=True)
class Reading:
    """One meaning of an ambiguous abbreviation, and the words that call for it or rule it out."""

    when: re.Pattern[str] | None
    unless: re.Pattern[str] | None
    form: Form

    def holds(self, low: str) -> bool:
        """True where the lower-case text around the abbreviation allows this meaning."""
        if self.unless is not None and self.unless.search(low):
            return False
        return self.when is None or self.when.search(low) is not None


@dataclass(frozen=True, slots=True)
class Pattern:
    """A regular expression that states an attribute, and the words without one of which it can't match ("0": any
    digit; no words: it can match anywhere)."""

    regex: re.Pattern[str]
    needs: tuple[str, ...]
    kind: str
    value: str | None


def whole_words(words: tuple[str, ...]) -> re.Pattern[str] | None:
    """A pattern of any of these words in a lower-case text; None for no words."""
    if not words:
        return None
    return re.compile(rf"(?<!\w)(?:{'|'.join(re.escape(w.lower()) for w in words)})(?!\w)")


@dataclass(slots=True, eq=False)
class Form:
    """All meanings of one surface form.

    `entities` it names, findings that it states as a predicate, anatomy `places` it names (`adjective`: as an
    adjective), `attributes` (kind, value) it gives, `cues` it is, the `side` it says. `pair`: the plural of a pair.
    `generic`: a noun that takes its organ from its place. `measured`: the entity that the place states by its size,
    and from how many mm on. `anatomic`, `placed`: how many words at the start, and how many behind a preposition at
    the end, name a place; `inner`: that place. `blocks`: entities that words within it do not name. `capitals`: it
    counts only if the text writes it in capitals. `readings`: what an ambiguous abbreviation can mean.
    """

    text: str
    entities: tuple[str, ...] = ()
    predicates: tuple[str, ...] = ()
    places: tuple[str, ...] = ()
    adjective: bool = False
    attributes: tuple[tuple[str, str], ...] = ()
    cues: tuple[Cue, ...] = ()
    side: Side | None = None
    pair: bool = False
    generic: bool = False
    measured: tuple[str, float] | None = None
    blocks: tuple[str, ...] = ()
    anatomic: int = 0
    placed: int = 0
    inner: tuple[str, ...] = ()
    capitals: bool = False
    readings: tuple[Reading, ...] = ()

    @property
    def only_blocks(self) -> bool:
        """True for a phrase that has no meaning but to block."""
        return not (self.entities or self.predicates or self.places or self.side or self.attributes or self.cues)

    def cue(self, *classes: CueClass) -> Cue | None:
        """The first cue of these classes, or None."""
        for cue in self.cues:  # a loop: most forms have no cue, and this is asked of every word many times
            if cue.cls in classes:
                return cue
        return None


FormOf = Callable[[str], Form | None]
"""The form of a text; None where there is none."""
