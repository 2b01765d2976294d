"""Surface forms: the plurals and spellings in which a report may write a name.

The rules are the linguistic tables of spelling.yaml. One table serves both ways: here it makes the variants
of a listed form, in `names` it takes variants back to one word.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import NamedTuple

JOINED = 4
"""So many letters, in the singular, a word has behind a joined prefix."""

MEMORY = 20_000
"""So many words are remembered in their other spellings."""

_PLAIN = str.maketrans({"\u2019": "'", "\u2018": "'", "-": " ", "\u2010": " ", "\u2011": " ", "\u2013": " "})
_COUNTED = re.compile(r"\w[^\W\d_sS]$")


class Surface(NamedTuple):
    """A form as a text may write it: lower case with hyphens as spaces, or as is where `capitals` binds
    it."""

    text: str
    capitals: bool


class Letters:
    """A table of word parts and their replacements; whole `keep` words stay as they are."""

    def __init__(self, pairs: Mapping[str, str], keep: Iterable[str] = ()) -> None:
        parts = sorted(pairs, key=lambda part: (-len(part.strip("^$")), part))
        self._pattern = re.compile(_any(parts))
        self._table = {part.strip("^$"): new.strip("^$") for part, new in pairs.items()}
        self._keep = frozenset(keep)
        self._word = lru_cache(maxsize=MEMORY)(self._replace)

    def replace(self, text: str) -> str:
        """The lower-case text with every listed part replaced, in each word the leftmost and longest
        first."""
        return " ".join(map(self._word, text.split(" ")))

    def _replace(self, word: str) -> str:
        return word if word in self._keep else self._pattern.sub(self._other, word)

    def _other(self, match: re.Match[str]) -> str:
        return self._table[match[0]]


def _any(parts: Iterable[str]) -> str:
    """A pattern of all these parts, the first one that fits. Those that begin alike stand together: of most letters
    of a word a search then asks no more than whether a part begins with it."""
    heads: dict[str, list[str]] = {}
    for part in parts:
        heads.setdefault(part.strip("^$")[:1], []).append(_behind(part))
    return "|".join(f"{re.escape(head)}(?:{'|'.join(tails)})" for head, tails in heads.items()) or r"(?!)"


def _behind(part: str) -> str:
    """The pattern of a part behind its first letter: "^" and "$" bind it to the start and the end of a word."""
    start = r"(?<![^\W_].)" if part.startswith("^") else ""
    end = r"(?![^\W_])" if part.endswith("$") else ""
    return start + re.escape(part.strip("^$")[1:]) + end


@dataclass(frozen=True)
class Spelling:
    """How English writes one word in several ways.

    `american` and `british` replace letters; `plural_of` maps endings of singulars to their plurals. `minor`
    words carry no meaning in a name, an abbreviation spelt like one of the `ordinary` words is read in capitals only,
    an `everyday` word is never the misspelling of another, `foreign` words tell another language, `linkers` end the
    head of a phrase, `prefixes` are written joined or apart.
    """

    minor: frozenset[str]
    ordinary: frozenset[str]
    everyday: frozenset[str]
    foreign: frozenset[str]
    linkers: frozenset[str]
    prefixes: frozenset[str]
    singulars: frozenset[str]
    plural_of: Mapping[str, str]
    american: Letters
    british: Letters

    @cached_property
    def _singular_of(self) -> Mapping[str, str]:
        return {plural: one for one, plural in self.plural_of.items()}

    @cached_property
    def _longest(self) -> int:
        return max((len(word) for pair in self.plural_of.items() for word in pair), default=0)

    @cached_property
    def _parts(self) -> Callable[[str], str]:
        return lru_cache(maxsize=MEMORY)(lambda word: " ".join(self._split(word)))

    def singular(self, word: str) -> str:
        """The singular of a lower-case word; a word that is no regular plural stays as it is."""
        return self._singular(word)

    @cached_property
    def _singular(self) -> Callable[[str], str]:
        return lru_cache(maxsize=MEMORY)(self._one)

    @cached_property
    def _plural(self) -> Callable[[str], tuple[str, ...]]:
        return lru_cache(maxsize=MEMORY)(self._many)

    def _one(self, word: str) -> str:
        if len(word) <= 2 or word in self.singulars:
            return word
        listed = self._swap(word, self._singular_of)
        if listed is not None:
            return listed
        if not word.endswith("s") or word.endswith(("ss", "us", "is")) or not word[-2].isalpha():
            return word
        if word.endswith("ies") and len(word) > 4:
            return word[:-3] + "y"
        return word[:-2] if word.endswith(("sses", "xes", "ches", "shes")) else word[:-1]

    def plural(self, word: str) -> tuple[str, ...]:
        """The plurals of a singular lower-case word, listed and plain, as far as `singular` takes them back
        to it.

        None for a plural or a number.
        """
        return self._plural(word)

    def _many(self, word: str) -> tuple[str, ...]:
        if not word.isalpha() or word in self.singulars or self.singular(word) != word:
            return ()
        listed = self._swap(word, self.plural_of)
        plurals = dict.fromkeys((listed or "", _plain_plural(word)))
        return tuple(plural for plural in plurals if plural and self.singular(plural) == word)

    def _swap(self, word: str, table: Mapping[str, str]) -> str | None:
        for start in range(max(0, len(word) - self._longest), len(word) - 1):
            ending = table.get(word[start:])
            if ending is not None:
                return word[:start] + ending
        return None

    def plurals(self, text: str) -> tuple[str, ...]:
        """The phrase and its plurals, or, for a plural, its singular. "x of y" changes x."""
        words, low = text.split(), text.lower().split()
        if not words:
            return ()
        head = self._head(low)
        return (text, *(" ".join((*words[:head], other, *words[head + 1 :])) for other in self._others(low[head])))

    def _head(self, words: list[str]) -> int:
        """Where the word stands that the number of a phrase changes."""
        if self.linkers.isdisjoint(words):
            return len(words) - 1
        return next((i for i, word in enumerate(words) if i and word in self.linkers), len(words)) - 1

    @cached_property
    def _others(self) -> Callable[[str], tuple[str, ...]]:
        """The plurals of a singular word; the singular of a plural one."""

        def others(word: str) -> tuple[str, ...]:
            single = self.singular(word)
            return (single,) if single != word else self.plural(word)

        return lru_cache(maxsize=MEMORY)(others)

    def expand(self, text: str) -> tuple[str, ...]:
        """The spellings of a phrase, in lower case, hyphens as spaces: British, American, prefixes joined or
        apart."""
        found: dict[str, None] = {}
        self._spell(text.lower().split(), found)
        return tuple(found)

    def _spell(self, words: list[str], found: dict[str, None]) -> None:
        """Adds the spellings of a phrase of lower-case words to those that are found."""
        if all(map(self._regular, words)):  # most phrases of an ontology: the start-up lives on this short cut
            if words:
                found[" ".join(words)] = None
            return
        for owned in self._possessives(" ".join(" ".join(words).translate(_PLAIN).split())):
            for spelt in self._spellings(owned.split()):
                found[" ".join(spelt)] = None
                apart = list(map(self._parts, spelt))
                if apart != spelt:
                    found[" ".join(apart)] = None
                if not self.prefixes.isdisjoint(spelt):
                    found[self._joined(spelt)] = None

    def _spellings(self, words: list[str]) -> list[list[str]]:
        """The words as they are, in American and in British spelling, each once."""
        american = list(map(self._american, words))
        british = list(map(self._british, american))
        found = [words]
        if american != words:
            found.append(american)
        if british not in found:
            found.append(british)
        return found

    @cached_property
    def _american(self) -> Callable[[str], str]:
        return lru_cache(maxsize=MEMORY)(self.american.replace)

    @cached_property
    def _british(self) -> Callable[[str], str]:
        return lru_cache(maxsize=MEMORY)(self.british.replace)

    @cached_property
    def _regular(self) -> Callable[[str], bool]:
        """Whether a lower-case word is written in one way, whatever stands beside it."""

        def regular(word: str) -> bool:
            if "'" in word or word.translate(_PLAIN) != word or word in self.prefixes or self._parts(word) != word:
                return False
            return self._american(word) == word == self._british(word)

        return lru_cache(maxsize=MEMORY)(regular)

    def _possessives(self, phrase: str) -> tuple[str, ...]:
        """The phrase as it is, without "'s" and without the apostrophe (where that reads as a plural)."""
        if "'s" not in phrase:
            return (phrase,)
        bare, run_on = phrase.replace("'s", ""), phrase.replace("'s", "s")
        alike = " ".join(map(self.singular, run_on.split())) == " ".join(map(self.singular, bare.split()))
        return (phrase, bare, run_on) if alike else (phrase, bare)

    def apart(self, phrase: str) -> str:
        """The phrase with every listed prefix as a word of its own ("subpleural" → "sub pleural")."""
        return " ".join(map(self._parts, phrase.split()))

    def _split(self, word: str) -> tuple[str, ...]:
        for size in range(min(len(word) - JOINED, 8), 2, -1):
            if word[:size] in self.prefixes and len(self.singular(word[size:])) >= JOINED:
                return (word[:size], *self._split(word[size:]))
        return (word,)

    def _joined(self, words: Iterable[str]) -> str:
        made: list[str] = []
        for word in words:
            if made and made[-1] in self.prefixes and self._joins(word):
                made[-1] += word
            else:
                made.append(word)
        return " ".join(made)

    def _joins(self, word: str) -> bool:
        return word.isalpha() and word not in self.linkers and len(self.singular(word)) >= JOINED

    def variants(self, texts: Iterable[str], noun: bool = False) -> tuple[str, ...]:
        """Every spelling of these phrases, without repeats; with `noun` their plurals too."""
        found: dict[str, None] = {}
        for text in texts:
            words = text.lower().split()
            self._spell(words, found)
            head = self._head(words)
            for other in self._others(words[head]) if noun and words else ():
                self._spell([*words[:head], other, *words[head + 1 :]], found)
        return tuple(found)

    def surfaces(self, names: Iterable[str], abbreviations: Iterable[str]) -> tuple[Surface, ...]:
        """The surface forms of a concept: its names in every number and spelling, its abbreviations in both
        numbers."""
        found = dict.fromkeys(Surface(text, False) for text in self.variants(names, noun=True))
        return tuple(dict.fromkeys((*found, *self.short(abbreviations))))

    def short(self, abbreviations: Iterable[str]) -> tuple[Surface, ...]:
        """The surface forms of abbreviations, in both numbers."""
        return tuple(dict.fromkeys(surface for text in abbreviations for surface in self._short(text)))

    def _short(self, text: str) -> tuple[Surface, ...]:
        numbers = (text, text + "s") if _COUNTED.search(text) else (text,)
        capitals = not self.ordinary.isdisjoint(n.lower() for n in numbers)
        return tuple(
            Surface(n if capitals else " ".join(n.translate(_PLAIN).lower().split()), capitals) for n in numbers
        )


def _plain_plural(word: str) -> str:
    if word.endswith(("s", "x", "ch", "sh", "z")):
        return word + "es"
    if word.endswith("y") and len(word) > 1 and word[-2] not in "aeiou":
        return word[:-1] + "ies"
    return word + "s"
