"""Files of pairs → several systems on the same references."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path

from cabs.errors import InputError
from cabs.io.jsontext import json_line
from cabs.io.pairs import PLAIN, Reading, read_pairs
from cabs.scoring.reference import facts_hash
from cabs.values import Pair, ParsedReport, QuotedReport

CONTROL = "control:"
"""What the names of control systems start with, so that none is taken for a system of the input."""


@dataclass(frozen=True, slots=True)
class Runs:
    """Systems on the same references: `systems` by name, sorted, each with one pair an id, in the order of `ids`.

    `left_out`: how many ids of each system not every system has. `content_hash`: SHA-256 (hex) of the pairs that are
    used, whatever the order and the split into files.
    """

    ids: tuple[str, ...]
    systems: Mapping[str, tuple[Pair, ...]] = field(repr=False)
    left_out: Mapping[str, int]
    content_hash: str

    @property
    def references(self) -> tuple[Pair, ...]:
        """A pair of every id; what counts is its reference."""
        return next(iter(self.systems.values()))


def read_runs(files: Sequence[Path], how: Reading = PLAIN) -> Runs:
    """The systems of files of pairs. A file whose pairs name no system is one system, called as the file.

    Raises:
        InputError: a file can't be read, a system is in two files, or see `runs_of`.
    """
    found: dict[str, list[Pair]] = {}
    home: dict[str, Path] = {}
    for path in files:
        for pair in read_pairs(path, how=how):
            name = path.stem if pair.system is None else pair.system
            if home.setdefault(name, path) != path:
                hint = f"it is in {home[name]} already; name one of the two otherwise"
                raise InputError(f"system {name!r} comes twice", place=pair.source, hint=hint)
            found.setdefault(name, []).append(replace(pair, system=name))
    return runs_of(found)


def runs_of(systems: Mapping[str, Iterable[Pair]]) -> Runs:
    """The systems on the ids that all of them have.

    Raises:
        InputError: no id is common, an id has different references, or a system's name is a control's.
    """
    known = {name: {pair.id: pair for pair in systems[name]} for name in sorted(systems)}
    for name in known:
        if name.startswith(CONTROL):
            raise InputError(f"{name!r} is no name of a system", place="systems", hint=f"{CONTROL} marks controls")
    common = set.intersection(*(set(pairs) for pairs in known.values())) if known else set()
    if not common:
        hint = "; ".join(f"{name}: {next(iter(pairs), 'none')}" for name, pairs in known.items())
        raise InputError("there is no id that every system has", place="systems", hint=f"ids look like {hint}")
    ids = tuple(sorted(common))
    for id in ids:
        _same_reference([pairs[id] for pairs in known.values()])
    chosen = {name: tuple(pairs[id] for id in ids) for name, pairs in known.items()}
    left_out = {name: len(pairs) - len(ids) for name, pairs in known.items()}
    return Runs(ids, chosen, left_out, _hash(chosen))


def _same_reference(pairs: Sequence[Pair]) -> None:
    first = pairs[0]
    for pair in pairs[1:]:
        if _side(pair.reference) != _side(first.reference):
            what = f"report {pair.id!r} has another reference in system {pair.system!r} than in {first.system!r}"
            raise InputError(what, place=pair.source, hint="systems are compared on the same references; mend the ids")


def _hash(systems: Mapping[str, Sequence[Pair]]) -> str:
    found = sha256()
    for name, pairs in systems.items():
        for pair in pairs:
            line = json_line([name, pair.id, _side(pair.reference), _side(pair.prediction), pair.cluster])
            found.update(line.encode("utf-8", "surrogatepass"))
    return found.hexdigest()


def _side(side: str | QuotedReport | ParsedReport | None) -> str | None:
    """What a side says, white space aside."""
    if side is None or isinstance(side, str):
        return side if side is None else " ".join(side.split())
    return facts_hash({"": side})
