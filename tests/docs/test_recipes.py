"""The recipes for metrics that run elsewhere can't be run here; what CABS has to do with them can."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
from pathlib import Path

from cabs.io.pairs import read_pairs
from cabs.metrics.batch import batch_of_pairs
from cabs.metrics.chosen import chosen_metrics
from cabs.metrics.pair_metric import measure_all

PAGE = Path("cabs") / "metrics" / "baselines" / "README.md"
ROWS = [{"id": i, "system": s, "reference": f"r{i}", "prediction": s} for i in ("1", "2") for s in ("a", "b")]


def blocks(root: Path) -> list[str]:
    return re.findall(r"^```python\n(.*?)^```$", (root / PAGE).read_text(encoding="utf-8"), re.M | re.S)


def test_every_recipe_is_python(root: Path) -> None:
    found = blocks(root)
    assert len(found) == 5
    for block in found:
        ast.parse(block)


def test_the_frame_writes_what_a_column_reads(root: Path, tmp_path: Path) -> None:
    frame, metric = blocks(root)[0], 'scores = {"green": [0.1, 0.2, None, 0.4]}'
    (tmp_path / "pairs.jsonl").write_text("".join(json.dumps(row) + "\n" for row in ROWS))
    code = re.sub(r"^# \.\.\. the metric.*$", metric, frame, flags=re.M)
    assert metric in code
    subprocess.run([sys.executable, "-W", "ignore", "-c", code], cwd=tmp_path, check=True)
    batch = batch_of_pairs(read_pairs(tmp_path / "pairs.jsonl"))
    found = measure_all(chosen_metrics([], ["green:higher:clinical"], tmp_path / "scores.jsonl"), batch)["green"]
    assert json.dumps(found.values.tolist()) == "[0.1, 0.2, NaN, 0.4]"


def test_the_spellings_of_the_page_are_read(root: Path) -> None:
    page = (root / PAGE).read_text(encoding="utf-8")
    spelled = sorted({s for s in re.findall(r"[\w=-]+:(?:higher|lower):clinical", page) if not s.startswith("NAME")})
    assert len(spelled) >= 6
    for one in spelled:
        assert chosen_metrics([], [one])[0].family == "clinical"


def test_every_baseline_is_told(root: Path) -> None:
    from cabs.metrics.registered import METRICS, pair_metric

    page = (root / PAGE).read_text(encoding="utf-8")
    others = [name for name in METRICS.names if pair_metric(name).family != "clinical"]
    assert [name for name in others if f"`{name}`" not in page and not name.startswith("bleu")] == []
