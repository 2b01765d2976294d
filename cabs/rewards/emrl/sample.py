"""One sample → R and its components."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from cabs.errors import InputError
from cabs.io.record import kind_of
from cabs.rewards.emrl.formula import Emrl
from cabs.rewards.emrl.tools import Tools
from cabs.rewards.result import RewardResult
from cabs.scoring.tasks.tumor.columns import Columns, organ_in, value_of
from cabs.scoring.tasks.tumor.options import SLOTS
from cabs.scoring.tasks.tumor.reader import Sighted
from cabs.scoring.tasks.tumor.texts import Stated, predicted_slice, reference_slice, stated

COMPONENTS = (
    "existence", "findings", "consistency", *SLOTS, "local", "slice_distance", "reference", "predicted", "hits",
)  # fmt: skip
"""r_e, r_f, r_c; S_att of the report (0 too where an attribute does not apply); local: the attributes of r_c where a
local description came along, else 0; L_dist; the tumors of the reference, of the prediction, and those that met."""


@dataclass(frozen=True, slots=True)
class Locals:
    """The columns of local descriptions, which a frozen verifier writes from the key slices (see README.md).

    - local_column: what it wrote of the predicted slice.
    - reference_local_column: what is said of the reference's slice; where there is none the reference itself stands in,
      as in the paper (S_att(Y_local, Y_gt)).
    """

    local_column: str = "local_description"
    reference_local_column: str = "reference_local_description"


class Sample:
    """One sample while it is scored.

    Raises `InputError` where a column holds what it can't.
    """

    def __init__(
        self,
        tools: Tools,
        formula: Emrl,
        columns: Columns,
        local: Locals,
        fields: Mapping[str, Any],
        ours: Stated,
        theirs: Stated,
    ) -> None:
        self._tools, self._formula, self._columns, self._local, self._fields = tools, formula, columns, local, fields
        self._slices = ours.key_slice, theirs.key_slice
        self._organ = organ_in(fields, columns.organ_column, tools.tumors.ontology)
        self._reference = tools.tumors.sighted(ours.report, self._organ)
        self._prediction = tools.tumors.sighted(theirs.report, self._organ)

    def result(self, cut: str, longest: int) -> RewardResult:
        """The result; `cut`: why something of the answer is missing, `longest`: characters of a local text that are
        read."""
        if not self._reference.read:
            return _unscorable("the reference was not read")
        reference, prediction, formula = self._reference, self._prediction, self._formula
        compared = self._tools.tumors.compared(reference, prediction)
        existence = float(prediction.read and reference.present == prediction.present)
        findings = self._attributes(reference, prediction)
        local, apart = self._local_attributes(longest), self._apart()
        if local is None and formula.no_local == "unscorable":
            return _unscorable(f"there is no {self._local.local_column}")
        consistency = formula.consistency(local, existence, findings, apart)
        slots = [compared.similarity(slot) or 0.0 for slot in SLOTS]
        counts = map(float, (len(reference.tumors), len(prediction.tumors), len(compared.pairs)))
        made = (existence, findings, consistency, *slots, local or 0.0, apart, *counts)
        value = formula.value(existence, findings, consistency)
        return RewardResult(value, dict(zip(COMPONENTS, made, strict=True)), "truncated" if cut else "ok", cut)

    def _attributes(self, reference: Sighted, other: Sighted) -> float:
        """Σ w_att S_att of a description against the reference, 0 for one that was not read."""
        if not other.read:
            return 0.0
        if not reference.present:
            return 0.0 if other.present else self._formula.absent
        compared = self._tools.tumors.compared(reference, other)
        return self._formula.attributes({slot: compared.similarity(slot) for slot in SLOTS})

    def _local_attributes(self, longest: int) -> float | None:
        local = text_in(self._fields, self._local.local_column)
        if local is None:
            return None
        against = text_in(self._fields, self._local.reference_local_column)
        reference = self._reference if against is None else self._sighted(against[:longest])
        return self._attributes(reference, self._sighted(local[:longest]))

    def _sighted(self, text: str) -> Sighted:
        return self._tools.tumors.sighted(stated(text, self._tools.parse).report, self._organ)

    def _apart(self) -> float:
        how, columns = self._tools.tumors.how, self._columns
        known, tag = self._slices
        reference = reference_slice(known, self._fields, columns.reference_key_slice_column, how.first_slice)
        named = columns.key_slice_column
        predicted = predicted_slice(tag, self._fields, named, how.first_slice, how.slice_offset)
        return self._formula.slice_distance(reference, predicted, self._reference.present)


def text_in(fields: Mapping[str, Any], column: str) -> str | None:
    """The text in a column; None where there is none. An empty text is one: somebody looked and said nothing.

    Raises:
        InputError: it holds something else.
    """
    if fields.get(column) == "":
        return ""
    value = value_of(fields, column)
    if value is None or isinstance(value, str):
        return value
    raise InputError(f"field {column!r} holds {kind_of(value)}, text expected")


def _unscorable(reason: str) -> RewardResult:
    return RewardResult(None, dict.fromkeys(COMPONENTS, 0.0), "unscorable", reason)
