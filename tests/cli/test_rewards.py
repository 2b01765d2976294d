"""`cabs rewards` through real processes."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Cabs

FOUND = "<findings>There is a 9 mm nodule in the right upper lobe.</findings><impression>Lung nodule.</impression>"
NORMAL = "<findings>The lungs are clear. No effusion.</findings><impression>No acute abnormality.</impression>"


def write(path: Path, *rows: dict[str, Any]) -> str:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path.name


@pytest.fixture
def rollouts(tmp_path: Path) -> str:
    """Two steps: at first one sample in two is right, at last everybody is normal."""
    rows = [(0, FOUND, FOUND), (0, NORMAL, FOUND), (0, NORMAL, NORMAL), (100, NORMAL, FOUND), (100, NORMAL, FOUND)]
    rows += [(100, NORMAL, NORMAL)]
    samples = [{"step": step, "completion": said, "reference": reference} for step, said, reference in rows]
    return write(tmp_path / "rollouts.jsonl", *samples)


def test_the_list(cabs: Cabs) -> None:
    rows = json.loads(cabs("rewards", "--json").stdout)["rewards"]
    ranges = {row["reward"]: row["range"] for row in rows}
    assert ranges["tif"] == [0.0, 1.0]
    assert ranges["tif_paper"] == [0.0, 2.35]
    assert "tif_paper" in cabs("rewards").stdout


def test_a_run_that_is_being_gamed(cabs: Cabs, rollouts: str, tmp_path: Path) -> None:
    asked = ("rewards", rollouts, "--reward", "tif", "--reward", "rouge_l", "--by", "step")
    done = cabs(*asked, "-o", "out", "--json")
    assert (done.returncode, done.stderr) == (0, "written to out\n")
    tif, rouge = json.loads(done.stdout)["rewards"]
    first, last = tif["parts"]
    assert (first["part"], first["samples"], last["part"]) == ("0", 3, "100")
    assert first["components"]["hits"] > last["components"]["hits"] == 0.0
    assert (first["dead"], last["dead"]) == (0.0, 1.0)
    assert (first["repeated"], last["repeated"]) == (pytest.approx(2 / 3), 1.0)
    assert rouge["bounds"] == [0.0, 1.0]
    assert (tmp_path / "out" / "results.json").read_text() == done.stdout
    rows = list(csv.DictReader((tmp_path / "out" / "samples.csv").read_text().splitlines()))
    assert len(rows) == 12
    assert (rows[0]["sample"], rows[0]["value"], rows[0]["status"]) == (f"{rollouts}:1", "1.0", "ok")
    table = cabs(*asked).stdout
    assert "dead" in table
    assert "tif|cabs:" in table


def test_samples_without_a_value_are_told(cabs: Cabs, tmp_path: Path) -> None:
    name = write(
        tmp_path / "r.jsonl",
        {"completion": FOUND, "reference": FOUND},
        {"completion": FOUND, "reference": "xyz"},
        {"completion": [{"role": "assistant", "content": FOUND}], "reference": FOUND},
    )
    done = cabs("rewards", name, "--json")
    assert "tif: 1 samples have no value; the first, r.jsonl:2: the reference was not read" in done.stderr
    assert json.loads(done.stdout)["rewards"][0]["parts"][0]["mean"] == 1.0


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("nowhere.jsonl",), "no such file"),
        (("rollouts.jsonl", "--reward", "tiff"), "did you mean 'tif'?"),
        (("rollouts.jsonl", "--reward", "tif", "--reward", "tif"), "asked for twice"),
        (("rollouts.jsonl", "--by", "epoch"), "there is no field 'epoch'"),
        (("rollouts.jsonl", "--reference", "gts"), "there is no field 'gts'"),
        (("rollouts.jsonl", "--scale", "half"), "'half' is no scale"),
        (("rollouts.jsonl", "--reward", "cider"), "depend on the others"),
        (("--reward", "tif"), "there are no rollouts"),
        (("empty.jsonl",), "holds no rollouts"),
    ],
)
def test_mistakes(cabs: Cabs, rollouts: str, tmp_path: Path, args: tuple[str, ...], said: str) -> None:
    (tmp_path / "empty.jsonl").write_text("")
    done = cabs("rewards", *args)
    assert done.returncode in (1, 2)
    assert done.stdout == ""
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def test_the_dumps_of_trainers_are_understood(cabs: Cabs, tmp_path: Path) -> None:
    verl = write(tmp_path / "verl.jsonl", {"input": "Write.", "output": FOUND, "gts": FOUND, "score": 0.5, "step": 1})
    assert json.loads(cabs("rewards", verl, "--json").stdout)["rewards"][0]["parts"][0]["mean"] == 1.0
    record = {"response": FOUND, "extra_info": {"info": {"findings_abnormality_entity": {"abnormalities": []}}}}
    tif = write(tmp_path / "tif.jsonl", record)
    assert json.loads(cabs("rewards", tif, "--json").stdout)["rewards"][0]["parts"][0]["components"]["false"] > 0
    question = {"completion": "<think>Emphysema.</think><answer>A</answer>", "answer": "A"}
    mcq = write(tmp_path / "mcq.jsonl", question | {"question": "Which? A) Emphysema B) Atelectasis"})
    found = json.loads(cabs("rewards", mcq, "--reward", "med3d", "--json").stdout)
    assert found["rewards"][0]["parts"][0]["mean"] == 3.0
    nothing = cabs("rewards", write(tmp_path / "none.jsonl", {"completion": FOUND, "truth": FOUND}))
    assert "name its column with --reference" in nothing.stderr
