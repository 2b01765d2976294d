"""The page of E-MRL tells every parameter."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

from cabs.rewards.emrl.formula import Emrl
from cabs.rewards.emrl.sample import Locals
from cabs.rewards.said import Reading
from cabs.scoring.tasks.tumor.columns import Columns
from cabs.scoring.tasks.tumor.judge import Counting
from cabs.scoring.tasks.tumor.options import Comparing

PAGE = Path("cabs") / "rewards" / "emrl" / "README.md"
FORMULA = {"w_existence", "w_findings", "w_consistency", "slice_penalty"}


def test_every_parameter_is_told(root: Path) -> None:
    text = (root / PAGE).read_text(encoding="utf-8")
    names = {f.name for kind in (Emrl, Comparing, Columns, Locals, Reading, Counting) for f in fields(kind)}
    told = {name for name in names if f"`{name}`" in text or f"`{name}=" in text}
    assert names - told - FORMULA == set()
