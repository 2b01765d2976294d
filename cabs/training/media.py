"""The pictures of a row: files that are there, in order; folders of slices stand for their slices. Volumes and videos
are told what to do about."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeAlias

from cabs.errors import InputError
from cabs.io.fields import missing
from cabs.io.record import Record, kind_of
from cabs.training.slices.folder import SIDECAR, slices_in

Images: TypeAlias = tuple[Path, ...]

VOLUMES = (".npy", ".nii", ".gz", ".dcm", ".mha", ".nrrd")
VIDEOS = (".mp4", ".avi", ".mov", ".mkv", ".webm", ".gif")


def images_of(record: Record, column: str, home: Path) -> Images:
    """The image files of a row, none where it has no such column; relative ones start at `home`.

    Raises:
        InputError: one is not there, or is no image.
    """
    given = record.fields.get(column)
    if missing(given):
        return ()
    listed = [given] if isinstance(given, str | Mapping) else given
    if not isinstance(listed, list):
        what = f"column {column!r} holds {kind_of(given)}"
        raise InputError(what, place=record.place, hint="a list of image files, or of folders made by `cabs slices`")
    return tuple(path for item in listed for path in _files(item, column, home, record.place))


def _files(item: Any, column: str, home: Path, place: str) -> Images:
    named = next((item[k] for k in ("image", "path") if item.get(k)), None) if isinstance(item, Mapping) else item
    if not isinstance(named, str):
        raise InputError(
            f"column {column!r} holds {kind_of(item)} for an image", place=place, hint="the path of a file"
        )
    path = home / Path(named.removeprefix("file://")).expanduser()
    if path.is_dir():
        return slices_in(path, place)
    if not path.is_file():
        raise InputError(f"there is no image {named!r}", place=place, hint=f"paths start at {home}")
    if path.suffix.lower() in (*VOLUMES, *VIDEOS):
        hint = f"make slices: cabs slices {named} -o DIR, and name DIR (its {SIDECAR} says how they were made)"
        raise InputError(f"{named!r} is no image but a volume or a video", place=place, hint=hint)
    return (path,)


def videos_of(record: Record, column: str) -> tuple[Any, ...]:
    """What the column of videos holds, as it is; nothing where there is none."""
    given = record.fields.get(column)
    if missing(given) or given == []:
        return ()
    return tuple(given) if isinstance(given, list) else (given,)


def video_blocks(prompt: tuple[Mapping[str, Any], ...]) -> bool:
    """Whether a prompt holds a video."""
    blocks = [block for m in prompt if isinstance(m["content"], list) for block in m["content"]]
    return any(isinstance(block, Mapping) and (block.get("type") == "video" or "video" in block) for block in blocks)
