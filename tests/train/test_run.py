"""Whole runs: what they log, what they write, what they refuse."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors.numpy import load_file

from cabs.errors import InputError
from cabs.training.config import read_config
from cabs.training.launch import launch
from cabs.training.preflight import Preflight, preflight
from cabs.training.slices.folder import write_slices
from cabs.training.slices.volume import read_volume
from cabs.training.slices.window import Window
from tests.train.conftest import SFT, TRAINER, Cabs
from tests.train.seeing import save_seeing_model
from tests.training.build import ROWS, config

pytestmark = pytest.mark.filterwarnings("ignore")
"""Of torch, transformers and TRL, not ours to mend."""


def ready(folder: Path, base: Path, rows: list[dict[str, Any]] | None = None, **sections: Any) -> Preflight:
    asked = {"reward": {"name": "letters"}, **sections, "model": {"path": str(base), **sections.get("model", {})}}
    return preflight(
        read_config(config(folder, rows, **{**asked, "trainer": {**TRAINER, **sections.get("trainer", {})}}))
    )


def trained(folder: Path, base: Path, rows: list[dict[str, Any]] | None = None, **sections: Any) -> Path:
    return launch(ready(folder, base, rows, **sections)).parent


def history(out: Path, step: int) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((out / f"checkpoint-{step}" / "trainer_state.json").read_text())[
        "log_history"
    ]
    return found


def moved(out: Path, model: Path) -> bool:
    before, after = (load_file(folder / "model.safetensors") for folder in (model, out / "model"))
    return any((before[name] != after[name]).any() for name in after)


def test_a_run_logs_components_and_held_out_scores(model: Path, tmp_path: Path) -> None:
    out = trained(tmp_path, model, evaluation={"every": 2, "metrics": ["f1", "recall", "cabs_score"]})
    lines = history(out, 4)
    steps = [line for line in lines if "reward" in line]
    assert [line["step"] for line in steps] == [1, 2, 3, 4]
    assert all({"cabs/letters/letters", "cabs/letters/mean", "cabs/letters/dead"} <= line.keys() for line in steps)
    scores = [line for line in lines if "eval_cabs/f1" in line]
    assert [(line["step"], line["eval_cabs/f1"]) for line in scores] == [(2, 0.0), (4, 0.0)]
    assert all({"eval_cabs/recall", "eval_cabs/cabs_score"} <= line.keys() for line in scores)
    written = [json.loads(line) for line in (out / "evaluation.jsonl").read_text().splitlines()]
    assert [(line["step"], line["rows"], line["f1"]) for line in written] == [(2, 4, 0.0), (4, 4, 0.0)]
    assert moved(out, model)


def test_what_was_written_is_read_by_cabs_rewards(model: Path, tmp_path: Path, cabs: Cabs) -> None:
    out = trained(tmp_path, model, evaluation={"every": 2, "rows": 3}, method="rloo")
    told = [json.loads(line) for line in (out / "held_out.jsonl").read_text().splitlines()]
    assert [(line["step"], line["id"]) for line in told] == [(s, f"s{at}") for s in (2, 4) for at in range(3)]
    done = cabs("rewards", str(out / "held_out.jsonl"), "--by", "step", "--json")
    assert [part["samples"] for part in json.loads(done.stdout)["rewards"][0]["parts"]] == [3, 3]
    assert not (
        trained(tmp_path, model, evaluation={"every": 2, "texts": False}, output="b") / "held_out.jsonl"
    ).exists()


@pytest.mark.parametrize("method", ["grpo", "rloo"])
def test_evaluations_may_take_the_likeliest_tokens(model: Path, tmp_path: Path, method: str) -> None:
    """A model that does not learn writes the same twice at temperature 0, and draws anew at the trainer's."""
    still = {"learning_rate": 0.0}
    for output, temperature in (("likeliest", 0), ("drawn", None)):
        asked = {"every": 2, **({} if temperature is None else {"temperature": temperature})}
        out = trained(tmp_path, model, evaluation=asked, trainer=still, method=method, output=output)
        told = [json.loads(line) for line in (out / "held_out.jsonl").read_text().splitlines()]
        first, second = ([line["completion"] for line in told if line["step"] == step] for step in (2, 4))
        assert (first == second) == (temperature == 0)


def test_a_finished_run_is_left_and_more_steps_go_on(model: Path, tmp_path: Path) -> None:
    told: list[str] = []
    out = trained(tmp_path, model)
    launch(ready(tmp_path, model), tell=told.append)
    assert told == [f"the run is finished: {out / 'model'}; --fresh starts anew"]
    launch(ready(tmp_path, model, trainer={"max_steps": 6}), tell=told.append)
    assert told[1:] == [f"going on from {out / 'checkpoint-4'}", f"model written to {out / 'model'}"]
    assert json.loads((out / "finished.json").read_text())["step"] == 6
    launch(ready(tmp_path, model, seed=5), fresh=True, tell=told.append)
    assert not (out / "checkpoint-6").exists()
    assert json.loads((out / "run.json").read_text())["seed"] == 5


@pytest.mark.parametrize(
    ("sections", "said"),
    [
        ({"trainer": {"num_generation": 2}}, "did you mean 'num_generations'"),
        ({"trainer": {"output_dir": "x"}}, "a run sets this itself"),
        ({"trainer": {"eval_steps": 3}}, "see evaluation.every"),
        ({"trainer": {"loss_type": "grpo"}, "method": "rloo"}, "RLOOConfig has no such key"),
        ({"model": {"lora": {"rank": 3}}}, "model.lora.rank: LoraConfig has no such key"),
        ({"sft": {"trainer": {"packng": True}}}, "did you mean 'packing'"),
        ({"trainer": {"num_generations": 3}}, "trainer: GRPOConfig says: generation_batch_size"),
        ({"trainer": {"gradient_accumulation_steps": 2, "num_iterations": 2, "save_steps": 3}}, "a multiple of 2"),
        ({"trainer": {"gradient_accumulation_steps": 3, "steps_per_generation": 2}}, "never meet"),
        ({"model": {"path": "nobody/nothing"}}, "model.path: 'nobody/nothing' can't be loaded"),
    ],
)
def test_keys_and_values_of_others_are_refused(
    model: Path, tmp_path: Path, sections: dict[str, Any], said: str
) -> None:
    with pytest.raises(InputError, match=said) as refused:
        trained(tmp_path, model, **sections)
    assert str(refused.value).startswith(str(tmp_path / "run.yaml"))


@pytest.mark.parametrize("loss", ["grpo", "dr_grpo", "dapo", "bnpo", "cispo"])
def test_loss_types_pass_through(model: Path, tmp_path: Path, loss: str) -> None:
    trainer = {"loss_type": loss, "scale_rewards": "none", "max_steps": 1, "save_strategy": "no"}
    assert moved(trained(tmp_path, model, trainer=trainer), model)


def test_slices_of_a_volume_reach_a_model_that_sees(tmp_path: Path) -> None:
    save_seeing_model(tmp_path / "seeing")
    values = np.random.default_rng(0).integers(-200, 200, (6, 40, 40)).astype(np.int16)
    np.save(tmp_path / "ct.npy", values)
    write_slices(tmp_path / "a", read_volume(tmp_path / "ct.npy"), lambda n: range(0, n, 2), Window())
    write_slices(tmp_path / "b", read_volume(tmp_path / "ct.npy"), lambda n: range(1, n, 2), Window())
    rows = [{**row, "images": ["a" if at % 2 else "b"]} for at, row in enumerate(ROWS)]
    asked = {
        "trainer": {"trust_remote_code": True, "max_steps": 2, "learning_rate": 0.01},
        "evaluation": {"every": 2},
        "sft": {"abnormal_weight": 1.1, "trainer": {**SFT, "trust_remote_code": True, "max_steps": 2}},
    }
    out = trained(tmp_path, tmp_path / "seeing", rows, **asked)
    line = next(line for line in history(out, 2) if "reward" in line)
    assert line["num_tokens"] > 2 * 3 * 4, "a picture is four tokens or more"
    before, after = (load_file(f / "model.safetensors") for f in (out / "sft" / "model", out / "model"))
    seen = [name for name in before if "visual" in name and (before[name] != after[name]).any()]
    assert seen, "what sees was trained, so the pictures were seen in the training step"


def test_a_cold_start_is_done_once_and_learns(model: Path, tmp_path: Path) -> None:
    told: list[str] = []
    asked = {"sft": {"trainer": {**SFT, "learning_rate": 0.05}}}
    out = launch(ready(tmp_path, model, [ROWS[0]], **asked), tell=told.append).parent
    assert told[0] == f"cold start written to {out / 'sft' / 'model'}"
    losses = [line["loss"] for line in history(out / "sft", 4) if "loss" in line]
    assert losses == sorted(losses, reverse=True)
    assert losses[-1] < losses[0] - 1
    launch(ready(tmp_path, model, [ROWS[0]], **asked, trainer={"max_steps": 6}), tell=told.append)
    assert told[2] == f"the cold start is done: {out / 'sft' / 'model'}"


def test_a_weight_of_one_is_the_plain_loss_and_another_is_not(model: Path, tmp_path: Path) -> None:
    found = {}
    for name, weight in {"plain": None, "one": 1.0, "two": 2.0}.items():
        keys = {**SFT, "gradient_accumulation_steps": 2, "max_steps": 2, "max_grad_norm": 0.0, "save_strategy": "no"}
        sft = {"abnormal_weight": weight, "trainer": {**keys, "optim": "sgd"}}
        out = trained(tmp_path, model, sft=sft, output=name, trainer={"max_steps": 1, "save_strategy": "no"})
        found[name] = load_file(out / "sft" / "model" / "model.safetensors")
    close = {
        name: all(np.allclose(found["plain"][key], found[name][key], atol=1e-5) for key in found[name])
        for name in found
    }
    assert close == {"plain": True, "one": True, "two": False}


def test_a_cold_start_with_an_adapter_ends_in_a_whole_model(model: Path, tmp_path: Path) -> None:
    lora = {"r": 4, "target_modules": "all-linear"}
    asked = {"model": {"lora": lora}, "sft": {"abnormal_weight": 1.1, "trainer": SFT}}
    out = trained(tmp_path, model, **asked, trainer={"beta": 0.1})
    whole = load_file(out / "sft" / "model" / "model.safetensors")
    before = load_file(model / "model.safetensors")
    assert whole.keys() == before.keys()
    assert any((whole[name] != before[name]).any() for name in whole)
    assert (out / "model" / "adapter_model.safetensors").is_file()
    settings = json.loads((out / "model" / "adapter_config.json").read_text())
    assert settings["base_model_name_or_path"] == str(out / "sft" / "model")


def test_the_command_speaks_on_the_right_side(model: Path, tmp_path: Path, cabs: Cabs) -> None:
    ready(tmp_path, model, trainer={"max_steps": 1, "save_strategy": "no"})
    done = cabs("train", "run.yaml", "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["rows"] == {"train": 4, "held_out": 4, "sft": 0}
    assert "model written to out/model" in done.stderr
