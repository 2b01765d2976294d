"""The one place where errors become messages and exit codes: 0 fine, 1 our error, 2 usage, 130
interrupted."""

from __future__ import annotations

import errno
import os
import signal
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

import typer

from cabs.cli.visible import one_line
from cabs.errors import CabsError, InputError, OutputError, SettingError

if TYPE_CHECKING:
    from cabs.scoring import Result
    from cabs.scoring.tasks.tumor.result import TumorResult

FINE, OURS, USAGE, INTERRUPTED, TERMINATED = 0, 1, 2, 130, 143
LEFT = (errno.EPIPE, errno.EINVAL) if os.name == "nt" else (errno.EPIPE,)
"""What systems say where the reader of a pipe has left."""


def through(command: Callable[[], object]) -> int:
    """Run a command line and give its exit code. A mistake of the user is told without a traceback; a fault
    of ours keeps it."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(TERMINATED))  # so that nothing half-written is left
    _speak_utf8()
    try:
        command()
        sys.stdout.flush()
    except SettingError as error:  # an option outside its range, as typer has it for numbers
        tell(error)
        return USAGE
    except CabsError as error:
        tell(error)
        return OURS
    except KeyboardInterrupt:
        note("interrupted")
        return INTERRUPTED
    except SystemExit as stop:
        return _code(stop)
    except OSError as error:
        return _output_failed(error)
    return FINE


def _speak_utf8() -> None:
    """The same bytes go to a file or a pipe whatever the locale, and no sign that a terminal lacks ends a run."""
    for stream in (sys.stdout, sys.stderr):
        if not hasattr(stream, "reconfigure"):
            continue
        if stream.isatty():
            stream.reconfigure(errors="replace")
        else:
            stream.reconfigure(encoding="utf-8", newline="\n", errors="backslashreplace")


def _code(stop: SystemExit) -> int:
    try:
        sys.stdout.flush()
    except OSError as error:
        return _output_failed(error)
    if stop.code == INTERRUPTED:  # typer turns an interrupt into this
        note("interrupted")
    return stop.code if isinstance(stop.code, int) else FINE if stop.code is None else OURS


def _output_failed(error: OSError) -> int:
    """A file that the operating system refuses is no fault of ours. Without a file it is the standard output that can't
    be written: its reader has left, which needs no word, or its disk is full. What is still to be written goes
    nowhere."""
    if error.filename is not None and error.errno not in (*LEFT, errno.ENOSPC):
        tell(InputError(f"can't be used: {error.strerror}", place=str(error.filename)))
        return OURS
    if error.errno not in (*LEFT, errno.ENOSPC):
        raise error
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    if error.errno not in LEFT:
        tell(OutputError(f"can't be written: {error.strerror}", place="standard output"))
    return OURS


def tell(error: CabsError) -> None:
    """Print an error: what is wrong, where, and what to do."""
    typer.secho("error: ", fg="red", bold=True, nl=False, err=True)
    place = f"{error.place}: " if error.place else ""
    typer.echo(one_line(f"{place}{error.message}"), err=True)
    if error.hint:
        typer.echo(f"  hint: {one_line(error.hint)}", err=True)


def warn(message: str) -> None:
    """Print a warning."""
    typer.secho("warning: ", fg="yellow", nl=False, err=True)
    typer.echo(one_line(message), err=True)


def warn_of(result: Result | TumorResult) -> None:
    """Print the warnings of a run, those of a system under its name."""
    for system in result.systems:
        for message in system.warnings:
            warn(message if system.system is None else f"{system.label}: {message}")
    for message in result.warnings:
        warn(message)


def note(message: str) -> None:
    """Print what is going on."""
    typer.echo(one_line(message), err=True)
