"""A sentence → its tokens, with what lists leave out written to each of their items."""

from __future__ import annotations

from cabs.parsing.lexicon import Lexicon
from cabs.parsing.nouns import with_nouns
from cabs.parsing.scan import Token, scan
from cabs.parsing.series import series


def tokens_of(sentence: str, lexicon: Lexicon, heading: str = "") -> list[Token]:
    """The tokens of a sentence in order, without overlap. The heading helps to tell what abbreviations mean."""
    return with_nouns(series(scan(sentence, lexicon, heading), lexicon.place), lexicon.finding)
