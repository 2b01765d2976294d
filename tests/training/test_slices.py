"""A synthetic volume → slices that another program reads back, with a record of how they were made."""

from __future__ import annotations

import itertools
import json
from pathlib import Path

import nibabel
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.image import imread

from cabs.errors import CabsError, InputError, SettingError
from cabs.training.slices.choice import around, evenly
from cabs.training.slices.folder import SIDECAR, slices_in, write_slices
from cabs.training.slices.volume import read_volume
from cabs.training.slices.window import Window
from tests.training.conftest import Cabs


@pytest.fixture
def volume(tmp_path: Path) -> Path:
    """Twenty slices of 6 × 8; each has its own value, and one corner that is far above."""
    values = np.broadcast_to(np.arange(-200, 200, 20, dtype=np.int16)[:, None, None], (20, 6, 8)).copy()
    values[:, 0, 0] = 3000
    np.save(tmp_path / "ct.npy", values)
    return tmp_path / "ct.npy"


def test_through_the_command_line(cabs: Cabs, volume: Path, tmp_path: Path) -> None:
    asked = ("slices", "ct.npy", "-o", "out", "--slices", "4", "--center", "0", "--width", "400", "--json")
    done = cabs(*asked)
    assert (done.returncode, done.stderr) == (0, "4 slices written to out\n")
    page = json.loads(done.stdout)
    assert (tmp_path / "out" / SIDECAR).read_text() == done.stdout
    assert [one["index"] for one in page["slices"]] == [2, 7, 12, 17]
    assert (page["window"], page["axis"], page["spacing"]) == ({"center": 0.0, "width": 400.0}, 0, None)
    assert page["source"]["shape"] == [20, 6, 8]
    for one in page["slices"]:
        seen = np.rint(imread(tmp_path / "out" / one["file"]) * 255)
        assert seen.shape == (6, 8)
        hu = one["index"] * 20 - 200
        assert seen[0, 0] == 255
        assert (seen[1:] == np.rint((hu + 200) / 400 * 255)).all()
    assert cabs(*asked).stdout == done.stdout
    fewer = cabs("slices", "ct.npy", "-o", "out", "--slices", "2")
    assert fewer.returncode == 0
    assert sorted(p.name for p in (tmp_path / "out").iterdir()) == ["000.png", "001.png", SIDECAR]


def test_a_folder_stands_for_its_slices(volume: Path, tmp_path: Path) -> None:
    write_slices(tmp_path / "out", read_volume(volume), lambda total: around(total, 3, 19), Window(), axis=0)
    assert [path.name for path in slices_in(tmp_path / "out", "rows:1")] == ["000.png", "001.png", "002.png"]
    (tmp_path / "out" / "001.png").unlink()
    with pytest.raises(InputError, match=r"'001.png' is missing"):
        slices_in(tmp_path / "out", "rows:1")
    with pytest.raises(InputError, match=r"rows:1.*no slices.json.*cabs slices"):
        slices_in(tmp_path, "rows:1")


def test_other_axes_and_what_is_no_number(tmp_path: Path) -> None:
    values = np.zeros((3, 4, 5), dtype=np.float32)
    values[:, 1, :] = np.nan
    np.save(tmp_path / "v.npy", values)
    page = write_slices(tmp_path / "out", read_volume(tmp_path / "v.npy"), lambda n: range(n), Window(0, 100), axis=1)
    assert page["axis"] == 1
    shown = [np.rint(imread(path) * 255) for path in slices_in(tmp_path / "out", "")]
    assert [plane.shape for plane in shown] == [(3, 5)] * 4
    assert [plane.max() for plane in shown] == [128, 0, 128, 128]


@given(st.integers(1, 400), st.integers(1, 60))
def test_even_slices_are_spread_and_symmetric(total: int, wanted: int) -> None:
    chosen = evenly(total, wanted)
    assert len(chosen) == min(total, wanted)
    assert list(chosen) == sorted(set(chosen))
    steps = {b - a for a, b in itertools.pairwise(chosen)}
    assert max(steps, default=0) - min(steps, default=0) <= 1
    assert abs(chosen[0] - (total - 1 - chosen[-1])) <= 1


@given(st.integers(1, 400), st.integers(1, 60), st.integers(1, 5), st.data())
def test_slices_around_one_hold_their_step(total: int, wanted: int, step: int, data: st.DataObject) -> None:
    middle = data.draw(st.integers(0, total - 1))
    chosen = around(total, wanted, middle, step)
    assert 1 <= len(chosen) <= wanted
    assert 0 <= chosen[0] <= chosen[-1] < total
    assert {b - a for a, b in itertools.pairwise(chosen)} <= {step}
    assert len(chosen) == wanted or len(chosen) * step >= total - step


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("nowhere.npy", "-o", "out"), "no such file"),
        (("flat.npy", "-o", "out"), "three axes"),
        (("words.npy", "-o", "out"), "numbers expected"),
        (("text.npy", "-o", "out"), "not readable as .npy"),
        (("text.txt", "-o", "out"), "no volume"),
        (("ct.npy", "-o", "out", "--around", "20"), "there is no slice 20"),
        (("ct.npy", "-o", "out", "--width", "0"), "no width"),
        (("ct.npy", "-o", "out", "--step", "2"), "evenly spaced"),
        (("ct.npy", "-o", "ct.npy"), "a folder is expected"),
    ],
)
def test_mistakes(cabs: Cabs, volume: Path, tmp_path: Path, args: tuple[str, ...], said: str) -> None:
    np.save(tmp_path / "flat.npy", np.zeros((3, 4)))
    np.save(tmp_path / "words.npy", np.array([[["a"]]]))
    (tmp_path / "text.npy").write_text("no numbers")
    (tmp_path / "text.txt").write_text("no numbers")
    done = cabs("slices", *args)
    assert done.returncode in (1, 2)
    assert said in done.stderr
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "out").exists()


def test_nothing_is_chosen_of_nothing() -> None:
    for wrong in (lambda: evenly(3, 0), lambda: around(3, 0, 1), lambda: around(3, 1, 3), lambda: around(3, 1, 1, 0)):
        with pytest.raises(SettingError):
            wrong()


def test_nifti_is_turned_as_it_is_shown(tmp_path: Path) -> None:
    values = np.zeros((4, 5, 6), dtype=np.int16)
    values[0, 4, 5] = 1000  # the first column to the left, the last row in front, the uppermost slice
    affine = np.diag([-0.7, 0.8, 5.0, 1.0])  # the first axis runs from right to left
    nibabel.save(nibabel.Nifti1Image(values, affine), tmp_path / "ct.nii.gz")
    found = read_volume(tmp_path / "ct.nii.gz")
    assert found.spacing == pytest.approx((0.7, 0.8, 5.0))
    write_slices(tmp_path / "out", found, lambda n: range(n), Window(500, 1000))
    uppermost = imread(slices_in(tmp_path / "out", "")[-1])
    assert uppermost.shape == (5, 4)
    assert (uppermost[0, 0], uppermost.sum()) == (1.0, 1.0), "the patient's right and front is at the top left"
    (tmp_path / "bad.nii").write_bytes(b"no volume")
    with pytest.raises(CabsError, match="not readable as NIfTI"):
        read_volume(tmp_path / "bad.nii")
