"""What a completion says, section by section, and whether it keeps the form."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from cabs.errors import SettingError
from cabs.rewards.completion import answer_of
from cabs.rewards.example import Example
from cabs.rewards.references import SectionReader
from cabs.rewards.tags import keeps_form, keeps_paper_form, tagged
from cabs.values import Section

Form = Literal["tags", "headings"]


@dataclass(frozen=True, slots=True)
class Reading:
    """How completions are read.

    - form: "tags" (`<findings>…</findings><impression>…</impression>`, as [TIF] trains), or "headings": any report, cut
      into sections by its headings; then there is no form to keep.
    - query, thinking: see `answer_of`.
    - longest: characters of an answer that are read; what stands behind is not. Bounds the time of any sample.
    """

    form: Form = "tags"
    query: bool = False
    thinking: bool = False
    longest: int = 20_000

    def __post_init__(self) -> None:
        if self.form not in ("tags", "headings"):
            raise SettingError(f"{self.form!r} is no form", place="form", hint="one of: tags, headings")
        if self.longest < 1:
            raise SettingError(f"{self.longest} is no number of characters", place="longest", hint="1 or more")


@dataclass(frozen=True, slots=True)
class Said:
    """`text`: the answer, as far as it is read. `sections`: what stands in each. `keeps_form`: exactly one of each tag
    in order; `keeps_paper_form`: by the check of [TIF], over thoughts too. `characters` of the answer, and those
    `inside` its sections. `cut`: why something of the answer is missing, "" where nothing is."""

    text: str
    sections: Mapping[Section, str]
    keeps_form: bool
    keeps_paper_form: bool
    characters: int
    inside: int
    cut: str


UNTOLD = Said("", {}, True, True, 0, 0, "")
"""A judgement that comes without its completion: there is no form to lose."""


def said(example: Example, reading: Reading, reader: SectionReader) -> Said:
    """What the completion of an example says.

    Raises:
        InputError: the completion is neither text nor messages.
    """
    if example.completion is None and example.judgement is not None:
        return UNTOLD
    answer = answer_of(example.completion, query=reading.query, thinking=reading.thinking)
    text = answer.text[: reading.longest]
    by_tags = reading.form == "tags"
    sections = tagged(text) if by_tags else reader.by_headings(text)
    return Said(
        text,
        sections,
        not by_tags or keeps_form(text),
        not by_tags or keeps_paper_form(answer.whole[: reading.longest]),
        len(answer.text),
        sum(map(len, sections.values())),
        why_cut(example, answer.cut, len(answer.text), reading.longest),
    )


def why_cut(example: Example, thought: bool, characters: int, longest: int) -> str:
    """Why something of a completion is missing, "" where nothing is. `thought`: one does not end; `characters`: those
    written, of which `longest` are read."""
    if thought:
        return "the thought does not end, so there is no answer"
    if example.truncated:
        return "the generation limit cut the completion"
    return f"the answer is longer than {longest} characters" if characters > longest else ""
