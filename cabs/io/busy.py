"""Patience with a file that another program has open: Windows neither replaces nor removes one."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from cabs.errors import OutputError

IN_USE = (5, 32)
"""Windows' numbers for such a file: access denied, sharing violation."""
WAITS = (0.05, 0.1, 0.2, 0.4, 0.8)
"""Seconds between the tries: a scanner of viruses or an indexer lets go that soon, a spreadsheet does not."""


def patiently(act: Callable[[], object], place: Path) -> None:
    """Do what replaces or removes `place`, again while another program has it open. On other systems than Windows that
    is no obstacle, and it is done once.

    Raises:
        OutputError: it is still open after the last wait; OSError: any other reason.
    """
    for wait in (*WAITS, None):
        try:
            act()
        except PermissionError as error:
            if getattr(error, "winerror", None) not in IN_USE:
                raise
        else:
            return
        if wait is not None:
            time.sleep(wait)
    raise OutputError("another program has it open", place=str(place), hint="close it there, then do this again")
