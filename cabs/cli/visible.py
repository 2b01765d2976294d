"""Text from a user's files on a terminal: whatever it holds, it can neither break a line nor steer the terminal."""

from __future__ import annotations

KEPT = "\n\t"
"""Control characters that lay out a report's text."""


def one_line(text: str) -> str:
    """The text on one line; control characters are written as escapes.

    >>> one_line("a\\nb\\x1b[31m")
    'a\\\\nb\\\\x1b[31m'
    """
    return text if text.isprintable() else "".join(c if c.isprintable() else _escape(c) for c in text)


def tame(text: str) -> str:
    """The text with its lines, every other control character written as an escape.

    >>> tame("a\\nb\\x1b[31m")
    'a\\nb\\\\x1b[31m'
    """
    return text if text.isprintable() else "".join(c if c.isprintable() or c in KEPT else _escape(c) for c in text)


def _escape(char: str) -> str:
    """Spaces and format characters that are no control characters stay: a no-break space is one that is seen."""
    if char.isspace() and char not in "\n\r\t\v\f\x1c\x1d\x1e\x1f\x85\u2028\u2029":
        return char
    return char.encode("unicode_escape").decode("ascii")
