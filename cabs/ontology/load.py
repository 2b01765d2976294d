"""The data directory → one immutable, checked Ontology."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from pydantic import ValidationError

from cabs.errors import OntologyError
from cabs.ontology import build, schema
from cabs.ontology.building import building
from cabs.ontology.files import KINDS, Content, Kind, called, overlay, read_folder
from cabs.ontology.locate import locate
from cabs.ontology.ontology import Ontology
from cabs.ontology.origin import Raw
from cabs.ontology.problems import Problem, refuse
from cabs.ontology.rules import Group
from cabs.ontology.suggest import meant_of_few, nearest

_Made = TypeVar("_Made")
Checked = dict[str, dict[str, schema.Record]]
"""Kind → key → record that fits its schema, in the order of the keys."""


def load_ontology(path: str | Path | None = None, extra: Sequence[str | Path] | str | Path = ()) -> Ontology:
    """The ontology of a folder (default: the one that comes with CABS), cached per arguments.

    `extra`: folders of the same layout whose records add to it or override it, the later over the earlier.
    Only they change `content_hash`. Raises OntologyError for a folder that is missing, malformed, or
    contradicts itself, with the file and the record.
    """
    folders = (extra,) if isinstance(extra, (str, Path)) else extra
    return _load(None if path is None else str(path), tuple(str(folder) for folder in folders))


@cache
def _load(path: str | None, extra: tuple[str, ...]) -> Ontology:
    problems: list[Problem] = []
    with building():
        ontology = assemble(path, extra, problems)
    refuse(problems)
    if extra:
        _refuse_extra(ontology)
    return ontology


def assemble(path: str | Path | None, extra: Sequence[str], problems: list[Problem]) -> Ontology:
    """The ontology of these folders as far as it can be read; what is wrong with the files goes into
    `problems`."""
    content = read_folder(locate(path), problems, linked=path is None)
    for depth, folder in enumerate(extra, 1):
        if not Path(folder).is_dir():
            raise OntologyError("no such folder", place=folder, hint="name a folder of ontology files")
        laid = read_folder(Path(folder), problems, f"{folder}/", depth)
        problems += _refuse_new_organs(content, laid)
        content = overlay(content, laid)
    return _built(_checked(content, problems), content, (None if path is None else str(path), tuple(extra)))


def _refuse_new_organs(base: Content, extra: Content) -> list[Problem]:
    """Organs are a closed axis: extra terms may change the words of one, and add none. Takes the new ones out."""
    known = base["organs"]
    said = "no organ has this id, and extra terms can't add one: the organs are a closed axis of the scores"
    new = [(id, extra["organs"].pop(id)) for id in [*extra["organs"]] if id not in known]
    return [Problem(raw.file, id, f"{said}{meant_of_few(id, known)}", raw.line) for id, raw in new]


def _refuse_extra(ontology: Ontology) -> None:
    """Folders of a user are checked as they are loaded; the packaged one is by its tests."""
    from cabs.ontology.lint import references

    refuse(references(ontology))


def _checked(content: Content, problems: list[Problem]) -> Checked:
    checked: Checked = {kind: {} for kind in KINDS}
    for kind, records in content.items():
        for key in sorted(records, key=KINDS[kind].order):
            made = _fit(KINDS[kind], key, records, problems)
            if made is not None:
                checked[kind][key] = made
    return checked


def _fit(kind: Kind, key: str, records: Mapping[str, Raw], problems: list[Problem]) -> schema.Record | None:
    """A record in its schema. Of one that does not fit, what it was laid over, if anything: others may name it, and
    they are not at fault."""
    raw = records[key]
    try:
        return kind.model.model_validate(raw.record)
    except ValidationError as error:
        said = (_mistyped(key, records, error) if kind.id else []) or schema.faults(error, kind.model)
        problems += [Problem(raw.file, called(key, kind), message, raw.line) for message in said]
    return _fit(kind, key, {**records, key: raw.below[-1]}, []) if raw.below else None


def _mistyped(key: str, records: Mapping[str, Raw], error: ValidationError) -> list[str]:
    """What is said of a record that lacks fields since it was to extend another one, whose id is spelt like its own."""
    lacks = schema.missing(error)
    near = nearest(key, records.keys() - {key}) if lacks else None
    if near is None:
        return []
    return [f"no other record has this id; did you mean {near}? A new one needs {', '.join(lacks)}"]


def content_hash(checked: Checked) -> str:
    """SHA-256 of the canonical JSON of the records: independent of files, their order, key order and
    layout. Kinds that stand apart are left out."""
    return _sha256(
        {
            kind: [record.model_dump(exclude_defaults=True) for record in records.values()]
            for kind, records in checked.items()
            if not KINDS[kind].apart
        }
    )


def _sha256(value: Any) -> str:
    text = json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


def _group(record: Any) -> Group:
    return build.group(record, _sha256(record.model_dump(exclude_defaults=True)))


def _origins(content: Content) -> dict[tuple[str, Any], Raw]:
    """Where each record comes from; what it holds is kept only for one that is laid over others."""
    raws = (((kind, key), raw) for kind, records in content.items() for key, raw in records.items())
    return {place: raw if raw.below else raw._replace(record={}) for place, raw in raws}


def _built(checked: Checked, content: Content, source: tuple[str | None, tuple[str, ...]]) -> Ontology:
    origins = _origins(content)

    def made(kind: str, builder: Callable[[Any], _Made]) -> dict[str, _Made]:
        return {key: builder(record) for key, record in checked[kind].items()}

    def nameless(kind: str, builder: Callable[[Any], _Made]) -> tuple[_Made, ...]:
        """Records that stand for themselves where one asks for their origin."""
        records = made(kind, builder)
        origins.update(((kind, record), origins[kind, key]) for key, record in records.items())
        return tuple(records.values())

    def single(kind: str, model: Callable[[], Any]) -> Any:
        return next(iter(checked[kind].values()), None) or model()

    manifest = next(iter(checked["ontology"].values()), None)
    return Ontology(
        name=getattr(manifest, "name", ""),
        version=getattr(manifest, "version", "0.0.0"),
        content_hash=content_hash(checked),
        organs=build.frozen(made("organs", build.organ)),
        structures=build.frozen(made("anatomy", build.structure)),
        entities=build.frozen(made("entities", build.entity)),
        attribute_kinds=build.frozen(made("attributes", build.kind)),
        attribute_patterns=tuple(p for patterns in made("attributes", build.patterns).values() for p in patterns),
        rules=tuple(made("context", build.context).values()),
        section_rules=nameless("sections", build.section),
        abbreviation_rules=nameless("abbreviations", build.abbreviation),
        ambiguous=tuple(made("ambiguous", build.ambiguous).values()),
        distinct=nameless("distinct", build.distinct),
        crosswalks=build.frozen(made("crosswalks", build.crosswalk)),
        weights=build.weights(single("significance", schema.SignificanceRecord)),
        slot_costs=build.frozen(made("slots", lambda slot: float(slot.cost))),
        groups=build.frozen(made("groups", _group)),
        opposites=build.opposites(single("opposites", schema.OppositesRecord)),
        spelling=build.spelling(single("spelling", schema.SpellingRecord)),
        origins=origins,
        source=source,
    )
