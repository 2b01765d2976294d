"""A regular expression → texts on which it would take long, if it can: what it repeats, repeated, and then something
that does not fit. And how time grows on them."""

from __future__ import annotations

import re
import signal
import time
from collections.abc import Iterator
from re import _constants as sre  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from types import FrameType
from typing import Any

SHORT, LONG = 2000, 8000
MOST = 9.0
"""Times that four times the text may take: linear work takes 4, quadratic 16."""
FLOOR = 0.02
"""Seconds of the longer text under which nothing is said."""
HANG = 3.0
"""Seconds of processor time after which a search counts as endless."""
MANY = 20
"""Repetitions in a row from which on one can be an attack; and, of a pattern of thousands, those that are tried."""
TRIED = 60
SIGNS = 'a1 -.,"\n\tZ(<:'
CATEGORIES = {"DIGIT": r"\d", "SPACE": r"\s", "WORD": r"\w", "NOT_DIGIT": r"\D", "NOT_SPACE": r"\S", "NOT_WORD": r"\W"}
REPEATS = (sre.MAX_REPEAT, sre.MIN_REPEAT, sre.POSSESSIVE_REPEAT)


class HangError(Exception):
    """A search does not end."""


def attacks(pattern: re.Pattern[str]) -> list[tuple[str, str]]:
    """(what leads to a repetition, what it repeats), each once."""
    found = dict.fromkeys(pair for pair in _repeats(parser.parse(pattern.pattern, pattern.flags), "") if pair[1])
    pairs = list(found)
    return pairs[:: max(1, len(pairs) // TRIED)]


def beyond_linear(pattern: re.Pattern[str], anchored: bool = False) -> str:
    """The attack on which time grows faster than the text; "" where there is none. `anchored`: the pattern is tried
    where it is told to begin, and never looked for."""
    before = signal.signal(signal.SIGPROF, _hang)
    try:
        for lead, body in attacks(pattern):
            for end in ("", "\0", "!\n"):
                if said := _growth(pattern, lead, body, end, anchored):
                    return said
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
    return ""


def worst(pattern: re.Pattern[str], size: int) -> float:
    """The seconds that the longest search takes in a text of so many characters."""
    before = signal.signal(signal.SIGPROF, _hang)
    try:
        texts = [(lead + body * size)[:size] + end for lead, body in attacks(pattern) for end in ("", "\0", "!\n")]
        return max((min(_seconds(pattern, text, False) for _ in "ab") for text in texts), default=0.0)
    except HangError:
        return HANG
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def _growth(pattern: re.Pattern[str], lead: str, body: str, end: str, anchored: bool) -> str:
    short, long = (lead + body * (size // len(body) + 1) + end for size in (SHORT, LONG))
    for _ in range(3):  # a growth is seen each time; another program is not
        try:
            took, takes = _seconds(pattern, short, anchored), _seconds(pattern, long, anchored)
        except HangError:
            return f"{lead!r} + {body!r} * n + {end!r}: no end in {HANG:g} s"
        if takes < FLOOR or takes < MOST * took:
            return ""
    times = takes / max(took, 1e-6)
    return f"{lead!r} + {body!r} * n + {end!r}: {times:.0f} times as long for 4 times as much, {takes:.3f} s"


def _seconds(pattern: re.Pattern[str], text: str, anchored: bool) -> float:
    signal.setitimer(signal.ITIMER_PROF, HANG)
    begun = time.process_time()
    if anchored:
        pattern.match(text), pattern.fullmatch(text)
    else:
        for _ in pattern.finditer(text):
            pass
    return time.process_time() - begun


def _hang(_signal: int, _frame: FrameType | None) -> None:
    raise HangError


def _repeats(parsed: Any, lead: str) -> Iterator[tuple[str, str]]:
    for op, value in parsed:
        if op in REPEATS:
            if value[1] >= MANY:
                yield from ((lead, _sample(value[2], turn)) for turn in range(4))
            yield from _repeats(value[2], lead)
        elif op is sre.BRANCH:
            for branch in value[1]:
                yield from _repeats(branch, lead)
        elif op in (sre.SUBPATTERN, sre.ATOMIC_GROUP, sre.ASSERT, sre.ASSERT_NOT):
            yield from _repeats(_inside(op, value), lead)
        if op not in (sre.ASSERT, sre.ASSERT_NOT):
            lead += _sample([(op, value)], 0)


def _inside(op: Any, value: Any) -> Any:
    if op is sre.SUBPATTERN:
        return value[3]
    return value if op is sre.ATOMIC_GROUP else value[1]


def _sample(parsed: Any, turn: int) -> str:
    """A text that the pattern takes, but for what stands around it; another `turn` takes other branches and signs."""
    made = ""
    for op, value in parsed:
        if op is sre.LITERAL:
            made += chr(value)
        elif op in (sre.ANY, sre.NOT_LITERAL):
            made += next(sign for sign in SIGNS[turn:] + SIGNS if ord(sign) != value)
        elif op is sre.IN:
            made += _sign(value, turn)
        elif op is sre.BRANCH:
            made += _sample(value[1][turn % len(value[1])], turn)
        elif op in (sre.SUBPATTERN, sre.ATOMIC_GROUP):
            made += _sample(_inside(op, value), turn)
        elif op in REPEATS:
            made += _sample(value[2], turn) * max(value[0], turn % 2 if value[1] else 0)
    return made


def _sign(items: Any, turn: int) -> str:
    own = [chr(end) for op, value in items for end in _ends(op, value)]
    fitting = [sign for sign in dict.fromkeys([*own, *SIGNS]) if _fits(items, sign)]
    return fitting[turn % len(fitting)] if fitting else "x"


def _ends(op: Any, value: Any) -> tuple[int, ...]:
    if op is sre.LITERAL:
        return (value,)
    return tuple(value) if op is sre.RANGE else ()


def _fits(items: Any, sign: str) -> bool:
    held = any(
        sign == chr(value)
        if op is sre.LITERAL
        else value[0] <= ord(sign) <= value[1]
        if op is sre.RANGE
        else op is sre.CATEGORY and re.match(CATEGORIES[str(value).removeprefix("CATEGORY_")], sign) is not None
        for op, value in items
    )
    return held != any(op is sre.NEGATE for op, _ in items)
