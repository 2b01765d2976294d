"""Random facts and reports over the small ontology of the matching tests."""

from __future__ import annotations

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from cabs.values import Fact, ParsedReport
from tests.matching.build import fact, report

PLACES = {
    "lung": ["lung", "lung_right", "upper_lobe", "rul", "rll", "rml", "lul", "lll", "rul_apical"],
    "liver": ["liver", "liver_s4", "liver_s8"],
    "kidney": ["kidney", "upper_pole"],
    "heart": ["left_ventricle"],
}
ORGANS = {"metastasis": ["lung", "liver", None], "cyst": ["liver", "spleen", None], "nodule": ["lung", None]}
ENTITIES = [
    "pulmonary_nodule",
    "nodule",
    "consolidation",
    "opacity",
    "pleural_effusion",
    "effusion",
    "hepatic_cyst",
    "renal_cyst",
    "cyst",
    "metastasis",
    "cardiomegaly",
    "pneumothorax",
    "hydronephrosis",
    "central_line",
]
VALUES = {
    "severity": ["trace", "mild", "small", "moderate", "severe"],
    "density": ["solid", "calcified", "hypodense", "cystic"],
    "margin": ["smooth", "spiculated", "lobulated"],
    "change": ["new", "unchanged"],
}
SIDED = {"lung", "pleura", "kidney"}


@st.composite
def facts(draw: st.DrawFn, entities: tuple[str, ...] = tuple(ENTITIES), **fixed: object) -> Fact:
    """A present fact; `fixed` slots as `build.fact` takes them."""
    entity = draw(st.sampled_from(entities))
    organ = draw(st.sampled_from(ORGANS[entity])) if entity in ORGANS else None
    organ = organ or fact(entity).organ
    slots: dict[str, object] = {
        "at": tuple(draw(st.lists(st.sampled_from(PLACES[organ]), max_size=2))) if organ in PLACES else (),
        "side": draw(st.sampled_from([None, "right", "left", "bilateral"])) if organ in SIDED else None,
        "mm": draw(st.sampled_from([(), (), (), (5.0,), (6.5,), (20.0,), (21.0, 9.0)])),
        "certainty": draw(st.sampled_from(["definite", "definite", "possible"])),
        "start": draw(st.integers(0, 9)) * 30,
    }
    for kind, values in VALUES.items():
        if draw(st.integers(0, 3)) == 0:
            slots[kind] = draw(st.sampled_from(values))
    slots.update(fixed)
    side = slots.pop("side")
    return fact(entity, organ, side, **slots)  # type: ignore[arg-type]


def reports(most: int = 5, entities: tuple[str, ...] = tuple(ENTITIES)) -> SearchStrategy[ParsedReport]:
    """A read report with up to `most` present facts, some denials and normality statements."""
    sections = st.sampled_from(["findings", "findings", "impression"])
    present = st.lists(sections.flatmap(lambda s: facts(entities, section=s)), max_size=most)
    denied = st.lists(facts(entities, status="absent", mm=()), max_size=2)
    normal = st.lists(st.sampled_from(["lung", "liver", "heart"]), max_size=1)
    return st.builds(lambda p, d, n: report(*p, *d, normal=n), present, denied, normal)
