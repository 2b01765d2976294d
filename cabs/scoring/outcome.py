"""One pair → its outcome: counts, errors and what a table of reports shows of it. Nothing here knows of other
pairs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, get_args

from cabs.metrics import FIELDS, By, Counts, Error
from cabs.values import ParsedReport

Json = dict[str, Any]
Cells = Mapping[str, str | int | float | bool | None]

GROUPS: tuple[By, ...] = get_args(By)
"""What every result is broken down by."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What scoring a pair gives.

    `reason`: why it is unscored ("" where it is scored). `silent`: why a scored prediction says nothing (""
    where it was read): "missing" or "unread". `counts` and `by` (group → key → counts) add up. `issues`: how
    often each issue was met on either side, as "side:code". `row`: the cells of the reports table, where one
    is written. `reference` and `prediction`: the parsed reports, where the caller keeps them. `used`: the hash of the
    facts, where a model made them. `passing`: it failed, and may not fail when it is tried again.
    """

    id: str
    system: str | None
    cluster: str | None
    reason: str
    silent: str
    counts: Counts
    by: Mapping[By, Mapping[str, Counts]]
    errors: tuple[Error, ...]
    issues: Mapping[str, int]
    row: Cells | None = None
    reference: ParsedReport | None = None
    prediction: ParsedReport | None = None
    used: str = ""
    passing: bool = False

    def to_json(self) -> Json:
        """The outcome for a journal; the parsed reports are left out."""
        return {
            "id": self.id,
            "system": self.system,
            "cluster": self.cluster,
            "reason": self.reason,
            "silent": self.silent,
            "counts": list(self.counts.vector()),
            "by": {group: {k: _sparse(c) for k, c in keys.items()} for group, keys in self.by.items()},
            "errors": [list(_cells(error)) for error in self.errors],
            "issues": dict(self.issues),
            "row": None if self.row is None else dict(self.row),
            "used": self.used,
        }


def from_json(value: Json) -> Outcome:
    """The outcome that a journal holds."""
    by = {g: {k: Counts(**c) for k, c in value["by"][g].items()} for g in GROUPS if g in value["by"]}
    return Outcome(
        id=value["id"],
        system=value["system"],
        cluster=value["cluster"],
        reason=value["reason"],
        silent=value["silent"],
        counts=Counts(*value["counts"]),
        by=by,
        errors=tuple(Error(*cells) for cells in value["errors"]),
        issues=value["issues"],
        row=value["row"],
        used=value.get("used", ""),
    )


def _sparse(counts: Counts) -> dict[str, int]:
    return {name: n for name, n in zip(FIELDS, counts.vector(), strict=True) if n}


def _cells(error: Error) -> tuple[str | bool, ...]:
    return (error.error, error.detail, error.entity, error.name, error.organ, error.section, error.counts)
