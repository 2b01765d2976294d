"""What a board reads of results.json, checked: another program may have written or changed it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, ConfigDict
from pydantic_core import PydanticCustomError

from cabs.checked import LACKING, checked
from cabs.metrics import FIELDS, NAMES


def _with(*names: str) -> AfterValidator:
    """A mapping that has these keys at least."""

    def whole(found: dict[str, Any]) -> dict[str, Any]:
        lacking = next((name for name in names if name not in found), None)
        if lacking is not None:
            raise PydanticCustomError(LACKING, "there is no {name}", {"name": lacking})
        return found

    return AfterValidator(whole)


class Section(BaseModel):
    """What all sections share: other keys may stand beside, and no number is NaN or infinite."""

    model_config = ConfigDict(extra="ignore", strict=True, frozen=True, allow_inf_nan=False)


class Bounds(Section):
    """The interval of a metric."""

    low: float
    high: float


class Listed(Section):
    """A report that is named with a reason."""

    id: str
    reason: str


class ErrorRow(Section):
    """A line of the table of errors."""

    error: str
    detail: str
    entity: str
    name: str
    organ: str
    counts: bool
    count: int
    reports: int
    examples: list[str]


class Part(Section):
    """An organ or a finding."""

    counts: Annotated[dict[str, int], _with(*FIELDS)]
    scores: Annotated[dict[str, float | None], _with(*NAMES)]


class System(Section):
    """One system. `system` is None where the input names none."""

    system: str | None
    scores: Annotated[dict[str, float | None], _with(*NAMES)]
    intervals: dict[str, Bounds | None]
    by: Annotated[dict[str, dict[str, Part]], _with("organ", "entity")]
    errors: list[ErrorRow]
    unscored: list[Listed]
    silent: list[Listed]
    warnings: list[str]


class Page(Section):
    """The systems of a run."""

    systems: list[System]


def systems_of(content: object, place: str, hint: str) -> dict[str | None, Mapping[str, Any]]:
    """name → what results.json says of a system. `hint`: what to do where it is not as it should be.

    Raises:
        InputError: something that a board needs is missing or of another type; the place names it.
    """
    return {system.system: system.model_dump() for system in checked(content, Page, place, hint).systems}
