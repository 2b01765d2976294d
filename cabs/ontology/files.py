"""An ontology folder → its records as plain values, and one folder laid over another."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cabs.errors import OntologyError
from cabs.ontology import schema
from cabs.ontology.origin import Raw
from cabs.ontology.problems import Problem
from cabs.ontology.reading import read_lists
from cabs.ontology.suggest import meant

JOINT = " = "
"""Between the fields that make the key of a record."""

Content = dict[str, dict[str, Raw]]
"""Kind → key → record."""


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of record: its model, the list that holds it ("": the file is the record), the fields that name
    it."""

    model: type[schema.Record]
    listed: str
    id: tuple[str, ...] = ()

    ordered: bool = False
    apart: bool = False
    """Only some tasks use it: it is no part of the content hash, each record has a hash of its own instead."""

    def order(self, key: str) -> str:
        """What records are sorted by: their key, or, for `ordered` ones, its first field. These keep the
        order of their file among those with the same one, since the first that holds decides."""
        return key.partition(JOINT)[0] if self.ordered else key


KINDS: Mapping[str, Kind] = {
    "ontology": Kind(schema.ManifestRecord, ""),
    "organs": Kind(schema.OrganRecord, "organs", ("id",)),
    "anatomy": Kind(schema.StructureRecord, "structures", ("id",)),
    "entities": Kind(schema.EntityRecord, "entities", ("id",)),
    "attributes": Kind(schema.KindRecord, "kinds", ("kind",)),
    "context": Kind(schema.RuleRecord, "rules", ("id",)),
    "abbreviations": Kind(schema.AbbreviationRecord, "abbreviations", ("abbr", "reading", "when"), ordered=True),
    "sections": Kind(schema.SectionRecord, "sections"),
    "ambiguous": Kind(schema.AmbiguousRecord, "ambiguous", ("form",)),
    "distinct": Kind(schema.DistinctRecord, "distinct", ("a", "b")),
    "crosswalks": Kind(schema.CrosswalkRecord, "", ("name",)),
    "significance": Kind(schema.SignificanceRecord, ""),
    "slots": Kind(schema.SlotRecord, "slots", ("slot",)),
    "groups": Kind(schema.GroupRecord, "groups", ("id",), apart=True),
    "opposites": Kind(schema.OppositesRecord, ""),
    "spelling": Kind(schema.SpellingRecord, ""),
}
"""Every kind, under the name of its file ("organs.yaml") or folder ("entities/*.yaml")."""

_NAMES = f"{', '.join(KINDS)} (a .yaml file or a folder each)"

UNREAD = frozenset(("SOURCES.yaml",))
MOST, LARGEST = 2000, 1 << 26
"""Files of a folder, and bytes of them all."""
UNITED = """forms adjectives abbreviations predicates blocked label_sets headings match no_match compatible
         opposites patterns rules shifts minor linkers letters endings keep plurals singulars prefixes words
         """
_UNITED = frozenset(UNITED.split())


def read_folder(
    folder: Path, problems: list[Problem], prefix: str = "", depth: int = 0, linked: bool = False
) -> Content:
    """The records of a folder by kind and key. What can't be read goes into `problems`.

    `prefix` stands before the names of the files, so that those of two folders can be told apart; `depth` is how
    many folders this one is laid over. `linked`: its files may be links to files elsewhere, as those of an installed
    package can be; in a folder from somebody else they would show what is none of theirs.
    """
    content: Content = {kind: {} for kind in KINDS}
    found = sorted((*folder.rglob("*.yaml"), *folder.rglob("*.yml")))
    paths = {name: path for path in found if (name := path.relative_to(folder).as_posix()) not in UNREAD}
    if not paths:
        problems.append(Problem(str(folder), "", f"holds no ontology file; known are {_NAMES}"))
    if said := _too_much(list(paths.values())):
        problems.append(Problem(str(folder), "", said))
        return content
    for name, path in paths.items():
        stem = name.partition("/")[0].rpartition(".")[0] or name.partition("/")[0]
        if stem not in KINDS:
            problems.append(Problem(prefix + name, "", f"unknown file{meant(stem, KINDS)}; known are {_NAMES}"))
            continue
        if said := _unfit(path, folder, linked):
            problems.append(Problem(prefix + name, "", said))
            continue
        try:
            _read_file(path, Raw(prefix + name, {}, depth=depth), KINDS[stem], content[stem], problems)
        except OntologyError as error:
            problems.append(Problem(error.place or prefix + name, "", error.message))
    return content


def _too_much(paths: list[Path]) -> str:
    """What is wrong with a folder of more files, or larger ones, than an ontology can have; "" for any other."""
    if len(paths) > MOST:
        return f"holds {len(paths)} YAML files, an ontology has at most {MOST}"
    size = sum(path.stat().st_size for path in paths if path.is_file())
    return f"its files have {size >> 20} MiB, an ontology has at most {LARGEST >> 20}" if size > LARGEST else ""


def _unfit(path: Path, folder: Path, linked: bool) -> str:
    """Why a file is not read; "" for one that is."""
    if not path.is_file():
        return "is no file: a folder, a pipe, or a link to nothing"
    if not linked and not path.resolve().is_relative_to(folder.resolve()):
        return "is a link to a file outside the folder; put the file itself there"
    return ""


def _read_file(path: Path, file: Raw, kind: Kind, into: dict[str, Raw], problems: list[Problem]) -> None:
    data, lines = read_lists(path, file.file)
    for record, line in zip(_records(data, file.file, kind), lines.get(kind.listed) or [1], strict=False):
        key = _key(record, kind)
        if key in into:
            problems.append(Problem(file.file, called(key, kind), _twice(into[key], file.file), line))
        into[key] = file._replace(record=record, line=line)


def _twice(first: Raw, file: str) -> str:
    if first.file == file:
        return f"stands twice in this file, first in line {first.line}; keep one"
    return f"is also in {first.file}, line {first.line}; keep one"


def called(key: str, kind: Kind) -> str:
    """The key of a record as messages have it; "" for one without a name, which its line alone tells."""
    if not kind.id:
        return ""
    return key if len(key) <= 60 else f"{key[:57]}..."


def _records(data: Any, name: str, kind: Kind) -> Iterator[dict[str, Any]]:
    if data is None:
        return
    if not isinstance(data, dict):
        raise OntologyError("must be a mapping", place=name, hint=f"start it with {kind.listed or 'its fields'}:")
    if not kind.listed:
        yield {**({"name": Path(name).stem} if kind.id else {}), **data}
        return
    unknown = set(data) - {kind.listed}
    if unknown or not isinstance(data.get(kind.listed), list):
        raise OntologyError(f"must hold one list, {kind.listed}; found {', '.join(sorted(data))}", place=name)
    for item in data[kind.listed]:
        if kind.model is schema.DistinctRecord and isinstance(item, list):
            item = dict(zip(("a", "b", "why", "a fourth item"), item, strict=False))
        if not isinstance(item, dict):
            raise OntologyError(f"a record of {kind.listed} must be a mapping, not {item!r}", place=name)
        yield item


def _key(record: Mapping[str, Any], kind: Kind) -> str:
    """The key of a record: the fields that name it; else all of it, so that records without a name stay
    apart."""
    if kind.id:
        return JOINT.join(str(record.get(field, "")) for field in kind.id)
    return json.dumps(record, sort_keys=True, default=str) if kind.listed else ""


def overlay(base: Content, extra: Content) -> Content:
    """`base` with the records of `extra` on top: a new key adds, a known one overrides field by field.

    Lists of words are united, unless the record says `replace: true`; other fields are replaced.
    """
    laid = {kind: dict(records) for kind, records in base.items()}
    for kind, records in extra.items():
        for key, raw in records.items():
            record = {field: value for field, value in raw.record.items() if field != "replace"}
            known = laid[kind].get(key)
            united = raw.record.get("replace") is not True
            laid[kind][key] = raw._replace(record=record) if known is None else _laid(known, raw, record, united)
        if KINDS[kind].ordered:  # those of the user come first
            laid[kind] = {**{key: laid[kind][key] for key in records}, **laid[kind]}
    return laid


def _laid(known: Raw, raw: Raw, record: dict[str, Any], united: bool) -> Raw:
    below = (*known.below, known._replace(below=()))
    return raw._replace(record=_over(known.record, record, united), below=below)


def _over(old: Mapping[str, Any], new: Mapping[str, Any], united: bool) -> dict[str, Any]:
    made = dict(old)
    for field, value in new.items():
        before = made.get(field)
        if field == "values" and isinstance(before, list) and isinstance(value, list):
            made[field] = _values(before, value, united)
        elif united and field in _UNITED and isinstance(before, list) and isinstance(value, list):
            made[field] = before + [item for item in value if item not in before]
        elif isinstance(before, dict) and isinstance(value, dict):
            made[field] = {**before, **value}
        else:
            made[field] = value
    return made


def _values(old: list[Any], new: list[Any], united: bool) -> list[Any]:
    """The values of an attribute kind, laid over each other by their `value`."""
    made = {str(value.get("value")): value for value in old if isinstance(value, dict)}
    for value in new:
        known = made.get(str(value.get("value"))) if isinstance(value, dict) else None
        made[str(value.get("value"))] = _over(known, value, united) if known else value
    return list(made.values())
