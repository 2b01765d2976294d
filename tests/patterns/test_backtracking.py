"""No text makes a regular expression of the project take longer than its length explains."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from cabs.parsing.sentences import LONGEST_SENTENCE
from cabs.scoring.tasks.mcq import choice
from tests.patterns.attacks import attacks, beyond_linear, worst

PACKAGE = Path(__file__).parents[2] / "cabs"
USES = ("search", "match", "fullmatch", "sub", "subn", "split", "findall", "finditer", "compile")

COLLECT = """
import importlib, json, pathlib, pkgutil, re, sys
made, compile_, home = {}, re.compile, pathlib.Path(sys.argv[1])

def spy(pattern, flags=0):
    found = compile_(pattern, flags)
    frame = sys._getframe(1)
    file = pathlib.Path(frame.f_code.co_filename)
    if file.is_relative_to(home) and isinstance(found.pattern, str):
        made[found.pattern, found.flags] = f"{file.relative_to(home).as_posix()}:{frame.f_lineno}"
    return found

re.compile = spy
import cabs
for module in pkgutil.walk_packages(cabs.__path__, "cabs."):
    try:
        importlib.import_module(module.name)
    except ImportError as error:
        if module.name.partition(".training.")[1] == "":
            raise
from cabs.parsing import parse
from cabs.scoring.tasks.mcq.choice import _patterns
_patterns(("A", "B", "C", "D"))
parse("FINDINGS: A 9 mm nodule in segment 4. IMPRESSION: No change.")
print(json.dumps([[*key, where] for key, where in made.items()]))
"""


@cache
def collected() -> dict[str, re.Pattern[str]]:
    """Where a pattern is made → the pattern: all that importing every module and parsing a report makes."""
    home = PACKAGE.resolve()  # a checkout may itself be called as the package, with an environment below it
    command = [sys.executable, "-c", COLLECT, str(home)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=home.parent, check=False)
    assert done.returncode == 0, done.stderr
    return {f"{where} {n}": re.compile(p, flags) for n, (p, flags, where) in enumerate(json.loads(done.stdout))}


@cache
def used() -> dict[str, set[str]]:
    """The name of a pattern → the methods by which the package uses what has this name, in whatever module."""
    found: dict[str, set[str]] = {}
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Attribute):
                of = node.value
                name = of.id if isinstance(of, ast.Name) else of.attr if isinstance(of, ast.Attribute) else ""
                found.setdefault(name, set()).add(node.attr)
    return found


@cache
def names() -> dict[tuple[str, int], str]:
    """(module, line) of a call that makes a pattern → the name that it is given."""
    found: dict[tuple[str, int], str] = {}
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Assign | ast.keyword):
                target = node.arg if isinstance(node, ast.keyword) else _name(node.targets[0])
                for call in ast.walk(node.value):
                    if (
                        isinstance(call, ast.Call)
                        and isinstance(call.func, ast.Attribute)
                        and call.func.attr == "compile"
                    ):
                        lines = range(call.lineno, (call.end_lineno or call.lineno) + 1)
                        found |= dict.fromkeys(((_place(path), line) for line in lines), target or "")
    return found


def _name(target: ast.expr) -> str:
    return target.id if isinstance(target, ast.Name) else target.attr if isinstance(target, ast.Attribute) else ""


def _place(path: Path) -> str:
    return path.relative_to(PACKAGE).as_posix()


def anchored(where: str) -> bool:
    """Whether the pattern that is made there is never looked for, only tried at a place."""
    module, _, line = where.partition(" ")[0].partition(":")
    ways = used().get(names().get((module, int(line)), ""), set()) & set(USES)
    return bool(ways) and ways <= {"match", "fullmatch"}


def written() -> list[tuple[str, str, bool]]:
    """(place, pattern, whether it is tried at one place only) of every expression that stands in a call of `re`."""
    return [found for path in sorted(PACKAGE.rglob("*.py")) for found in _calls(path)]


def _calls(path: Path) -> Iterator[tuple[str, str, bool]]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute) or not node.args:
            continue
        of_re = isinstance(node.func.value, ast.Name) and node.func.value.id == "re" and node.func.attr in USES
        pattern = node.args[0]
        if (
            of_re
            and node.func.attr != "compile"
            and isinstance(pattern, ast.Constant)
            and isinstance(pattern.value, str)
        ):
            yield f"{_place(path)}:{node.lineno}", pattern.value, node.func.attr in ("match", "fullmatch")


def test_the_check_sees_what_it_should() -> None:
    assert "no end" in beyond_linear(re.compile(r"(a+)+$"))
    assert beyond_linear(re.compile(r"\s+x"))
    assert not beyond_linear(re.compile(r"\s+x"), anchored=True)
    assert not beyond_linear(re.compile(r"\d+(?:\.\d+)?"))
    assert attacks(re.compile(r"x(?:ab|c)+y")) == [("x", "ab"), ("x", "c")]


@pytest.mark.parametrize(("place", "pattern", "at_a_place"), written(), ids=lambda value: str(value)[:40])
def test_written_patterns_take_linear_time(place: str, pattern: str, at_a_place: bool) -> None:
    assert not beyond_linear(re.compile(pattern), at_a_place), place


BOUNDED = {"_DENIED_BEFORE": choice.NEAR, "parsing/lexicon.py": LONGEST_SENTENCE}
"""A pattern, or the module that makes some → so many characters have the texts that they see at most."""
ENOUGH = 0.1
"""Seconds of processor time that no search in such a text takes."""


def bound(where: str) -> int:
    """The characters of the longest text that the pattern made there sees; 0 where there is no bound."""
    module, _, line = where.partition(" ")[0].partition(":")
    return BOUNDED.get(names().get((module, int(line)), ""), 0) or BOUNDED.get(module, 0)


def test_made_patterns_take_linear_time() -> None:
    """Those of the ontology too."""
    found = {where: pattern for where, pattern in collected().items() if not bound(where)}
    assert len(found) > 80
    said = {where: told for where, pattern in found.items() if (told := beyond_linear(pattern, anchored(where)))}
    assert not said, "\n".join(f"{where}: {told}" for where, told in said.items())


def test_patterns_that_see_short_texts_take_next_to_no_time() -> None:
    found = {where: pattern for where, pattern in collected().items() if bound(where)}
    assert len(found) > 20
    slow = {where: took for where, p in found.items() if (took := worst(p, bound(where))) > ENOUGH}
    assert not slow
