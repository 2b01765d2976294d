"""The blocks of a page as the site's Markdown has them: a file's name becomes the title of its block."""

from __future__ import annotations

import re

NAMED = re.compile(r"^(?P<fence>`{3,})(?P<language>\w+) (?P<file>[\w./-]+)$", re.M)
COMMENT = re.compile(r"^<!-- (?:figures: \w+|end) -->\n?", re.M)
CELL = re.compile(r"`[^`\n]*`")


def titled(page: str) -> str:
    """A page for the site.

    >>> titled("```json pairs.jsonl")
    '```json title="pairs.jsonl"'
    """
    page = COMMENT.sub("", page)
    page = NAMED.sub(lambda block: f'{block["fence"]}{block["language"]} title="{block["file"]}"', page)
    return "\n".join(_cells(line) if line.startswith("|") else line for line in page.split("\n"))


def _cells(row: str) -> str:
    r"""A row of a table, whose code may hold a bar: GitHub's Markdown wants it escaped, Python's shows the escape."""
    return CELL.sub(lambda code: code[0].replace("\\|", "|"), row)
