"""Which wordings of the world the ontology has never met: the rewards read with it."""

from __future__ import annotations

import re

import cabs
from benchmarks.divergence.scan import Finding
from benchmarks.divergence.world import World
from benchmarks.divergence.writing import concluded, stated
from cabs.ontology.examples import cases


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
