"""Rated reports → a frozen file of reference facts."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from cabs.errors import InputError
from cabs.io.facts import report_to_json, without_text
from cabs.io.frozen import Header, content_hash, text_hash, write_frozen
from cabs.ontology import Ontology
from cabs.studies.audit.ratings import RatedReport
from cabs.values import OTHER


def freeze(
    reports: Sequence[RatedReport], path: Path, ontology: Ontology, *, raters: str = "", text: bool = True
) -> Header:
    """Write the reports whose every row was rated: rejected facts are out, corrections and added facts in. Normality
    statements are those of the sheet, which nobody rated. With `text` False no word of a report is kept.

    Raises:
        InputError: no report is whole, or an id comes from several systems; OutputError: the place can't be written.
    """
    whole = [report for report in reports if report.whole]
    if not whole:
        raise InputError("no report has all its rows rated, so there is nothing to freeze", place=str(path))
    ids = [report.key.id for report in whole]
    twice = next((id for id in ids if ids.count(id) > 1), None)
    if twice is not None:
        hint = "--system chooses one; a report has one set of reference facts"
        raise InputError(f"report {twice!r} was rated for several systems", place=str(path), hint=hint)
    lines = [_line(report, ontology, text) for report in whole]
    rated = [fact.rating for report in whole for fact in report.rated]
    header = Header(
        content_hash=content_hash(lines),
        ontology=f"{ontology.name}@{ontology.version}",
        ontology_hash=ontology.content_hash,
        reports=len(whole),
        rated=len(rated),
        accepted=rated.count("accept"),
        corrected=rated.count("correct"),
        rejected=rated.count("reject"),
        added=sum(report.added for report in whole),
        raters=raters,
    )
    write_frozen(path, header, lines)
    return header


def _line(report: RatedReport, ontology: Ontology, text: bool) -> dict[str, object]:
    def label(entity: str) -> str:
        return "" if entity == OTHER else ontology.entity(entity).label

    facts = report.parsed if text else without_text(report.parsed, label)
    return {"id": report.key.id, "text_hash": text_hash(report.text), **report_to_json(facts)}
