"""The explorer as one page that needs nothing else: style, scripts and cases are in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from cabs.leaderboard.board import Framed
from cabs.leaderboard.entrant import Case
from cabs.leaderboard.site.cases import Explorer
from cabs.leaderboard.site.content import Safe
from cabs.leaderboard.site.embedded import allowed, data
from cabs.leaderboard.site.environment import POLICY, asset, rendered
from cabs.leaderboard.site.slugs import slugs
from cabs.metrics import metrics
from cabs.ontology import Ontology

SHOWN = ("f1", "precision", "recall", "fc_f1", "loc_acc", "att_acc", "cabs_score")
"""The scores of a report that the page shows."""


def cases_page(systems: Mapping[str, Sequence[Case]], ontology: Ontology, title: str, *, text: bool = True) -> str:
    """The page of systems with their cases, each about the same ids in the same order; with `text` False no word of a
    report is on it."""
    labels = {name: metrics()[name].label for name in SHOWN}
    explorer = Explorer(ontology, systems, slugs(systems), labels, text)
    scripts = {name: asset(f"{name}.js") for name in ("theme", "store", "explorer")}
    css = asset("board.css")
    policy = POLICY.format(script=" ".join(map(allowed, scripts.values())), style=allowed(css))
    parts = [[list(path), value] for path, value in explorer.parts()]
    return rendered(
        "cases.html.j2",
        policy=policy,
        inline=True,
        framed=Framed(title=title),
        text=text,
        css=Safe(css),
        parts=Safe(data(parts)),
        **{name: Safe(source) for name, source in scripts.items()},
    )
