"""Texts of ladders in the words of another program, where these hold; else they stay as the lexicon says them.

What holds is judged without CABS's parser, which answers for metrics of the study: the sizes, the numbers of the rest
and the sides of a text are those of what it rewords, and it is far enough from it and about as long.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, replace
from typing import Protocol

from cabs.errors import CabsError, UnavailableError
from cabs.parsing.measure import lengths
from cabs.scoring.backends import handed_over
from cabs.studies.counterfactual.ladder import Ladders, Variant
from cabs.studies.counterfactual.rewording import FAR, rouge_l

TOLD = "told anew"
SHORTEST, LONGEST = 0.4, 2.5
"""Times the length of a text that its rewording has."""
_SIDES = re.compile(r"\b(right|left|both|bilateral)\b")
_NUMBER = re.compile(r"(?<![\w.])\d+(?![\w.])")
_BOTH = frozenset(("both", "bilateral"))


class Rewording(Protocol):
    """Says a text anew. `name` and `items()` stand in the signature; `begin` hands a text over whose result will be
    asked for, `window` of them at a time."""

    name: str

    @property
    def window(self) -> int:
        """Texts to hand over in advance."""

    def begin(self, text: str) -> Future[str]:
        """The text in other words, worked out meanwhile, once however often it is asked for; a `CabsError` where there
        are none."""

    def items(self) -> tuple[tuple[str, str], ...]:
        """What the words depend on."""


@dataclass(frozen=True, slots=True)
class Retold:
    """Ladders in other words. `kept`: how many variants stayed as they were, by reason."""

    made: tuple[Ladders, ...]
    told: int
    kept: dict[str, int]


def retold(made: Sequence[Ladders], rewording: Rewording, progress: Callable[[int], None] | None = None) -> Retold:
    """The ladders with every variant said anew, where that holds.

    Raises:
        UnavailableError: what the rewording asks is not to be had.
    """
    variants = [variant for ladder in made for variant in ladder.variants]
    kept: Counter[str] = Counter()
    texts: list[str] = []
    for variant, said in zip(variants, _answers(variants, rewording), strict=True):
        reason = said.message if isinstance(said, CabsError) else broken(variant.clean, said)
        failed = isinstance(said, CabsError)
        if failed or reason:
            kept["no answer" if failed else reason] += 1
        texts.append(variant.text if isinstance(said, CabsError) or reason else said)
        if progress is not None:
            progress(len(texts))
    words = iter(texts)
    anew = tuple(replace(m, variants=tuple(replace(v, text=next(words)) for v in m.variants)) for m in made)
    return Retold(anew, len(texts) - sum(kept.values()), dict(sorted(kept.items())))


def _answers(variants: Sequence[Variant], rewording: Rewording) -> Iterable[str | CabsError]:
    for variant in handed_over(variants, rewording, lambda variant: (variant.clean,)):
        yield _result(rewording.begin(variant.clean))


def _result(future: Future[str]) -> str | CabsError:
    try:
        return future.result()
    except UnavailableError:
        raise
    except CabsError as error:
        return error


def broken(text: str, said: str) -> str:
    """Why some words can't stand for a text, "" where they can.

    >>> broken("A 9 mm nodule on the right.", "On the right there is a nodule of 0.9 cm.")
    ''
    >>> broken("A 9 mm nodule on the right.", "On the left there is a nodule of 9 mm.")
    'other sides'
    """
    if not SHORTEST * len(text) <= len(said) <= LONGEST * len(text):
        return "other length"
    if _sizes(text) != _sizes(said):
        return "other sizes"
    if _numbers(text) != _numbers(said):
        return "other numbers"
    if _sides(text) != _sides(said):
        return "other sides"
    return "not far enough" if rouge_l(text, said) > FAR else ""


def _sizes(text: str) -> frozenset[tuple[float, ...]]:
    return frozenset(length.mm for length in lengths(text.lower()))


def _numbers(text: str) -> frozenset[str]:
    """The whole numbers that belong to no size."""
    low = text.lower()
    for length in reversed(lengths(low)):
        low = f"{low[: length.start]} {low[length.end :]}"
    return frozenset(_NUMBER.findall(low))


def _sides(text: str) -> frozenset[str]:
    said = _SIDES.findall(text.lower())
    return frozenset("both" if side in _BOTH else side for side in said)
