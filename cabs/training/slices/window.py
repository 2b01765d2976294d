"""HU → grey values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cabs.errors import SettingError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True)
class Window:
    """What is shown: HU from `center − width/2` (black) to `center + width/2` (white).

    Raises `SettingError` where the width is not more than 0.
    """

    center: float = 40.0
    width: float = 400.0

    def __post_init__(self) -> None:
        if not 0 < self.width < float("inf"):
            raise SettingError(f"{self.width} is no width of a window", place="window", hint="more than 0, in HU")

    def grey(self, plane: NDArray[Any]) -> NDArray[np.uint8]:
        """A plane of HU as bytes, 0 to 255, rounded; what is no number is black."""
        import numpy as np

        low = self.center - self.width / 2
        shown = (np.nan_to_num(plane.astype(np.float64), nan=low) - low) / self.width
        found: NDArray[np.uint8] = np.rint(np.clip(shown, 0.0, 1.0) * 255).astype(np.uint8)
        return found
