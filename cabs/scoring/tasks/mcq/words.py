"""Words as answers and options are compared by: case, width, punctuation and spaces don't count, signs of order do."""

from __future__ import annotations

import re
import unicodedata

TOKEN = re.compile(r"\w+|[<>≤≥=+%±]")
"""A word, or a sign that changes what a number says ("< 2 cm", "> 2 cm")."""

_WRAPPED = re.compile(r"\\(?:boxed|text|textbf|mathrm)\s*\{([^{}]*)\}")
_DECORATION = str.maketrans({"*": None, "`": None, "$": None, "’": "'", "‘": "'", "“": '"', "”": '"'})


def words(text: str) -> tuple[str, ...]:
    """The words of a text in one form.

    >>> words("Pleural  EFFUSION."), words("(< 2 cm)")
    (('pleural', 'effusion'), ('<', '2', 'cm'))
    """
    return tuple(token.casefold() for token in TOKEN.findall(unicodedata.normalize("NFKC", text)))


def undressed(text: str) -> str:
    """A text without what models put around answers (bold and code marks, LaTeX boxes); letters of one width, single
    spaces.

    >>> undressed("**B**"), undressed(r"$\\boxed{\\text{B}}$"), undressed("Ｂ")
    ('B', 'B', 'B')
    """
    plain = unicodedata.normalize("NFKC", text)
    for _ in range(2):
        plain = _WRAPPED.sub(r"\1", plain)
    return " ".join(plain.translate(_DECORATION).split())
