"""What `make fuzz` gives to every part, in small: its seeds, what it once found, and some seeds that are damaged."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from benchmarks.fuzz.growth import beyond_linear, repeated
from benchmarks.fuzz.targets import TARGETS, target

FOUND = Path(__file__).parent / "found"
"""A folder for each target; the name of a file says what was wrong."""
DAMAGED = 12
PIECES = (b"\0", b"\xff", b"\xed\xa0\x80", b"{" * 60, b"9" * 5000, b"\n", b'"', b"*a", b": ", b"\xe2\x80\xae")


def damaged(seed: bytes, rng: Random) -> bytes:
    at, to = sorted(rng.randrange(len(seed) + 1) for _ in "ab")
    return seed[:at] + rng.choice((b"", rng.choice(PIECES), bytes([rng.randrange(256)]), seed[at:to] * 2)) + seed[to:]


@pytest.mark.parametrize("name", [target.name for target in TARGETS])
def test_a_target_takes_whatever_comes(name: str, tmp_path: Path) -> None:
    chosen, rng = target(name), Random(name)
    run = chosen.make(tmp_path)
    seeds = list(chosen.seeds())
    for data in (b"", *seeds, *(path.read_bytes() for path in sorted((FOUND / name).glob("*")))):
        run(data)
    for _ in range(DAMAGED):
        run(damaged(rng.choice(seeds), rng))


def test_what_was_found_is_of_targets() -> None:
    assert {path.name for path in FOUND.iterdir()} <= {target.name for target in TARGETS}


def test_growth_is_seen_and_linear_work_is_none() -> None:
    def quadratic(data: bytes) -> None:
        sum(a == b for a in data for b in data)

    def linear(data: bytes) -> None:
        sum(a == b for a in data for b in range(200))

    assert beyond_linear(quadratic, b"ab", 6000)
    assert not beyond_linear(linear, b"ab", 20_000)
    short, long = repeated(b"abc" * 50, 4000)
    assert 800 < len(short) < 1300
    assert 3.3 < len(long) / len(short) < 4.1
