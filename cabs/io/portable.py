"""Names of files that Linux, macOS and Windows all take, and take for the same file."""

from __future__ import annotations

FORBIDDEN = frozenset('<>:"/\\|?*\x7f') | frozenset(map(chr, range(32)))
RESERVED = frozenset(
    (
        "con",
        "prn",
        "aux",
        "nul",
        "conin$",
        "conout$",
        *(f"{port}{n}" for port in ("com", "lpt") for n in "0123456789¹²³"),
    )
)
"""Devices of Windows, whatever ending follows."""
LONGEST = 255
"""Bytes of a name in UTF-8, the shortest limit of the three."""


def is_portable(name: str) -> bool:
    """Whether a name is that of a file in every system: no path, no drive, no stream, no device, no end that Windows
    drops.

    >>> [name for name in ("a.jsonl", "../a", "C:a", "aux.jsonl", "a. ", "..") if is_portable(name)]
    ['a.jsonl']
    """
    stem = name.partition(".")[0].rstrip(" ").lower()
    whole = bool(name) and len(name.encode("utf-8", "surrogatepass")) <= LONGEST
    return whole and not (FORBIDDEN & set(name) or name[-1] in ". " or stem in RESERVED)
