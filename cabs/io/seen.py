"""Which ids have come, and where: a few dozen bytes an id, whatever its length."""

from __future__ import annotations

from array import array
from hashlib import blake2b

from cabs.errors import InputError
from cabs.values import Pair

SLOTS = 1 << 10
"""Places for ids at first; they are doubled when they are two thirds full."""


class Seen:
    """The ids so far and their places, system by system.

    An id is known by 128 bits of its hash: of a billion ids, the chance that two of them share these is 10⁻²¹.
    """

    def __init__(self) -> None:
        self.slots = array("I", bytes(4 * SLOTS))
        self.high, self.low = array("Q"), array("Q")
        self.prefixes: dict[str, int] = {}
        self.places = array("I")
        self.numbers = array("I")
        self.systems: dict[str | None, int] = {}

    def __len__(self) -> int:
        return len(self.high)

    def add(self, pair: Pair) -> None:
        """Note the id of a pair.

        Raises:
            InputError: the system has one with this id already.
        """
        high, low = self._hash(pair.system, pair.id)
        slot, known = self._find(high, low)
        if known is not None:
            of = "" if pair.system is None else f" of system {pair.system!r}"
            place = self._place(known)
            first = f", first at {place}" if place else ""
            hint = "an id names one report" + (" of each system" if pair.system is not None else "")
            raise InputError(f"id {pair.id!r}{of} comes twice{first}", place=pair.source, hint=hint)
        self._note(high, low, pair.source)
        self.slots[slot] = len(self.high)
        if 3 * len(self.high) > 2 * len(self.slots):
            self._grow()

    def has(self, system: str | None, id: str) -> bool:
        """Whether a system has an id."""
        return system in self.systems and self._find(*self._hash(system, id))[1] is not None

    def _hash(self, system: str | None, id: str) -> tuple[int, int]:
        of = self.systems.setdefault(system, len(self.systems))
        digest = blake2b(f"{of} {id}".encode("utf-8", "surrogatepass"), digest_size=16).digest()
        return int.from_bytes(digest[:8], "little"), int.from_bytes(digest[8:], "little")

    def _find(self, high: int, low: int) -> tuple[int, int | None]:
        """The slot of an id, and its number if it is there."""
        slots, mask = self.slots, len(self.slots) - 1
        slot = high & mask
        while number := slots[slot]:
            if self.high[number - 1] == high and self.low[number - 1] == low:
                return slot, number - 1
            slot = (slot + 1) & mask
        return slot, None

    def _note(self, high: int, low: int, place: str) -> None:
        prefix = place.rstrip("0123456789")
        digits = place[len(prefix) :]
        if len(digits) > 9 or digits.startswith("0"):
            prefix, digits = place, ""
        self.high.append(high)
        self.low.append(low)
        self.places.append(self.prefixes.setdefault(prefix, len(self.prefixes)))
        self.numbers.append(int(digits) + 1 if digits else 0)

    def _place(self, at: int) -> str:
        prefix = next(prefix for prefix, number in self.prefixes.items() if number == self.places[at])
        return f"{prefix}{self.numbers[at] - 1}" if self.numbers[at] else prefix

    def _grow(self) -> None:
        size = 2 * len(self.slots)
        self.slots = array("I", bytes(4 * size))
        for number, high in enumerate(self.high, 1):
            slot = high & (size - 1)
            while self.slots[slot]:
                slot = (slot + 1) & (size - 1)
            self.slots[slot] = number
