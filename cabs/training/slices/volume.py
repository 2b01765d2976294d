"""A file of a volume → its values in HU, its orientation and spacing."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cabs.errors import InputError, MissingExtraError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

ENDINGS = (".npy", ".nii", ".nii.gz")


@dataclass(frozen=True, eq=False)
class Volume:
    """`values`: three axes, HU (or what the file holds). `axis`: along which it was taken, as far as the file tells.
    `spacing`: mm along each axis, None where the file does not tell. `flipped`: whether planes are turned for display
    (rows and columns then run to the top left). `name` and `digest` (SHA-256) say which file it is."""

    values: NDArray[np.floating[Any]] | NDArray[np.integer[Any]]
    axis: int
    spacing: tuple[float, float, float] | None
    flipped: bool
    name: str
    digest: str


def read_volume(path: Path) -> Volume:
    """The volume in a file: `.npy` as it is, slices along its first axis; NIfTI (`.nii`, `.nii.gz`) turned to the
    closest right-anterior-superior axes, slices along the third, rows from front to back and columns from the patient's
    right to left, as they are shown.

    Raises:
        InputError: there is no such file, it is none of these, or it has no three axes; MissingExtraError: nibabel
            isn't installed.
    """
    if not path.is_file():
        raise InputError("no such file", place=str(path))
    if path.name.lower().endswith(ENDINGS[1:]):
        return _nifti(path)
    if path.suffix.lower() != ".npy":
        raise InputError("this is no volume that is understood", place=str(path), hint=f"one of: {', '.join(ENDINGS)}")
    return _npy(path)


def _npy(path: Path) -> Volume:
    import numpy as np

    try:
        values = np.load(path, mmap_mode="r", allow_pickle=False)
    except (ValueError, OSError) as error:
        raise InputError(f"not readable as .npy: {error}", place=str(path)) from None
    _check(values, path)
    return Volume(values, 0, None, False, path.name, _digest(path))


def _nifti(path: Path) -> Volume:
    try:
        import nibabel
        from nibabel.filebasedimages import ImageFileError
    except ImportError:
        hint = "pip install '.[volumes]' in a checkout of CABS, or pip install nibabel"
        raise MissingExtraError("NIfTI needs nibabel, which isn't installed", place=str(path), hint=hint) from None
    import numpy as np

    try:
        image = nibabel.as_closest_canonical(nibabel.load(path))
        values = np.asanyarray(image.dataobj)
    except (ImageFileError, EOFError, OSError, ValueError) as error:
        raise InputError(f"not readable as NIfTI: {error}", place=str(path)) from None
    if values.ndim == 4 and values.shape[3] == 1:
        values = values[..., 0]
    _check(values, path)
    x, y, z = (float(size) for size in image.header.get_zooms()[:3])
    return Volume(values, 2, (x, y, z), True, path.name, _digest(path))


def _check(values: Any, path: Path) -> None:
    if values.ndim != 3 or 0 in values.shape:
        raise InputError(f"a volume has three axes, this has the shape {values.shape}", place=str(path))
    if values.dtype.kind not in "iuf":
        raise InputError(f"holds {values.dtype}, numbers expected", place=str(path))


def _digest(path: Path) -> str:
    with path.open("rb") as handle:
        return hashlib.file_digest(handle, "sha256").hexdigest()
