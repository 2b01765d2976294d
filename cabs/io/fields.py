"""The names that people give the fields of a pair: one table, and how a record's fields are found by it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import lru_cache
from numbers import Integral

from cabs.errors import InputError
from cabs.io.record import Record, kind_of

ALIASES: dict[str, tuple[str, ...]] = {
    "id": (
        "id", "study_id", "uid", "case_id", "report_id", "sample_id", "accession", "accession_number",
        "accessionno", "volumename", "volume_name", "input_image_name",
    ),
    "reference": (
        "reference", "ground_truth", "groundtruth", "gt", "target", "ref", "reference_report",
        "reference_text", "gt_report", "ground_truth_report", "gts",
    ),
    "prediction": (
        "prediction", "candidate", "hypothesis", "generated_report", "response", "generated", "pred", "hyp",
        "model_prediction", "predicted", "predicted_report", "prediction_text", "candidate_report",
        "generated_text", "completion", "output",
    ),
    "reference_facts": ("reference_facts", "gold_facts", "facts"),
    "prediction_facts": ("prediction_facts", "predicted_facts"),
    "system": ("system", "system_name", "model", "model_name"),
    "cluster": ("cluster",),
    "text": ("text", "report", "report_text"),
    "findings": ("section_findings", "findings"),
    "impression": ("section_impression", "impression"),
}  # fmt: skip
"""role → the names understood for it, the usual one first. Case, "-" and " " don't matter."""

AMBIGUOUS = frozenset({"reference", "prediction"})
"""Roles for which two names in one record are an error, unless one of them is the usual name."""

FIRST_KEYS = frozenset(name for names in ALIASES.values() for name in names) | {
    "data_source", "prompt", "videos", "images", "ability", "reward_model", "extra_info",
    "name", "type", "generated_reports", "version", "modality", "source", "normal", "read", "issues", "question",
}  # fmt: skip
"""A JSON object that starts with one of these is one record; any other maps ids to records."""


def plain(name: str) -> str:
    """A field name as the table writes it.

    >>> plain(" Ground-Truth")
    'ground_truth'
    """
    return name.strip().lower().replace("-", "_").replace(" ", "_")


@lru_cache(maxsize=256)
def _layout(names: tuple[str, ...]) -> Mapping[str, tuple[str, ...]]:
    """role → the record's own names of it, best first."""
    own: dict[str, str] = {}
    for name in names:
        own.setdefault(plain(name), name)
    return {role: tuple(own[a] for a in aliases if a in own) for role, aliases in ALIASES.items()}


def names_of(record: Record, role: str) -> tuple[str, ...]:
    """The fields of the record that play a role, best first."""
    return _layout(tuple(record.fields))[role]


def missing(value: object) -> bool:
    """True for null and for what pandas writes in its place (NaN, NA, NaT)."""
    if isinstance(value, float):
        return math.isnan(value)
    return value is None or type(value).__name__ in ("NAType", "NaTType")


def field_of(record: Record, role: str) -> tuple[str, object] | None:
    """The name and the value of the field that plays a role, or None where the record has none.

    Raises:
        InputError: several fields of the record could be it, and none has the usual name.
    """
    names = names_of(record, role)
    if not names:
        return None
    if role in AMBIGUOUS and len(names) > 1 and plain(names[0]) != role:
        raise InputError(
            f"{' and '.join(map(repr, names))} could both be the {role}",
            place=record.place,
            hint=f"rename the one that is meant to {role!r}",
        )
    return names[0], record.fields[names[0]]


def number_of(record: Record, name: str) -> float:
    """The number in the field of this name, however it is spelt; nan where it is null, empty or NaN.

    Raises:
        InputError: there is no such field, or it holds no finite number.
    """
    field = next((own for own in record.fields if own == name or plain(own) == plain(name)), None)
    if field is None:
        names = ", ".join(map(repr, record.fields)) or "none"
        raise InputError(
            f"there is no field {name!r}", place=record.place, hint=f"fields here, beside ids and texts: {names}"
        )
    value = record.fields[field]
    if missing(value) or value == "":
        return math.nan
    try:
        if isinstance(value, bool):
            raise ValueError
        number = float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        hint = "a number expected; leave it empty where there is none"
        raise InputError(f"field {field!r} holds {kind_of(value)}: {value!r}", place=record.place, hint=hint) from None
    if math.isinf(number):
        raise InputError(f"field {field!r} is not finite", place=record.place, hint="infinite; leave it empty")
    return number


def clean_text(value: object, name: str, place: str) -> str:
    """A report's text as it is.

    Raises:
        InputError: the value isn't text, or holds a NUL or half of a surrogate pair.
    """
    if not isinstance(value, str):
        raise InputError(f"field {name!r} holds {kind_of(value)}, text expected", place=place)
    if "\0" in value:
        raise InputError(f"field {name!r} holds a NUL character", place=place, hint="the file was damaged on its way")
    if not value.isascii():
        _check_unicode(value, name, place)
    return value


def _check_unicode(value: str, name: str, place: str) -> None:
    try:
        value.encode("utf-8")
    except UnicodeEncodeError as error:
        message = f"field {name!r} holds half of a surrogate pair at character {error.start + 1}"
        raise InputError(message, place=place, hint="the file was damaged on its way") from None


def identifier(value: object, name: str, place: str) -> str:
    """An id as text: text or a whole number.

    Raises:
        InputError: it is neither, or empty.
    """
    if not isinstance(value, bool) and isinstance(value, Integral):  # numpy's whole numbers too
        return str(int(value))
    if isinstance(value, float) and value.is_integer():  # a column of ids that once had a gap
        return str(int(value))
    if not isinstance(value, str):
        raise InputError(f"field {name!r} holds {kind_of(value)}, text or a whole number expected", place=place)
    if not value.strip():
        raise InputError(f"field {name!r} is empty", place=place)
    return clean_text(value, name, place)


def lacking(record: Record, role: str, hint: str = "") -> InputError:
    """The error for a record without a field that it needs; `hint`: what else than another name would do."""
    names = ", ".join(repr(n) for n in record.fields) or "none"
    others = ", ".join(ALIASES[role][1:])
    return InputError(
        f"field {role!r} is missing (fields here: {names})",
        place=record.place,
        hint=(f"{hint}; " if hint else "") + f"call the column {role!r}; also understood: {others}",
    )
