"""Answers on disk."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from cabs.errors import OutputError, UnavailableError
from cabs.llm.cache import Cache, Reply

ONE = Reply("one", "stop", 3, 4)
Open = Callable[[Path | None], Cache]


@pytest.fixture
def cache() -> Iterator[Open]:
    """Open caches that are closed in the end."""
    with ExitStack() as stack:
        yield lambda path: stack.enter_context(closing(Cache(path)))


def test_an_answer_comes_back_as_it_was(tmp_path: Path, cache: Open) -> None:
    odd = Reply("line\n\x00\ud800 é", "length", None, None)
    cache(tmp_path / "deep" / "a.sqlite").put("k", odd, prompt="p", model="m")
    again = cache(tmp_path / "deep" / "a.sqlite")
    assert (again.get("k"), again.get("other"), len(again)) == (odd, None, 1)


def test_the_first_answer_stays(tmp_path: Path, cache: Open) -> None:
    one, two = cache(tmp_path / "a.sqlite"), cache(tmp_path / "a.sqlite")
    assert one.put("k", ONE, prompt="p", model="m") == ONE
    assert two.put("k", Reply("two", "stop"), prompt="p", model="m") == ONE


def test_only_its_owner_reads_it(tmp_path: Path, cache: Open) -> None:
    cache(tmp_path / "a.sqlite")
    assert (tmp_path / "a.sqlite").stat().st_mode & 0o077 == 0


def test_without_a_file_only_rungs_are_known(cache: Open) -> None:
    nowhere = cache(None)
    nowhere.put("k", ONE, prompt="p", model="m")
    nowhere.remember("s", "text")
    assert (nowhere.get("k"), nowhere.rung("s"), nowhere.rung("t")) == (None, "text", None)


def test_what_is_no_cache_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.sqlite").write_text("no database, but long enough to be looked at " * 50)
    with pytest.raises(OutputError, match="can't be used") as error:
        Cache(tmp_path / "a.sqlite")
    assert "cache=FILE" in error.value.hint
    newer = sqlite3.connect(tmp_path / "b.sqlite")
    newer.execute("PRAGMA user_version=9")
    newer.close()
    with pytest.raises(OutputError, match="version 9"):
        Cache(tmp_path / "b.sqlite")
    with pytest.raises(OutputError):
        Cache(tmp_path)


_WRITER = """
import sys
from pathlib import Path
from cabs.llm.cache import Cache, Reply
cache = Cache(Path(sys.argv[1]))
for i in range(200):
    key = str(i if i % 2 else f"{sys.argv[2]} {i}")
    assert cache.put(key, Reply(f"{sys.argv[2]} {i}", "stop"), prompt="p", model="m") == cache.get(key)
"""


def test_several_processes_write_at_once(tmp_path: Path, root: Path, cache: Open) -> None:
    path = tmp_path / "a.sqlite"
    command = [sys.executable, "-c", _WRITER, str(path)]
    writers = [subprocess.Popen([*command, name], cwd=root) for name in ("a", "b", "c")]
    assert [writer.wait() for writer in writers] == [0, 0, 0]
    assert len(cache(path)) == 100 + 3 * 100


def test_a_damaged_row_is_none_and_a_cache_that_fails_stops_the_run(tmp_path: Path, cache: Open) -> None:
    made = cache(tmp_path / "a.sqlite")
    made.put("k", ONE, prompt="p", model="m")
    made._db.execute("UPDATE answers SET answer = '{\"text\": 3'")
    assert made.get("k") is None
    made._db.execute("DROP TABLE answers")
    with pytest.raises(UnavailableError, match="can't be used") as error:
        made.put("k", ONE, prompt="p", model="m")
    assert "remove the file" in error.value.hint
