"""The reference of the command line, made of the program: what `--help` says of every command."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import typer

from cabs.cli.app import app

HEAD = """# Commands

Made from the program: what `cabs COMMAND --help` says, all on one page. Which command does what, with an example of
each: [the tour](tour.md). Exit codes: 0 fine, 1 an error in the input, 2 wrong usage, 130 interrupted. What is data
goes to the standard output, what is talk to the standard error.
"""


def commands() -> Iterator[tuple[str, Any, Any]]:
    """Every command that does something: its name in full, the command and its context, in alphabetical order."""
    top = typer.main.get_command(app)
    yield from _below(top, top.make_context("cabs", [], resilient_parsing=True))


def _below(command: Any, context: Any) -> Iterator[tuple[str, Any, Any]]:
    for name in sorted(command.commands):
        inner = command.commands[name]
        within = inner.make_context(name, [], parent=context, resilient_parsing=True)
        if hasattr(inner, "commands"):
            yield from _below(inner, within)
        else:
            yield within.command_path, inner, within


def page() -> str:
    """The page, in Markdown."""
    return HEAD + "".join(_part(*found) for found in commands())


def _part(path: str, command: Any, context: Any) -> str:
    usage = command.get_usage(context).removeprefix("Usage: ")
    lines = ["", f"## {path}", "", "```text", " ".join(usage.split()), "```", "", *_paragraphs(command.help or "")]
    lines += _rows("argument", [_row(p, context) for p in command.params if p.param_type_name == "argument"])
    lines += _rows("option", [_row(p, context) for p in command.params if p.param_type_name == "option"])
    return "\n".join(lines) + "\n"


def _paragraphs(text: str) -> list[str]:
    return [line.strip() for line in text.strip().splitlines()]


def _row(parameter: Any, context: Any) -> tuple[str, str]:
    """How a parameter is written, and what it means."""
    record = parameter.get_help_record(context)
    if record is None:
        return "", ""
    name, meaning = record
    return f"`{name}`", " ".join(meaning.split()).replace("|", "\\|").replace("<", "&lt;")


def _rows(title: str, rows: list[tuple[str, str]]) -> list[str]:
    shown = [f"| {name} | {meaning} |" for name, meaning in rows if name]
    return ["", f"| {title} | meaning |", "| --- | --- |", *shown] if shown else []
