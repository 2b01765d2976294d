"""The tasks of `cabs score` beside reports: where each is run, and which options it takes."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from importlib import import_module
from typing import Any

REPORT = "report"
TASKS: Mapping[str, str] = {
    "mcq": "cabs.cli.score_mcq:score_mcq",
    "tumor": "cabs.cli.score_tumor:score_tumor",
}
"""task → the function that runs it, given what the options of `cabs score` are set to."""

Given = Mapping[str, Any]


def run_elsewhere(task: str, given: Given) -> bool:
    """Run a task other than reports; whether it was one. `given`: every parameter of `cabs score` with its value.

    Raises:
        SettingError: there is no such task, or it does not take an option that is set.
    """
    if task == REPORT:
        return False
    task_of(task)({name: value for name, value in given.items() if name != "task"})
    return True


def task_of(name: str) -> Callable[[Given], None]:
    """The function of a task.

    Raises:
        SettingError: there is no such task; the hint names those that there are.
    """
    from cabs.errors import SettingError
    from cabs.registry import offer

    if name not in TASKS:
        raise SettingError(f"{name!r} is no task", place="--task", hint=offer(name, (REPORT, *TASKS)))
    module, _, function = TASKS[name].partition(":")
    found: Callable[[Given], None] = getattr(import_module(module), function)
    return found


def takes_only(given: Given, taken: Collection[str], task: str) -> None:
    """See that no option is set that a task does not take.

    Raises:
        SettingError: one is; the hint names those that it takes.
    """
    from inspect import signature

    from cabs.cli.score import score
    from cabs.errors import SettingError

    usual = {name: parameter.default for name, parameter in signature(score).parameters.items()}
    for name, value in given.items():
        if name not in taken and value != usual[name]:
            known = ", ".join(spelled(name) for name in taken if name != "file")
            hint = f"beside FILE it takes {known}"
            raise SettingError(f"--task {task} does not take it", place=spelled(name), hint=hint)


def spelled(parameter: str) -> str:
    """A parameter of `cabs score` as the command line spells it.

    >>> spelled("as_json"), spelled("allow_missing"), spelled("predictions")
    ('--json', '--allow-missing', 'FILE2')
    """
    own = {"file": "FILE", "predictions": "FILE2", "choices": "--set", "as_json": "--json"}
    return own.get(parameter, "--" + parameter.replace("_", "-"))
