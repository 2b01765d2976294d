"""`make bandit`: play every policy under every reward, print what pays and what is learnt, store it."""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks import store
from benchmarks.bandit.cases import Case, cases
from benchmarks.bandit.data import Bandit, load
from benchmarks.bandit.page import page
from benchmarks.bandit.play import READERS, made, play, reader, texts
from benchmarks.bandit.verdict import games

Figures = dict[str, Any]
DIGITS = 6


def run(bandit: Bandit, among: Sequence[Case]) -> Figures:
    """Every reward, read by both readers."""
    told = texts(bandit, among)
    found: Figures = {"references": _described(among), "rewards": {}}
    for name in bandit.rewards:
        found["rewards"][name] = {"signature": made(name, reader("rules", bandit)).signature}
        for read in READERS:
            played = play(made(name, reader(read, bandit)), among, told)
            means = {policy: [round(mean, DIGITS) for mean in pair] for policy, pair in played.means().items()}
            learnt = {g: [[p, round(c, DIGITS)] for p, c in by] for g, by in games(played, bandit).items()}
            found["rewards"][name][read] = {"means": means, "learnt": learnt}
    return found


def _described(among: Sequence[Case]) -> Figures:
    facts = [case.facts for case in among if not case.normal]
    return {
        "with findings": len(facts),
        "without": len(among) - len(facts),
        "facts": round(sum(facts) / len(facts), 2),
        "characters": round(sum(len(case.reference) for case in among) / len(among)),
    }


def main(argv: list[str] | None = None) -> int:
    """Run, print and store."""
    argparse.ArgumentParser(prog="make bandit", description=__doc__).parse_args(argv)
    start = time.perf_counter()
    found = run(load(), cases())
    print(page(found))
    print(f"\nreferences: {found['references']}")
    print(f"{time.perf_counter() - start:.0f} s; stored:", store.save("bandit", found).relative_to(Path.cwd()))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
