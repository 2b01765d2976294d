"""Rated reports → acceptance rates with intervals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from cabs.metrics.estimates import Estimate, Share, estimates
from cabs.metrics.intervals import Resampling
from cabs.ontology import Ontology
from cabs.signature import Signature, sign
from cabs.studies.audit.columns import CORRECTED
from cabs.studies.audit.ratings import RatedReport, counts

SCHEMA_VERSION = 1
"""Of the page of rates; a change that a reader would notice raises it."""
GROUPS = ("status", "entity", "organ", "system")
NO_FACT = "no fact was rated"
OVERALL: dict[str, Share] = {
    "accepted": Share(":accept", (":rated",), empty=NO_FACT),
    "entity_accepted": Share(":kept", (":rated",), empty=NO_FACT),
    "corrected": Share(":correct", (":rated",), empty=NO_FACT),
    "rejected": Share(":reject", (":rated",), empty=NO_FACT),
    "found": Share("found", ("found", "added"), empty="no report states a fact"),
    "empty_confirmed": Share("empty_confirmed", ("empty",), empty="no report without facts was rated"),
}


@dataclass(frozen=True, slots=True)
class Group:
    """The facts of one entity, organ, status or system: how many were rated, and the share that was accepted, and that
    was accepted but for slots other than entity and status."""

    rated: int
    accepted: Estimate
    entity_accepted: Estimate


@dataclass(frozen=True, slots=True)
class Rates:
    """What the ratings of a sheet say.

    `overall`: `accepted`, `corrected` and `rejected` of the rated facts; `entity_accepted`: accepted, or corrected in
    other slots than entity and status; `found`: facts that stand / (facts that stand + added ones); `empty_confirmed`
    of the reports without facts. `slots`: the share of standing facts whose slot was corrected. `groups`: entity,
    organ, status and system → key → rates, the most rated first.

    Intervals are made by drawing reports anew: the facts of a report share its text and its rater, so that Wilson's
    interval over single facts would be too narrow. Only at 0 and 1, where every draw repeats the value, it stands in,
    with the number of reports as that of observations.
    """

    signature: Signature
    reports: int
    rated: int
    added: int
    unrated: int
    missing_rows: int
    overall: Mapping[str, Estimate]
    slots: Mapping[str, Estimate]
    groups: Mapping[str, Mapping[str, Group]]

    def to_json(self) -> dict[str, Any]:
        """The rates in JSON's own types."""
        numbers = {name: getattr(self, name) for name in ("reports", "rated", "added", "unrated", "missing_rows")}
        return {
            "schema_version": SCHEMA_VERSION,
            "signature": str(self.signature),
            **numbers,
            "overall": {name: e.to_json() for name, e in self.overall.items()},
            "slots": {name: e.to_json() for name, e in self.slots.items()},
            "groups": {group: {key: _group(g) for key, g in keys.items()} for group, keys in self.groups.items()},
        }


def _group(group: Group) -> dict[str, Any]:
    accepted, entity = group.accepted.to_json(), group.entity_accepted.to_json()
    return {"rated": group.rated, "accepted": accepted, "entity_accepted": entity}


def rates(
    reports: Sequence[RatedReport], ontology: Ontology, resampling: Resampling | None = None, missing_rows: int = 0
) -> Rates:
    """The rates of rated reports. Without a rated fact they are None, with the reason."""
    how, rows = resampling or Resampling(), [counts(report) for report in reports]
    total = {name: sum(row[name] for row in rows) for name in {name for row in rows for name in row}}
    slots = {name: Share(f"slot={name}", ("standing",), empty="no fact stands") for name in CORRECTED}
    keys = {name.rpartition(":")[0] for name in total if name.endswith(":rated")} - {""}
    shares = {**OVERALL, **{f"slot={name}": share for name, share in slots.items()}}
    for key in keys:
        shares[f"{key}:accept"] = Share(f"{key}:accept", (f"{key}:rated",), empty=NO_FACT)
        shares[f"{key}:kept"] = Share(f"{key}:kept", (f"{key}:rated",), empty=NO_FACT)
    found = estimates(rows, shares, how, wilson=True)
    onto = f"{ontology.name}@{ontology.version}"
    parameters = (("study", "ratings"), *how.items())
    return Rates(
        signature=sign(
            ontology_version=onto, ontology_hash=ontology.content_hash, parser="sheet", parameters=parameters
        ),
        reports=len(reports),
        rated=total.get(":rated", 0),
        added=total.get("added", 0),
        unrated=total.get("unrated", 0),
        missing_rows=missing_rows,
        overall={name: found[name] for name in OVERALL},
        slots={name: found[f"slot={name}"] for name in slots},
        groups={group: _keys(group, keys, total, found) for group in GROUPS},
    )


def _keys(group: str, keys: set[str], total: Mapping[str, int], found: Mapping[str, Estimate]) -> dict[str, Group]:
    mine = [key for key in keys if key.startswith(f"{group}=")]
    mine.sort(key=lambda key: (-total[f"{key}:rated"], key))
    return {
        key.partition("=")[2]: Group(total[f"{key}:rated"], found[f"{key}:accept"], found[f"{key}:kept"])
        for key in mine
    }
