"""The data directory → one immutable, checked Ontology."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from pydantic import ValidationError

from cabs.errors import OntologyError
from cabs.ontology import build, schema
from cabs.ontology.files import KINDS, Content, overlay, read_folder
from cabs.ontology.locate import locate
from cabs.ontology.ontology import Ontology
from cabs.ontology.problems import Problem, refuse

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
    ontology = assemble(path, extra, problems)
    refuse(problems)
    if extra:
        _refuse_extra(ontology)
    return ontology


def assemble(path: str | Path | None, extra: Sequence[str], problems: list[Problem]) -> Ontology:
    """The ontology of these folders as far as it can be read; what is wrong with the files goes into
    `problems`."""
    content = read_folder(locate(path), problems)
    for folder in extra:
        if not Path(folder).is_dir():
            raise OntologyError("no such folder", place=folder, hint="name a folder of ontology files")
        content = overlay(content, read_folder(Path(folder), problems, f"{folder}/"))
    checked = _checked(content, problems)
    files = {(kind, key): raw.file for kind, records in content.items() for key, raw in records.items()}
    return _built(checked, files, (None if path is None else str(path), tuple(extra)))


def _refuse_extra(ontology: Ontology) -> None:
    """Folders of a user are checked as they are loaded; the packaged one is by its tests."""
    from cabs.ontology.lint import references

    refuse(references(ontology))


def _checked(content: Content, problems: list[Problem]) -> Checked:
    checked: Checked = {kind: {} for kind in KINDS}
    for kind, records in content.items():
        for key in sorted(records, key=KINDS[kind].order):
            try:
                checked[kind][key] = KINDS[kind].model.model_validate(records[key].record)
            except ValidationError as error:
                name = key if len(key) <= 60 else f"{key[:57]}..."
                problems.extend(Problem(records[key].file, name, message) for message in schema.faults(error))
    return checked


def content_hash(checked: Checked) -> str:
    """SHA-256 of the canonical JSON of the records: independent of files, their order, key order and
    layout."""
    canonical = {
        kind: [record.model_dump(exclude_defaults=True) for record in records.values()]
        for kind, records in checked.items()
    }
    text = json.dumps(canonical, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


def _built(checked: Checked, files: dict[tuple[str, str], str], source: tuple[str | None, tuple[str, ...]]) -> Ontology:
    def made(kind: str, builder: Callable[[Any], _Made]) -> dict[str, _Made]:
        return {key: builder(record) for key, record in checked[kind].items()}

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
        section_rules=tuple(made("sections", build.section).values()),
        abbreviation_rules=tuple(made("abbreviations", build.abbreviation).values()),
        ambiguous=tuple(made("ambiguous", build.ambiguous).values()),
        distinct=tuple(made("distinct", build.distinct).values()),
        crosswalks=build.frozen(made("crosswalks", build.crosswalk)),
        weights=build.weights(single("significance", schema.SignificanceRecord)),
        slot_costs=build.frozen(made("slots", lambda slot: float(slot.cost))),
        opposites=build.opposites(single("opposites", schema.OppositesRecord)),
        spelling=build.spelling(single("spelling", schema.SpellingRecord)),
        files=files,
        source=source,
    )
