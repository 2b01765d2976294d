"""The lexicon is whole, is checked, and is not the ontology."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from cabs.errors import InputError
from cabs.studies.counterfactual.lexicon import FOLDER, Lexicon, load_lexicon

MOST_SHARED = 0.05
"""The share of written wordings that may be surface forms of the ontology."""


def texts(node: object) -> Iterator[str]:
    """Every string below labels and forms of the ontology."""
    if isinstance(node, dict):
        for key, value in node.items():
            if key in {"label", "adjective", "forms", "adjectives", "predicates", "abbreviations"}:
                yield from (text for text in ([value] if isinstance(value, str) else value) if isinstance(text, str))
            else:
                yield from texts(value)
    elif isinstance(node, list):
        for item in node:
            yield from texts(item)


def test_what_is_written_is_no_surface_form_of_the_ontology(lexicon: Lexicon, root: Path) -> None:
    files = (root / "ontology" / "entities").glob("*.yaml")
    forms = {text.lower() for f in files for text in texts(yaml.safe_load(f.read_text(encoding="utf-8")))}
    assert len(forms) > 1000
    wordings = {noun.text.lower() for nouns in lexicon.wordings.values() for noun in nouns}
    shared = wordings & forms
    assert len(shared) <= MOST_SHARED * len(wordings), sorted(shared)
    said = {says.lower().rstrip(".") for insert in lexicon.inserts for says in insert.says}
    assert said & forms == set()


def test_sentences_that_say_the_same_are_several(lexicon: Lexicon) -> None:
    assert all(len(set(insert.says)) >= 3 for insert in lexicon.inserts)
    assert all(len(set(normal.says)) >= 2 for normal in lexicon.normals.values())


def test_patterns_read_what_they_stand_beside(lexicon: Lexicon) -> None:
    for normal in lexicon.normals.values():
        re.compile(normal.reads)
        assert all(lexicon.normal(says) is normal for says in normal.says), normal.id


@pytest.mark.parametrize(
    ("file", "old", "new", "message"),
    [
        ("findings", "swap: [cavity, bulla]", "swap: [unicorn]", "no finding 'unicorn'"),
        ("findings", "sites: [pelvis]", "sites: [atlantis]", "no site 'atlantis'"),
        ("findings", "sided: site", "sided: maybe", "findings.yaml"),
        ("inserts", "needs: chest", "needs: moon", "no region 'moon'"),
        ("normals", "turned: heart", "turned: soul", "no insert 'soul'"),
        ("words", "opposite: severe", "opposite: huge", "no grade 'huge'"),
        ("frames", "one:", "first:", "frames.yaml"),
    ],
)
def test_mistakes_in_it_are_told(file: str, old: str, new: str, message: str, tmp_path: Path) -> None:
    folder = tmp_path / "lexicon"
    shutil.copytree(FOLDER, folder)
    path = folder / f"{file}.yaml"
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(InputError, match=message):
        load_lexicon(folder)


def test_a_file_that_is_missing_is_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"findings\.yaml"):
        load_lexicon(tmp_path)
