"""Names of systems → names of pages that stay the same when other systems come or go."""

from __future__ import annotations

import re
from collections.abc import Iterable
from hashlib import sha256

LONGEST = 40
DIGITS = 8
_HASHED = re.compile(r"-[0-9a-f]{8}$")


def slug(name: str) -> str:
    """What stands for a name in an address: the name itself where it is plain, else what is plain of it and a hash.
    A plain name that ends like one has a hash too: it would be the page of another system.

    >>> slug("medgemma-4b"), slug("Ours <v2>")
    ('medgemma-4b', 'ours-v2-f7305436')
    """
    plain = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:LONGEST]
    if plain and plain == name and not _HASHED.search(plain):
        return plain
    return f"{plain}-{sha256(name.encode('utf-8', 'surrogatepass')).hexdigest()[:DIGITS]}".strip("-")


def slugs(names: Iterable[str]) -> dict[str, str]:
    """name → its slug."""
    return {name: slug(name) for name in names}
