"""The alignment, slow and obvious: every one-to-one assignment is looked at, slots are compared from the
definition.

It starts from canonical facts and shares nothing with the matcher but the ontology and the fact values.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from cabs.ontology import Ontology
from cabs.values import Attribute, Fact

Rank = tuple[int, int, int, int, tuple[int, ...]]


class Best(NamedTuple):
    """The greatest rank, and the pairs of the first assignment that has it."""

    rank: Rank
    pairs: tuple[tuple[int, int], ...]


def best(ontology: Ontology, ours: tuple[Fact, ...], theirs: tuple[Fact, ...], hierarchical: bool) -> Best:
    """Maximal by hits, exact hits, net evidence, agreeing slots; then the first in canonical order."""
    return max(
        Best(rank(ontology, ours, theirs, pairs), pairs)
        for pairs in assignments(len(ours), len(theirs))
        if all(may_hit(ontology, ours[i], theirs[j], hierarchical) for i, j in pairs)
    )


def assignments(rows: int, columns: int) -> Iterator[tuple[tuple[int, int], ...]]:
    def extend(row: int, free: frozenset[int]) -> Iterator[tuple[tuple[int, int], ...]]:
        if row == rows:
            yield ()
            return
        yield from extend(row + 1, free)
        for column in free:
            for rest in extend(row + 1, free - {column}):
                yield ((row, column), *rest)

    yield from extend(0, frozenset(range(columns)))


def may_hit(ontology: Ontology, ours: Fact, theirs: Fact, hierarchical: bool) -> bool:
    if ours.organ is not None and theirs.organ is not None and ours.organ != theirs.organ:
        return False
    if head(ours) == head(theirs):
        return ours.entity != "other" or ours.name == theirs.name
    related = ontology.is_a(head(ours), head(theirs)) or ontology.is_a(head(theirs), head(ours))
    return hierarchical and related and "other" not in (ours.entity, theirs.entity)


def head(fact: Fact) -> str:
    """The entity, or the finding of "finding@organ": the organ is looked at apart."""
    return fact.entity.split("@")[0]


def rank(
    ontology: Ontology, ours: tuple[Fact, ...], theirs: tuple[Fact, ...], pairs: tuple[tuple[int, int], ...]
) -> Rank:
    slots = [slot for i, j in pairs for slot in compare(ontology, ours[i], theirs[j])]
    partner = dict(pairs)
    # Earlier references first, each with the earliest prediction; no partner is the latest of all.
    ties = tuple(len(theirs) - partner.get(i, len(theirs)) for i in range(len(ours)))
    exact = sum(head(ours[i]) == head(theirs[j]) for i, j in pairs)
    return len(pairs), exact, sum(value for value, _ in slots), sum(agree for _, agree in slots), ties


def compare(ontology: Ontology, ours: Fact, theirs: Fact) -> Iterator[tuple[int, bool]]:
    """(cost added or taken in thousandths, agrees) for each slot that both sides state."""
    side = {None: set(), "bilateral": {"right", "left"}}
    sides = [side.get(f.side, {f.side}) for f in (ours, theirs)]
    if all(sides):
        yield signed(ontology.slot_costs["side"], sides[0] == sides[1])
    places = [telling(ontology, f) for f in (ours, theirs)]
    if all(places):
        if bool(sides[0]) != bool(sides[1]):
            places = [on_side(ontology, p, sides[0] | sides[1]) for p in places]
        verdict = nested(ontology, *places)
        if verdict != "agree" and all(sides) and sides[0] != sides[1]:
            mirrored = [mirror(ontology, p) for p in places[1]]
            verdict = min(verdict, nested(ontology, places[0], mirrored), key=["agree", "broader", "wrong"].index)
        if verdict != "broader":
            yield signed(ontology.slot_costs["place"], verdict == "agree")
    for kind in {a.kind for a in ours.attributes} & {a.kind for a in theirs.attributes}:
        mine, other = ([a for a in f.attributes if a.kind == kind] for f in (ours, theirs))
        yield signed(ontology.attribute_kinds[kind].cost, fits(ontology, kind, mine, other))
    yield signed(ontology.slot_costs["certainty"], ours.certainty == theirs.certainty)


def signed(cost: float, agree: bool) -> tuple[int, bool]:
    return (round(1000 * cost) * (1 if agree else -1)), agree


def telling(ontology: Ontology, fact: Fact) -> list[str]:
    """The places that say more than the entity and its organ."""
    entity = ontology.entity(fact.entity)
    known = [*entity.places, *([entity.default_place] if entity.default_place else [])]
    known += ontology.organs[fact.organ].structures if fact.organ else []
    sideless = {"lung_right": "lung", "lung_left": "lung"}
    return [p for p in fact.location.ids if not any(ontology.contains(sideless.get(p, p), k) for k in known)]


def on_side(ontology: Ontology, places: list[str], sides: set[str]) -> list[str]:
    """The places as those of a side: "lower lobe" on the right is the right lower lobe; no place that holds
    another."""
    sided = {("lung", "right"): "lung_right", ("lung", "left"): "lung_left"}
    sided |= {("upper_lobe", "right"): "rul", ("upper_lobe", "left"): "lul"}
    sided |= {("lower_lobe", "right"): "rll", ("lower_lobe", "left"): "lll"}
    moved = {sided.get((p, side), p) for p in places for side in sides}
    return sorted(p for p in moved if not any(p != q and ontology.contains(p, q) for q in moved))


def nested(ontology: Ontology, ours: list[str], theirs: list[str]) -> str:
    within = {p for p in theirs if any(ontology.contains(r, p) for r in ours)}
    covered = {r for r in ours if any(ontology.contains(r, p) for p in theirs)}
    if within == set(theirs) and covered == set(ours):
        return "agree"
    broader = {p for p in theirs if any(ontology.contains(p, r) for r in ours)}
    return "broader" if within | broader == set(theirs) else "wrong"


def mirror(ontology: Ontology, place: str) -> str:
    pairs = [("rul", "lul"), ("rll", "lll"), ("lung_right", "lung_left")]
    return next((b if place == a else a for a, b in pairs if place in (a, b)), place)


def fits(ontology: Ontology, kind: str, ours: list[Attribute], theirs: list[Attribute]) -> bool:
    said = {a.value for a in ours if a.value}
    if ontology.attribute_kinds[kind].compare == "set":
        return all(t.value in said or all(one_fits(ontology, kind, o, t) for o in ours) for t in theirs)
    return all(any(one_fits(ontology, kind, o, t) for o in ours) for t in theirs)


def one_fits(ontology: Ontology, kind: str, ours: Attribute, theirs: Attribute) -> bool:
    record = ontology.attribute_kinds[kind]
    if record.compare == "free" or ours.value == theirs.value is not None:
        return True
    if record.compare == "size":
        allowed = max(2.0, 0.2 * max(ours.mm))
        return all(abs(a - b) <= allowed + 1e-9 for a, b in zip(ours.mm, theirs.mm, strict=False))
    a, b = record.values[str(ours.value)], record.values[str(theirs.value)]
    if record.compare == "set":
        return b.value not in a.opposites and a.value not in b.opposites
    near = record.compare == "ordered" and abs(a.rank - b.rank) <= record.tolerance  # type: ignore[operator]
    return near or b.value in a.compatible or a.value in b.compatible
