"""A small ontology of its own (`tiny/`), so that behaviour is tested apart from the real data."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from cabs.ontology import Ontology, load_ontology
from cabs.ontology.locate import locate

Files = dict[str, Any]

TINY = Path(__file__).parent / "tiny"


def write(folder: Path, files: Files) -> Path:
    """The folder, with these files in it."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content if isinstance(content, str) else yaml.safe_dump(content), "utf-8")
    return folder


@pytest.fixture
def tiny_folder(tmp_path: Path) -> Path:
    folder = shutil.copytree(TINY, tmp_path / "tiny")
    shutil.copy(locate() / "spelling.yaml", folder)
    return folder


@pytest.fixture
def tiny(tiny_folder: Path) -> Ontology:
    return load_ontology(tiny_folder)


@pytest.fixture
def folder_with(tiny_folder: Path) -> Callable[[Files], Path]:
    """The tiny folder with some files written over."""
    return lambda files: write(tiny_folder, files)


@pytest.fixture
def extra_folder(tmp_path: Path) -> Callable[[Files], Path]:
    """A user's folder."""
    return lambda files: write(tmp_path / "extra", files)


@pytest.fixture(scope="session")
def real() -> Ontology:
    return load_ontology()
