"""What a run asked for and what it cost, counted as it goes."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from cabs.llm.failure import PASSING


@dataclass(slots=True)
class Usage:
    """`calls`: answers that came from the server; `cached`: those that were there already; `retries`: attempts after
    the first; `tokens_in`, `tokens_out`: of the calls, as the server counts them; `unmetered`: calls that it did not
    count; `failed`: questions without a usable answer, by kind; `answered`: those with one."""

    calls: int = 0
    cached: int = 0
    retries: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    unmetered: int = 0
    failed: Counter[str] = field(default_factory=Counter)
    answered: int = 0

    def add(self, tokens_in: int | None, tokens_out: int | None) -> None:
        """One call."""
        self.calls += 1
        if tokens_in is None or tokens_out is None:
            self.unmetered += 1
            return
        self.tokens_in += tokens_in
        self.tokens_out += tokens_out

    def cost(self, price_in: float, price_out: float) -> float:
        """What the calls cost, at prices of a million tokens."""
        return (self.tokens_in * price_in + self.tokens_out * price_out) / 1e6

    def told(self, price_in: float = 0.0, price_out: float = 0.0) -> str:
        """The account in one line.

        >>> Usage(calls=2, cached=1, tokens_in=300, tokens_out=40).told(1.0, 2.0)
        'LLM: 2 calls, 1 from the cache; 300 tokens in, 40 out; cost 0.0004'
        """
        parts = [f"{self.calls} calls, {self.cached} from the cache"]
        parts[0] += f", {self.retries} retries" if self.retries else ""
        parts.append(f"{self.tokens_in} tokens in, {self.tokens_out} out")
        if self.unmetered:
            parts.append(f"{self.unmetered} calls that the server did not count")
        if price_in or price_out:
            parts.append(f"cost {self.cost(price_in, price_out):.4f}")
        if self.failed:
            kinds = ", ".join(f"{n} {kind}" for kind, n in sorted(self.failed.items()))
            parts.append(f"{sum(self.failed.values())} questions without an answer ({kinds})")
            later = sum(n for kind, n in self.failed.items() if kind in PASSING)
            parts += [f"{later} of these may go well later: the same command asks again"] if later else []
        return "LLM: " + "; ".join(parts)
