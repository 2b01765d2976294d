from __future__ import annotations

import os
import pickle
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

from cabs.errors import OntologyError
from cabs.ontology import Ontology, load_ontology
from cabs.ontology.reading import read_yaml
from tests.ontology.conftest import Files, write


def test_records_are_loaded(tiny: Ontology) -> None:
    assert (tiny.name, tiny.version) == ("tiny", "1.2.3")
    assert tiny.entities["pleural_effusion"].xrefs == {"HP": "HP:0002202"}
    assert tiny.attribute_kinds["severity"].values["large"].rank == 3
    assert [p.regex for p in tiny.attribute_patterns] == ["grade [1-4]"]
    assert {rule.id: rule.cls for rule in tiny.rules} == {"deny": "negation", "right": "side"}
    assert tiny.rules[0].forms == ("no",), "YAML 1.1 would read this as False"
    assert [rule.reading for rule in tiny.abbreviation_rules] == ["pleural_effusion", "embolism"]
    assert tiny.crosswalks["set"].targets == {"Cysts": ("cyst", "renal_cyst"), "Mass": ("mass",), "None": ()}
    assert tiny.distinct[0].why == "a mass is solid"
    assert tiny.files["entities", "renal_cyst"] == "entities/named.yaml"


def test_loading_is_cached_and_frozen(tiny: Ontology, tiny_folder: Path) -> None:
    assert load_ontology(tiny_folder) is tiny
    with pytest.raises(TypeError):
        tiny.entities["x"] = tiny.entities["cyst"]  # type: ignore[index]
    with pytest.raises(AttributeError):
        tiny.version = "2.0.0"  # type: ignore[misc]


def test_pickling_keeps_the_place(tiny: Ontology) -> None:
    assert pickle.loads(pickle.dumps(tiny)) is tiny


@pytest.mark.parametrize(
    ("file", "content", "message"),
    [
        (
            "entities/x.yaml",
            {"entities": [{"id": "x", "label": "x", "colour": 1}]},
            "entities/x.yaml:2: x: colour: unknown field",
        ),
        ("entities/x.yaml", {"entities": [{"id": "x"}]}, "entities/x.yaml:2: x: label: missing"),
        ("entities/x.yaml", {"entities": [{"id": "x", "label": "x", "forms": ["a", 3]}]}, "forms.1"),
        (
            "entities/x.yaml",
            {"entities": [{"id": "cyst", "label": "x"}]},
            "cyst: is also in entities/generic.yaml",
        ),
        ("entities/x.yaml", {"entities": ["x"]}, "must be a mapping, not 'x'"),
        ("entities/x.yaml", {"entity": []}, "must hold one list, entities; found entity"),
        ("entities/x.yaml", "entities: [}", "entities/x.yaml:1: not valid YAML"),
        ("entities/x.yaml", "entities:\n- id: x\n  id: y\n", "entities/x.yaml:3: the key 'id' is given twice"),
        ("entities/x.yaml", "entities: &all\n- id: x\n- *all\n", "entities/x.yaml:1: a list or a mapping is repeated"),
        ("entitys/x.yaml", {"entities": []}, "entitys/x.yaml: unknown file"),
        ("ontology.yaml", {"name": "x", "version": "1"}, "version"),
        ("organs.yaml", {"organs": [{"id": "x", "label": "x", "paired": "yes"}]}, "organs.yaml:2: x: paired"),
    ],
)
def test_bad_files_are_named(folder_with: Callable[[Files], Path], file: str, content: object, message: str) -> None:
    with pytest.raises(OntologyError) as caught:
        load_ontology(folder_with({file: content}))
    assert message in str(caught.value)


def test_yaml_scalars(tmp_path: Path) -> None:
    path = tmp_path / "x.yaml"
    path.write_text("a: [no, on, yes, true, null, ~, '1', 1, -2, 1.5, 2020-01-01, 1:30, '', 1e5, 0x1f]")
    assert read_yaml(path, "x.yaml") == {
        "a": ["no", "on", "yes", True, None, None, "1", 1, -2, 1.5, "2020-01-01", "1:30", "", "1e5", "0x1f"]
    }
    path.write_text("# nothing\n")
    assert read_yaml(path, "x.yaml") is None


def test_hash_is_of_the_content_alone(tiny: Ontology, tiny_folder: Path, tmp_path: Path) -> None:
    other = shutil.copytree(tiny_folder, tmp_path / "other")
    records: list[Files] = []
    for path in sorted((other / "entities").iterdir(), reverse=True):
        records += [dict(reversed(record.items())) for record in read_yaml(path, path.name)["entities"]]
        path.unlink()
    text = "# one file\n" + yaml.safe_dump({"entities": records}, sort_keys=False, indent=8)
    write(other, {"entities.yaml": text, "SOURCES.yaml": {"sources": ["whatever"]}})
    assert load_ontology(other).content_hash == tiny.content_hash


def test_hash_sees_every_change(tiny: Ontology, tiny_folder: Path, tmp_path: Path) -> None:
    changed = shutil.copytree(tiny_folder, tmp_path / "changed")
    write(changed, {"distinct.yaml": {"distinct": [["renal cyst", "renal mass", "another reason"]]}})
    assert load_ontology(changed).content_hash != tiny.content_hash


@pytest.mark.parametrize("seed", ["1", "2"])
def test_hash_is_the_same_in_every_process(real: Ontology, root: Path, seed: str) -> None:
    code = "from cabs.ontology import load_ontology; print(load_ontology().content_hash)"
    env = {**os.environ, "PYTHONHASHSEED": seed}
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, env=env, cwd=root, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == real.content_hash


def test_extra_folder_adds_and_overrides(
    tiny: Ontology, tiny_folder: Path, extra_folder: Callable[[Files], Path]
) -> None:
    extra = extra_folder(
        {
            "entities.yaml": {
                "entities": [
                    {"id": "cyst", "forms": ["bleb"], "significance": "critical"},
                    {"id": "drain", "forms": ["tube"], "replace": True},
                    {"id": "ulcer", "label": "ulcer", "parent": "lesion"},
                ]
            },
            "attributes.yaml": {"kinds": [{"kind": "severity", "values": [{"value": "small", "forms": ["wee"]}]}]},
        }
    )
    ontology = load_ontology(tiny_folder, (extra,))
    cyst = ontology.entities["cyst"]
    assert (cyst.label, cyst.parent, cyst.significance) == ("cyst", "lesion", "critical")
    assert cyst.forms == ("cystic lesion", "bleb")
    assert ontology.entities["drain"].forms == ("tube",)
    assert ontology.resolve("ulcers of the liver") == "ulcer@liver"
    assert ontology.resolve("wee bleb of kidney") == "renal_cyst"
    assert ontology.attribute_kinds["severity"].values["large"] == tiny.attribute_kinds["severity"].values["large"]
    assert ontology.content_hash != tiny.content_hash
    assert tiny.resolve("ulcer") is None


def test_later_extra_folders_win(tiny_folder: Path, tmp_path: Path) -> None:
    folders = [
        write(tmp_path / name, {"entities.yaml": {"entities": [{"id": "cyst", "label": name}]}}) for name in "ab"
    ]
    assert load_ontology(tiny_folder, folders).entities["cyst"].label == "b"
    assert load_ontology(tiny_folder, folders[0]).entities["cyst"].label == "a"


def test_extra_folder_is_checked(tiny_folder: Path, extra_folder: Callable[[Files], Path], tmp_path: Path) -> None:
    with pytest.raises(OntologyError, match="no such folder"):
        load_ontology(tiny_folder, tmp_path / "nowhere")
    extra = extra_folder({"entities.yaml": {"entities": [{"id": "x", "label": "x", "parent": "nothing"}]}})
    with pytest.raises(OntologyError, match=r"x: parent: unknown entity nothing"):
        load_ontology(tiny_folder, extra)


def test_abbreviations_keep_their_order_and_those_of_the_user_come_first(
    tiny_folder: Path, extra_folder: Callable[[Files], Path]
) -> None:
    readings = [("cyst", ["wet"]), ("mass", ["dry"]), ("cyst", [])]
    records = [{"abbr": "XX", "reading": reading, "when": when} for reading, when in readings]
    write(tiny_folder, {"abbreviations.yaml": {"abbreviations": records}})
    ontology = load_ontology(tiny_folder)
    assert [(rule.reading, list(rule.when)) for rule in ontology.abbreviation_rules] == readings
    extra = extra_folder({"abbreviations.yaml": {"abbreviations": [{"abbr": "XX", "reading": "drain"}]}})
    ontology = load_ontology(tiny_folder, extra)
    assert [rule.reading for rule in ontology.abbreviation_rules] == ["drain", "cyst", "mass", "cyst"]
