"""The verl record of TIF-GRPO: a ground truth text and, beside it, its abnormality entities, which are the
reference facts (reward/example.json of github.com/ZJU4HealthCare/TIF-GRPO)."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import get_args

from cabs.errors import InputError
from cabs.io.fields import clean_text, names_of
from cabs.io.quoted import quoted_fact
from cabs.io.record import Record, kind_of
from cabs.values import QuotedFact, QuotedReport, Section

SCHEME = "tif"
"""The crosswalk of the organ categories."""


def matches(fields: Mapping[str, object]) -> bool:
    """True for a record with `extra_info.info.<section>_abnormality_entity`."""
    info = _inside(fields, "extra_info", "info")
    return info is not None and any(_container(s) in info for s in get_args(Section))


def record(source: Record) -> Record:
    """The same record with the fields of a pair: the reference is its entities, the prediction is whatever
    field beside them has a usual name for it.

    Raises:
        InputError: an entity lacks a field or has another type.
    """
    info = _inside(source.fields, "extra_info", "info") or {}
    facts = tuple(fact for section in get_args(Section) for fact in _facts(info, section, source.place))
    reference = QuotedReport(facts, _ground_truth(source), SCHEME)
    kept = {name: source.fields[name] for name in source.fields if name not in _REPLACED}
    id_field = {} if names_of(source, "id") else {"id": _id(source)}
    return Record({**id_field, **kept, "reference": reference}, source.place, source.key)


_REPLACED = frozenset({"data_source", "prompt", "videos", "images", "ability", "reward_model", "extra_info"})


def _container(section: str) -> str:
    return f"{section}_abnormality_entity"


def _inside(fields: Mapping[str, object], *path: str) -> Mapping[str, object] | None:
    value: object = fields
    for name in path:
        value = value.get(name) if isinstance(value, Mapping) else None
    return value if isinstance(value, Mapping) else None


def _facts(info: Mapping[str, object], section: Section, place: str) -> list[QuotedFact]:
    container = info.get(_container(section))
    if container is None:
        return []
    listed = container.get("abnormalities") if isinstance(container, Mapping) else None
    if not isinstance(listed, list):
        raise InputError(f"{_container(section)}.abnormalities holds {kind_of(listed)}, a list expected", place=place)
    where = f"{place}: {_container(section)}"
    return [quoted_fact(_with_section(f, section), f"{where}[{i}]") for i, f in enumerate(listed)]


def _with_section(fact: object, section: Section) -> object:
    return {**fact, "section": section} if isinstance(fact, Mapping) else fact


def _ground_truth(source: Record) -> str | None:
    truth = (_inside(source.fields, "reward_model") or {}).get("ground_truth")
    return None if truth is None else clean_text(truth, "ground_truth", source.place)


def _id(source: Record) -> object:
    """The id of a record that names none at its top: `extra_info`'s, or the file name of its first image or
    video."""
    extra = _inside(source.fields, "extra_info") or {}
    for name in ("id", "study_id", "uid", "index"):
        if extra.get(name) is not None:
            return extra[name]
    path = _first_path(source.fields.get("videos")) or _first_path(source.fields.get("images"))
    if not path:
        raise InputError("the record has no id", place=source.place, hint="give it a field 'id' or 'extra_info.index'")
    return PurePosixPath(path).name.split(".")[0]


def _first_path(value: object) -> str | None:
    while not isinstance(value, str):
        if isinstance(value, list) and value:
            value = value[0]
        elif isinstance(value, Mapping):
            value = value.get("video") or value.get("image")
        else:
            return None
    return value
