"""Annotated facts against parsed ones, to the letter and with names resolved by the ontology.

Without resolving, names are equal only to the letter (word order, plural and British spelling aside); with it, names
of one entity are equal too. Read both: an ontology that merges too much raises the second alone.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import cabs
from benchmarks.agreement import Agreement, Item, from_fact, from_gold
from benchmarks.rooms.mistakes import Mistake
from benchmarks.rooms.parts import Measured, Record
from benchmarks.rooms.reading import read
from cabs.values import Span


def gold_files(folders: Iterable[Path]) -> Iterator[tuple[str, list[Record]]]:
    """The files of annotated facts in some folders, by name; ranked cases and other files are passed over."""
    for folder in folders:
        for path in sorted(folder.glob("*.jsonl")):
            lines = filter(str.strip, path.read_text(encoding="utf-8").split("\n"))
            records = [json.loads(line) for line in lines]
            if records and all("facts" in record and record.get("text") for record in records):
                yield path.stem, records


def modality(records: Sequence[Record]) -> str:
    """The modalities of a file, joined by a slash."""
    return "/".join(sorted({str(record.get("modality", "unknown")) for record in records}))


def items(record: Record) -> tuple[list[Item], list[Item]]:
    """The annotated and the parsed facts of a report."""
    gold = from_gold(record["facts"], record["text"])
    return gold, [from_fact(fact) for fact in read(record["text"]).facts]


def resolved() -> Agreement:
    """An agreement in which names of one entity are equal."""
    return Agreement(cabs.load_ontology().resolve)


def counter(room: str) -> Callable[[Sequence[Record]], Measured]:
    """A measure of annotated reports whose mistakes carry a name of their own."""

    def measure(records: Sequence[Record]) -> Measured:
        literal, agreement = Agreement(), resolved()
        mistakes: list[Mistake] = []
        for record in records:
            gold, found = items(record)
            literal.add(gold, found)
            agreement.add(gold, found)
            mistakes += [_mistake(room, record, *fault) for fault in faults(agreement, gold, found)]
        figures: dict[str, Any] = {"reports": len(records)}
        return {**figures, "literal": literal.figures(), "resolved": agreement.figures()}, mistakes

    return measure


Fault = tuple[str, str, Span | None]


def faults(agreement: Agreement, gold: Sequence[Item], found: Sequence[Item]) -> Iterator[Fault]:
    """(kind, what, sentence) for every disagreement of one report: missed, extra, and of each pair another name or
    slot. A missed fact that is found under the other status at the same words is of kind "status"."""
    pairs = dict(agreement.pairs(gold, found))
    extra = [f for j, f in enumerate(found) if j not in set(pairs.values())]
    for i, g in enumerate(gold):
        if i in pairs:
            yield from _slots(agreement, g, found[pairs[i]])
        elif any(turned(g, f) for f in extra):
            yield f"{g.status}, read otherwise", g.name, g.sentence
        else:
            yield f"{g.status} missed", g.name, g.sentence
    for f in extra:
        yield f"{f.status} extra", f.name, f.sentence


def turned(gold: Item, found: Item) -> bool:
    """Whether a fact has the same words as an annotated one and the other status."""
    a, b = gold.mention, found.mention
    return gold.status != found.status and a is not None and b is not None and a.start < b.end and b.start < a.end


def _slots(agreement: Agreement, g: Item, f: Item) -> Iterator[Fault]:
    if not agreement.same(g, f):
        yield f"{g.status} other name", f"{g.name} / {f.name}", g.sentence
    if g.status != "present":
        return
    for slot in ("organ", "side", "certainty"):
        ours, theirs = getattr(g, slot), getattr(f, slot)
        if ours != theirs:
            yield slot, f"{g.name}: {ours} / {theirs}", g.sentence
    for slot, attribute in (("location", "location"), ("size", "sizes"), ("attribute", "attributes")):
        ours, theirs = getattr(g, attribute), getattr(f, attribute)
        if ours != theirs:
            without, beyond = " ".join(sorted(ours - theirs)), " ".join(sorted(theirs - ours))
            yield slot, f"-[{without}] +[{beyond}]", g.sentence


def _mistake(room: str, record: Record, kind: str, name: str, sentence: Span | None) -> Mistake:
    text = record["text"]
    return Mistake(room, kind, str(record["id"]), name, text[slice(*sentence)] if sentence else "")
