"""Files to pairs: one file that holds both sides, or two that are joined by id."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from cabs.errors import InputError, SettingError
from cabs.io.empty import holds_no
from cabs.io.fields import field_of, identifier, lacking, missing, plain
from cabs.io.ids import near, some
from cabs.io.read import read_records
from cabs.io.record import Record
from cabs.io.seen import Seen
from cabs.io.sides import ALONE, SINGLE, Side, first_side, id_of, used_fields
from cabs.values import Pair

ALLOW = "use --allow-missing to count it as a report that says nothing"


@dataclass(frozen=True, slots=True)
class Reading:
    """How pairs are read: the column that groups reports (patients), whether a prediction may be missing, and
    whether a reference may, since its facts come from elsewhere (it is then an empty text)."""

    cluster: str | None = None
    allow_missing: bool = False
    no_reference: bool = False


PLAIN = Reading()
BOTH = "where references and predictions stand in two files, give both, the references first"


def read_pairs(first: Path, second: Path | None = None, how: Reading = PLAIN) -> Iterator[Pair]:
    """The pairs of a file, in its order; or of two files, references and predictions, in the order of the
    predictions.

    Raises:
        InputError: a record can't be read, a field is missing or has another type, an id comes twice in one
            system or has no counterpart, or there is no pair at all. The place is the file and the line;
            SettingError: both files are the standard input.
    """
    if str(first) == "-" and second is not None and str(second) == "-":
        raise SettingError("the standard input can be one of the files, not both", place="-")
    pairs = _from_one(first, how) if second is None else _joined(first, second, how)
    empty = True
    for pair in pairs:
        empty = False
        yield pair
    if empty:
        raise holds_no("pairs", first if second is None else second)


def pair_of(record: Record, how: Reading = PLAIN) -> Pair:
    """The pair of a record that holds both sides.

    Raises:
        InputError: a field is missing or has another type.
    """
    found = first_side(record, ALONE["reference"])
    if found is None and how.no_reference:
        found = ""
    if found is None:
        raise _no_side(record, "reference", BOTH)
    prediction = first_side(record, ALONE["prediction"])
    if prediction is None and not how.allow_missing:
        raise _no_side(record, "prediction", BOTH)
    return Pair(
        id=id_of(record),
        reference=found,
        prediction=prediction,
        system=system_of(record),
        cluster=_cluster(record, how.cluster),
        extra=_extra(record),
        source=record.place,
    )


def _no_side(record: Record, role: str, otherwise: str) -> InputError:
    """The error for a record without a side; `otherwise`: what to do where it has no field for it."""
    found = field_of(record, role)
    if found is None:
        return lacking(record, role, otherwise)
    hint = ALLOW if role == "prediction" else "every pair needs one"
    return InputError(f"field {found[0]!r} is null", place=record.place, hint=hint)


def system_of(record: Record) -> str | None:
    """The system that a record names, or None."""
    found = field_of(record, "system")
    if found is None or missing(found[1]) or found[1] == "":
        return None
    return identifier(found[1], found[0], record.place)


def _cluster(record: Record, column: str | None) -> str | None:
    if column is None:
        found = field_of(record, "cluster")
        return None if found is None or missing(found[1]) else identifier(found[1], found[0], record.place)
    for name, value in record.fields.items():
        if name == column or plain(name) == plain(column):
            if missing(value):
                raise InputError(f"field {name!r} is null", place=record.place, hint="--cluster needs it in every pair")
            return identifier(value, name, record.place)
    raise InputError(f"there is no field {column!r}", place=record.place, hint="--cluster names a field of the pairs")


def _extra(record: Record) -> dict[str, object]:
    used = used_fields(record)
    return {name: value for name, value in record.fields.items() if name not in used}


def _from_one(path: Path, how: Reading) -> Iterator[Pair]:
    seen = Seen()
    for record in read_records(path):
        pair = pair_of(record, how)
        seen.add(pair)
        yield pair


@dataclass(frozen=True, slots=True)
class _Reference:
    side: Side
    record: Record


def _references(path: Path) -> dict[str, _Reference]:
    found: dict[str, _Reference] = {}
    for record in read_records(path):
        side = first_side(record, SINGLE["reference"])
        if side is None:
            raise _no_side(record, "reference", "the first file holds the references")
        key = id_of(record)
        if key in found:
            raise InputError(f"id {key!r} comes twice", place=record.place, hint=f"first at {found[key].record.place}")
        found[key] = _Reference(side, Record(_without_side(record), record.place))
    if not found:
        raise holds_no("reports", path)
    return found


def _without_side(record: Record) -> Mapping[str, object]:
    """What a reference's record holds besides its text, which is kept once."""
    return {
        k: v for k, v in record.fields.items() if isinstance(v, str | int | float) and v != record.fields.get("text")
    }


def _joined(references: Path, predictions: Path, how: Reading) -> Iterator[Pair]:
    known = _references(references)
    seen = Seen()
    records = read_records(predictions)
    for record in records:
        if id_of(record) not in known:
            raise _unasked(record, records, known, references)
        pair = _joined_pair(record, known[id_of(record)], how)
        seen.add(pair)
        yield pair
    for system in seen.systems:
        absent = [key for key in known if not seen.has(system, key)]
        if absent and not how.allow_missing:
            raise _unanswered(absent, system, known, predictions)
        for key in absent:
            reference = known[key]
            cluster = _cluster(reference.record, how.cluster)
            yield Pair(key, reference.side, None, system, cluster, {}, reference.record.place)


def _unasked(record: Record, rest: Iterator[Record], known: Mapping[str, _Reference], references: Path) -> InputError:
    """The error for predictions without a reference; all of them are counted."""
    key = id_of(record)
    more = list(dict.fromkeys(id for other in rest if (id := id_of(other)) not in known and id != key))
    also = f", and so have {len(more)} more: {some(more)}" if more else ""
    return InputError(
        f"id {key!r} has no reference in {references}{also}",
        place=record.place,
        hint=f"{near(key, known)}; the first file holds the references",
    )


def _joined_pair(record: Record, reference: _Reference, how: Reading) -> Pair:
    side = first_side(record, SINGLE["prediction"])
    if side is None and not how.allow_missing:
        raise _no_side(record, "prediction", "the second file holds the predictions")
    cluster = _joined_cluster(record, reference.record, how.cluster)
    return Pair(
        id_of(record),
        reference.side,
        side,
        system_of(record),
        cluster,
        _extra(record),
        record.place,
        reference.record.place,
    )


def _joined_cluster(record: Record, reference: Record, column: str | None) -> str | None:
    """From the predictions where they have the column, otherwise from the references."""
    here = column is None or any(plain(name) == plain(column) for name in record.fields)
    own = _cluster(record, column) if here else None
    return _cluster(reference, column) if own is None else own


def _unanswered(
    absent: list[str], system: str | None, known: Mapping[str, _Reference], predictions: Path
) -> InputError:
    of = "" if system is None else f" of system {system!r}"
    return InputError(
        f"no prediction{of} for {len(absent)} of {len(known)} references: {some(absent)}",
        place=str(predictions),
        hint=ALLOW.replace("it as a report that says", "them as reports that say"),
    )
