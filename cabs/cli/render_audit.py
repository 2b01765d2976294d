"""How the results of audits look in a terminal."""

from __future__ import annotations

from collections.abc import Mapping

from rich.table import Table
from rich.text import Text

from cabs.cli.render import empty_table
from cabs.cli.visible import one_line
from cabs.metrics.estimates import Estimate
from cabs.scoring.result import cell
from cabs.studies.agreement import Agreement
from cabs.studies.audit.rates import Group, Rates
from cabs.values import Status

SHARES = {
    "a_in_b": "A's facts that B has",
    "b_in_a": "B's facts that A has",
    "overlap": "overlap",
    "a_in_b_fully": "A's facts, every slot equal",
    "b_in_a_fully": "B's facts, every slot equal",
    "two_or_more": "reports with 2 or more differences",
    "two_or_more_fully": "... slots counted too",
}
"""The shares of one status, in the order of the table, and what they are called."""


OVERALL = {
    "accepted": "accepted as they are",
    "entity_accepted": "accepted but for slots",
    "corrected": "corrected",
    "rejected": "rejected",
    "found": "facts found / stated",
    "empty_confirmed": "reports without facts confirmed",
}
"""The rates of a sheet, in the order of the table, and what they are called."""


ROWS = 15
"""Rows of a table of entities or organs; JSON has all of them."""


def estimate(value: Estimate) -> str:
    """An estimate for a table."""
    return cell(value.value, value.interval)


def shares_table(result: Agreement) -> Table:
    """Facts and shares, present and absent apart, and the status of entities."""
    table = empty_table("", *result.status)
    blocks = result.status.values()
    table.add_row("facts of A", *(str(b.facts_a) for b in blocks))
    table.add_row("facts of B", *(str(b.facts_b) for b in blocks))
    table.add_row("paired", *(str(b.paired) for b in blocks))
    for name, label in SHARES.items():
        table.add_row(label, *(estimate(b.shares[name]) for b in blocks))
    of = result.entity_status
    table.add_row(Text(f"status of {of.entities} entities per report", style="bold"))
    table.add_row("  same status where mentioned", estimate(of.mentioned))
    table.add_row("  kappa", estimate(of.kappa))
    return table


def slots_table(result: Agreement, status: Status) -> Table:
    """The slots of the paired facts of one status."""
    table = empty_table(f"slots of {status} facts", "pairs", "stated", "agreement", "kappa")
    for slot in result.status[status].slots:
        if slot.stated:
            numbers = (str(slot.agreement.n), str(slot.stated))
            table.add_row(f"  {slot.slot}", *numbers, estimate(slot.agreement), estimate(slot.kappa))
    return table


def rates_table(result: Rates) -> Table:
    """The overall rates of a sheet, and how often each slot was corrected."""
    table = empty_table("", "of", "rate")
    for name, label in OVERALL.items():
        rate = result.overall[name]
        table.add_row(label, str(rate.n), estimate(rate))
    table.add_row(Text("slots corrected", style="bold"))
    for slot, rate in result.slots.items():
        if rate.value:
            table.add_row(f"  {slot}", str(rate.n), estimate(rate))
    return table


def groups_table(group: str, keys: Mapping[str, Group]) -> Table:
    """The rates of the entities, organs, statuses or systems that were rated most."""
    table = empty_table(group, "rated", "accepted", "accepted but for slots")
    for key, rates in list(keys.items())[:ROWS]:
        table.add_row(one_line(key), str(rates.rated), estimate(rates.accepted), estimate(rates.entity_accepted))
    if len(keys) > ROWS:
        table.add_row(f"... {len(keys) - ROWS} more")
    return table
