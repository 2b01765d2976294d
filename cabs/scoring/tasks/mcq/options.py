"""The options of a question, however a record writes them: an object, a list, columns of their own, or inside the
question."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from string import ascii_uppercase
from typing import Any

from cabs.errors import InputError
from cabs.io.fields import missing, plain
from cabs.io.jsontext import parse_json
from cabs.io.record import Record, kind_of
from cabs.scoring.tasks.mcq.words import undressed, words

NAMES = ("options", "choices", "answer_options", "answer_choices", "candidates")
"""The fields understood as all options together, the usual one first."""
NOTHING = frozenset({"", "-", "--", "n/a", "none given"})
"""What stands in a column of an option that a question does not have; 3D-RAD writes "-"."""
LABEL = re.compile(r"[A-Za-z]|[0-9]{1,2}")
_COLUMN = re.compile(r"(?:choice|option|answer|op|opt)_?([a-z])")
_MARK = re.compile(r"(?<![\w'])\(?([A-Z])\s?[).:]\s*(?=\S)")
_MARKED = re.compile(r"\s*\(?([A-Za-z]|[0-9]{1,2})\s?[).:]\s+(?=\S)")


@dataclass(frozen=True)
class Options:
    """(label, text) of each option in order: at least two, labels unique, upper-case letters or numbers."""

    items: tuple[tuple[str, str], ...]

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels in order."""
        return tuple(label for label, _ in self.items)

    @cached_property
    def words(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """(label, words) of each option whose text has any."""
        return tuple((label, found) for label, text in self.items if (found := words(text)))

    def __getitem__(self, label: str) -> str:
        return dict(self.items)[label]

    def __len__(self) -> int:
        return len(self.items)

    def with_text(self, text: str) -> tuple[str, ...]:
        """The labels of the options that say the same as a text."""
        asked = words(text)
        return tuple(label for label, found in self.words if found == asked)


def options_of(record: Record, question: str) -> Options | None:
    """The options of a record; None where it says that there are none (columns or a field that are all empty), as for
    an open question.

    Raises:
        InputError: there are none to be found anywhere, or those found can't be understood; the message names the
            field.
    """
    for name, value in record.fields.items():
        if plain(name) in NAMES and stated(value):
            return _made(_listed(_unwrapped(value), name, record.place), name, record.place)
    columns = _columns(record)
    if columns:
        return _made(columns, "choice columns", record.place)
    inline = in_text(question)
    if inline is not None:
        return inline
    if _has_place(record):
        return None
    hint = "options as an object or a list, columns such as 'Choice A', or in the question: A) ... B) ..."
    raise InputError("field 'options' is missing", place=record.place, hint=hint)


def stated(value: object) -> bool:
    """Whether a field holds anything: not null, NaN or an empty text."""
    return not (missing(value) or (isinstance(value, str) and not value.strip()))


def in_text(text: str) -> Options | None:
    """The options that a text lists as "A) ... B) ..."; None where it lists fewer than two.

    >>> in_text("Which finding is present? A) Left B) Right").items
    (('A', 'Left'), ('B', 'Right'))
    """
    run = _run(text)
    if len(run) < 2:
        return None
    ends = [mark.start() for mark in run[1:]] + [len(text)]
    items = [(mark[1], text[mark.end() : end].strip(" \t\r\n,;")) for mark, end in zip(run, ends, strict=True)]
    return Options(tuple(items)) if all(text for _, text in items) else None


def _run(text: str) -> list[re.Match[str]]:
    """The longest row of marks A, B, C ... in order; of equal ones the last, since options end a question."""
    best: list[re.Match[str]] = []
    run: list[re.Match[str]] = []
    for mark in _MARK.finditer(text):
        if mark[1] == "A":
            run = [mark]
        elif run and len(run) < len(ascii_uppercase) and mark[1] == ascii_uppercase[len(run)]:
            run.append(mark)
        if len(run) >= len(best):
            best = list(run)
    return best


def _unwrapped(value: Any) -> Any:
    """Arrays as lists; the keys that Arrow fills up with null are left out."""
    plain_value = value.tolist() if hasattr(value, "tolist") else value
    if isinstance(plain_value, Mapping):
        return {str(key): item for key, item in plain_value.items() if item is not None}
    return plain_value


def _listed(value: object, name: str, place: str) -> list[tuple[str, object]]:
    if isinstance(value, str):
        found = in_text(value)
        if found is not None:
            return list(found.items)
        if value.lstrip()[:1] in ("{", "["):
            return _listed(parse_json(value, f"{place}: {name}"), name, place)
    if isinstance(value, Mapping):
        return [(str(label), text) for label, text in value.items()]
    if isinstance(value, list | tuple):
        return _labelled(value)
    hint = '{"A": "...", "B": "..."}, or a list of texts'
    raise InputError(f"field {name!r} holds {kind_of(value)}, options expected", place=place, hint=hint)


def _labelled(texts: list[object] | tuple[object, ...]) -> list[tuple[str, object]]:
    """A list with the labels A, B, C ...; those that every text carries itself ("A) ...") are its labels."""
    marks = [_MARKED.match(text) if isinstance(text, str) else None for text in texts]
    own = [mark[1].upper() for mark in marks if mark is not None]
    if len(own) == len(texts) and own == list(ascii_uppercase[: len(own)]):
        return [(label, str(text)[mark.end() :]) for label, text, mark in zip(own, texts, marks, strict=True) if mark]
    labels = list(ascii_uppercase) + [str(n) for n in range(len(ascii_uppercase) + 1, len(texts) + 1)]
    return list(zip(labels, texts, strict=False))


def _columns(record: Record) -> list[tuple[str, object]]:
    """Options in columns of their own, by letter: "Choice A", "option_b", "opc" or "D"."""
    found: dict[str, object] = {}
    for name, value in record.fields.items():
        label = _column_label(name, record)
        if label is not None and not missing(value) and str(value).strip().lower() not in NOTHING:
            found[label] = value
    return sorted(found.items())


def _column_label(name: str, record: Record) -> str | None:
    key = plain(name)
    match = _COLUMN.fullmatch(key)
    if match is not None:
        return match[1].upper()
    alone = len(key) == 1 and key.isalpha() and {"a", "b"} <= {plain(other) for other in record.fields}
    return key.upper() if alone else None


def _has_place(record: Record) -> bool:
    names = [plain(name) for name in record.fields]
    return any(name in NAMES for name in names) or any(_column_label(name, record) for name in record.fields)


def _made(found: list[tuple[str, object]], name: str, place: str) -> Options | None:
    """Options from (label, value).

    Raises:
        InputError: a label is no letter or number or comes twice, a value is no text, or there is only one option.
    """
    items = [(_label(label, name, place), _text(value, label, name, place)) for label, value in found]
    kept = tuple((label, text) for label, text in items if text.lower() not in NOTHING)
    if not kept:
        return None
    labels = [label for label, _ in kept]
    twice = next((label for label in labels if labels.count(label) > 1), None)
    if twice is not None:
        raise InputError(f"field {name!r} names option {twice!r} twice", place=place)
    if len(kept) < 2:
        raise InputError(f"field {name!r} holds one option alone", place=place, hint="a choice needs two or more")
    return Options(kept)


def _label(label: str, name: str, place: str) -> str:
    bare = undressed(label).strip("()[]. :")
    if not LABEL.fullmatch(bare):
        what = f"field {name!r}: {label!r} is no label of an option"
        raise InputError(what, place=place, hint="a letter or a number, such as A")
    return bare.upper()


def _text(value: object, label: str, name: str, place: str) -> str:
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise InputError(f"field {name!r}, option {label}: {kind_of(value)}, text expected", place=place)
    return str(value).strip()
