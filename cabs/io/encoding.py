"""What bytes that are no UTF-8 seem to be, and how they become it."""

from __future__ import annotations

BOM = b"\xef\xbb\xbf"
MARKS = ((b"\xff\xfe\0\0", "UTF-32"), (b"\0\0\xfe\xff", "UTF-32"), (b"\xff\xfe", "UTF-16"), (b"\xfe\xff", "UTF-16"))
"""What a file starts with → its encoding; the longest mark first."""
LOOKED_AT = 512
"""Bytes by which a text without a mark is judged."""


def as_utf8(encoding: str) -> str:
    """What to do about an encoding.

    >>> as_utf8("UTF-16")
    'save the file as UTF-8, for example with iconv -f UTF-16 -t UTF-8'
    """
    return f"save the file as UTF-8, for example with iconv -f {encoding} -t UTF-8"


def marked(start: bytes) -> str | None:
    """The encoding that the first bytes of a file announce, None for UTF-8 and for none."""
    return next((name for mark, name in MARKS if start.startswith(mark)), None)


def with_nul(raw: bytes) -> str:
    """A hint for bytes among which is a NUL: every other byte of Latin letters in UTF-16 is one."""
    start = raw[:LOOKED_AT]
    for name, zeros in (("UTF-16BE", start[0::2]), ("UTF-16LE", start[1::2])):
        if len(zeros) > 1 and zeros.count(0) > 0.8 * len(zeros):
            return f"it looks like {name[:6]} without a byte order mark: {as_utf8(name)}"
    return "was it cut or is it binary?"


def eight_bit(raw: bytes) -> str:
    """A hint for bytes that are neither: some 8-bit encoding. Latin-1 has no letters from 0x80 to 0x9f, Windows-1252
    has its quotes and dashes there."""
    name = "WINDOWS-1252" if any(0x80 <= byte < 0xA0 for byte in raw) else "LATIN1"
    return f"it may be {name}: {as_utf8(name)}"
