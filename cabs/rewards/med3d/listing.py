"""A thought without the question and its list of options: who repeats what was asked states nothing."""

from __future__ import annotations

import re
from functools import lru_cache

from cabs.scoring.tasks.mcq import Options

FEWEST = 3
"""Options that, all in one row, are a list also without their labels; two may be a statement ("this and that")."""
_GAP = r"[\s,;./)]*(?:\b(?:and|or|versus|vs)\b[\s,.]*)?"


def without_listing(thought: str, options: Options, question: str = "") -> str:
    """The thought without the words of the question, without two or more options in a row that carry their labels, and
    without a row of all the options (three or more).

    >>> options = Options((("A", "Left"), ("B", "Right")))
    >>> without_listing("Is it A) left or B) right? I see it on the left.", options)
    'Is it  ? I see it on the left.'
    """
    asked = thought.replace(question, " ") if question.strip() else thought
    marked, bare = _rows(options.items)
    return bare.sub(" ", marked.sub(" ", asked)) if bare is not None else marked.sub(" ", asked)


@lru_cache(maxsize=1024)
def _rows(items: tuple[tuple[str, str], ...]) -> tuple[re.Pattern[str], re.Pattern[str] | None]:
    texts = "|".join(sorted((re.escape(text) for _, text in items), key=len, reverse=True))
    marks = "|".join(rf"\(?{re.escape(label)}\s?[).:]\s*{re.escape(text)}" for label, text in items)
    marked = re.compile(rf"(?<!\w)(?>(?:{marks})(?!\w){_GAP}){{2,}}", re.IGNORECASE)
    if len(items) < FEWEST:
        return marked, None
    return marked, re.compile(rf"(?<!\w)(?>(?:{texts})(?!\w){_GAP}){{{len(items)},}}", re.IGNORECASE)
