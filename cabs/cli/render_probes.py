"""How probes of metrics look in a terminal."""

from __future__ import annotations

from collections.abc import Iterator

from rich.table import Table

from cabs.cli.render import empty_table
from cabs.studies.probes import Probing
from cabs.studies.probes.data import Rule
from cabs.studies.probes.result import Probed

SIGNS = {True: "", False: "!", None: "?"}
LEGEND = (
    "worth: 0 is what the metric gives to silence, 1 to the reference itself, - undefined; ! breaks a rule, ? can't be "
    "asked, in brackets: no rule of the probe is for this family of metrics"
)
"""What the numbers and marks of the verdicts are."""


def verdicts_table(result: Probing) -> Table:
    """A row a probe, a column a metric: the worth of the probe's text, marked where the metric fails it."""
    table = empty_table("probe", "of", *(metric.label for metric in result.metrics))
    for probe in result.probes:
        of = result.metrics[0].values[probe.id].references if result.metrics else 0
        table.add_row(probe.id, str(of), *(_cell(metric, probe.id) for metric in result.metrics))
    failed = (sum(passed is False for passed in metric.verdicts.values()) for metric in result.metrics)
    table.add_row("failed", "", *(str(number) for number in failed))
    return table


def _cell(metric: Probed, probe: str) -> str:
    worth = metric.values[probe].worth
    shown = "-" if worth is None else f"{worth:.2f}"
    verdicts = metric.verdicts
    return f"{shown} {SIGNS[verdicts[probe]]:1}" if probe in verdicts else f"({shown})"


def rules_lines(result: Probing) -> Iterator[str]:
    """What each probe does and what is asked, one line each."""
    for probe in result.probes:
        yield f"{probe.id}: {probe.does}; {'; '.join(_rule(rule, result) for rule in probe.rules)}"


def _rule(rule: Rule, result: Probing) -> str:
    than, by = " and ".join(rule.than), f"{result.margins[rule.by]:g}" if rule.by else ""
    said = {
        "below": f"below {than}" + (f" by {by}" if by else ""),
        "not_above": f"not above {than} (+{by})",
        "same": f"as {than} (±{by})",
        "above": f"above {than}",
        "at_most": f"at most {by}",
        "milder": f"costs less per sentence than {than}",
        "costs": f"costs at least {by} of what {than} costs",
    }[rule.kind]
    whom = ", ".join(rule.only or rule.families)
    return f"{said} [{whom}]" if whom else said


def failures_table(result: Probing) -> Table:
    """Every rule that a metric breaks."""
    table = empty_table("metric", "probe", "rule", "held against", "worth", "other", "short by", left={0, 1, 2, 3})
    for metric in result.metrics:
        for check in metric.checks:
            if check.passed is False:
                other = "" if check.other is None else f"{check.other:.3f}"
                lead = f"{-(check.lead or 0):.3f}" + (
                    "" if check.clear or check.interval is None else " (within the interval)"
                )
                table.add_row(metric.label, check.probe, check.kind, check.than, f"{check.value:.3f}", other, lead)
    return table
