"""The files of an agreement study: results.json, and tables of reports, slots and disagreements."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from cabs.io.formula import harmless
from cabs.io.jsontext import json_page
from cabs.io.output import staged, write_bytes
from cabs.io.tables import Column, Row, write_csv
from cabs.studies.agreement.report import STATUSES, ReportAgreement, column
from cabs.studies.agreement.result import Agreement
from cabs.values import Fact

RESULTS = "results.json"
FILES = (RESULTS, "reports.csv", "slots.csv", "disagreements.csv")
"""Every file that a study writes into its folder."""

COUNTED = ("a", "b", "paired", "full", "differing", "differing_fully")
REPORTS: tuple[Column, ...] = (
    ("id", "text"),
    ("unread_a", "bool"),
    ("unread_b", "bool"),
    *((f"{status}_{name}", "int") for status in STATUSES for name in COUNTED),
)
"""One row a report: facts of A and B, paired ones, fully equal ones, differing units, present and absent apart."""

SLOTS: tuple[Column, ...] = (
    ("status", "text"), ("slot", "text"), ("pairs", "int"), ("stated", "int"),
    ("agreement", "float"), ("agreement_low", "float"), ("agreement_high", "float"),
    ("kappa", "float"), ("kappa_low", "float"), ("kappa_high", "float"), ("kappa_reason", "text"),
)  # fmt: skip
DIFFERENCES: tuple[Column, ...] = (
    ("id", "text"), ("status", "text"), ("slot", "text"), ("entity_a", "text"), ("entity_b", "text"),
    ("said_a", "text"), ("said_b", "text"), ("start_a", "int"), ("end_a", "int"), ("evidence_a", "text"),
    ("start_b", "int"), ("end_b", "int"), ("evidence_b", "text"),
)  # fmt: skip
"""One row a disagreement. `slot` is "fact" where one of the two lacks it. Evidence is the first sentence that states
the fact, empty where the text is not known."""


def write_agreement(result: Agreement, folder: Path, *, text: bool = True) -> None:
    """Write the files of a study; with `text` False no word of a report is among them, only ids and positions.

    Raises:
        OutputError: the folder can't be written.
    """
    with staged(folder, RESULTS, FILES) as staging:
        write_csv(staging.path("reports.csv"), REPORTS, map(_report, result.rows))
        write_csv(staging.path("slots.csv"), SLOTS, _slots(result))
        write_csv(staging.path("disagreements.csv"), DIFFERENCES, _differences(result, text))
        write_bytes(staging.path(RESULTS), json_page(result.to_json()).encode("utf-8"))


def _report(row: ReportAgreement) -> Row:
    counts = row.counts
    numbers = {f"{s}_{name}": counts[column(s, name)] for s in STATUSES for name in COUNTED}
    return {
        "id": harmless(row.id),
        "unread_a": bool(counts["unread_a"]),
        "unread_b": bool(counts["unread_b"]),
        **numbers,
    }


def _slots(result: Agreement) -> Iterator[Row]:
    for status, block in result.status.items():
        for slot in block.slots:
            agreement, kappa = slot.agreement, slot.kappa
            yield {
                "status": status,
                "slot": slot.slot,
                "pairs": agreement.n,
                "stated": slot.stated,
                "agreement": agreement.value,
                "agreement_low": None if agreement.interval is None else agreement.interval.low,
                "agreement_high": None if agreement.interval is None else agreement.interval.high,
                "kappa": kappa.value,
                "kappa_low": None if kappa.interval is None else kappa.interval.low,
                "kappa_high": None if kappa.interval is None else kappa.interval.high,
                "kappa_reason": kappa.reason,
            }


def _differences(result: Agreement, text: bool) -> Iterator[Row]:
    for row in result.rows:
        for difference in row.differences:
            said = {"said_a": harmless(difference.said_a), "said_b": harmless(difference.said_b)} if text else {}
            known = result.texts.get(row.id, "") if text else ""
            yield {
                "id": harmless(row.id),
                "status": difference.status,
                "slot": difference.slot,
                **said,
                **_side("a", difference.a, known),
                **_side("b", difference.b, known),
            }


def _side(name: str, fact: Fact | None, text: str) -> Row:
    if fact is None:
        return {}
    start, end = fact.evidence[0] if fact.evidence else fact.mention
    entity = {f"entity_{name}": fact.entity}
    if not end:  # no position is known
        return entity
    evidence = harmless(" ".join(text[start:end].split()))
    return {**entity, f"start_{name}": start, f"end_{name}": end, f"evidence_{name}": evidence}
