"""Rows in the shape of verl's data: a prompt with places for its media, the reference as ground truth."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from cabs.errors import InputError
from cabs.io.record import kind_of
from cabs.training.rows import Message, Row
from cabs.training.slices.folder import slices_in

PLACES = {"image": "<image>", "video": "<video>"}
"""What stands for a picture in the text of a prompt, in order."""


def verl_rows(rows: Sequence[Row], source: str, split: str, home: Path) -> Iterator[dict[str, Any]]:
    """One record a row; media paths are absolute, since workers run anywhere. `source` is the `data_source`; relative
    videos start at `home`.

    Raises:
        InputError: a video is no path, list of frames or mapping, or the prompt has not as many places as there are
            pictures.
    """
    for index, row in enumerate(rows):
        images = [{"image": f"file://{path.resolve()}"} for path in row.images]
        videos = [_video(video, row, home) for video in row.videos]
        yield {
            "data_source": source,
            "prompt": _with_places(row, {"image": len(images), "video": len(videos)}),
            "images": images,
            "videos": videos,
            "ability": "report",
            "reward_model": {"style": "rule", "ground_truth": row.reference},
            "extra_info": {**row.columns, "id": row.id, "index": index, "split": split},
        }


def _with_places(row: Row, wanted: Mapping[str, int]) -> list[dict[str, str]]:
    """The messages as text. Where a prompt has no place at all, its pictures stand before the first question."""
    messages = [{"role": str(m["role"]), "content": _text(m, row.place)} for m in row.prompt]
    for kind, sign in PLACES.items():
        found = sum(m["content"].count(sign) for m in messages)
        if found == 0 and wanted[kind]:
            first = next(m for m in messages if m["role"] == "user")
            first["content"] = sign * wanted[kind] + first["content"]
        elif found != wanted[kind]:
            what = f"the prompt has {found} places for {wanted[kind]} {kind}s"
            raise InputError(what, place=row.place, hint=f"one {sign} each, or none at all")
    return messages


def _text(message: Message, place: str) -> str:
    content = message["content"]
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        raise InputError(f"a message holds {kind_of(content)}, text or blocks expected", place=place)
    return "".join(_block(block, place) for block in content)


def _block(block: Any, place: str) -> str:
    kind = block.get("type") if isinstance(block, Mapping) else None
    if kind == "text":
        return str(block["text"])
    if kind in PLACES and block.keys() <= {"type", "image", "video"} and not block.get(kind):
        return PLACES[kind]
    what = "a block of the prompt is neither text nor a place for a picture"
    raise InputError(what, place=place, hint='{"type": "image"}, with the file in the column of images')


def _video(video: Any, row: Row, home: Path) -> dict[str, Any]:
    """A file, a folder of slices, a list of frames, or a mapping with more of what `qwen_vl_utils` reads (fps,
    min_frames, max_frames)."""
    told = dict(video) if isinstance(video, Mapping) else {"video": video}
    given = told.get("video")
    if isinstance(given, list) and all(isinstance(frame, str) for frame in given):
        return {**told, "video": [_frame(home / frame, row) for frame in given]}
    if not isinstance(given, str):
        raise InputError(
            f"a video is {kind_of(given)}", place=row.place, hint="a path, frames, or {video: ..., fps: 2}"
        )
    path = home / given.removeprefix("file://")
    if path.is_dir():
        return {**told, "video": [_frame(frame, row) for frame in slices_in(path, row.place)]}
    return {**told, "video": _frame(path, row)}


def _frame(path: Path, row: Row) -> str:
    if not path.is_file():
        raise InputError(
            f"there is no file {str(path)!r}", place=row.place, hint="paths start at the folder of the data"
        )
    if path.suffix.lower() in (".npy", ".nii", ".gz"):
        hint = f"make slices: cabs slices {path} -o DIR, and name DIR as the video"
        raise InputError(f"{path.name!r} is a volume, which verl does not read", place=row.place, hint=hint)
    return f"file://{path.resolve()}"
