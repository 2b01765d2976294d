from __future__ import annotations

import pytest

from cabs.ontology import Ontology
from cabs.ontology.describe import describe
from cabs.ontology.search import search


def test_names_that_hold_the_term_come_first(tiny: Ontology) -> None:
    found = search(tiny, "cysts")
    assert [hit.id for hit in found][:3] == ["cyst", "polar_cyst", "renal_cyst"]
    assert found[0].score == 100
    assert len({hit.id for hit in found}) == len(found)


@pytest.mark.parametrize(
    ("term", "first", "type"),
    [
        ("plural efusion", "pleural_effusion", "abnormality"),
        ("hepatic", "liver", "organ"),
        ("renal pole", "renal_pole", "structure"),
        ("very small", "severity=small", "attribute"),
        ("drains", "drain", "device"),
        ("renal_cyst", "renal_cyst", "abnormality"),
    ],
)
def test_search(tiny: Ontology, term: str, first: str, type: str) -> None:
    hit = search(tiny, term)[0]
    assert (hit.id, hit.type) == (first, type)


def test_limits(tiny: Ontology) -> None:
    assert len(search(tiny, "cyst", limit=2)) == 2
    assert {hit.type for hit in search(tiny, "renal", type="structure")} == {"structure"}
    assert search(tiny, "xylophone") == search(tiny, "") == []


def test_describe(tiny: Ontology) -> None:
    (cyst,) = describe(tiny, "cyst")
    assert cyst["children"] == ["renal_cyst"]
    assert cyst["parts"] == ["polar_cyst", "renal_cyst"]
    assert cyst["significance"] == "benign"
    kidney, organ = describe(tiny, "kidney")
    assert kidney["ancestors"] == ["abdomen", "body"]
    assert kidney["entities"] == ["renal_cyst"]
    assert organ["type"] == "organ"
    assert organ["entities"] == ["polar_cyst", "renal_cyst"]
    assert describe(tiny, "cyst@spleen")[0]["label"] == "splenic cyst"
    assert describe(tiny, "severity")[0]["values"] == {
        "small": ["small", "very small"],
        "large": ["large", "enlarged"],
    }
    for unknown in ("nothing", "cyst@nothing"):
        with pytest.raises(KeyError):
            describe(tiny, unknown)
