from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner

from cabs.cli.ontology import ontology_app
from cabs.errors import OntologyError
from tests.ontology.conftest import Files


@pytest.fixture
def run(tiny_folder: Path) -> Callable[..., tuple[int, str, str]]:
    def invoke(*args: str) -> tuple[int, str, str]:
        done = CliRunner().invoke(ontology_app, [*args, "--ontology", str(tiny_folder)], catch_exceptions=False)
        return done.exit_code, done.stdout, done.stderr

    return invoke


Invoke = Callable[..., tuple[int, str, str]]
LEFT = "1 problem; no example was parsed, mend these first\n"


def test_search(run: Invoke) -> None:
    code, out, _ = run("search", "renal cyst", "--limit", "1")
    assert code == 0
    assert out.splitlines() == [
        "id          label       type         found as",
        "renal_cyst  renal cyst  abnormality  renal cyst",
    ]


def test_search_json(run: Invoke) -> None:
    _, out, _ = run("search", "kidney", "--json", "--type", "organ")
    assert json.loads(out) == [{"id": "kidney", "label": "kidney", "type": "organ", "name": "kidney", "score": 100.0}]


def test_search_without_hits(run: Invoke) -> None:
    assert run("search", "xylophone") == (1, "", "nothing is called 'xylophone' or nearly so\n")
    assert run("search", "xylophone", "--json")[1] == "[]\n"


def test_show(run: Invoke) -> None:
    code, out, _ = run("show", "renal_cyst")
    assert code == 0
    shown = dict(line.split(maxsplit=1) for line in out.splitlines())
    assert shown["ancestors"] == "cyst, lesion, finding"
    assert shown["children"] == "polar_cyst"
    assert shown["weight"] == "0.1"
    assert shown["file"] == "entities/named.yaml"


def test_show_organ_and_structure(run: Invoke) -> None:
    _, out, _ = run("show", "kidney", "--json")
    assert [record["type"] for record in json.loads(out)] == ["structure", "organ"]


def test_show_unknown(run: Invoke) -> None:
    code, out, err = run("show", "renal_cist")
    assert (code, out) == (1, "")
    assert "no entity, structure, organ or attribute kind has the id 'renal_cist'" in err
    assert "near: renal_cyst (renal cyst)" in err


def test_resolve(run: Invoke) -> None:
    assert run("resolve", "small cysts of the spleen") == (0, "cyst@spleen\n", "")


def test_resolve_unknown(run: Invoke) -> None:
    code, out, err = run("resolve", "renal cistt")
    assert (code, out) == (1, "")
    assert err.splitlines()[0] == "no entity is called 'renal cistt'"
    assert "renal_cyst" in err


def test_lint(run: Invoke, tiny_folder: Path, folder_with: Callable[[Files], Path]) -> None:
    assert run("lint") == (0, "no problems\n", "3 examples parsed\n")
    bad = {"entities": [{"id": "x", "label": "x", "parent": "gone"}]}
    folder_with({"entities/x.yaml": bad})
    message = "parent: unknown entity gone"
    assert run("lint", str(tiny_folder)) == (1, f"entities/x.yaml:2: x: {message}\n", LEFT)
    code, out, _ = run("lint", "--json")
    assert (code, json.loads(out)) == (1, [{"file": "entities/x.yaml", "record": "x", "message": message, "line": 2}])


def test_extra_folder(run: Invoke, extra_folder: Callable[[Files], Path]) -> None:
    extra = extra_folder({"entities.yaml": {"entities": [{"id": "cyst", "forms": ["bleb"]}]}})
    assert run("resolve", "blebs of kidney")[0] == 1
    assert run("resolve", "blebs of kidney", "--ontology-extra", str(extra)) == (0, "renal_cyst\n", "")
    assert run("lint", "--ontology-extra", str(extra))[0] == 0
    assert run("lint", str(extra)) == (0, "no problems\n", "3 examples parsed\n")
    extra_folder({"entities.yaml": {"entities": [{"id": "cyst", "organs": ["livr"]}]}})
    message = "organs: unknown organ livr; did you mean liver?"
    assert run("lint", str(extra)) == (1, f"{extra}/entities.yaml:2: cyst: {message}\n", LEFT)


def test_our_errors_reach_the_door(tmp_path: Path) -> None:
    with pytest.raises(OntologyError, match="no such folder"):
        CliRunner().invoke(ontology_app, ["resolve", "x", "--ontology", str(tmp_path / "no")], catch_exceptions=False)
