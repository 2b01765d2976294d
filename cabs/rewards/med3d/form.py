"""`<think>…</think><answer>…</answer>`: whether a completion keeps the form, and its thought."""

from __future__ import annotations

import re

from cabs.rewards.completion import THINK, THOUGHT

ANSWER, ANSWERED = "<answer>", "</answer>"
ORDER = (THINK, THOUGHT, ANSWER, ANSWERED)
_TAG = re.compile(r"</?\w+>")
_BETWEEN = re.compile(rf"{THOUGHT}\s*{ANSWER}")


def keeps_form(text: str) -> bool:
    """Exactly one thought and then one answer, both with words in them, and nothing else: no other tag (`<word>`), no
    text outside.

    >>> keeps_form("<think>An effusion.</think> <answer>B</answer>"), keeps_form("<think></think><answer>B</answer>")
    (True, False)
    """
    return tuple(_TAG.findall(text)) == ORDER and keeps_released_form(text)


def keeps_released_form(text: str) -> bool:
    """The check of Med3D-R1 as released (`format_reward` of stage2_rl/src/open_r1/grpo_3d.py): it starts and ends with
    the right tags, has one pair of each with words inside, and no tag of another name. Stray tags of the same names
    pass, and so does text behind the thought if its closing tag comes again."""
    stripped = text.strip()
    if not (stripped.startswith(THINK) and stripped.endswith(ANSWERED) and set(_TAG.findall(text)) <= set(ORDER)):
        return False
    thoughts, answers = pairs(text, THINK, THOUGHT), pairs(text, ANSWER, ANSWERED)
    if len(thoughts) != 1 or len(answers) != 1 or not thoughts[0].strip() or not answers[0].strip():
        return False
    return _BETWEEN.search(stripped, len(THINK), len(stripped) - len(ANSWERED)) is not None


def pairs(text: str, opening: str, closing: str) -> list[str]:
    """What stands between an opening tag and the next closing one, in order, none counted twice."""
    found: list[str] = []
    start = text.find(opening)
    while start >= 0:
        inside = start + len(opening)
        end = text.find(closing, inside)
        if end < 0:
            break
        found.append(text[inside:end])
        start = text.find(opening, end + len(closing))
    return found


def thought(text: str) -> str:
    """What the model thought: everything up to the last closing tag, "" where there is none."""
    before, closed, _ = text.rpartition(THOUGHT)
    return before.replace(THINK, " ").replace(THOUGHT, " ").strip() if closed else ""
