"""Several readings of the same reports by one reader → how often they differ.

Source: [TIF] gives its extractor's self-consistency as the share of reports that differ by two or more units between
runs (less than 0.8 %).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from cabs.errors import InputError, SettingError
from cabs.matching import Settings
from cabs.metrics.estimates import Estimate, Share, Statistic, estimates
from cabs.metrics.intervals import Resampling
from cabs.ontology import Ontology
from cabs.scoring.judge import Judge, Plan
from cabs.scoring.left_out import Listed
from cabs.signature import Signature, sign
from cabs.studies.agreement.report import Comparer, column
from cabs.studies.agreement.slots import slots
from cabs.studies.agreement.units import Pairing
from cabs.values import ParsedReport

NAME = "consistency"
SHARES = {
    "same": "reports that all runs read alike, slot by slot",
    "one_or_more": "reports with 1 or more differing units",
    "two_or_more": "reports with 2 or more differing units",
    "two_or_more_fully": "... slots counted too",
}
"""The shares, in order, and what they are called. A report counts as its two runs that differ most."""

Reading = Mapping[str, ParsedReport | str]
"""The facts of each report in one run; a text in their place says why there are none."""


@dataclass(frozen=True, slots=True)
class Repeated:
    """How far runs of one reader agree over present facts. `failed`: reports without facts in some run, which are in no
    share; `facts`: of all runs together."""

    signature: Signature
    runs: int
    reports: int
    facts: int
    shares: Mapping[str, Estimate]
    failed: tuple[Listed, ...]

    def to_json(self) -> dict[str, Any]:
        """The result in JSON's own types; it holds no word of a report."""
        return {
            "signature": str(self.signature),
            "runs": self.runs,
            "reports": self.reports,
            "facts": self.facts,
            "shares": {name: share.to_json() for name, share in self.shares.items()},
            "failed": [{"id": item.id} for item in self.failed],
        }


def repeated(
    runs: Sequence[Reading],
    ontology: Ontology,
    *,
    parser: str,
    items: Sequence[tuple[str, str]] = (),
    resampling: Resampling | None = None,
) -> Repeated:
    """How far runs differ, report by report; all pairs of runs are compared. `parser`, `items`: who read, for the
    signature.

    Raises:
        SettingError: there are fewer than two runs; InputError: no report has facts in every run.
    """
    if len(runs) < 2:
        raise SettingError(f"{len(runs)} run has nothing to differ from", place="runs", hint="2 or more")
    how = resampling or Resampling()
    failed = tuple(Listed(id, why) for id in runs[0] if (why := _why(id, runs)))
    left = {item.id for item in failed}
    ids = [id for id in runs[0] if id not in left]
    if not ids:
        hint = failed[0].reason if failed else "the file holds no report"
        raise InputError("no report has facts in every run", place="reports", hint=hint)
    judge = Judge(Plan(ontology, Settings()))
    comparer = Comparer(Pairing(judge.matcher), slots(ontology, "strict"))
    rows = [_row(id, runs, comparer) for id in ids]
    wanted: dict[str, Statistic] = {name: Share(name, ("reports",), empty="there are no reports") for name in SHARES}
    onto = f"{ontology.name}@{ontology.version}"
    parameters = [("study", NAME), ("runs", str(len(runs))), *(i for i in items if i[0] != "run"), *how.items()]
    signature = sign(
        ontology_version=onto, ontology_hash=ontology.content_hash, parser=parser, parameters=parameters
    )  # fmt: skip
    facts = sum(row["facts"] for row in rows)
    return Repeated(signature, len(runs), len(ids), facts, estimates(rows, wanted, how), failed)


def _why(id: str, runs: Sequence[Reading]) -> str:
    return next((str(run[id]) for run in runs if isinstance(run[id], str)), "")


def _row(id: str, runs: Sequence[Reading], comparer: Comparer) -> Counter[str]:
    """What one report adds."""
    read = [facts for run in runs if isinstance(facts := run[id], ParsedReport)]
    differing = fully = 0
    for one, other in combinations(read, 2):
        counts = comparer.compare(id, one, other).counts
        differing = max(differing, counts[column("present", "differing")])
        fully = max(fully, counts[column("present", "differing_fully")])
    present = sum(fact.status == "present" for report in read for fact in report.facts)
    return Counter(
        reports=1, facts=present, same=int(not fully), one_or_more=int(differing > 0),
        two_or_more=int(differing > 1), two_or_more_fully=int(fully > 1),
    )  # fmt: skip
