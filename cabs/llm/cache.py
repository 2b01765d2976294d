"""Answers on disk, each written the moment it has come: a run that is killed asks nothing twice.

SQLite in WAL mode, so that several processes may read and write one file; what is committed outlives a killed process.
"""

from __future__ import annotations

import json
import os
import sqlite3
from contextlib import closing, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from time import monotonic, sleep
from typing import Any

from cabs.errors import CabsError, OutputError, UnavailableError

BUSY = 60.0
"""Seconds that a process waits for another one's writing."""
VERSION = 1

_TABLES = """
CREATE TABLE IF NOT EXISTS answers (key TEXT PRIMARY KEY, prompt TEXT, model TEXT, answer TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS rungs (server TEXT PRIMARY KEY, rung TEXT NOT NULL) WITHOUT ROWID;
"""


@dataclass(frozen=True, slots=True)
class Reply:
    """What a server answered: the text, why it stopped ("stop", "length", ...), and the tokens that it counted."""

    text: str
    finish: str
    tokens_in: int | None = None
    tokens_out: int | None = None


class Cache:
    """One file of answers (None: nowhere but in memory, and that only for the rungs). Its file can be read by its owner
    alone, since answers quote reports. One thread may look up (`get`) while another one writes.

    Raises:
        OutputError: the file can't be made, or is none of this version.
    """

    def __init__(self, path: Path | None) -> None:
        self.path = path
        place = ":memory:" if path is None else str(path)
        try:
            if path is not None:
                path.parent.mkdir(parents=True, exist_ok=True)
                with suppress(FileExistsError):
                    os.close(os.open(path, os.O_CREAT | os.O_EXCL, 0o600))
            self._db = _connected(place)
            self._begun()
            self._lookup = None if path is None else _connected(place)
        except (OSError, sqlite3.Error) as error:
            hint = "name another file with --llm cache=FILE, or none with --llm cache=none"
            raise OutputError(f"the cache of answers can't be used: {error}", place=place, hint=hint) from None

    def _begun(self) -> None:
        try:
            self._begin()
        except sqlite3.Error:
            self._db.close()
            raise

    def _begin(self) -> None:
        _share(self._db)
        self._db.execute("PRAGMA synchronous=NORMAL")
        (version,) = self._db.execute("PRAGMA user_version").fetchone()
        if version not in (0, VERSION):
            raise sqlite3.DatabaseError(f"it is of version {version}, {VERSION} expected")
        self._db.executescript(_TABLES)
        self._db.execute(f"PRAGMA user_version={VERSION}")

    def get(self, key: str) -> Reply | None:
        """The answer under a key, if it has come."""
        if self._lookup is None:
            return None
        found = self._one(self._lookup, "SELECT answer FROM answers WHERE key = ?", key)
        return None if found is None else _reply(found)

    def put(self, key: str, reply: Reply, *, prompt: str, model: str) -> Reply:
        """Keep an answer; the one that is kept, which is an earlier one where another process was faster."""
        if self.path is None:
            return reply
        said = json.dumps(asdict(reply))
        self._do("INSERT OR IGNORE INTO answers VALUES (?, ?, ?, ?)", key, prompt, model, said)
        kept = self._one(self._db, "SELECT answer FROM answers WHERE key = ?", key)
        return (None if kept is None else _reply(kept)) or reply

    def rung(self, server: str) -> str | None:
        """The rung that was found for a server, model and schema."""
        return self._one(self._db, "SELECT rung FROM rungs WHERE server = ?", server)

    def remember(self, server: str, rung: str) -> None:
        """Keep the rung of a server."""
        self._do("INSERT OR REPLACE INTO rungs VALUES (?, ?)", server, rung)

    def __len__(self) -> int:
        """The answers that are kept."""
        with closing(self._db.execute("SELECT count(*) FROM answers")) as rows:
            return int(rows.fetchone()[0])

    def close(self) -> None:
        """Leave the file."""
        self._db.close()
        if self._lookup is not None:
            self._lookup.close()

    def _one(self, connection: sqlite3.Connection, query: str, value: str) -> str | None:
        try:
            with closing(connection.execute(query, (value,))) as rows:
                found = rows.fetchone()
        except sqlite3.Error as error:
            raise self._broken(error) from None
        return None if found is None else str(found[0])

    def _do(self, query: str, *values: Any) -> None:
        try:
            self._db.execute(query, values)
        except sqlite3.Error as error:
            raise self._broken(error) from None

    def _broken(self, error: sqlite3.Error) -> CabsError:
        """What stops the run: answers that can't be kept would be lost, and paid for again."""
        hint = "make room, or remove the file if it is damaged; the same command goes on from there"
        place = str(self.path or ":memory:")
        return UnavailableError(f"the cache of answers can't be used: {error}", place=place, hint=hint)


def _reply(kept: str) -> Reply | None:
    """The answer of a row; None for a row that is damaged, as if it were not there."""
    try:
        found = Reply(**json.loads(kept))
    except (TypeError, ValueError):
        return None
    return found if isinstance(found.text, str) and isinstance(found.finish, str) else None


def _share(db: sqlite3.Connection) -> None:
    """Turn a file to WAL mode. Where another process does so at this moment SQLite says at once that it is locked,
    whatever it was told of waiting."""
    until = monotonic() + BUSY
    while True:
        try:
            db.execute("PRAGMA journal_mode=WAL")
            return
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or monotonic() > until:
                raise
        sleep(0.02)


def _connected(place: str) -> sqlite3.Connection:
    return sqlite3.connect(place, timeout=BUSY, isolation_level=None, check_same_thread=False)
