"""Files that another program has open, as Windows says it: waited for, then told; nothing is lost meanwhile."""

from __future__ import annotations

import errno
from pathlib import Path

import pytest

from cabs.errors import OutputError
from cabs.io import busy
from cabs.io.output import Staging, text_output


def refusal(number: int | None = 32) -> PermissionError:
    error = PermissionError(errno.EACCES, "in use")
    error.winerror = number  # type: ignore[attr-defined, unused-ignore]
    return error


@pytest.fixture(autouse=True)
def no_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(busy, "WAITS", (0.0, 0.0))


@pytest.fixture
def refuse(monkeypatch: pytest.MonkeyPatch):
    """Let `Path.replace` refuse so many times."""

    def set_up(times: int, number: int | None = 32) -> list[Path]:
        real, asked = Path.replace, []

        def replace(self: Path, target: Path) -> Path:
            asked.append(Path(target))
            if len(asked) <= times:
                raise refusal(number)
            return real(self, target)

        monkeypatch.setattr(Path, "replace", replace)
        return asked

    return set_up


def test_a_reader_that_lets_go_is_waited_for(tmp_path: Path, refuse) -> None:
    (tmp_path / "f").write_bytes(b"old")
    asked = refuse(2)
    with text_output(tmp_path / "f") as handle:
        handle.write("new\n")
    assert (tmp_path / "f").read_bytes() == b"new\n"
    assert len(asked) == 3


def test_one_that_does_not_is_told_and_the_old_file_stays(tmp_path: Path, refuse) -> None:
    (tmp_path / "f").write_bytes(b"old")
    refuse(99)
    with (
        pytest.raises(OutputError, match="another program has it open") as caught,
        text_output(tmp_path / "f") as handle,
    ):
        handle.write("new\n")
    assert caught.value.place == str(tmp_path / "f")
    assert caught.value.hint
    assert [path.name for path in tmp_path.iterdir()] == ["f"]
    assert (tmp_path / "f").read_bytes() == b"old"


def test_the_file_of_a_run_that_is_open_is_named(tmp_path: Path, refuse) -> None:
    (tmp_path / "a.csv").write_bytes(b"old")
    refuse(99)
    staging = Staging(tmp_path)
    for name in ("a.csv", "z"):
        staging.path(name).write_bytes(b"new")
    with pytest.raises(OutputError) as caught:
        staging.commit("z")
    staging.discard()
    assert caught.value.place == str(tmp_path / "a.csv")
    assert [path.name for path in tmp_path.iterdir()] == ["a.csv"]


def test_a_place_that_may_not_be_written_is_not_waited_for(tmp_path: Path, refuse) -> None:
    asked = refuse(99, None)
    with pytest.raises(OutputError, match="can't be written"), text_output(tmp_path / "f") as handle:
        handle.write("new\n")
    assert len(asked) == 1
