"""Pairs of a file → one page that shows each of them: what `cabs explain` says, to look at."""

from __future__ import annotations

from collections.abc import Iterable

from cabs.leaderboard.entrant import UNSCORED, Case
from cabs.leaderboard.results import case_of_row
from cabs.leaderboard.site.single import cases_page
from cabs.metrics import NAMES
from cabs.scoring.judge import Judge, Plan
from cabs.values import Pair

ALONE = "prediction"
"""What a system without a name is called."""
ABSENT = "the file has no such pair"


def explained_page(pairs: Iterable[Pair], plan: Plan, title: str) -> str:
    """The page of pairs, by system; it needs nothing else. `plan` has to make rows.

    Raises:
        CabsError: what reading the pairs raises.
    """
    judge = Judge(plan)
    found: dict[str, dict[str, Case]] = {}
    for pair in pairs:
        row = judge.judge(pair).row or {}
        name = ALONE if pair.system is None else pair.system
        found.setdefault(name, {})[pair.id] = case_of_row(row, pair.source)
    ids = sorted({id for cases in found.values() for id in cases})
    systems = {name: [cases.get(id) or _absent(id) for id in ids] for name, cases in found.items()}
    return cases_page(systems, plan.ontology, title, text=plan.text)


def _absent(id: str) -> Case:
    return Case(id, UNSCORED, ABSENT, None, None, (), dict.fromkeys(NAMES))
