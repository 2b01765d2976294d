"""A folder of slices: PNG files in order, and a sidecar that says how they were made."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from cabs.errors import InputError, SettingError
from cabs.io.jsontext import json_page
from cabs.io.output import staged, write_bytes
from cabs.training.slices.png import png
from cabs.training.slices.volume import Volume
from cabs.training.slices.window import Window

SIDECAR = "slices.json"
SCHEMA_VERSION = 1


def write_slices(
    folder: Path, volume: Volume, indices: Callable[[int], Sequence[int]], window: Window, axis: int | None = None
) -> dict[str, Any]:
    """Write the slices along `axis` (by default the volume's own) at the `indices` of their number; the sidecar.

    The sidecar has the source's name and SHA-256, the shape, the axis, the window, and for each file its index;
    `spacing` is mm along the axes, null where the source does not tell. Pixels are those of the volume: nothing is
    resampled.

    Raises:
        SettingError: there is no such axis; OutputError: the folder can't be written.
    """
    along = volume.axis if axis is None else axis
    if along not in range(3):
        raise SettingError(f"{along} is no axis", place="axis", hint="0, 1 or 2")
    chosen = indices(volume.values.shape[along])
    names = [f"{place:03d}.png" for place in range(len(chosen))]
    page = _page(volume, along, window, list(zip(names, map(int, chosen), strict=True)))
    earlier = [path.name for path in folder.glob("[0-9][0-9][0-9]*.png")] if (folder / SIDECAR).is_file() else []
    with staged(folder, SIDECAR, (SIDECAR, *earlier)) as staging:
        for name, index in zip(names, chosen, strict=True):
            write_bytes(staging.path(name), png(window.grey(plane(volume, along, index))))
        write_bytes(staging.path(SIDECAR), json_page(page).encode())
    return page


def plane(volume: Volume, axis: int, index: int) -> Any:
    """One slice as it is shown: rows × columns of HU."""
    import numpy as np

    found = np.take(volume.values, index, axis=axis)
    return found[::-1, ::-1].T if volume.flipped else found


def _page(volume: Volume, axis: int, window: Window, files: list[tuple[str, int]]) -> dict[str, Any]:
    return {
        "schema_version": SCHEMA_VERSION,
        "source": {"name": volume.name, "sha256": volume.digest, "shape": list(volume.values.shape)},
        "axis": axis,
        "spacing": None if volume.spacing is None else list(volume.spacing),
        "window": {"center": window.center, "width": window.width},
        "slices": [{"file": name, "index": index} for name, index in files],
    }


def slices_in(folder: Path, place: str) -> tuple[Path, ...]:
    """The files of a folder of slices in their order; `place` names it in messages.

    Raises:
        InputError: it is no folder of slices, or a file of it is missing.
    """
    sidecar = folder / SIDECAR
    if not sidecar.is_file():
        hint = f"make one with cabs slices VOLUME -o {folder}"
        raise InputError(f"the folder {str(folder)!r} has no {SIDECAR}", place=place, hint=hint)
    try:
        names = [one["file"] for one in json.loads(sidecar.read_text(encoding="utf-8"))["slices"]]
        found = tuple(folder / name for name in names)
    except (ValueError, KeyError, TypeError):
        raise InputError("not readable as a record of slices", place=str(sidecar), hint="make them anew") from None
    for path in found:
        if not path.is_file():
            raise InputError(f"the slice {path.name!r} is missing", place=str(sidecar), hint="make them anew")
    return found
