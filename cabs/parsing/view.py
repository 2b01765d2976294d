"""A lower-case view of a text for matching, character for character as long as the original."""

from __future__ import annotations

import re

_SAME_LENGTH = str.maketrans(
    {
        **dict.fromkeys("‐‑‒–—−\xad", "-"),
        **dict.fromkeys("‘’ʼ´`", "'"),
        **dict.fromkeys("“”«»", '"'),
        **dict.fromkeys("\xa0\u2009\u202f\u3000\t\r\n\x0c\x0b\x00_*", " "),
        "\u00d7": "x",
        "\uff0c": ",",
        "\u3001": ",",
        "\uff1b": ";",
        "\uff1a": ":",
        "\u3002": ".",
        "\uff08": "(",
        "\uff09": ")",
    }
)
_NUMBER_SIGN = re.compile(r"(?m)^[^\S\n]*#+|##+|#(?=\s?\d)")  # a heading's mark or "image #38"; elsewhere it is a word
_TO_SPACE = str.maketrans({"-": " "})
_TIMES = re.compile(r"(\d\s?)\*(?=\s?\d)")  # "5.3*4.6": here alone an asterisk is no emphasis
_RUN = re.compile(r"\s{2,}|[\n\r\t\f\v]")


_LINES = {code: char for code, char in _SAME_LENGTH.items() if code not in (10, 13)} | {13: "\n"}


def lowered(text: str, keep_lines: bool = False) -> str:
    """The text in lower case, typographic dashes, quotes and spaces made plain; the length never changes.

    Line ends become spaces, or with `keep_lines` stay line ends.
    """
    text = _TIMES.sub(r"\1x", text) if "*" in text else text
    text = _NUMBER_SIGN.sub(lambda m: m[0].replace("#", " "), text) if "#" in text else text
    plain = text.translate(_LINES if keep_lines else _SAME_LENGTH)
    low = plain.lower()
    if len(low) == len(plain):
        return low
    return "".join(c.lower() if len(c.lower()) == 1 else c for c in plain)


def matchable(low: str) -> tuple[str, list[int]]:
    """What forms are looked for in: hyphens as spaces and runs of spaces as one.

    Returns the string and, only where runs were closed up, the offset of each of its characters in `low`.
    """
    return closed_up(low.translate(_TO_SPACE))


def closed_up(text: str) -> tuple[str, list[int]]:
    """The text with every run of white space as one space, and the offsets of its characters ([] if unchanged)."""
    if _RUN.search(text) is None:
        return text, []
    kept: list[str] = []
    offsets: list[int] = []
    at = 0
    for run in _RUN.finditer(text):
        kept += (text[at : run.start()], " ")
        offsets += range(at, run.start() + 1)
        at = run.end()
    kept.append(text[at:])
    offsets += range(at, len(text))
    return "".join(kept), offsets
