"""`cabs score --engine ray`: the same run, its pairs read and judged by a Ray cluster."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cabs.io.pairs import Reading
    from cabs.scoring import Result
    from cabs.scoring.judge import Plan
    from cabs.scoring.run import Options

LOCAL, RAY = "local", "ray"
ENGINES = (LOCAL, RAY)

NOT_TAKEN = {
    "predictions": "join references and predictions into one file first",
    "reference_facts": "write the facts into the pairs, as reference_facts",
    "workers": "a cluster has as many as it has cores",
}
"""Options that a cluster does not take, and what to do."""


def check_engine(engine: str, address: str | None, given: Mapping[str, Any]) -> None:
    """See that there is such an engine, and that it takes the options that are set.

    Raises:
        SettingError: there is none, or it does not.
    """
    from cabs.cli.tasks import spelled
    from cabs.errors import SettingError
    from cabs.registry import offer

    if engine not in ENGINES:
        raise SettingError(f"{engine!r} is no engine", place="--engine", hint=offer(engine, ENGINES))
    if engine == LOCAL and address is not None:
        raise SettingError("no cluster is asked", place="--address", hint="--engine ray")
    for name, hint in NOT_TAKEN.items() if engine == RAY else ():
        if given[name] is not None:
            raise SettingError("--engine ray does not take it", place=spelled(name), hint=hint)


def run_on_ray(file: str, how: Reading, address: str | None, plan: Plan, options: Options) -> Result:
    """The run, on the cluster at an address or on one that is started here. Files that aren't there are told of before.

    Raises:
        MissingExtraError: there is no ray; SettingError: the plan asks an LLM; CabsError: as `run_from`.
    """
    from cabs.io.pieces import pieces
    from cabs.scoring.cluster import OnRay, connected, refuse_others

    refuse_others(plan)
    pieces(file)
    with connected(address):
        return in_sight(OnRay(file, how), plan, options)


def in_sight(source: Any, plan: Plan, options: Options) -> Result:
    """The run of a source that knows how many pairs it has, with a sign of progress."""
    from dataclasses import replace

    from cabs.cli.render import progress
    from cabs.scoring.run import run_from

    with progress("scoring", source.total) as done:
        return run_from(source, plan, replace(options, progress=done))
