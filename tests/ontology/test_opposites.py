from __future__ import annotations

import pytest

from cabs.ontology import Ontology
from cabs.ontology.opposites import Opposites

PAIRS = [
    ("ureteral", "urethral"),
    ("perineum", "peritoneum"),
    ("hypodense", "hyperdense"),
    ("intrahepatic", "extrahepatic"),
    ("symmetric", "asymmetric"),
    ("anterolateral", "posterolateral"),
]


@pytest.mark.parametrize(("a", "b"), PAIRS)
def test_apart(real: Ontology, a: str, b: str) -> None:
    assert real.opposites.apart(a, b)
    assert real.opposites.apart(b, a)


@pytest.mark.parametrize(("a", "b"), [("hypodense", "hypodens"), ("ureteral", "ureterall"), ("nodule", "noduel")])
def test_not_apart(real: Ontology, a: str, b: str) -> None:
    assert not real.opposites.apart(a, b)
    assert not real.opposites.apart(a, a)


def test_the_longest_stem_counts() -> None:
    opposites = Opposites(words=(("ureter", "ureterocele"),))
    assert opposites.apart("ureterocele", "ureteral")
    assert not opposites.apart("ureterocele", "ureteroceles")
    assert not Opposites().apart("a", "b")


def test_slot_costs(real: Ontology) -> None:
    assert real.slot_costs.keys() == {"side", "place", "certainty"}
    assert all(0 <= cost < 1 for cost in real.slot_costs.values())
