"""Whether results may stand on one board: made in one way, about the same reports and references."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from cabs.errors import InputError
from cabs.io.ids import some
from cabs.leaderboard.entrant import UNSCORED, Case, Entrant
from cabs.signature import Signature

AGAIN = "score all systems with the same settings, the same ontology and the same version of CABS"
MISSING = "cabs score REFERENCES PREDICTIONS --allow-missing counts what is missing as a report that says nothing"
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
    _same_references(entrants, "text", lambda case: case.reference)
    _same_references(entrants, "list of facts", _stated)


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


def _same_references(entrants: Sequence[Entrant], what: str, of: Callable[[Case], object]) -> None:
    """See that what is known of each reference is the same for all systems; None where it is not known."""
    known: dict[str, tuple[str, object]] = {}
    for entrant in entrants:
        for case in entrant.cases:
            mine = of(case)
            first, theirs = (entrant.name, None) if mine is None else known.setdefault(case.id, (entrant.name, mine))
            if mine != theirs:
                said = f"{entrant.name!r} has another reference than {first!r}: its {what} differs"
                raise InputError(said, place=f"report {case.id!r}", hint=FACTS)


def _stated(case: Case) -> list[tuple[str, ...]] | None:
    """The facts of a reference, as far as results without texts tell them too."""
    if case.status == UNSCORED:
        return None
    facts = [entry.reference for entry in case.entries if entry.reference is not None]
    return sorted(
        (f.entity, f.status, f.organ or "", f.side or "", str(f.mention.start), str(f.mention.end)) for f in facts
    )
