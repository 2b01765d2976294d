"""Errors: what may be done wrong in a text, each as replacements at their places; and a text with errors made.

An edit touches one fact, wherever the text states it. `apply` is a pure function of the reading and the edits, in any
order; `cabs.studies.counterfactual.editor` lists the edits that a reading allows.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal, get_args

from cabs.studies.counterfactual.grammar import listed
from cabs.studies.counterfactual.reading import Reading

Type = Literal[
    "omit", "insert", "swap", "side", "site", "negate", "size", "severity", "character", "change", "certainty"
]
TYPES: tuple[Type, ...] = get_args(Type)
IDENTITY: tuple[Type, ...] = ("omit", "insert", "swap", "negate")
"""The types that change which findings a report states."""


@dataclass(frozen=True, slots=True)
class Change:
    """text[start:end] becomes `new`."""

    start: int
    end: int
    new: str


@dataclass(frozen=True, slots=True)
class Edit:
    """One error.

    `family`: the fact; `touches`: the statements whose place it takes, by their number; `errors`: what it counts in
    Text-Rank. `denied`: (statement, member) of a denied list whose denial is turned, then `new` is the sentence that
    asserts it. `present`: it spoils a fact that the text states as present. `old` and `new` say what changed.
    """

    type: Type
    family: str
    touches: frozenset[int]
    changes: tuple[Change, ...] = ()
    denied: tuple[int, int] | None = None
    old: str = ""
    new: str = ""
    present: bool = True

    @property
    def errors(self) -> int:
        """What the edit adds to Text-Rank: a swap leaves out one finding and invents another."""
        return 2 if self.type == "swap" else 1


def apply(reading: Reading, edits: Iterable[Edit]) -> str:
    """The text with the errors made. Without edits it is the text itself, byte for byte."""
    edits = list(edits)
    changes = [change for edit in edits for change in edit.changes]
    lists = sorted({edit.denied[0] for edit in edits if edit.denied})
    changes.extend(_relisted(reading, at, [e for e in edits if e.denied and e.denied[0] == at]) for at in lists)
    text = reading.text
    for change in reversed(_merged(changes)):
        text = text[: change.start] + change.new + text[change.end :]
    return text


def _merged(changes: list[Change]) -> list[Change]:
    """The changes in their order; sentences left out side by side are one gap."""
    found: list[Change] = []
    for change in sorted(changes, key=lambda c: (c.start, c.end, c.new)):
        if found and change.start < found[-1].end and not change.new and not found[-1].new:
            found[-1] = replace(found[-1], end=max(change.end, found[-1].end))
        else:
            found.append(change)
    return found


def _relisted(reading: Reading, at: int, edits: list[Edit]) -> Change:
    """A denied list without the members that are asserted, and the sentences that assert them."""
    made, text = reading.statements[at], reading.text
    gone = {edit.denied[1] for edit in edits if edit.denied}
    left = [text[m.start : m.end] for number, m in enumerate(made.members) if number not in gone]
    said = [edit.new for edit in sorted(edits, key=lambda e: e.denied or (0, 0))]
    if not left and not made.normal:
        return Change(made.start, made.sentence.end, " ".join(said))
    end = made.sentence.end
    if not left:
        head = text[made.start : made.members[0].start]
        head = re.split(r"(?:,|(?<!\s))\s+(?:without|with)\b", head)[0]
        return Change(made.start, end, " ".join([f"{head}.", *said]))
    joints = text[made.members[0].start : made.members[-1].end]
    conjunction = "and" if re.search(r"\band\b", joints) else "or"
    kept = text[made.start : made.members[0].start] + listed(left, conjunction) + text[made.members[-1].end : end]
    return Change(made.start, end, " ".join([kept, *said]))
