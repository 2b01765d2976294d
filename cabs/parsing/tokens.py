"""A sentence → its tokens, with what lists leave out written to each of their items, and sides told as seen from others
("ipsilateral") as right or left."""

from __future__ import annotations

from cabs.parsing.clauses import is_verb, said_after
from cabs.parsing.lexicon import Lexicon
from cabs.parsing.nouns import with_nouns
from cabs.parsing.predicated import predicated
from cabs.parsing.scan import ATTRIBUTE, CUE, SIDE, Token, scan
from cabs.parsing.series import series

_BOTH = "both"
_OTHER: dict[str | None, str] = {"right": "left", "left": "right"}


def tokens_of(sentence: str, lexicon: Lexicon, heading: str = "") -> list[Token]:
    """The tokens of a sentence in order, without overlap. The heading helps to tell what abbreviations mean."""
    tokens = predicated(series(scan(sentence, lexicon, heading), lexicon.place), lexicon.stated)
    tokens = with_nouns(tokens, lexicon.finding)
    spoken: str | None = None
    for i, token in enumerate(tokens):
        if token.kind == SIDE and token.text == _BOTH and _stands_alone(tokens[i + 1 :]):
            token.kind, token.form = "w", None
        elif token.kind == CUE and token.form is not None and (cue := token.form.cue("side")) is not None:
            side = spoken if cue.value == "same" else _OTHER.get(spoken)
            token.kind, token.form = (SIDE, lexicon.side(side)) if side else ("w", None)
        elif token.form is not None and token.form.side in _OTHER:
            spoken = token.form.side
    return tokens


def _stands_alone(following: list[Token]) -> bool:
    """True for "both" of two things named before, not of the sides of what follows ("both remain possible")."""
    after = next((t for t in following if t.kind not in (ATTRIBUTE, "d")), None)
    return after is None or after.kind in ("&", ";") or is_verb(after) or said_after(after)
