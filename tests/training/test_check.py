"""`cabs train --dry-run`: what is known before a model is loaded, without torch."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cabs.training.slices.folder import write_slices
from cabs.training.slices.volume import read_volume
from cabs.training.slices.window import Window
from tests.training.build import REPORTS, ROWS, config
from tests.training.conftest import Cabs


def checked(cabs: Cabs, path: Path) -> dict[str, Any]:
    done = cabs("train", path.name, "--dry-run", "--json")
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def refused(cabs: Cabs, path: Path) -> str:
    done = cabs("train", path.name, "--dry-run")
    assert done.returncode == 1, done.stdout
    assert done.stdout == ""
    assert "Traceback" not in done.stderr
    return done.stderr


def test_what_a_check_finds(cabs: Cabs, tmp_path: Path) -> None:
    path = config(tmp_path, evaluation={"every": 10, "rows": 3}, trainer={"learning_rate": 1e-6})
    found = checked(cabs, path)
    assert found["rows"] == {"train": 4, "held_out": 3, "sft": 0}
    assert [one["value"] for one in found["reward"]["of_references"]] == [1.0] * 4
    assert len(found["warnings"]) == 1
    assert "are not checked" in found["warnings"][0]
    assert "pip install" in found["warnings"][0]
    table = cabs("train", path.name, "--dry-run")
    assert "1.000 1.000 1.000 1.000" in table.stdout
    assert "warning: keys of trainer" in table.stderr
    assert sorted(p.name for p in tmp_path.iterdir()) == ["eval.jsonl", "run.yaml", "train.jsonl"]


def test_training_itself_asks_for_what_is_missing(cabs: Cabs, tmp_path: Path) -> None:
    done = cabs("train", config(tmp_path).name)
    assert (done.returncode, done.stdout) == (1, "")
    assert "pip install '.[train]'" in done.stderr
    assert not (tmp_path / "out").exists()


def test_references_that_do_not_get_the_best_value_are_told(cabs: Cabs, tmp_path: Path) -> None:
    rows = [{"prompt": "Report.", "reference": "There is a left pleural effusion."}, {"prompt": "?", "reference": "?"}]
    first, second, *_ = checked(cabs, config(tmp_path, rows))["warnings"]
    assert "train.jsonl:1: the reference itself gets 0.000 of 1" in first
    assert "the form is not kept" in first
    assert "train.jsonl:2: tif has no value: the reference was not read" in second
    better = checked(cabs, config(tmp_path, rows[:1], reward={"name": "tif", "options": {"form": "headings"}}))
    assert better["reward"]["of_references"] == [{"status": "ok", "value": 1.0}]


def test_prompts_from_a_template_and_references_inside_of_records(cabs: Cabs, tmp_path: Path) -> None:
    entity = {"entity": "nodule", "location": "right upper lobe", "attribute": ""}
    info = {"findings_abnormality_entity": {"abnormalities": [entity]}}
    rows = [{"modality": "CT", "extra_info": {"info": info}, "said": {"report": REPORTS[0]}} for _ in range(2)]
    asked = {"template": "Report this {modality}: {{json}}", "system": "You report.", "reference": "said.report"}
    path = config(tmp_path, rows, data=asked)
    assert checked(cabs, path)["reward"]["of_references"][0]["value"] == 1.0
    from cabs.training.config import read_config
    from cabs.training.rows import read_rows

    row = read_rows(read_config(path), "train.jsonl")[0]
    assert [dict(m) for m in row.prompt] == [
        {"role": "system", "content": "You report."},
        {"role": "user", "content": "Report this CT: {json}"},
    ]
    assert json.loads(row.columns["extra_info"]) == {"info": info}  # type: ignore[arg-type]
    said = refused(cabs, config(tmp_path, rows, data={**asked, "template": "{sex}"}))
    assert "the template asks for column 'sex'" in said
    assert "columns here: id, modality" in said


def test_folders_of_slices_stand_for_their_images(cabs: Cabs, tmp_path: Path) -> None:
    np.save(tmp_path / "ct.npy", np.zeros((5, 4, 4), dtype=np.int16))
    write_slices(tmp_path / "a", read_volume(tmp_path / "ct.npy"), lambda n: range(n), Window())
    rows = [{**ROWS[0], "images": ["a"]}, {**ROWS[1], "images": ["a/000.png", {"image": "a/001.png"}]}]
    assert checked(cabs, config(tmp_path, rows))["images"] == 2 * 7
    content = [{"type": "image"}, {"type": "text", "text": "?"}]
    rows = [{**ROWS[0], "prompt": [{"role": "user", "content": content}], "images": ["a"]}]
    assert "not as many places for images as there are images (5)" in refused(cabs, config(tmp_path, rows))
    (tmp_path / "model").mkdir()
    assert "there is no config.json in" in refused(cabs, config(tmp_path))
    (tmp_path / "model" / "config.json").write_text('{"model_type": "qwen3"}')
    rows = [{**ROWS[0], "images": ["a"]}]
    assert "the model takes none" in refused(cabs, config(tmp_path, rows))
    (tmp_path / "model" / "config.json").write_text('{"vision_config": {}}')
    assert "no row has any" in checked(cabs, config(tmp_path))["warnings"][0]


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ({"videos": ["a.mp4"]}, "train.jsonl:1: holds a video, which TRL would leave out"),
        ({"prompt": [{"role": "user", "content": [{"type": "video"}]}]}, "cabs export verl, which takes videos"),
        ({"images": ["a.mp4"]}, "'a.mp4' is no image but a volume or a video"),
        ({"images": ["ct.npy"]}, "cabs slices ct.npy -o DIR"),
        ({"images": ["nowhere.png"]}, "there is no image 'nowhere.png'"),
        ({"images": ["empty"]}, "has no slices.json"),
        ({"images": 3}, "column 'images' holds a number"),
        ({"prompt": 3}, "column 'prompt' holds a number, no prompt"),
        ({"prompt": [{"role": "assistant", "content": "?"}]}, "it is the user who asks"),
        ({"prompt": None}, "there is no value in column 'prompt'"),
        ({"reference": 3}, "column 'reference' holds a number, no reference"),
        ({"id": "s1"}, "the id 's1' is that of"),
    ],
)
def test_rows_that_would_stop_a_run(cabs: Cabs, tmp_path: Path, row: dict[str, Any], said: str) -> None:
    for name in ("a.mp4", "ct.npy"):
        (tmp_path / name).write_text("")
    (tmp_path / "empty").mkdir()
    rows = [{**ROWS[0], **row}, ROWS[1]]
    assert said in refused(cabs, config(tmp_path, rows))


@pytest.mark.parametrize(
    ("sections", "said"),
    [
        ({"data": {"tarin": "x"}}, "run.yaml: data.tarin: there is no such key"),
        ({"data": {"tarin": "x"}}, "did you mean 'train'?"),
        ({"data": {"train": "no.jsonl"}}, "run.yaml: data.train: there is no file"),
        ({"data": {"train": "rows.jpg"}}, "files that end in '.jpg' are not understood"),
        ({"data": {"train": "nil.jsonl"}}, "holds no rows"),
        ({"model": {"path": 3}}, "run.yaml: model.path: input should be a valid string, not 3"),
        ({"method": "ppo"}, "run.yaml: method: input should be 'grpo' or 'rloo'"),
        ({"reward": {"name": "tiff"}}, "did you mean 'tif'?"),
        ({"reward": {"options": {"gama": 1}}}, "did you mean 'gamma'?"),
        ({"reward": {"name": "tif", "scale": "half"}}, "run.yaml: reward.scale"),
        ({"evaluation": {"every": 0}}, "run.yaml: evaluation.every"),
        ({"evaluation": {"every": 1, "metrics": ["f2"]}}, "'f2' is no metric"),
        ({"evaluation": {"every": 1}, "data": {"eval": None}}, "there is no held-out data"),
        ({"sft": {"abnormal_weight": 0}}, "run.yaml: sft.abnormal_weight"),
        ({"seed": -1}, "run.yaml: seed"),
    ],
)
def test_configurations_that_are_refused(cabs: Cabs, tmp_path: Path, sections: dict[str, Any], said: str) -> None:
    (tmp_path / "rows.jpg").write_text("")
    (tmp_path / "nil.jsonl").write_text("")
    assert said in refused(cabs, config(tmp_path, **sections))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "keys expected"),
        ("model: [", "not valid YAML"),
        ("model: {path: m}\nmodel: {path: n}\n", "the key 'model' is given twice"),
        ("data: {train: t.jsonl}\noutput: out\n", "run.yaml: model: is missing"),
    ],
)
def test_files_that_are_no_configuration(cabs: Cabs, tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "run.yaml").write_text(text)
    assert said in refused(cabs, tmp_path / "run.yaml")
    assert "can't be read" in refused(cabs, tmp_path / "nowhere.yaml")


def test_words_and_numbers_are_those_of_yaml_1_2(tmp_path: Path) -> None:
    from cabs.training.config import read_config

    config(tmp_path)
    with (tmp_path / "run.yaml").open("a") as handle:
        handle.write("trainer: {learning_rate: 1e-6, save_strategy: no, epsilon: 3.5E-4}\n")
    trainer = read_config(tmp_path / "run.yaml").config.trainer
    assert trainer == {"learning_rate": 1e-6, "save_strategy": "no", "epsilon": 3.5e-4}


def test_held_out_rows_that_are_trained_on_are_told(cabs: Cabs, tmp_path: Path) -> None:
    rows = ROWS[:1]
    assert "1 of 1 held-out rows are among the training rows" in checked(cabs, config(tmp_path, rows))["warnings"]
