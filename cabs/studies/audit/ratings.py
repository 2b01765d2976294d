"""Rated rows and the reports' texts → what was rated, report by report: the facts that stand, and what was said."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from cabs.errors import InputError
from cabs.io.frozen import text_hash
from cabs.io.ids import near
from cabs.ontology import Ontology
from cabs.studies.audit.check import Checker, RowError
from cabs.studies.audit.columns import CORRECTED
from cabs.studies.audit.rows import Problems, Rated, SheetRow
from cabs.studies.audit.source import Key
from cabs.values import Fact, Normal, ParsedReport

ALLOW = "rate them, or use --allow-unrated to leave their reports out of the frozen facts"
ENTITY = ("entity", "status")
"""Corrections that say that the fact was another one, not just told wrongly."""


@dataclass(frozen=True, slots=True)
class RatedFact:
    """A fact of the sheet: as it was, its rating, and the names of the slots that were corrected."""

    fact: Fact
    rating: str
    corrected: tuple[str, ...]

    @property
    def kept(self) -> bool:
        """Whether the report states this fact, whatever its slots."""
        return self.rating == "accept" or (self.rating == "correct" and not set(self.corrected) & set(ENTITY))


@dataclass(frozen=True, slots=True)
class RatedReport:
    """One report of a sheet. `facts`: those that stand, corrected and added ones among them. `empty`: None, or whether
    it was confirmed that it states nothing. `gone`: rows that are not in the sheet any more."""

    key: Key
    text: str
    rated: tuple[RatedFact, ...]
    facts: tuple[Fact, ...]
    added: int
    empty: bool | None
    unrated: int
    gone: int
    normal: tuple[Normal, ...]

    @property
    def whole(self) -> bool:
        """Whether every row was rated."""
        return not (self.unrated or self.gone)

    @property
    def parsed(self) -> ParsedReport:
        """The report as reference facts: someone has read it."""
        return ParsedReport(tuple(sorted(self.facts, key=lambda f: (f.mention, f.evidence))), self.normal, True)


def rated_reports(
    sheet: Rated, texts: Mapping[Key, str], ontology: Ontology, *, allow_unrated: bool = False
) -> list[RatedReport]:
    """The reports of a sheet in the order in which they first come.

    Raises:
        InputError: a report has no text or another one than the sheet was made from, a row can't stand, or one is
            unrated or gone and `allow_unrated` is False. All rows at fault are named.
    """
    by_key: dict[Key, list[SheetRow]] = {}
    for row in sheet.rows:
        by_key.setdefault(row.key, []).append(row)
    problems, checker = Problems(), Checker(ontology)
    found = []
    for key, rows in by_key.items():
        text = _text(key, rows, texts, problems)
        if text is not None:
            found.append(_report(key, rows, text, checker, problems))
    problems.check()
    _all_rated(sheet, allow_unrated)
    return found


def _text(key: Key, rows: Sequence[SheetRow], texts: Mapping[Key, str], problems: Problems) -> str | None:
    text, first = texts.get(key), rows[0]
    if text is None:
        hint = f"--reports names the file that the sheet was made from; {near(key.id, (k.id for k in texts))}"
        problems.add(first.place, f"there is no report {key}", hint)
    elif any(row.text_hash not in ("", text_hash(text)) for row in rows):
        problems.add(first.place, f"report {key} has another text than the sheet was made from", "use the same file")
    else:
        return text
    return None


def _report(key: Key, rows: Sequence[SheetRow], text: str, checker: Checker, problems: Problems) -> RatedReport:
    rated: list[RatedFact] = []
    facts: list[Fact] = []
    added, unrated = 0, 0
    empty: bool | None = None
    for row in rows:
        try:
            if row.what == "add":
                if row.corrections:
                    facts.append(checker.added(row.corrections, text))
                    added += 1
            elif row.rating is None:
                unrated += 1
                _nothing_lost(row)
            elif row.what == "none":
                empty = _emptiness(row)
            elif row.fact is not None:
                stands = checker.rated(row, text)
                rated.append(RatedFact(row.fact, row.rating, tuple(n for n in CORRECTED if n in row.corrections)))
                facts.extend([] if stands is None else [stands])
        except RowError as error:
            problems.add(row.place, error.message, error.hint)
    if empty is False and not added:
        row = next(row for row in rows if row.what == "none")
        problems.add(row.place, "it is rejected that the report states nothing, but no fact is added")
    normal = next((row.report.normal for row in rows if row.report is not None), ())
    gone = max(row.rows for row in rows) - sum(row.what != "add" for row in rows)
    return RatedReport(key, text, tuple(rated), tuple(facts), added, empty, unrated, max(0, gone), normal)


def _nothing_lost(row: SheetRow) -> None:
    if row.corrections:
        raise RowError("slots are corrected, but the row has no rating", hint="write correct")


def _emptiness(row: SheetRow) -> bool:
    if row.rating == "correct" or row.corrections:
        raise RowError("a row without a fact is accepted or rejected", hint="facts are added in rows that say add")
    return row.rating == "accept"


def _all_rated(sheet: Rated, allowed: bool) -> None:
    unrated = [row for row in sheet.rows if row.what != "add" and row.rating is None]
    if allowed or not (unrated or sheet.missing):
        return
    if unrated:
        places = ", ".join(row.place for row in unrated[:3]) + (", ..." if len(unrated) > 3 else "")
        raise InputError(f"{len(unrated)} rows are unrated: {places}", place=unrated[0].place, hint=ALLOW)
    numbers = ", ".join(map(str, sheet.missing[:5])) + (", ..." if len(sheet.missing) > 5 else "")
    raise InputError(
        f"{len(sheet.missing)} rows of the sheet are gone: {numbers}", place=sheet.rows[0].place, hint=ALLOW
    )


def counts(report: RatedReport) -> Counter[str]:
    """What a report adds to the rates, by column."""
    found: Counter[str] = Counter({"reports": 1, "added": report.added, "unrated": report.unrated})
    if report.empty is not None:
        found.update({"empty": 1, "empty_confirmed": int(report.empty)})
    for rated in report.rated:
        groups = ("", f"entity={rated.fact.name}", f"organ={rated.fact.organ or 'unknown'}")
        groups += (f"status={rated.fact.status}", *((f"system={report.key.system}",) if report.key.system else ()))
        for group in groups:
            found[f"{group}:rated"] += 1
            found[f"{group}:{rated.rating}"] += 1
            found[f"{group}:kept"] += rated.kept
        if rated.rating != "reject":
            found["standing"] += 1
            for slot in rated.corrected:
                found[f"slot={slot}"] += 1
    found["found"] = found[":accept"] + found[":correct"]
    return found
