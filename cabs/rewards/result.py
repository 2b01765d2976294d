"""What a reward says of one sample."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Status = Literal["ok", "unscorable", "truncated", "error"]
STATUSES: tuple[Status, ...] = ("ok", "unscorable", "truncated", "error")


@dataclass(frozen=True, slots=True)
class RewardResult:
    """`value` lies in the reward's declared range; None where there is none, which is never a number.

    - ok: scored.
    - truncated: scored, but the answer was cut: by the generation limit, by a thought that never ends, or since it is
      longer than what is read.
    - unscorable: the reference says nothing that can be scored (value None).
    - error: the sample can't be read, or a judge failed (value None).

    `components` has the reward's fixed keys in their order, finite numbers only; all 0 where there is no value.
    `reason` says why a status is not ok.
    """

    value: float | None
    components: Mapping[str, float]
    status: Status = "ok"
    reason: str = ""
