"""R = 0.3 r_e + 0.5 r_f + 0.2 r_c, and every number in it. Source: [E-MRL], arXiv 2606.23888, its rewards."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, get_args

from cabs.errors import SettingError
from cabs.rewards.reward import Range
from cabs.scoring.tasks.tumor.options import SLOTS, at_least_0, one_of, share
from cabs.scoring.tasks.tumor.slices import Slice, distance

NoLocal = Literal["rest", "zero", "unscorable"]
Similarities = Mapping[str, float | None]


@dataclass(frozen=True, slots=True)
class Emrl:
    """The weights. Those of the three rewards and of the slices are the paper's; the others are open in it.

    - w_existence, w_findings, w_consistency: of r_e, r_f and r_c.
    - slice_penalty: what L_dist, 0 to 1, takes from r_c.
    - w_size, w_location, w_enhancement: w_att, in proportion, among the attributes that the reference states. Equal,
      since the paper names three attributes and prefers none.
    - absent: r_f, and the attributes of r_c, where neither side has a tumor. 1: nothing is left to describe, and all of
      it is right. With 0 a true negative earns 0.3, and inventing a tumor costs less than overlooking one.
    - no_slice: L_dist (0 to 1) where the reference has a slice and the output none or an invalid one. 1, as for one
      that is far off: leaving it out must not pay.
    - no_local: the attributes of r_c where no local description came with the sample. "rest": the weighted mean of r_e
      and r_f, so that the weight falls to these and the range stays; "zero"; "unscorable": no value.

    Raises `SettingError` for a value outside its range.
    """

    w_existence: float = 0.3
    w_findings: float = 0.5
    w_consistency: float = 0.2
    slice_penalty: float = 0.3
    w_size: float = 1.0
    w_location: float = 1.0
    w_enhancement: float = 1.0
    absent: float = 1.0
    no_slice: float = 1.0
    no_local: NoLocal = "rest"

    def __post_init__(self) -> None:
        for name in ("w_existence", "w_findings", "w_consistency", "slice_penalty", *(f"w_{s}" for s in SLOTS)):
            at_least_0(name, getattr(self, name))
        share("absent", self.absent)
        share("no_slice", self.no_slice)
        one_of("no_local", self.no_local, get_args(NoLocal))
        if not sum(self.weights.values()):
            raise SettingError("every attribute weighs 0", place="w_size", hint="one of them has to be above 0")

    @property
    def weights(self) -> dict[str, float]:
        """w_att by attribute, before they are brought to a sum of 1."""
        return {slot: getattr(self, f"w_{slot}") for slot in SLOTS}

    @property
    def range(self) -> Range:
        """From everything wrong and the slice far off (−0.06) to everything right (1)."""
        return -self.w_consistency * self.slice_penalty, self.w_existence + self.w_findings + self.w_consistency

    def attributes(self, similarities: Similarities) -> float:
        """Σ w_att S_att, 0 to 1: the weights are those of the attributes that apply (not None), brought to a sum of 1.
        0 where none that weighs anything applies."""
        told = [(self.weights[slot], value) for slot, value in similarities.items() if value is not None]
        whole = sum(weight for weight, _ in told)
        return sum(weight * value for weight, value in told) / whole if whole else 0.0

    def slice_distance(self, reference: Slice, predicted: Slice, present: bool) -> float:
        """L_dist, 0 to 1. Where the reference has no tumor (not `present`) any slice is wrong; where its slice is not
        known there is nothing to be far from."""
        if not present:
            return float(predicted.stated)
        if reference.index is None:
            return 0.0
        return self.no_slice if predicted.index is None else distance(predicted.index, reference.index)

    def consistency(self, local: float | None, existence: float, findings: float, apart: float) -> float:
        """r_c from the attributes of the local description (None: there is no such description) and L_dist."""
        return (self._rest(existence, findings) if local is None else local) - self.slice_penalty * apart

    def value(self, existence: float, findings: float, consistency: float) -> float:
        """R."""
        return self.w_existence * existence + self.w_findings * findings + self.w_consistency * consistency

    def _rest(self, existence: float, findings: float) -> float:
        whole = self.w_existence + self.w_findings
        if self.no_local == "zero" or not whole:
            return 0.0
        return (self.w_existence * existence + self.w_findings * findings) / whole
