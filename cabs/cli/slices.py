"""`cabs slices`: a volume → slices for a vision model."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from cabs.cli import options

File = Annotated[Path, typer.Argument(metavar="VOLUME", help="A .npy (values in HU) or NIfTI file.")]
Output = Annotated[Path, typer.Option("-o", "--output", metavar="DIR", help="Write PNG files and slices.json here.")]


def slices(
    file: File,
    output: Output,
    number: Annotated[int, typer.Option("--slices", min=1, metavar="N", help="How many.")] = 16,
    middle: Annotated[
        int | None, typer.Option("--around", min=0, metavar="INDEX", help="Slices around this one; else evenly spaced.")
    ] = None,
    step: Annotated[int, typer.Option(min=1, metavar="N", help="Slices from one to the next, with --around.")] = 1,
    axis: Annotated[
        int | None,
        typer.Option(min=0, max=2, metavar="N", help="Along which axis; by default .npy 0, NIfTI 2 (feet to head)."),
    ] = None,
    center: Annotated[float, typer.Option(metavar="HU", help="HU that are shown as half grey.")] = 40.0,
    width: Annotated[float, typer.Option(metavar="HU", help="HU from black to white.")] = 400.0,
    as_json: options.AsJson = False,
) -> None:
    """Write slices of a volume as images under an HU window, with a record of window, indices and spacing.

    A row of training data names the folder among its images: `"images": ["DIR"]`.
    """
    from cabs.cli.door import note
    from cabs.errors import SettingError
    from cabs.io.jsontext import json_page
    from cabs.training.slices.choice import around, evenly
    from cabs.training.slices.folder import write_slices
    from cabs.training.slices.volume import read_volume
    from cabs.training.slices.window import Window

    if middle is None and step != 1:
        raise SettingError("without --around slices are evenly spaced", place="--step", hint="give --around INDEX")
    choose = (
        partial(evenly, wanted=number) if middle is None else partial(around, wanted=number, middle=middle, step=step)
    )
    page = write_slices(output, read_volume(file), choose, Window(center, width), axis)
    if as_json:
        typer.echo(json_page(page), nl=False)
    note(f"{len(page['slices'])} slices written to {output}")
