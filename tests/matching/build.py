"""Facts and reports in few words, over the small ontology beside this file."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from pathlib import Path

from cabs.matching import Matcher, Settings
from cabs.ontology import Ontology, load_ontology
from cabs.values import (
    OTHER,
    Attribute,
    Certainty,
    Fact,
    Location,
    Normal,
    ParsedReport,
    Section,
    Side,
    Span,
    Status,
)


def ontology() -> Ontology:
    return load_ontology(Path(__file__).parent / "ontology")


@cache
def matcher(settings: Settings | None = None) -> Matcher:
    return Matcher(ontology(), settings)


def fact(
    entity: str,
    organ: str | None = None,
    side: Side | None = None,
    *,
    at: Iterable[str] = (),
    mm: tuple[float, ...] = (),
    section: Section = "findings",
    status: Status = "present",
    certainty: Certainty = "definite",
    name: str | None = None,
    start: int = 0,
    **values: str | tuple[str, ...],
) -> Fact:
    """A fact; `values` are attribute values by kind, `mm` a measurement, `start` its place in the report."""
    known = ontology()
    kind = "abnormality" if entity == OTHER else known.entity(entity).kind
    attributes = [Attribute(k, v, v) for k, vs in values.items() for v in (vs if isinstance(vs, tuple) else (vs,))]
    if mm:
        attributes.append(Attribute("size", " x ".join(f"{axis:g}" for axis in mm) + " mm", None, mm))
    ids = tuple(at)
    return Fact(
        section,
        status,
        entity,
        kind,  # type: ignore[arg-type]
        known.entity(entity).label if name is None else name,
        organ if organ is not None or entity == OTHER else next(iter(known.entity(entity).organs), None),
        side,
        Location(" ".join(ids), ids),
        tuple(attributes),
        certainty,
        Span(start, start + 5),
        (Span(start, start + 20),),
    )


def report(*facts: Fact, normal: Iterable[str] = (), read: bool = True) -> ParsedReport:
    return ParsedReport(tuple(facts), tuple(Normal(organ, Span(0, 1)) for organ in normal), read)
