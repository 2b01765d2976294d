"""What can go wrong between a question and a usable answer, each with what it is called in counts."""

from __future__ import annotations

from typing import Literal

from cabs.errors import CabsError

Kind = Literal["unreachable", "rate", "timeout", "server", "request", "denied", "deadline", "length", "refused"]

PASSING = frozenset(("unreachable", "rate", "timeout", "server", "deadline"))
"""Kinds of failures that the same question may not meet later."""


class LlmError(CabsError):
    """One question got no usable answer: its report is unscored. `kind` says why.

    unreachable: no connection, or it was dropped; rate: too many requests; timeout: an attempt took too long; server:
    it failed; request: it refused the request; denied: it refuses the key, the model or the address; deadline: the
    time for the question ran out; length: the answer was cut; refused: it is not what was asked for.
    """

    kind: Kind = "server"

    @property
    def passing(self) -> bool:  # type: ignore[override]
        """Whether the same question may be answered later."""
        return self.kind in PASSING

    @classmethod
    def of(cls, kind: Kind, message: str) -> LlmError:
        """A failure of this kind."""
        made = cls(message, place="LLM")
        made.kind = kind
        return made


class RefusedError(Exception):
    """An answer that breaks the protocol; the text says how. It never leaves this package."""
