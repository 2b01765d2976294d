"""A text in the grammar of [E-MRL] or in any form → the facts that it states, and its key slice."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from cabs.errors import InputError
from cabs.scoring.joined import joined
from cabs.scoring.judge import Parser
from cabs.scoring.tasks.tumor.columns import value_of
from cabs.scoring.tasks.tumor.grammar import SECTIONS, Box, Output, output
from cabs.scoring.tasks.tumor.slices import Slice, moved, slice_of
from cabs.values import Fact, ParsedReport, Section, Span


@dataclass(frozen=True, slots=True)
class Stated:
    """A report's facts, its sections joined, and the slice and the box in its tags."""

    report: ParsedReport
    key_slice: Slice
    bbox: Box


def stated(text: str, parse: Parser, first_slice: int = 0, *, tags: bool = False) -> Stated:
    """What a text states. With `tags` one without section tags says nothing; otherwise headings tell its sections.

    Raises:
        CabsError: the parser does.
    """
    said = output(text, first_slice)
    names = SECTIONS if said.tagged else () if tags else SECTIONS[:1]
    parts = [_section(said, name, parse) for name in names if said.sections[name].strip()]
    return Stated(joined(parts), said.key_slice, said.bbox)


def _section(said: Output, name: Section, parse: Parser) -> ParsedReport:
    report = parse(said.sections[name])
    if said.tagged:
        report = replace(report, facts=tuple(replace(fact, section=name) for fact in report.facts))
    return without_pointers(report, said.asides[name])


def without_pointers(report: ParsedReport, asides: Sequence[Span]) -> ParsedReport:
    """A section without facts that only point at a slice ("the key one is in image 34"): their only sentence holds a
    slice or a box, and they say neither place nor attribute. Where nothing else is stated they stay: then they are all
    that is said."""
    kept = tuple(fact for fact in report.facts if not _points(fact, asides)) if asides else report.facts
    return replace(report, facts=kept) if any(fact.status == "present" for fact in kept) else report


def _points(fact: Fact, asides: Sequence[Span]) -> bool:
    bare = not fact.location.ids and not fact.side and not fact.attributes
    return bare and all(any(s.start <= aside.start < s.end for aside in asides) for s in fact.evidence)


def predicted_slice(tag: Slice, fields: Mapping[str, object], column: str, first: int, offset: int) -> Slice:
    """The slice of an output: its tag, else the column; counted from the base of the reference."""
    return moved(tag if tag.stated else slice_of(_cell(fields, column), first), offset)


def reference_slice(tag: Slice, fields: Mapping[str, object], column: str, first: int) -> Slice:
    """The slice of a reference: the column, else its tag.

    Raises:
        InputError: it is stated and invalid.
    """
    value = _cell(fields, column)
    found = tag if value is None else slice_of(value, first)
    if found.reason:
        raise InputError(f"the slice of the reference is invalid: {found.reason}", place=column)
    return found


def _cell(fields: Mapping[str, object], column: str) -> object:
    """The value of a column; whole numbers of a CSV column that once had a gap ("35.0") as such."""
    value = value_of(fields, column)
    return re.sub(r"\.0+$", "", value.strip()) if isinstance(value, str) else value
