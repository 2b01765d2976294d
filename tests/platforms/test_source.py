"""What the source must say so that every system does the same: encodings, line ends, nothing that only POSIX has."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
MODULES = sorted(path for folder in ("cabs", "benchmarks") for path in ROOT.joinpath(folder).rglob("*.py"))
POSIX = {"fcntl", "grp", "pwd", "resource", "termios", "tty", "pty", "posix"}
"""Modules that Windows lacks."""
LACKING = {
    "fork", "forkpty", "getuid", "geteuid", "getgid", "getpgid", "killpg", "setsid", "mkfifo", "sched_getaffinity",
    "sysconf", "uname", "pthread_sigmask", "alarm", "setitimer", "SIGALRM", "SIGKILL", "SIGHUP", "SIGPIPE", "SIGUSR1",
    "SIGCHLD",
}  # fmt: skip
"""Names of `os` and `signal` that Windows lacks; a module that uses one asks first whether it is there."""


def calls(tree: ast.AST) -> Iterator[tuple[str, ast.Call]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            function = node.func
            name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
            yield name, node


def text_of(node: ast.expr | None) -> str:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def owner(call: ast.Call) -> str:
    """The module that a call names as its function's: "os" in `os.open`."""
    value = call.func.value if isinstance(call.func, ast.Attribute) else None
    return value.id if isinstance(value, ast.Name) else ""


def mode(call: ast.Call) -> str:
    """The mode of a call of `open`: the second argument of the built-in one, of gzip's and of a file
    system's, the first of a path's."""
    named = {keyword.arg: keyword.value for keyword in call.keywords}
    at = 0 if isinstance(call.func, ast.Attribute) and owner(call) not in ("gzip", "io", "system") else 1
    given = named.get("mode") or (call.args[at] if len(call.args) > at else None)
    return "".join(text_of(node) for node in ast.walk(given) if isinstance(node, ast.Constant)) if given else "r"


def unsaid(tree: ast.AST) -> Iterator[str]:
    """Calls that open a text without its encoding, or write one without its line ends."""
    for name, call in calls(tree):
        if name not in ("open", "fdopen", "read_text", "write_text") or owner(call) in (
            "os",
            "tarfile",
            "zipfile",
            "archive",
            "webbrowser",
        ):
            continue
        how = {"read_text": "r", "write_text": "w"}.get(name) or mode(call)
        said = {keyword.arg for keyword in call.keywords}
        if "b" in how or (owner(call) == "gzip" and "t" not in how):
            continue
        placed = {"read_text": 1, "write_text": 2}.get(name, 9)  # the arguments in which it may be said without a name
        if "encoding" not in said and len(call.args) < placed:
            yield f"line {call.lineno}: {name} without encoding="
        if set(how) & set("wax+") and "newline" not in said:
            yield f"line {call.lineno}: {name} without newline="


def over(modules: Iterable[Path], look: Callable[[ast.AST], Iterator[str]]) -> list[str]:
    """What a search finds in modules, each with its place."""
    trees = ((path.relative_to(ROOT).as_posix(), ast.parse(path.read_text(encoding="utf-8"))) for path in modules)
    return [f"{name}: {what}" for name, tree in trees for what in look(tree)]


def test_a_text_is_opened_with_its_encoding_and_written_with_its_line_ends() -> None:
    assert over(MODULES, unsaid) == []


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ("open('a')", 1), ("open('a', 'w')", 2), ("p.open('w', encoding='utf-8')", 1), ("p.write_text('')", 2),
        ("p.read_text()", 1), ("p.open('rb')", 0), ("os.open('a', 0)", 0), ("gzip.open('a', 'rt')", 1),
        ("gzip.open('a')", 0),
        ("p.open('a', encoding='utf-8', newline='\\n')", 0), ("open('a', mode='w', encoding='utf-8')", 1),
    ],
)  # fmt: skip
def test_the_search_finds_what_is_unsaid(code: str, found: int) -> None:
    assert len(list(unsaid(ast.parse(code)))) == found


def guarded(tree: ast.AST) -> set[int]:
    """Nodes within a try that catches ImportError, and names that the module asks hasattr about."""
    return {
        id(inner)
        for node in ast.walk(tree)
        if isinstance(node, ast.Try)
        and any("ImportError" in ast.unparse(h.type or ast.Name("")) for h in node.handlers)
        for part in (*node.body, *node.orelse)
        for inner in ast.walk(part)
    }


def only_posix(tree: ast.AST) -> Iterator[str]:
    """What would fail where there is no POSIX."""
    safe = guarded(tree)
    asked = {
        text_of(call.args[1]) for name, call in calls(tree) if name in ("hasattr", "getattr") and len(call.args) > 1
    }
    for node in ast.walk(tree):
        if id(node) in safe:
            continue
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        yield from (f"line {node.lineno}: import {name}" for name in names if name.split(".")[0] in POSIX)  # type: ignore[attr-defined]
        of_system = isinstance(node, ast.Attribute) and getattr(node.value, "id", "") in ("os", "signal")
        if of_system and node.attr in LACKING - asked:  # type: ignore[attr-defined]
            yield f"line {node.lineno}: {ast.unparse(node)}"


def test_nothing_is_used_that_only_posix_has() -> None:
    assert over(ROOT.joinpath("cabs").rglob("*.py"), only_posix) == []


@pytest.mark.parametrize("code", ["import fcntl", "from resource import getrusage", "os.fork()", "signal.alarm(1)"])
def test_the_search_finds_what_only_posix_has(code: str) -> None:
    assert list(only_posix(ast.parse(code)))


def test_processes_are_spawned_everywhere() -> None:
    """Windows and macOS know no safe fork: a pool says how its processes start."""
    assert over(ROOT.joinpath("cabs").rglob("*.py"), unspawned) == []
    assert list(unspawned(ast.parse("ProcessPoolExecutor(2)")))


def unspawned(tree: ast.AST) -> Iterator[str]:
    for name, call in calls(tree):
        if name in ("ProcessPoolExecutor", "Pool", "Process") and "get_context('spawn')" not in ast.unparse(call):
            yield f"line {call.lineno}: {name}"
