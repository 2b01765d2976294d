"""How far parsed facts agree with annotated ones: pairing, then precision, recall and F1 by slot.

A gold fact and a found fact are paired one-to-one where their status is the same and their mentions overlap
or, failing that, their names are equal and their sentences overlap. The section need not agree. Among
possible pairs equal names come first, then overlapping mentions, equal location words, the longer shared
sentence and the earlier facts.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from benchmarks.rooms.ratios import share
from cabs.values import Fact, Span

Resolve = Callable[[str], str | None]
Row = dict[str, float | None]
"""Figures by name; None where there is nothing to divide by."""

MINOR_WORDS = frozenset({"the", "a", "an", "of", "in", "and"})
SPELLINGS = (("haem", "hem"), ("oedem", "edem"), ("tumour", "tumor"))
SINGULAR_ENDS = ("ss", "is", "us")
STATUSES = ("present", "absent")


@lru_cache(maxsize=100_000)
def normal_words(text: str | None) -> tuple[str, ...]:
    """The words of a name in one order, singular, with American spelling, without small words."""
    lowered = (text or "").lower()
    for british, american in SPELLINGS:
        lowered = lowered.replace(british, american)
    words = [w for w in re.findall(r"[a-z0-9]+", lowered) if w not in MINOR_WORDS]
    return tuple(sorted(_singular(w) for w in words))


def _singular(word: str) -> str:
    plural = len(word) > 3 and word.endswith("s") and not word.endswith(SINGULAR_ENDS)
    return word[:-1] if plural else word


@dataclass(frozen=True, slots=True)
class Item:
    """A fact as both sides can state it: what is compared, and where it stands in the text."""

    status: str
    name: str
    entity: str | None
    organ: str | None
    side: str | None
    certainty: str | None
    location: frozenset[str]
    sizes: frozenset[str]
    attributes: frozenset[str]
    mention: Span | None
    sentence: Span | None


def from_fact(fact: Fact) -> Item:
    """A parsed fact, compared by its first evidence sentence."""
    return _item(
        {
            "status": fact.status,
            "name": fact.name,
            "entity": fact.entity,
            "organ": fact.organ,
            "side": fact.side,
            "certainty": fact.certainty,
            "location": fact.location.text,
            "attributes": [{"kind": a.kind, "text": a.text} for a in fact.attributes],
        },
        fact.mention,
        fact.evidence[0] if fact.evidence else fact.mention,
    )


def from_gold(records: Iterable[dict[str, object]], text: str) -> list[Item]:
    """Annotated facts; their quoted sentences are looked for from where the last one stood."""
    items, cursor = [], 0
    for record in records:
        sentence = _find(text, str(record.get("sentence") or ""), cursor)
        cursor = sentence.start if sentence else cursor
        mention = _find(text, str(record.get("mention") or ""), sentence.start if sentence else 0) or sentence
        items.append(_item(record, mention, sentence or mention))
    return items


def _find(text: str, words: str, start: int) -> Span | None:
    if not words:
        return None
    at = text.find(words, start)
    at = at if at >= 0 else text.find(words)
    return Span(at, at + len(words)) if at >= 0 else None


def _item(record: dict[str, object], mention: Span | None, sentence: Span | None) -> Item:
    def word(key: str) -> str | None:
        value = record.get(key)
        return str(value) if value else None

    attributes = record.get("attributes") or []
    assert isinstance(attributes, list)
    location = record.get("location") or ""
    sizes = (a.get("text") or "" for a in attributes if a.get("kind") == "size")
    others = (a.get("text") or "" for a in attributes if a.get("kind") != "size")
    return Item(
        status=word("status") or "present",
        name=word("name") or "",
        entity=word("entity"),
        organ=word("organ"),
        side=word("side"),
        certainty=word("certainty"),
        location=frozenset(normal_words(" ".join(location) if isinstance(location, list) else str(location))),
        sizes=frozenset(n for s in sizes for n in re.findall(r"\d+(?:\.\d+)?", s)),
        attributes=frozenset(w for t in others for w in normal_words(t)),
        mention=mention,
        sentence=sentence,
    )


def _overlap(a: Span | None, b: Span | None) -> int:
    return max(0, min(a.end, b.end) - max(a.start, b.start)) if a and b else 0


@dataclass(slots=True)
class Agreement:
    """Counts over any number of reports; `resolve` makes names equal that mean the same entity."""

    resolve: Resolve | None = None
    counts: Counter[tuple[str, str]] = field(default_factory=Counter)
    reports: int = 0

    def add(self, gold: Sequence[Item], found: Sequence[Item]) -> None:
        """Count one report."""
        self.reports += 1
        for status in STATUSES:
            self.counts[status, "gold"] += sum(g.status == status for g in gold)
            self.counts[status, "found"] += sum(f.status == status for f in found)
        for i, j in self.pairs(gold, found):
            self._count(gold[i], found[j])

    def figures(self) -> dict[str, Row]:
        """Per status P, R and F1 of mentions and entities and F1 of names; per slot the share or F1; 4
        decimals. None where there is nothing to divide by."""
        n, out = self.counts, {}
        for status in STATUSES:
            total = n[status, "found"], n[status, "gold"]
            out[status] = {
                "gold": n[status, "gold"],
                "found": n[status, "found"],
                **_prf("mention", n[status, "paired"], *total),
                **_prf("entity", n[status, "same"], *total),
                "name_f1": _prf("", n[status, "literal"], *total)["_f1"],
            }
        shares = {slot: share(n[slot, "tp"], n["present", "paired"]) for slot in ("organ", "side", "certainty")}
        words = {
            slot: _prf("", n[slot, "tp"], n[slot, "found"], n[slot, "gold"])["_f1"]
            for slot in ("location", "size", "attribute")
        }
        out["slots"] = {**shares, **words, "size_gold": n["size", "gold"]}
        return out

    def same(self, gold: Item, found: Item) -> bool:
        """Whether two names are equal, to the letter or resolved."""
        if normal_words(gold.name) == normal_words(found.name):
            return True
        if self.resolve is None:
            return False
        entity = self.resolve(gold.name)
        return entity is not None and entity in (self.resolve(found.name), found.entity)

    def pairs(self, gold: Sequence[Item], found: Sequence[Item]) -> Iterable[tuple[int, int]]:
        """The pairs of one report, as positions."""
        candidates = []
        for i, g in enumerate(gold):
            for j, f in enumerate(found):
                mention, sentence = _overlap(g.mention, f.mention), _overlap(g.sentence, f.sentence)
                if g.status == f.status and (mention or sentence):
                    same = self.same(g, f)
                    if mention or same:
                        key = (same, mention > 0, g.location == f.location, sentence, -i, -j)
                        candidates.append((key, i, j))
        used_gold: set[int] = set()
        used_found: set[int] = set()
        for _, i, j in sorted(candidates, reverse=True):
            if i not in used_gold and j not in used_found:
                used_gold.add(i)
                used_found.add(j)
                yield i, j

    def _count(self, g: Item, f: Item) -> None:
        n = self.counts
        n[g.status, "paired"] += 1
        n[g.status, "same"] += self.same(g, f)
        n[g.status, "literal"] += normal_words(g.name) == normal_words(f.name)
        if g.status != "present":
            return
        n["organ", "tp"] += g.organ == f.organ
        n["side", "tp"] += g.side == f.side
        n["certainty", "tp"] += g.certainty == f.certainty
        sets = (
            ("location", g.location, f.location),
            ("size", g.sizes, f.sizes),
            ("attribute", g.attributes, f.attributes),
        )
        for slot, ours, theirs in sets:
            n[slot, "tp"] += len(ours & theirs)
            n[slot, "gold"] += len(ours)
            n[slot, "found"] += len(theirs)


def _prf(name: str, hits: int, found: int, gold: int) -> Row:
    """Precision, recall and F1 as `<name>_p`, `_r`, `_f1`; None where there is nothing to divide by."""
    return {
        f"{name}_p": share(hits, found),
        f"{name}_r": share(hits, gold),
        f"{name}_f1": share(2 * hits, found + gold),
    }
