"""Sections that were read apart → one report."""

from __future__ import annotations

from collections.abc import Iterable

from cabs.values import ParsedReport


def joined(reports: Iterable[ParsedReport]) -> ParsedReport:
    """The sections of a report as one; unread where none of them was read, as for no sections."""
    parts = list(reports)
    facts = tuple(fact for part in parts for fact in part.facts)
    normal = tuple(statement for part in parts for statement in part.normal)
    issues = tuple(issue for part in parts for issue in part.issues)
    return ParsedReport(facts, normal, any(part.read for part in parts), issues)
