"""The tokens around a head → its typed attributes."""

from __future__ import annotations

import re
from collections.abc import Iterable

from cabs.parsing import interned
from cabs.parsing.scan import ATTRIBUTE, ENTITY, PLACE, SIDE, SIZE, STATE, Token
from cabs.values import Attribute, Span

Slot = tuple[Attribute, Span]
"""An attribute and the characters of the sentence that state it."""

_DISTANCE = frozenset(("from", "above", "below", "beyond"))
_PRIOR_WINDOW = 4
_WITHIN = "in"
"""What a preposition says that tells the place itself ("arises from")."""
_THEN = frozenset(("was", "were", "from", "vs", "versus", "against"))
"""Words that tell an earlier measurement, if a present one stands before them."""
_COMPARED = 8
_WHEN = frozenset(("in", "on"))
_RANGE = re.compile(r"([\d.,]++)[^\d]*?\bto\s+([\d.,]+)")


def slots(tokens: list[Token], indices: Iterable[int], sentence: str, denied: set[int]) -> list[Slot]:
    """The attributes that the tokens at `indices` state, in order; those at `denied` indices state none."""
    found: list[Slot] = []
    for i in indices:
        if i in denied:
            continue
        token = tokens[i]
        if token.form is None and token.pattern is None and token.kind != SIZE:
            continue  # a plain word
        if token.kind == SIZE:
            slot = _grown(tokens, i, sentence, found) or _size(tokens, i, sentence)
        elif _graded(tokens, i):
            continue
        elif token.kind in (ATTRIBUTE, STATE, ENTITY):
            slot = _typed(token, sentence) or _changed(token, sentence)
        else:
            slot = _changed(token, sentence)
        if slot is not None and slot[0] not in [s[0] for s in found]:
            found.append(slot)
    return _with_trend(found)


def _graded(tokens: list[Token], i: int) -> bool:
    """True for a word of degree behind an adverb that grades it ("marginally large" is not large)."""
    if not i or not tokens[i - 1].text.endswith("ly"):
        return False
    kinds = [[kind for kind, _ in t.attributes[:1]] for t in (tokens[i - 1], tokens[i])]
    return kinds[0] == kinds[1] == ["severity"]


def _changed(token: Token, sentence: str) -> Slot | None:
    cue = token.form.cue("change") if token.form is not None else None
    return None if cue is None else _slot("change", cue.value, token.start, token.end, sentence)


def _typed(token: Token, sentence: str) -> Slot | None:
    kinds = token.attributes
    if not kinds:
        return None
    kind, value = kinds[0]
    return _slot(kind, value, token.start, token.end, sentence)


def _slot(kind: str, value: str | None, start: int, end: int, sentence: str, mm: tuple[float, ...] = ()) -> Slot:
    return interned.attribute(kind, sentence[start:end], value, mm), interned.span(start, end)


def _size(tokens: list[Token], i: int, sentence: str) -> Slot | None:
    token = tokens[i]
    if i + 1 < len(tokens) and _leads_away(tokens, i + 1):
        return None
    before = _earlier(tokens, i)
    if before is not None:
        return _slot("change", None, tokens[before].start, token.end, sentence, token.mm)
    after = _prior(tokens, range(i + 1, min(len(tokens), i + 3)))
    if after is not None and tokens[i + 1].text != "," and not _size_follows(tokens, after):
        return _slot("change", None, token.start, tokens[after].end, sentence, token.mm)
    return _slot("size", None, token.start, token.end, sentence, token.mm)


def _grown(tokens: list[Token], i: int, sentence: str, found: list[Slot]) -> Slot | None:
    """The present size of what has "grown from 20 to 32 mm"; the earlier one joins `found`. None for other sizes."""
    token, before = tokens[i], _earlier(tokens, i)
    match = _RANGE.match(token.text)
    if match is None or before is None or not tokens[before].text.endswith("from"):
        return None
    then, now = (float(number.replace(",", ".")) for number in match.groups())
    earlier = round(then * token.mm[0] / now, 4)
    found.append(_slot("change", None, tokens[before].start, token.start + match.end(1), sentence, (earlier,)))
    return _slot("size", None, token.start + match.start(2), token.end, sentence, token.mm)


def _leads_away(tokens: list[Token], at: int) -> bool:
    """True for a word that makes the length before it a distance ("3 cm above", "2 cm distal to")."""
    token = tokens[at]
    if token.text == "from" and at + 1 < len(tokens) and tokens[at + 1].kind == SIZE:
        return False  # "8 cm from 15 cm": it was larger
    cue = token.form.cue("preposition") if token.form is not None else None
    apart = cue is not None and cue.value != _WITHIN and token.text.endswith((" to", " from"))
    return token.text in _DISTANCE or apart


def is_prior(tokens: list[Token], i: int) -> bool:
    """True where the measurement at `i` is of an earlier examination."""
    return _earlier(tokens, i) is not None


def _earlier(tokens: list[Token], i: int) -> int | None:
    """Index of the word from which on an earlier measurement is told: of a cue before it, of "was" or "from" behind
    another measurement, or its own in brackets behind one ("12 mm (9 mm)"); None for a present one."""
    cue = _prior(tokens, range(max(0, i - _PRIOR_WINDOW), i))
    if cue is not None:
        return cue
    if i > 1 and tokens[i - 1].text == "(" and _closed(tokens, i) and _sized_before(tokens, i - 2):
        return i
    if _outgrown(tokens, i):
        return i
    if i and tokens[i - 1].text in _THEN and any(t.kind == SIZE for t in tokens[max(0, i - _COMPARED) : i - 1]):
        return i - 1
    return None


def _outgrown(tokens: list[Token], i: int) -> bool:
    """True for the size that something had before it changed to another one ("a 9 mm nodule has decreased to 6 mm")."""
    at = next((j for j in range(i + 1, len(tokens)) if tokens[j].kind == SIZE), None)
    if at is None or tokens[at - 1].text != "to":
        return False
    between = tokens[i + 1 : at - 1]
    behind = any(t.kind == ENTITY for t in tokens[:i])
    named = sum(t.kind in (ENTITY, STATE) for t in between)
    return named <= (not behind) and any(_cues_change(t) for t in between)


def _cues_change(token: Token) -> bool:
    return token.form is not None and token.form.cue("change") is not None


def _closed(tokens: list[Token], i: int) -> bool:
    """True where the bracket ends behind the measurement at `i`, or tells when it was taken ("(22 mm in 2021)")."""
    return _text(tokens, i + 1) == ")" or (_text(tokens, i + 1) in _WHEN and _text(tokens, i + 2).isdigit())


def _sized_before(tokens: list[Token], at: int) -> bool:
    """True for a measurement at `at`, or a finding there whose measurement stands in front of it."""
    if tokens[at].kind == ENTITY:
        front = next((t for t in reversed(tokens[:at]) if t.kind not in (ATTRIBUTE, PLACE, SIDE)), None)
        return front is not None and front.kind == SIZE
    return tokens[at].kind == SIZE


def _text(tokens: list[Token], at: int) -> str:
    return tokens[at].text if at < len(tokens) else ""


def _prior(tokens: list[Token], window: range) -> int | None:
    """Index of a cue of an earlier examination in the window, no other measurement standing between."""
    found = None
    for i in window:
        form = tokens[i].form
        if tokens[i].kind == SIZE:
            found = None
        elif form is not None and form.cue("prior") is not None:
            found = i
    return found


def _size_follows(tokens: list[Token], at: int) -> bool:
    return any(t.kind == SIZE for t in tokens[at + 1 : at + 1 + _PRIOR_WINDOW])


def _with_trend(found: list[Slot]) -> list[Slot]:
    """Gives an earlier size its meaning: larger, smaller or the same as the present one."""
    if not found:
        return found
    now = next((a.mm[0] for a, _ in found if a.kind == "size" and a.mm), None)
    done: list[Slot] = []
    for attribute, span in found:
        if attribute.kind == "change" and attribute.mm:
            then = attribute.mm[0]
            value = None if now is None else _trend(now, then)
            attribute = interned.attribute("change", attribute.text, value)
        done.append((attribute, span))
    return done


def _trend(now: float, then: float) -> str:
    return "increased" if now > then else "decreased" if now < then else "unchanged"
