"""What users wrote, made harmless for where it is shown: it becomes no markup and reorders nothing around it."""

from __future__ import annotations

import re

_REORDER = "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
"""Characters without a shape that change the direction of the text around them (Unicode, UAX 9)."""
_UNSEEN = re.compile(f"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ufeff\ufff9-\ufffb{_REORDER}]|[\ud800-\udfff]")
_MARKDOWN = re.compile(r"([\\`*_{}\[\]()#!|~<>&])")


def shown(text: str) -> str:
    """The text with characters that nobody sees written out.

    >>> shown("a\\u202eb"), shown("a\\x00"), shown("left lung 😀")
    ('a[U+202E]b', 'a[U+0000]', 'left lung 😀')
    """
    return _UNSEEN.sub(lambda found: f"[U+{ord(found[0]):04X}]", text)


def one_line(text: str) -> str:
    """The same on one line."""
    return " ".join(shown(text).split())


def markdown(text: str) -> str:
    """A text for a cell of a Markdown table: every sign that Markdown or HTML reads is escaped.

    >>> markdown("a|b <script>"), markdown("x_y")
    ('a\\\\|b &lt;script&gt;', 'x\\\\_y')
    """
    escaped = _MARKDOWN.sub(r"\\\1", one_line(text))
    return escaped.replace("\\&", "&amp;").replace("\\<", "&lt;").replace("\\>", "&gt;")


def web_address(text: str) -> str:
    """The text if it is an http(s) address, else "": nothing else becomes a link.

    >>> web_address("https://example.org/a"), web_address("javascript:alert(1)")
    ('https://example.org/a', '')
    """
    return text if re.fullmatch(r"https?://[^\s\"'<>\\^`{|}]+", text) and shown(text) == text else ""
