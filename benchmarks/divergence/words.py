"""How the world's reports are worded: how much of them is normal, and which wordings the ontology has never met: the
rewards read with it."""

from __future__ import annotations

import re

import cabs
from benchmarks.divergence import reading
from benchmarks.divergence.scan import Finding
from benchmarks.divergence.toy import rows
from benchmarks.divergence.world import World
from benchmarks.divergence.writing import concluded, stated
from cabs.ontology.examples import cases

REPORTS = 1000
"""Reports whose sentences are counted."""


def summary(world: World, read: reading.Reading) -> str:
    """The shares in words: of drawn sentences that state nothing abnormal, and of sentences with a finding that name it
    in words unknown to the ontology."""
    drawn = [s for row in rows(world, "sft", REPORTS, 0) for s in reading.sentences(row["reference"])]
    normal, unseen = sum(not read.findings(s) for s in drawn) / len(drawn), sentences(world).values()
    return f"{normal:.0%} of sentences are normal; {sum(unseen) / len(unseen):.0%} of the others have unknown names"


def wordings(world: World) -> dict[str, bool]:
    """Every name of a finding → whether it is no surface form of the ontology's and in none of its examples."""
    known, examples = _forms(), _examples()
    names = [name for kind in world.findings.values() for name in kind.names]
    return {name: _plain(name) not in known and f" {_plain(name)} " not in examples for name in names}


def sentences(world: World) -> dict[str, bool]:
    """Every sentence that states a finding, its measure apart → whether it tells it by such a name."""
    unseen, found = wordings(world), {}
    for kind, known in world.findings.items():
        for region in known.regions:
            finding = Finding(kind, region, next(iter(world.scale(kind)), None))
            for told in (*stated(world, finding), *concluded(world, finding)):
                found[told] = unseen[max((n for n in known.names if n in told.lower()), key=len)]
    return found


def _forms() -> set[str]:
    ontology = cabs.load_ontology()
    return {_plain(form.text) for entity in ontology.entities.values() for form in ontology.surface_forms(entity)}


def _examples() -> str:
    return " | ".join(f" {_plain(case.example.text)} " for case in cases(cabs.load_ontology()))


def _plain(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", " ", text.lower()).strip()
