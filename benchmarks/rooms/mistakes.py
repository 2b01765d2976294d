"""Mistakes of the parser as a list to read: clustered by set and kind, the most frequent names first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

NAMES = 12
WORDS = 160


@dataclass(frozen=True, slots=True)
class Mistake:
    """One disagreement: the set, the kind ("missed", "extra", "side" ...), the report's id, what it is about, and
    the words of the report."""

    room: str
    kind: str
    report: str
    name: str
    words: str


def listing(mistakes: Iterable[Mistake], each: int) -> str:
    """A block per set and kind: the count, the most frequent names, then the first `each` mistakes."""
    clusters: dict[tuple[str, str], list[Mistake]] = {}
    for mistake in mistakes:
        clusters.setdefault((mistake.room, mistake.kind), []).append(mistake)
    return "\n".join(line for key, items in sorted(clusters.items()) for line in _block(key, items, each))


def _block(key: tuple[str, str], items: list[Mistake], each: int) -> list[str]:
    names = Counter(item.name for item in items).most_common(NAMES)
    often = "; ".join(f"{name} ({n})" for name, n in names)
    lines = [f"\n{key[0]}: {key[1]}: {len(items)}", f"  {often}"]
    for item in items[:each]:
        words = " ".join(item.words.split())[:WORDS]
        lines.append(f"    {item.report}\t{item.name}\t{words}")
    return lines
