"""How a check of a training run looks in a terminal."""

from __future__ import annotations

from rich.table import Table

from cabs.cli.render import empty_table
from cabs.training.preflight import Preflight


def preflight_table(found: Preflight) -> Table:
    """A row a quantity."""
    config = found.run.config
    table = empty_table("run", str(found.run.file), left={0, 1})
    rows = {"train": len(found.train), "held out": len(found.held_out), "cold start": len(found.sft)}
    values = ["-" if result.value is None else f"{result.value:.3f}" for result in found.rewards]
    table.add_row("model", config.model.path)
    table.add_row("method", config.method)
    table.add_row("rows", ", ".join(f"{name} {number}" for name, number in rows.items() if number))
    table.add_row("images", str(sum(len(row.images) for row in (*found.train, *found.held_out))))
    table.add_row("reward", found.reward.name)
    table.add_row("of references", " ".join(values))
    table.add_row("output", str(found.run.output))
    return table
