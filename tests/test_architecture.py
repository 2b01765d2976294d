"""The house rules that a machine can check: small modules, a light front door, no clinical word in Python."""

from __future__ import annotations

import ast
import json
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[1]
MODULES = sorted(ROOT.joinpath("cabs").rglob("*.py"))
LONGEST_MODULE = 400
LONGEST_FUNCTION = 60
HEAVY = {"numpy", "pandas", "scipy", "pyarrow", "spacy", "thinc", "torch", "openai"}

# Words that are clinical in the ontology and mean something else in the program.
ALLOWED = {
    "device": "a kind of entity, named by the specification",
    "postoperative": "a kind of entity, named by the specification",
    "artifact": "a kind of entity that is no fact",
    "variant": "a kind of entity that is no fact",
    "midline": "a side that a structure of the ontology can have",
    "blocked": "a field of the ontology's records",
    "closed": "also what a pipe is",
    "interrupted": "also what a run is",
    "center": "also where a label is drawn",
}


def functions(tree: ast.AST) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(ROOT)))
def test_modules_and_functions_are_small(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) < LONGEST_MODULE
    long = {f.name: f.end_lineno - f.lineno + 1 for f in functions(tree_of(path)) if f.end_lineno}
    assert {name: lines for name, lines in long.items() if lines > LONGEST_FUNCTION} == {}


def test_what_is_not_collected_needs_torch_and_has_no_example() -> None:
    """Modules that are passed over in the search for doctests."""
    options = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["pytest"]["ini_options"]
    passed_over = [ROOT / option.removeprefix("--ignore=") for option in options["addopts"] if "--ignore" in option]
    assert passed_over
    for path in passed_over:
        text = path.read_text(encoding="utf-8")
        assert re.search(r"^(from|import) (torch|transformers|trl|peft|accelerate|datasets)\b", text, re.M), path
        assert ">>>" not in text, path


def test_the_front_door_is_light(python) -> None:
    loaded = json.loads(python("import cabs, json, sys; print(json.dumps(sorted(sys.modules)))").stdout)
    assert (HEAVY | {"typer", "rich", "pydantic"}).isdisjoint(loaded)


def test_the_help_loads_no_pipeline(python) -> None:
    code = """
import json, sys
from cabs.cli.app import main
sys.argv = ["cabs", "--help"]
try:
    main()
except SystemExit:
    pass
print("\\n" + json.dumps(sorted(sys.modules)))
"""
    loaded = json.loads(python(code).stdout.splitlines()[-1])
    assert (HEAVY | {"cabs.parsing"}).isdisjoint(loaded)


def texts(node: object) -> Iterator[str]:
    """Every string below `labels`, `forms` and the like of a record, abbreviations left out."""
    keys = {"label", "adjective", "forms", "adjectives", "predicates"}
    if isinstance(node, dict):
        for key, value in node.items():
            if key in keys:
                yield from [value] if isinstance(value, str) else value
            else:
                yield from texts(value)
    elif isinstance(node, list):
        for item in node:
            yield from texts(item)


def clinical_words() -> set[str]:
    """Labels and surface forms of organs, structures and entities, of six letters or more."""
    ontology = ROOT / "ontology"
    files = [ontology / "organs.yaml", *ontology.glob("anatomy/*.yaml"), *ontology.glob("entities/*.yaml")]
    words = {text.lower() for f in files for text in texts(yaml.safe_load(f.read_text(encoding="utf-8")))}
    return {w for w in words if sum(map(str.isalpha, w)) >= 6}


def literals(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """String constants of a module with their lines, docstrings left out."""
    bare = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in bare:
            yield node.lineno, node.value


def test_no_clinical_word_in_python() -> None:
    words = clinical_words() - ALLOWED.keys()
    assert len(words) > 500, "the ontology was not read"
    pattern = re.compile(r"[a-z]+(?:[ -][a-z]+)*")
    found = []
    for path in MODULES:
        for line, text in literals(tree_of(path)):
            phrases = pattern.findall(text.lower().replace("_", " "))
            runs = {run for phrase in phrases for run in [phrase, *phrase.split()]}
            found += [f"{path.relative_to(ROOT)}:{line} {word!r}" for word in sorted(runs & words)]
    assert found == []
