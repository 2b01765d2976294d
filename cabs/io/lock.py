"""A file that one process holds: a lock that ends with the process, however that ends, and leaves nothing behind."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import BinaryIO

from cabs.errors import HeldError

AT = 1 << 40
"""The byte that Windows locks: none that is ever written, since a locked one could not be read."""

HELD = (errno.EWOULDBLOCK, errno.EAGAIN, errno.EACCES, errno.EDEADLK)
"""What systems say where another process holds the file."""

NONE = (errno.ENOLCK, errno.ENOSYS, errno.EINVAL, errno.ENOTSUP, errno.EOPNOTSUPP)
"""What they say where a file system knows no locks, which is no obstacle."""


def hold(handle: BinaryIO, place: Path, what: str) -> bool:
    """Hold an open file until it is closed; False where its file system knows no locks.

    Raises:
        HeldError: another process holds it; `what` says what is then going on at `place`. OSError: it can't be asked.
    """
    try:
        _lock(handle.fileno())
    except OSError as error:
        if error.errno in HELD:
            hint = "wait until it has ended, or name another folder"
            raise HeldError(what, place=str(place), hint=hint) from None
        if error.errno in NONE:
            return False
        raise
    return True


try:
    import fcntl
except ImportError:  # Windows
    import msvcrt

    def _lock(file: int) -> None:
        before = os.lseek(file, 0, os.SEEK_CUR)
        try:
            os.lseek(file, AT, os.SEEK_SET)
            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]
        finally:
            os.lseek(file, before, os.SEEK_SET)

else:

    def _lock(file: int) -> None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
