"""Everything about the LLM backend that is measured: `python -m benchmarks.llm [--check]`."""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path
from typing import Any

from benchmarks import store
from benchmarks.llm.envelopes import spoilt
from benchmarks.llm.fuzz import Fuzz
from benchmarks.llm.kill import killed
from benchmarks.llm.speed import MARK, MORE, memory, speed
from benchmarks.tables import markdown

ANSWERS, ENVELOPES, REPORTS = 100_000, 5_000, 200
WORKS = ("parser", "matcher")


def measure() -> dict[str, Any]:
    """Speed, memory, kills and fuzzed answers."""
    found: dict[str, Any] = {"speed": speed(), "memory": memory()}
    with tempfile.TemporaryDirectory() as folder:
        found["kill"] = killed(Path(folder), REPORTS)
    seen = Fuzz().run(ANSWERS) + spoilt(ENVELOPES)
    return {**found, "fuzz": {"answers": ANSWERS, "envelopes": ENVELOPES, **dict(sorted(seen.items()))}}


def reached(found: dict[str, Any]) -> bool:
    """Whether every mark is."""
    kill = found["kill"]
    fast = all(found["speed"][work]["ratio"] <= MARK for work in WORKS)
    fuzz = found["fuzz"]
    ends = sum(n for name, n in fuzz.items() if " " in name)  # the first crash or silent score ends the fuzz before
    whole = ends == fuzz["answers"] + fuzz["envelopes"] and all(n > 0 for n in fuzz.values())
    return (
        whole
        and fast
        and found["memory"]["grown"] <= MORE
        and not kill["finished_again"]
        and kill["lines"] == kill["reports"]
    )


def summary(found: dict[str, Any]) -> str:
    """The figures as a Markdown table."""
    times, kept, kill, fuzz = found["speed"], found["memory"], found["kill"], found["fuzz"]
    rows = [["what", "measured", "wanted"], ["---"] * 3]
    for work in WORKS:
        told = times[work]
        what = f"{told['calls']} calls of the {work}, {times['concurrency']} at a time, {times['latency']:g} s each"
        rows.append([what, f"{told['seconds']:.2f} s, {told['ratio']:.2f} × ideal", f"at most {MARK:g} × ideal"])
    grown = f"{kept['grown']:.1f} MiB from the first quarter to the end"
    rows.append([f"memory over {kept['reports']} pairs", grown, f"at most {MORE:g} MiB"])
    twice = f"{kill['finished_again']} ({kill['under_way_again']} were under way in the moment of a kill)"
    rows.append([f"finished answers asked for again in {kill['kills']} kills", twice, "0"])
    refused = sum(n for name, n in fuzz.items() if name.endswith("refused"))
    rows.append([f"{fuzz['answers']} spoilt answers", f"no crash, none silently scored; {refused} refused", "the same"])
    return markdown(rows)


def main(argv: list[str] | None = None) -> int:
    """Measure, print and store; 1 where a mark is not reached."""
    parser = argparse.ArgumentParser(prog="make llm", description=__doc__)
    parser.add_argument("--check", action="store_true", help="print alone, store nothing")
    options = parser.parse_args(argv)
    found = measure()
    print(summary(found))
    if not options.check:
        print("stored:", store.save("llm", found).relative_to(Path.cwd()))
    return 0 if reached(found) else 1


if __name__ == "__main__":
    raise SystemExit(main())
