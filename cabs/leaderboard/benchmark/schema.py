"""The keys of a benchmark's definition and of a submission, as organisers and participants write them."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints
from pydantic_core import PydanticCustomError

from cabs.io.portable import is_portable
from cabs.leaderboard.plain import shown, web_address


def _that(holds: Callable[[str], object], expected: str) -> AfterValidator:
    """A text of which something holds; `expected` is what the message asks for."""

    def checked(text: str) -> str:
        if not holds(text):
            raise PydanticCustomError("expected", "{expected} expected", {"expected": expected})
        return text

    return AfterValidator(checked)


def _is_day(text: str) -> bool:
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def _is_line(text: str) -> bool:
    return 0 < len(text) <= LONGEST_LINE and " ".join(text.split()) == text == shown(text)


def _is_inner(text: str) -> bool:
    parts = text.replace("\\", "/").split("/")
    return bool(text) and text[0] not in "/\\" and ".." not in parts and not set(text) & set(":\0") and text != "."


def _is_pattern(text: str) -> bool:
    try:
        re.compile(text)
    except (re.error, RecursionError, OverflowError):
        return False
    return True


LONGEST_LINE = 120
Sha256 = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]
Line = Annotated[str, _that(_is_line, f"one line of 1 to {LONGEST_LINE} visible characters, words one space apart")]
Said = Annotated[str, _that(str.strip, "a few words")]
Address = Annotated[
    str,
    StringConstraints(max_length=500),
    _that(lambda text: not text or web_address(text), "an address that starts with https:// or http://"),
]
Day = Annotated[str, _that(_is_day, "a day as in 2026-11-30")]
Inner = Annotated[str, _that(_is_inner, "a pattern of files below the folder of the download")]
Pattern = Annotated[str, StringConstraints(max_length=500), _that(_is_pattern, "a regular expression")]
FileName = Annotated[str, _that(is_portable, "the name of a file in the same folder (no path) that every system takes")]


class Section(BaseModel):
    """What all sections share: no unknown key, no silent conversion, frozen."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class References(Section):
    """`file`: beside the definition. `sha256`: of the file; null until `cabs benchmark prepare` or `fix` has computed
    it. `reports`: how many it holds."""

    file: FileName = "references.jsonl"
    sha256: Sha256 | None = None
    reports: Annotated[int, Field(ge=1)] | None = None


class Corrected(Section):
    """Checked facts that stand in for those read from the references: a frozen file beside the definition, and the
    SHA-256 of its content, as its first line has it."""

    file: FileName
    sha256: Sha256


class Change(Section):
    """One line of the change log. `facts`: the SHA-256 of the corrected facts after it, where it changed them."""

    version: Annotated[int, Field(ge=1)]
    on: Day
    why: Said
    by: str = ""
    reports: list[str] = []
    facts: Sha256 | None = None


class Source(Section):
    """Where a value comes from: `of`, a column, a path of keys (`labels.report.findings.chest`), or a path in XML
    (`.//AbstractText[@Label='FINDINGS']`, `uId/@id`). `pattern`: a regular expression whose first group is taken."""

    of: str
    pattern: Pattern = ""


class Part(Section):
    """A piece of a reference: its `heading` ("" for none), and where its text comes from; `after`: only what stands
    behind these words, where they are there."""

    of: str
    heading: str = ""
    after: str = ""


class Split(Section):
    """Another table of the download that says which reports belong: those whose `column` is `value`."""

    files: list[Inner]
    id: Source
    column: str
    value: str


class Recipe(Section):
    """How references are made of a download. `files`: patterns below its folder, the first that finds something is
    taken; in an archive, `members` are. `records`: the path of keys to the list in a JSON file."""

    reader: Literal["csv", "json", "xml", "texts"]
    files: list[Inner]
    members: str = "*"
    records: str = ""
    id: Source
    cluster: Source | None = None
    parts: list[Part]
    split: Split | None = None


class Benchmark(Section):
    """A benchmark. See README.md beside the leaderboard's code for every key."""

    cabs_benchmark: Literal[1]
    name: Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9-]*$")]
    title: Line
    description: str = ""
    home: Address = ""
    licence: str = ""
    task: Literal["report"] = "report"
    scope: Literal["report", "section"] = "report"
    match: Literal["strict", "hierarchical"] = "strict"
    settings: dict[str, str] = {}
    missing: Literal["count", "refuse"] = "refuse"
    rank_by: str = "fc_f1"
    draws: Annotated[int, Field(ge=0)] = 2000
    seed: Annotated[int, Field(ge=0)] = 0
    publish_text: bool = False
    version: Annotated[int, Field(ge=1)] = 1
    references: References = References()
    signature: str | None = None
    corrected: Corrected | None = None
    changes: list[Change] = []
    steps: list[str] = []
    prepare: Recipe | None = None


class SubmissionFile(Section):
    """submission.yaml: who takes part, with what."""

    system: Line
    predictions: FileName = "predictions.jsonl"
    paper: Address = ""
    link: Address = ""
    licence: Annotated[str, StringConstraints(max_length=120)] = ""
    note: Annotated[str, StringConstraints(max_length=500)] = ""
