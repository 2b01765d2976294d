from __future__ import annotations

from pathlib import Path

import pytest

from cabs.errors import OntologyError
from cabs.ontology import locate as module
from cabs.ontology.locate import MARKER, locate


def test_explicit_path_wins(tiny_folder: Path) -> None:
    assert locate(tiny_folder) == tiny_folder
    assert locate(str(tiny_folder)) == tiny_folder


def test_packaged_copy_comes_before_the_checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "cabs"
    monkeypatch.setattr(module, "PACKAGE", package)
    checkout = tmp_path / "ontology"
    checkout.mkdir()
    (checkout / MARKER).write_text("")
    assert locate() == checkout
    packaged = package / "_ontology"
    packaged.mkdir(parents=True)
    assert locate() == checkout, "a folder without its marker is none"
    (packaged / MARKER).write_text("")
    assert locate() == packaged


def test_nothing_found_says_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "PACKAGE", tmp_path / "cabs")
    with pytest.raises(OntologyError, match="--ontology PATH"):
        locate()


@pytest.mark.parametrize(("made", "message"), [(False, "no such folder"), (True, MARKER)])
def test_wrong_explicit_path(tmp_path: Path, made: bool, message: str) -> None:
    folder = tmp_path / "elsewhere"
    if made:
        folder.mkdir()
    with pytest.raises(OntologyError, match=message):
        locate(folder)
