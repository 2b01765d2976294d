"""What arXiv 2606.23888 leaves open about tumors, as named parameters with reasons."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, get_args

from cabs.errors import SettingError

Names = Literal["any", "hierarchical", "strict"]
Which = Literal["any", "definite"]
Several = Literal["all", "largest"]

SLOTS = ("size", "location", "enhancement")
"""The attributes of [E-MRL] (its prompt and Table 2), in this order."""


@dataclass(frozen=True, slots=True)
class Comparing:
    """How tumors are found in facts and compared. Every field is open in the paper.

    - group: the group of the ontology that says what a tumor is (ontology/groups.yaml).
    - certainty: "any" counts a possible tumor as one, since it is what the reader is sent to look at; "definite" only
      tumors that are stated without a hedge.
    - names: "any" compares tumors whatever they are called, since the paper asks for existence and three attributes,
      not for the diagnosis; "hierarchical" and "strict" as in CABS's alignment.
    - several: "all" takes every tumor of either side, so that inventing more of them costs; "largest" only the largest
      of the reference and its counterpart, as the paper chooses its key slice.
    - size_tolerance, size_floor: sizes are the same within this share of the reference's largest axis or so many mm,
      whichever is more; CABS's own values.
    - broader: the similarity (0 to 1) of a location that is right and less specific, or left out; half, which is what
      CABS-Score takes for it.
    - first_slice: the index of the first slice; anything below it is invalid. 0, as arrays count.
    - slice_offset: added to predicted slices, for a model that counts from another base than the reference.

    Raises `SettingError` for a value outside its range.
    """

    group: str = "tumor"
    certainty: Which = "any"
    names: Names = "any"
    several: Several = "all"
    size_tolerance: float = 0.2
    size_floor: float = 2.0
    broader: float = 0.5
    first_slice: int = 0
    slice_offset: int = 0

    def __post_init__(self) -> None:
        one_of("certainty", self.certainty, get_args(Which))
        one_of("names", self.names, get_args(Names))
        one_of("several", self.several, get_args(Several))
        at_least_0("size_tolerance", self.size_tolerance)
        at_least_0("size_floor", self.size_floor)
        share("broader", self.broader)


def one_of(name: str, value: object, allowed: tuple[Any, ...]) -> None:
    """Raises `SettingError` for a value that is none of `allowed`."""
    if value not in allowed:
        raise SettingError(f"{value!r} is no {name}", place=name, hint=f"one of: {', '.join(allowed)}")


def share(name: str, value: float) -> None:
    """Raises `SettingError` for a number outside 0 to 1."""
    if not 0 <= value <= 1:
        raise SettingError(f"{value} is no share", place=name, hint="0 to 1")


def at_least_0(name: str, value: float) -> None:
    """Raises `SettingError` for a number that is negative or not finite."""
    if not 0 <= value < float("inf"):
        raise SettingError(f"{value} is out of range", place=name, hint="0 or more")
