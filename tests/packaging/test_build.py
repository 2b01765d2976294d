"""The same knowledge reaches a user from a checkout, a wheel and a source archive."""

from __future__ import annotations

import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

HASH = "import cabs; print(cabs.load_ontology().content_hash, cabs.__file__)"


def build(source: Path, out: Path, what: str) -> Path:
    """Build a wheel or an sdist with what is installed; nothing is fetched."""
    command = [
        sys.executable,
        "-m",
        "build",
        "--no-isolation",
        f"--{what}",
        "--outdir",
        str(out),
        str(source),
    ]
    subprocess.run(command, check=True, capture_output=True)
    return next(out.iterdir())


def hash_in(folder: Path, place: Path) -> str:
    """The content hash that a process in a foreign folder sees with `place` first on its path."""
    code = f"import sys; sys.path.insert(0, {str(place)!r}); {HASH}"
    result = subprocess.run([sys.executable, "-c", code], cwd=folder, capture_output=True, text=True, check=True)
    content_hash, file = result.stdout.split(maxsplit=1)
    assert file.startswith(str(place)), "another copy of the package was imported"
    return content_hash


@pytest.fixture(scope="module")
def sdist(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(root, tmp_path_factory.mktemp("sdist"), "sdist")


def unpacked(archive: Path, folder: Path) -> Path:
    if archive.suffix == ".whl":
        zipfile.ZipFile(archive).extractall(folder)
        return folder
    with tarfile.open(archive) as tar:
        tar.extractall(folder, filter="data")
    return next(folder.iterdir())


def test_one_content_hash(root: Path, sdist: Path, tmp_path: Path) -> None:
    source = unpacked(sdist, tmp_path / "source")
    wheels = {
        "wheel": build(root, tmp_path / "wheel", "wheel"),
        "wheel from the sdist": build(source, tmp_path / "wheel2", "wheel"),
    }
    assert len({wheel.read_bytes() for wheel in wheels.values()}) == 1, "the same wheel from two folders"
    places = {name: unpacked(wheel, tmp_path / name) for name, wheel in wheels.items()}
    foreign = tmp_path / "elsewhere"
    foreign.mkdir()
    hashes = {name: hash_in(foreign, place) for name, place in {**places, "checkout": root, "sdist": source}.items()}
    assert len(set(hashes.values())) == 1, hashes


def test_the_archive_makes_itself(sdist: Path, tmp_path: Path) -> None:
    """From a folder of another place and age."""
    again = build(unpacked(sdist, tmp_path / "source"), tmp_path / "again", "sdist")
    assert again.read_bytes() == sdist.read_bytes()


def test_the_archive_can_test_itself(sdist: Path) -> None:
    with tarfile.open(sdist) as tar:
        names = {Path(*Path(name).parts[1:]).as_posix() for name in tar.getnames()}
    needed = {
        "Makefile",
        "LICENSE",
        "README.md",
        ".ci/core.txt",
        ".github/workflows/tests.yml",
        "cabs/THIRD_PARTY.md",
        "ontology/NOTICE",
        "benchmarks/NOTICE.md",
        "notebooks/correlation.ipynb",
        "tests/conftest.py",
    }
    assert needed <= names
    assert not [name for name in names if "__pycache__" in name or name.startswith((".venv", "results/"))]
