"""Whether results may stand on one board: made in one way, about the same reports and references."""

from __future__ import annotations

from collections.abc import Sequence

from cabs.errors import InputError
from cabs.io.ids import some
from cabs.leaderboard.entrant import Entrant
from cabs.signature import Signature

AGAIN = "score all systems with the same settings, the same ontology and the same version of CABS"
MISSING = "score it with --allow-missing, which counts what is missing as a report that says nothing"
FACTS = "score all systems against the same references"


def check_comparable(entrants: Sequence[Entrant]) -> None:
    """See that systems can be ranked against each other.

    Raises:
        InputError: there is none, a name comes twice, a signature differs (the message says in which setting), or a
            system was asked about other reports, or against other references.
    """
    if not entrants:
        raise InputError("there is no system", place="leaderboard", hint="name folders that `cabs score -o` wrote")
    names = [entrant.name for entrant in entrants]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        hint = "each system has one name of its own: score it with a `system` field, or rename its folder"
        raise InputError(f"system {twice!r} comes twice", place="leaderboard", hint=hint)
    for other in entrants[1:]:
        same_signature(entrants[0].contender.signature, other.contender.signature, (entrants[0].name, other.name))
    every = frozenset().union(*(entrant.ids for entrant in entrants))
    for entrant in entrants:
        _same_reports(entrant, every)
    _same_references(entrants)


def same_signature(mine: Signature, theirs: Signature, names: tuple[str, str]) -> None:
    """See that two signatures are one.

    Raises:
        InputError: they aren't; every setting in which they differ is named.
    """
    differences = mine.differences(theirs)
    if differences:
        listed = "; ".join(f"{name} is {a or 'not set'} and {b or 'not set'}" for name, a, b in differences)
        raise InputError(f"their signatures differ: {listed}", place=f"{names[0]} and {names[1]}", hint=AGAIN)


def _same_reports(entrant: Entrant, every: frozenset[str]) -> None:
    lacking = sorted(every - entrant.ids)
    if lacking:
        what = f"has no report for {len(lacking)} of {len(every)} ids that other systems have: {some(lacking)}"
        raise InputError(what, place=f"system {entrant.name!r}", hint=MISSING)


def _same_references(entrants: Sequence[Entrant]) -> None:
    known: dict[str, tuple[str, int, int]] = {}
    for entrant in entrants:
        contender = entrant.contender
        for id, counts in zip(contender.ids, contender.rows, strict=True):
            first, facts, organs = known.setdefault(id, (entrant.name, counts.facts, counts.organs_reference))
            if (facts, organs) != (counts.facts, counts.organs_reference):
                what = f"{facts} reference facts in {first!r}, {counts.facts} in {entrant.name!r}"
                raise InputError(what, place=f"report {id!r}", hint=FACTS)
