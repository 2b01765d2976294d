"""`cabs rewards`: what there is to train with, and what it makes of rollouts."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cabs.cli import options

if TYPE_CHECKING:
    from cabs.rewards.result import RewardResult
    from cabs.rewards.reward import Reward
    from cabs.rewards.rollouts import Columns

File = Annotated[
    Path | None, typer.Argument(metavar="ROLLOUTS", help="Completions with their references; without a file, a list.")
]
Names = Annotated[
    list[str] | None,
    typer.Option("--reward", metavar="NAME[:KEY=VALUE,...]", help="A reward, or any metric as one; repeatable."),
]
Column = Annotated[str, typer.Option(metavar="COLUMN", help="The column that holds it, if it has no usual name.")]
By = Annotated[str, typer.Option("--by", metavar="COLUMN", help="A summary for each value: training steps, systems.")]
Scale = Annotated[str, typer.Option(metavar="raw|unit", help="Values as they are, or in [0, 1].")]
CHUNK = 64
"""Samples between two signs of progress."""


def rewards(
    file: File = None,
    reward: Names = None,
    completion: Column = "",
    reference: Column = "",
    by: By = "",
    scale: Scale = "raw",
    as_json: options.AsJson = False,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="DIR", help="Write results.json and a row a sample here.")
    ] = None,
) -> None:
    """List the rewards; or compute some for a file of rollouts, with everything that one watches while training.

    Values that rise while hits do not, false facts or restatements that grow, one text for every prompt: so a run looks
    that is being gamed.
    """
    from cabs.errors import SettingError
    from cabs.rewards.registered import REWARDS
    from cabs.rewards.registered import reward as named
    from cabs.rewards.rollouts import Columns

    if file is None:
        if reward or output is not None:
            raise SettingError("there are no rollouts", place="cabs rewards", hint="name a file of completions")
        listed([named(name) for name in REWARDS.names], as_json=as_json)
        return
    names = reward or ["tif"]
    if len({*names}) < len(names):
        raise SettingError("a reward is asked for twice", place="--reward", hint="name each once")
    chosen = [named(name, scale=scale) for name in names]  # type: ignore[arg-type]  # it checks the scale
    computed(file, chosen, Columns(completion, reference, by), as_json=as_json, output=output)


def listed(found: list[Reward], *, as_json: bool) -> None:
    """Print what there is."""
    from cabs.cli.render import console
    from cabs.cli.render_rewards import rewards_table
    from cabs.io.jsontext import json_page

    if as_json:
        rows = [
            {
                "reward": reward.name,
                "label": reward.label,
                "range": list(reward.range),
                "components": list(reward.components),
                "signature": reward.signature,
                "package": reward.package,
            }
            for reward in found
        ]
        typer.echo(json_page({"rewards": rows}), nl=False)
    else:
        console().print(rewards_table(found))


def computed(file: Path, chosen: list[Reward], columns: Columns, *, as_json: bool, output: Path | None) -> None:
    """Compute rewards over a file, print and write them."""
    from cabs.cli.door import note, warn
    from cabs.cli.render import console, progress
    from cabs.cli.render_rewards import summary_table
    from cabs.errors import CabsError
    from cabs.io.jsontext import json_page
    from cabs.rewards.files import FILES, page, write_rewards
    from cabs.rewards.rollouts import read_rollouts
    from cabs.rewards.summary import summaries

    options.guard(options.inside(output, FILES), (file,))
    rollouts = list(read_rollouts(file, columns))
    results: dict[Reward, list[RewardResult]] = {}
    with progress("scoring", len(rollouts) * len(chosen)) as done:
        for reward in chosen:
            results[reward] = []
            for start in range(0, len(rollouts), CHUNK):
                some = [rollout.example for rollout in rollouts[start : start + CHUNK]]
                results[reward] += reward.score_batch(some)
                done(len(some))
    found = {reward: summaries(rollouts, results[reward]) for reward in chosen}
    if output is not None:
        write_rewards(output, rollouts, results, found)
    if as_json:
        typer.echo(json_page(page(found)), nl=False)
    for reward, parts in found.items() if not as_json else ():
        console().print(summary_table(reward, parts))
        console().print(f"{reward.signature}\n", soft_wrap=True)
    for reward, scored in results.items():
        failed = [(rollout, result) for rollout, result in zip(rollouts, scored, strict=True) if result.value is None]
        if failed:
            first, why = failed[0]
            warn(f"{reward.name}: {len(failed)} samples have no value; the first, {first.place}: {why.reason}")
    if output is not None:
        note(f"written to {output}")
    for reward, scored in results.items():
        if scored and all(result.status == "error" for result in scored):
            raise CabsError("no sample could be scored", place=f"reward {reward.name}", hint="the warning says why")
