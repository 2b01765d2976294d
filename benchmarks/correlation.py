"""The correlation study of systems whose texts can't be shipped: its figures are stored, no word of a report.

`make correlation RUNS=pairs.jsonl` computes what `cabs audit correlation pairs.jsonl` does.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

import cabs
from benchmarks import store
from benchmarks.tables import markdown
from cabs.metrics.estimates import Estimate
from cabs.studies.correlation import Correlation, correlation
from cabs.studies.correlation.choice import choose
from cabs.studies.correlation.page import LEVELS, number, summary
from cabs.studies.correlation.runs import CONTROL, Runs, read_runs

Figures = dict[str, Any]

SHOWN = {
    "surface": ("bleu_4", "rouge_l", "meteor", "cider"),
    "clinical": ("f1", "fc_f1", "or_f1", "cabs_score"),
}
"""The metrics of the page's table by family; the stored result has all of them."""
RANKS = {"surface": "rank by words", "clinical": "rank by facts"}
WITH_INTERVAL = ("rouge_l", "f1")
DIGITS = 6
REFERENCE = f"{CONTROL}reference"


def study(runs: Runs) -> Correlation:
    """The study with the settings of the command."""
    ontology = cabs.load_ontology()
    chosen = choose(ontology)
    return correlation(runs, chosen.metrics, ontology, unavailable=chosen.unavailable)


def figures(runs: Runs, result: Correlation) -> Figures:
    """What is stored of a study."""
    return {
        "texts": {name: len({str(pair.prediction) for pair in pairs}) for name, pairs in runs.systems.items()},
        "without_findings": int(np.isnan(result.values[REFERENCE, "f1"]).sum()),
        "study": str(result.signature),
        "reports": result.reports,
        "metrics": {m.name: {"label": m.label, "family": m.family, "signature": m.signature} for m in result.metrics},
        "systems": [
            {
                "system": system.label,
                "control": system.control,
                "how": system.how,
                "values": {name: _estimate(value) for name, value in system.values.items()},
                "ranks": {family: _estimate(rank) for family, rank in system.ranks.items()},
                "in_corner": dict(system.in_corner),
            }
            for system in result.systems
        ],
        "spearman": {
            name: {
                "pairs": [[a, b, *_estimate(rho), level.left_out[a, b]] for (a, b), rho in level.pairs.items()],
                "families": [[a, b, *_estimate(mean)] for (a, b), mean in level.families.items()],
            }
            for name, level in result.levels.items()
        },
    }


def _estimate(estimate: Estimate) -> list[float | None]:
    """Value, low, high."""
    ends = (None, None) if estimate.interval is None else (estimate.interval.low, estimate.interval.high)
    return [None if number is None else round(number, DIGITS) for number in (estimate.value, *ends)]


def table(stored: Figures) -> str:
    """Systems and controls as a Markdown table; controls in italics."""
    labels = {name: metric["label"] for name, metric in stored["metrics"].items()}
    head = ["system"]
    for family, names in SHOWN.items():
        head += [*(labels[name] for name in names if name in labels), RANKS[family]]
    rows = [head, ["---"] * len(head)]
    for system in stored["systems"]:
        row = [f"*{system['system']}*" if system["control"] else system["system"]]
        for family, names in SHOWN.items():
            row += [_cell(system["values"][name], name in WITH_INTERVAL) for name in names if name in labels]
            row.append(number(system["ranks"][family][0], 1))
        rows.append(row)
    return markdown(rows)


def families(stored: Figures) -> str:
    """The mean coefficients within and across families as a Markdown table."""
    levels = stored["spearman"]
    rows = [["mean Spearman", *(LEVELS[name] for name in levels)], ["---"] * (len(levels) + 1)]
    for at, (a, b, *_) in enumerate(next(iter(levels.values()))["families"]):
        title = f"within {a}" if a == b else f"{a} and {b}"
        rows.append([title, *(_cell(level["families"][at][2:], True) for level in levels.values())])
    return markdown(rows)


def _cell(found: Sequence[float | None], interval: bool) -> str:
    value, low, high = found
    return number(value) if not interval or low is None else f"{number(value)} [{number(low)}, {number(high)}]"


def sample(stored: Figures) -> str:
    """What the numbers are of: the references, how much each system varies, what the controls say."""
    texts = ", ".join(f"{name} {number}" for name, number in stored["texts"].items())
    how = {system["system"]: system["how"] for system in stored["systems"]}
    share = f"{stored['without_findings']} of {stored['reports']} references state no abnormality"
    return f"{share}. Different texts: {texts}. The prevalence template {how['prevalence template']}"


def page(stored: Figures) -> str:
    """Both tables and what they are of; nothing where the study was never run."""
    return f"{table(stored)}\n\n{families(stored)}\n\n{sample(stored)}" if stored else ""


def main(argv: list[str] | None = None) -> int:
    """Run, print and store."""
    parser = argparse.ArgumentParser(prog="make correlation", description=__doc__)
    parser.add_argument("runs", type=Path, nargs="+", help="pairs of several systems on the same references")
    options = parser.parse_args(argv)
    start = time.perf_counter()
    runs = read_runs(options.runs)
    result = study(runs)
    found = figures(runs, result)
    print(page(found))
    print("\n".join(summary(result)))
    print(
        f"{time.perf_counter() - start:.0f} s; stored:", store.save("correlation-local", found).relative_to(Path.cwd())
    )
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
