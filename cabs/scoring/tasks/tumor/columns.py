"""What a sample brings along besides its reports: the organ that it is about, slices, a size."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from cabs.errors import InputError
from cabs.io.fields import missing, number_of, plain
from cabs.io.record import Record, kind_of
from cabs.ontology import Ontology
from cabs.registry import offer


@dataclass(frozen=True, slots=True)
class Columns:
    """The names of columns, however they are spelt in case, "-" and " ". None of them has to be there.

    - organ_column: the organ that the sample is about; tumors elsewhere then play no part.
    - key_slice_column: the predicted slice, for outputs without a `<key_slice>` tag; a tag comes first.
    - reference_key_slice_column: the slice of the reference, for references without such a tag; the column comes first.
    """

    organ_column: str = "organ"
    key_slice_column: str = "key_slice"
    reference_key_slice_column: str = "reference_key_slice"


def value_of(fields: Mapping[str, object], column: str) -> object:
    """The value of a column; None where there is none, or it holds nothing."""
    wanted = plain(column)
    found = next((value for name, value in fields.items() if plain(str(name)) == wanted), None)
    return None if missing(found) or found == "" else found


def organ_in(fields: Mapping[str, object], column: str, ontology: Ontology) -> str | None:
    """The id of the organ in a column; None where there is none.

    Raises:
        InputError: it names no organ.
    """
    value = value_of(fields, column)
    if value is None:
        return None
    if not isinstance(value, str):
        raise InputError(f"field {column!r} holds {kind_of(value)}, the name of an organ expected")
    return organ_named(value, ontology)


def organ_named(name: str, ontology: Ontology) -> str:
    """The id of an organ by its id, label or adjective, or by the name of a structure where it starts.

    Raises:
        InputError: there is none.
    """
    words = name.strip().lower().replace("_", " ")
    for organ in ontology.organs.values():
        known = {organ.id.replace("_", " "), organ.label, organ.adjective}
        if words in known or words in _starts(organ.structures, ontology):
            return organ.id
    raise InputError(f"{name!r} is no organ", hint=offer(name.strip(), ontology.organs))


def _starts(structures: tuple[str, ...], ontology: Ontology) -> set[str]:
    found = (ontology.structures[id] for id in structures if id in ontology.structures)
    return {surface.text.lower() for structure in found for surface in ontology.surface_forms(structure)}


def size_in(fields: Mapping[str, object], column: str) -> float | None:
    """The size in mm in a column; None where there is none.

    Raises:
        InputError: it holds no finite number above 0.
    """
    if value_of(fields, column) is None:
        return None
    size = number_of(Record(fields, ""), column)
    if size <= 0:
        raise InputError(f"field {column!r} is {size:g}", hint="a size in mm, above 0")
    return size
