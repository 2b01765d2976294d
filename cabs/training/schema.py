"""The sections of a training configuration. Keys of other packages (TRL, peft, verl) pass through as they are."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

Keys = dict[str, Any]
"""Keys of another package, by its own names."""
Method = Literal["grpo", "rloo"]
Count = Annotated[int, Field(ge=1)]
Weight = Annotated[float, Field(gt=0, allow_inf_nan=False)]


class Section(BaseModel):
    """What all sections share: no unknown key, no silent conversion, frozen."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class ModelSection(Section):
    """`path`: a folder or a name on a hub. `lora`: keys of peft's LoraConfig; without it all parameters are trained.
    `load`: keys of transformers' `from_pretrained` (dtype, attn_implementation, revision)."""

    path: str
    lora: Keys | None = None
    load: Keys = {}


class DataSection(Section):
    """Files of rows (any that `cabs score` reads) and their columns; a name with dots looks inside (`a.b`).

    - prompt: text or messages. template: text with `{column}` in place of such a column. system: a first message.
    - reference: what the reward takes (see `cabs.rewards.Example`).
    - images: a list of files or of folders that `cabs slices` made; videos: for verl alone.
    - id: by default the number of the row.
    """

    train: str
    eval: str | None = None
    prompt: str = "prompt"
    template: str | None = None
    system: str | None = None
    reference: str = "reference"
    images: str = "images"
    videos: str = "videos"
    id: str = "id"


class RewardSection(Section):
    """`name` with its options (`tif`, `tif:gamma=0`), more `options`, and how the trainer takes it: see
    `cabs.rewards.adapters.trl.trl_reward`."""

    name: str = "tif"
    options: Keys = {}
    truncated: Literal["score", "none", "zero"] = "score"
    scale: Literal["raw", "unit"] = "raw"


class SftSection(Section):
    """A cold start on the references before the rewards. `trainer`: keys of TRL's SFTConfig. `train`: another file than
    that of the rewards. `abnormal_weight`: of a token in a sentence that states a present abnormality, as in [M3D]
    (1.10 there); 1 for all tokens without it."""

    train: str | None = None
    abnormal_weight: Weight | None = None
    trainer: Keys = {}


class EvaluationSection(Section):
    """Every `every` steps the model writes about the held-out rows (the first `rows` of `data.eval`), and CABS scores
    what it wrote: `metrics` by the names of `cabs.score`. `temperature`: of these texts, 0 for the likeliest tokens;
    the trainer's without it. The whole texts stay out of the files with `texts: false`."""

    every: Count
    rows: Count | None = None
    metrics: list[str] = ["f1", "fc_f1", "cabs_score"]
    temperature: Annotated[float, Field(ge=0, allow_inf_nan=False)] | None = None
    texts: bool = True


class VerlSection(Section):
    """For `cabs export verl` alone. `options`: keys of verl by their full names
    (`actor_rollout_ref.rollout.name: vllm`), which stand behind those of the recipe and win."""

    nodes: Count = 1
    gpus: Count = 8
    batch: Count = 64
    options: Keys = {}


class Config(Section):
    """A whole configuration. `trainer`: keys of TRL's GRPOConfig or RLOOConfig. Paths start at the file's folder."""

    model: ModelSection
    data: DataSection
    output: str
    reward: RewardSection = RewardSection()
    method: Method = "grpo"
    trainer: Keys = {}
    sft: SftSection | None = None
    evaluation: EvaluationSection | None = None
    verl: VerlSection = VerlSection()
    seed: Annotated[int, Field(ge=0, lt=2**32)] = 0
