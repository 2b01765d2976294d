"""Names that become files: the same on every system, never a device, never another one's."""

from __future__ import annotations

from pathlib import PurePosixPath, PureWindowsPath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cabs.io.portable import is_portable
from cabs.leaderboard.site.files import FILES
from cabs.leaderboard.site.slugs import slug, slugs
from tests.platforms.as_windows.windows_names import portable

BAD = (
    "", ".", "..", "../a", "a/b", "a\\b", "C:a", "C:\\a", "\\\\host\\share", "a:stream", "CON", "nul.txt", "Aux.tar.gz",
    "com1", "LPT³.csv", "con .txt", "a.", "a ", "a?", 'a"', "a\0", "a\n", "é" * 128,
)  # fmt: skip
GOOD = ("a", "a.jsonl", ".a", "console.txt", "com.txt", "null", "é.csv", "a b.csv", "a" * 255)


@pytest.mark.parametrize("name", BAD)
def test_what_some_system_refuses_is_no_name(name: str) -> None:
    assert not is_portable(name)


@pytest.mark.parametrize("name", GOOD)
def test_what_every_system_takes_is_one(name: str) -> None:
    assert is_portable(name)


@given(st.text(max_size=12))
def test_a_portable_name_stays_in_its_folder_in_both_kinds_of_path(name: str) -> None:
    if is_portable(name):
        assert PureWindowsPath("C:/folder", name).parts == ("C:\\", "folder", name)
        assert PurePosixPath("/folder", name).parts == ("/", "folder", name)
        assert portable(name), "the rules that tests on Linux live under are not looser"


NAMES = st.one_of(
    st.text(max_size=60), st.sampled_from(["CON", "nul", "A", "a", "a.", "a ", "../..", "C:\\x", "\\\\h\\s\\f"])
)


@given(st.lists(NAMES, min_size=2, max_size=8, unique=True))
def test_each_system_has_a_page_of_its_own_where_case_is_none(names: list[str]) -> None:
    pages = [f"system-{found}.html" for found in slugs(names).values()]
    assert len({page.lower() for page in pages}) == len(names)
    assert all(map(is_portable, pages))


@given(st.text(max_size=60))
def test_no_name_takes_the_page_of_another(name: str) -> None:
    assert slug(slug(name)) == slug(name) or slug(name) != name
    assert name == slug(name) or slug(slug(name)) != slug(name)


def test_the_files_of_a_site_differ_by_more_than_case() -> None:
    assert len({name.lower() for name in FILES}) == len(FILES)
    assert all(map(is_portable, FILES))
