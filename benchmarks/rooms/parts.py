"""Every set in two parts: `open`, whose mistakes may be looked at, and `aside`, which nobody reads.

The parser is mended by looking at its mistakes. Figures of reports that were looked at say how well the
mending went; only reports that were never listed say how well the parser reads. So a third of every set, chosen
by a hash of the report's id, is measured and never listed: the mistakes of that part are dropped where they are
made, and no option brings them back.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from typing import Any

from benchmarks.rooms.mistakes import Mistake

Record = dict[str, Any]
Figures = dict[str, Any]
Measured = tuple[Figures, list[Mistake]]

PARTS = ("all", "open", "aside")
SHARE = 3


def part_of(id: str) -> str:
    """`aside` for a third of the ids, the same third for ever; else `open`."""
    digest = hashlib.sha256(id.encode("utf-8")).hexdigest()
    return "aside" if int(digest, 16) % SHARE == 0 else "open"


def by_part(
    records: Sequence[Record], measure: Callable[[Sequence[Record]], Measured], key: str = "id"
) -> tuple[dict[str, Figures], list[Mistake]]:
    """The figures of all records, of the open ones and of those set aside; the mistakes of the open ones
    alone."""
    opened = [record for record in records if part_of(str(record[key])) == "open"]
    aside = [record for record in records if part_of(str(record[key])) == "aside"]
    figures, mistakes = measure(opened)
    return {"all": measure(records)[0], "open": figures, "aside": measure(aside)[0]}, mistakes
