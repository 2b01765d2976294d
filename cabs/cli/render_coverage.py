"""How a coverage looks in a terminal."""

from __future__ import annotations

from collections.abc import Iterator

from rich.table import Table

from cabs.cli.render import empty_table
from cabs.cli.visible import one_line
from cabs.studies.coverage import Coverage, PhraseRow

WORDS, NUMBERS = 24, 31
"""Columns that a cell of words takes at most, and the four other ones together."""
EXAMPLE = 40
"""Columns of the example, at least."""


def sums_in_words(found: Coverage) -> Iterator[str]:
    """The sums of a coverage, line by line."""
    e = found.explained
    yield f"{e.reports} reports, {e.unread} of them unread"
    kinds = f"{_share(e.full, e.sentences)} explained fully, {_share(e.partly, e.sentences)} partly"
    rest = f"{_share(e.none, e.sentences)} not at all; {_share(e.with_fact, e.sentences)} state a fact"
    yield f"{e.sentences} sentences: {kinds}, {rest}"
    yield f"{e.words} content words: {_share(e.words_explained, e.words)} explained"


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f} %" if whole else "-"


def phrases_table(found: Coverage, width: int) -> Table:
    """The phrases, the most frequent first."""
    rows = empty_table("phrase", "role", "count", "reports", "facts", "within", "near", "example", left={0, 1, 5, 6, 7})
    room = max(EXAMPLE, width - 3 * (WORDS + 2) - NUMBERS - 2)
    for row in found.phrases:
        near = "" if row.near is None else row.near.name
        counts = (str(n) for n in (row.count, row.reports, row.with_fact))
        rows.add_row(_cut(row.phrase), row.role, *counts, _cut(row.within), _cut(near), _example(row, room))
    return rows


def _cut(text: str, room: int = WORDS) -> str:
    text = one_line(text)
    return text if len(text) <= room else text[: room - 3] + "..."


def _example(row: PhraseRow, room: int) -> str:
    """The report's id, and as much of the sentence around the phrase as there is room for."""
    id, text = _cut(row.example.id), row.example.text
    room -= len(id) + 2
    at = max(0, text.find(row.example.words) - room // 3)
    start = text if not at else "..." + text[at:]
    return f"{id}: {_cut(start, room)}" if text else id
