"""Names of systems → names of pages that stay the same when other systems come or go."""

from __future__ import annotations

import re
from collections.abc import Iterable
from hashlib import sha256

LONGEST = 40
DIGITS = 8


def slug(name: str) -> str:
    """What stands for a name in an address: the name itself where it is plain, else what is plain of it and a hash.
    Names that differ by case alone get different ones, and none can be made that is another one's.

    >>> slug("medgemma-4b"), slug("Ours <v2>"), slug("ours-v2-f7305436")
    ('medgemma-4b', 'ours-v2-f7305436', 'ours-v2-f7305436-2159a344')
    """
    plain = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:LONGEST]
    if plain and plain == name and not re.search(rf"-[0-9a-f]{{{DIGITS}}}$", f"-{name}"):
        return plain
    return f"{plain}-{sha256(name.encode('utf-8', 'surrogatepass')).hexdigest()[:DIGITS]}".strip("-")


def slugs(names: Iterable[str]) -> dict[str, str]:
    """name → its slug."""
    return {name: slug(name) for name in names}
