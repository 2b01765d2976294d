"""What Windows takes as the name of a file, as its documentation states it ("Naming Files, Paths, and Namespaces")."""

from __future__ import annotations

RESERVED = {"con", "prn", "aux", "nul", *(f"{port}{n}" for port in ("com", "lpt") for n in "123456789¹²³")}
FORBIDDEN = set('<>:"|?*\\') | set(map(chr, range(32)))


def portable(name: str) -> bool:
    """Whether Windows takes this as the name of a file."""
    stem = name.split(".")[0].rstrip(" ").lower()
    return not (FORBIDDEN & set(name) or name.endswith((".", " ")) or stem in RESERVED)
