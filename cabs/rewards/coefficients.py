"""The check that the coefficients of a formula share."""

from __future__ import annotations

from dataclasses import asdict
from math import isfinite
from typing import Any

from cabs.errors import SettingError


def checked(formula: Any, *, positive: tuple[str, ...]) -> None:
    """Raises `SettingError` for a coefficient that is not finite or below 0, or 0 where it divides."""
    for name, value in asdict(formula).items():
        if not isfinite(value) or value < 0 or (name in positive and value == 0):
            least = "more than 0" if name in positive else "0 or more"
            raise SettingError(f"{name} is {value}", place=type(formula).__name__, hint=f"it has to be {least}")
