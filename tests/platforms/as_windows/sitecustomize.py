# ruff: noqa: PTH109, PTH112, PTH115, PTH118, PTH119, PTH208
"""Rules of Windows under which a Python process on Linux lives when this folder is on its PYTHONPATH.

What differs there and can be had here: text is written with CRLF and cp1252 unless a call says otherwise; a file that
is open can be neither replaced nor removed; only a handle that may write can be synced; names are reserved, end in no
dot, and differ by more than case; there is no fork, and little of what POSIX alone has. Child processes
inherit it.
"""

from __future__ import annotations

import _pyio
import builtins
import errno
import fcntl
import io
import os
import signal
import sys
import sysconfig
import tempfile

from windows_names import portable

MULTIPROCESSING = os.path.join(tempfile.gettempdir(), "pymp-")
INSTALLED = (sys.prefix, sys.base_prefix, sysconfig.get_path("stdlib"), "/dev", "/proc", MULTIPROCESSING)
"""What is no concern of the program: where Python and packages live, devices, sockets of multiprocessing."""
IN_USE = 32
"""Windows' own number for a sharing violation."""


def twin(path: str) -> str | None:
    """Another file of the same folder whose name differs by case alone."""
    folder, name = os.path.split(path)
    found = os.listdir(folder) if os.path.isdir(folder) else []
    return None if name in found else next((other for other in found if other.lower() == name.lower()), None)


def absolute(path: object, folder: object = -1) -> str:
    """A path as it is from the root; `folder`: the handle of the folder that it starts from."""
    start = os.readlink(f"/proc/self/fd/{folder}") if isinstance(folder, int) and folder >= 0 else os.getcwd()
    return os.path.normpath(os.path.join(start, os.fsdecode(path)))  # type: ignore[call-overload, no-any-return]


def check_name(path: str) -> None:
    """See that Windows could make a file of this name here."""
    if path.startswith(INSTALLED):
        return
    name = os.path.basename(path)
    if not portable(name):
        raise OSError(errno.EINVAL, "Windows has no such name", path)
    if (other := twin(path)) is not None:
        raise FileExistsError(errno.EEXIST, f"on Windows this is the file {other!r}", path)


def check_closed(path: str) -> None:
    """See that this process has no file open at or below a path."""
    for handle in os.listdir("/proc/self/fd"):
        try:
            target = os.readlink(f"/proc/self/fd/{handle}")
            folder = os.path.isdir(f"/proc/self/fd/{handle}")
        except OSError:
            continue
        if not folder and (target == path or target.startswith(path + os.sep)):
            error = PermissionError(errno.EACCES, "the process cannot access the file because it is being used", path)
            error.winerror = IN_USE  # type: ignore[attr-defined, unused-ignore]
            raise error


def watch(event: str, arguments: tuple[object, ...]) -> None:
    """An audit hook: what Windows refuses fails."""
    if event == "open":
        path, _, flags = arguments
        if isinstance(path, str | bytes) and isinstance(flags, int) and flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT):
            check_name(absolute(path))
    elif event == "os.mkdir":
        check_name(absolute(arguments[0], arguments[2]))
    elif event == "os.rename":
        source, target = absolute(arguments[0], arguments[2]), absolute(arguments[1], arguments[3])
        check_name(target)
        check_closed(source)
        check_closed(target)
    elif event == "os.remove":
        check_closed(absolute(arguments[0], arguments[1]))


def without(module: object, *names: str) -> None:
    """Take away what Windows does not have."""
    for name in names:
        if hasattr(module, name):
            delattr(module, name)


_synced, _flags, _readonly = os.fsync, fcntl.F_GETFL, os.O_RDONLY
_ask = fcntl.fcntl


def fsync(handle: int) -> None:
    """Sync a handle that may write."""
    if _ask(handle, _flags) & os.O_ACCMODE == _readonly:
        raise OSError(errno.EBADF, os.strerror(errno.EBADF))
    _synced(handle)


_open = io.open


def opened(file, mode="r", buffering=-1, encoding=None, errors=None, newline=None, closefd=True, opener=None):  # type: ignore[no-untyped-def]
    """`open`, whose texts know Windows' line ends and locale where the call says nothing."""
    if "b" in mode:
        return _open(file, mode, buffering, closefd=closefd, opener=opener)
    raw = _open(file, mode.replace("t", "") + "b", -1 if buffering == 1 else buffering, closefd=closefd, opener=opener)
    said = "cp1252" if encoding in (None, "locale") else encoding
    text = _pyio.TextIOWrapper(raw, said, errors, newline, line_buffering=buffering == 1)  # type: ignore[attr-defined]
    text.mode = mode
    return text


def text(stream: io.TextIOWrapper) -> io.TextIOWrapper:
    """A standard stream as a pipe has it on Windows."""
    errors = "backslashreplace" if stream is sys.stderr else "strict"
    said = os.environ.get("PYTHONIOENCODING", "").partition(":")[0] or "cp1252"
    return _pyio.TextIOWrapper(stream.buffer, encoding=said, errors=errors, line_buffering=stream is sys.stderr)  # type: ignore[attr-defined, no-any-return]


os.fsync = fsync
os.linesep = "\r\n"
io.open = builtins.open = opened
sys.stdout, sys.stderr = text(sys.stdout), text(sys.stderr)  # type: ignore[arg-type]
without(os, "fork", "forkpty", "sched_getaffinity")
without(
    signal, "pthread_sigmask", "alarm", "setitimer", "SIGALRM", "SIGKILL", "SIGPIPE", "SIGHUP", "SIGUSR1", "SIGCHLD"
)
for absent in ("resource", "termios", "pwd", "grp"):  # fcntl stays: asyncio asks for it wherever it is not Windows
    sys.modules[absent] = None  # type: ignore[assignment]
sys.addaudithook(watch)
