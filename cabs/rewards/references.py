"""The reference of a sample, whatever it is given as → its facts by section, read once and remembered."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from types import MappingProxyType
from typing import Any

from cabs.errors import InputError
from cabs.io import tif
from cabs.io.record import Record, kind_of
from cabs.io.sides import ALONE, Side, facts_side, first_side
from cabs.matching import Matcher
from cabs.matching.alignment import CanonicalReport
from cabs.ontology import Ontology
from cabs.parsing.parser import parser_of
from cabs.rewards.tags import SECTIONS, has_tags, tagged
from cabs.scoring.adopt import adopted
from cabs.scoring.judge import Parser
from cabs.scoring.quoted import QuoteReader
from cabs.values import ParsedReport, QuotedReport, Section

REMEMBERED = 4096
"""References kept per reader, and sections of completions: groups repeat themselves, and rewards read the same ones."""
PLACE = "reference"


@dataclass(frozen=True, slots=True)
class Stated:
    """What one section states: its facts in the order of the text, and in the form in which they are matched."""

    report: ParsedReport
    canonical: CanonicalReport


@dataclass(frozen=True, slots=True)
class Reference:
    """The sections that a reference has, and its text (None where it is known by its facts alone). `listed`: its facts
    are given, not read from the text."""

    sections: Mapping[Section, Stated]
    text: str | None
    listed: bool = False

    @property
    def read(self) -> Mapping[Section, Stated]:
        """The sections in which something was recognised."""
        return {name: stated for name, stated in self.sections.items() if stated.canonical.read}


class SectionReader:
    """Reads reports section by section under one ontology. Thread-safe; what it remembers never changes an answer."""

    def __init__(self, ontology: Ontology, matcher: Matcher, parser: Parser | None = None) -> None:
        self._ontology, self._matcher = ontology, matcher
        self._rules = parser_of(ontology)
        self._parse: Parser = parser or self._rules.parse
        self._quotes = QuoteReader(ontology)
        self._known = lru_cache(REMEMBERED)(self._read)
        self._told = lru_cache(REMEMBERED)(self._parsed)

    def reference(self, given: object) -> Reference:
        """The reference of a sample; see `Example` for what it may be.

        Raises:
            InputError: it is none of these, or a field of its facts is wrong.
        """
        return self._known(_hashable(given))

    def stated(self, text: str, section: Section) -> Stated:
        """What a text states as one section, whatever headings stand in it."""
        return self._told(text, section)

    def by_headings(self, text: str) -> dict[Section, str]:
        """The text of each section by its headings; what stands before any is findings."""
        found: dict[Section, list[str]] = {}
        for stretch in self._rules.stretches(text):
            name: Section = "impression" if stretch.role == "impression" else "findings"
            found.setdefault(name, []).append(text[stretch.start : stretch.end])
        return {name: "\n".join(found[name]) for name in SECTIONS if name in found}

    def _parsed(self, text: str, section: Section) -> Stated:
        return self._stated(self._parse(text), section)

    def _read(self, given: str | ParsedReport | QuotedReport) -> Reference:
        side = _side(given)
        if isinstance(side, str):
            texts = {n: t for n, t in tagged(side).items() if t} if has_tags(side) else self.by_headings(side)
            return Reference(_frozen({name: self._parsed(text, name) for name, text in texts.items()}), side)
        report = self._quotes.read(side) if isinstance(side, QuotedReport) else adopted(side, self._ontology)
        both = isinstance(side, QuotedReport) and side.scheme == tif.SCHEME  # its record always has both
        told = {SECTIONS[0], *(SECTIONS if both else (fact.section for fact in report.facts))}
        stated = {name: self._stated(_only(report, name), name) for name in SECTIONS if name in told}
        return Reference(_frozen(stated), side.text if isinstance(side, QuotedReport) else None, listed=True)

    def _stated(self, report: ParsedReport, section: Section) -> Stated:
        facts = tuple(f if f.section == section else replace(f, section=section) for f in report.facts)
        own = replace(report, facts=facts)
        return Stated(own, self._matcher.canonical(own))


def _only(report: ParsedReport, section: Section) -> ParsedReport:
    """The facts of one section. Statements of normality have none: they stay with the first."""
    normal = report.normal if section == SECTIONS[0] else ()
    return replace(report, facts=tuple(f for f in report.facts if f.section == section), normal=normal)


def _frozen(sections: dict[Section, Stated]) -> Mapping[Section, Stated]:
    return MappingProxyType(sections)


def _hashable(given: object) -> str | ParsedReport | QuotedReport:
    """The reference as a value that can be remembered; objects of any framework as JSON."""
    if isinstance(given, str | ParsedReport | QuotedReport):
        return given
    plain = _plain(given)
    if not isinstance(plain, Mapping | list):
        raise InputError(f"text or facts expected, found {kind_of(given)}", place=PLACE)
    try:
        return json.dumps(plain, sort_keys=True)
    except (TypeError, ValueError) as error:
        raise InputError(f"it can't be read: {error}", place=PLACE) from None


def _plain(value: Any) -> Any:
    """JSON's own types: arrays of numpy as lists, and without the keys that Arrow fills up with None."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, Mapping):
        return {str(name): _plain(item) for name, item in value.items() if item is not None}
    return [_plain(item) for item in value] if isinstance(value, list | tuple) else value


def _side(given: str | ParsedReport | QuotedReport) -> Side:
    if not isinstance(given, str) or given.lstrip()[:1] not in ("{", "["):
        return given
    try:
        value = json.loads(given)
    except ValueError:
        return given  # "[A note in brackets] ..."
    if isinstance(value, Mapping):
        return _of_fields(value)
    return facts_side(value, PLACE, PLACE) if isinstance(value, list) else given


def _of_fields(value: Mapping[str, Any]) -> Side:
    for fields in (value, {"extra_info": value}, {"extra_info": {"info": value}}):
        if tif.matches(fields):
            record = tif.record(Record({"id": "1", **fields}, PLACE))
            return record.fields["reference"]  # type: ignore[return-value]  # that is what it puts there
    if "facts" in value:
        return facts_side(value, PLACE, PLACE)
    side = first_side(Record(value, PLACE), ALONE["reference"])
    if side is None:
        hint = "a report's text, facts, or a record with extra_info.info.findings_abnormality_entity"
        what = f"nothing to score in an object with {', '.join(map(str, value)) or 'no field'}"
        raise InputError(what, place=PLACE, hint=hint)
    return side
