"""The recipes of cabs/rewards/adapters/README.md, loaded as a trainer loads a file, and run in its call shape."""

from __future__ import annotations

import re
import types
from pathlib import Path
from typing import Any

from tests.rewards.adapters.simulators import installed, stand_ins

PAGE = Path(__file__).resolve().parents[3] / "cabs" / "rewards" / "adapters" / "README.md"
BLOCK = re.compile(r"^```python (\w+\.py)\n(.*?)^```$", re.M | re.S)


def blocks() -> dict[str, str]:
    """The files of the page."""
    return dict(BLOCK.findall(PAGE.read_text(encoding="utf-8")))


def recipe(name: str, torch: Any = None) -> types.SimpleNamespace:
    """What a file of the page defines, once it is loaded."""
    defined: dict[str, Any] = {"__name__": name}
    with installed(stand_ins(torch)):
        exec(compile(blocks()[f"{name}.py"], f"{name}.py", "exec"), defined)
    return types.SimpleNamespace(**defined)
