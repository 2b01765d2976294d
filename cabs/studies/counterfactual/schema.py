"""The schema of the study's lexicon: one model per kind of record, unknown fields refused."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict


class Record(BaseModel):
    """What all records share: frozen, no unknown field, no silent conversion."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class FindingRecord(Record):
    """findings.yaml. `forms` are read and `wordings` written, each "one|many", "one|", "|many" or, without a plural,
    "mass". `predicates`: (subject, predicate) words of a clause that states the finding; `composed`: (head, site) words
    that together name it. `sided`: whether a side is told of the finding or of its site. `amount`: it comes in amounts.
    `specific`: forms that say more than the finding, which no wording may take the place of.
    """

    id: str
    family: str
    region: str
    forms: list[str]
    wordings: list[str] = []
    predicates: list[list[str]] = []
    composed: list[list[str]] = []
    sites: list[str] = []
    sided: Literal["", "side", "site"] = ""
    graded: bool = False
    measured: bool = False
    amount: bool = False
    specific: list[str] = []
    swap: list[str] = []


class InsertRecord(Record):
    """inserts.yaml: sentences that all state one finding. `needs`: the part of the body (regions.yaml, or "any") that a
    report must speak of."""

    id: str
    family: str
    region: str
    needs: str
    says: list[str]


class NormalRecord(Record):
    """normals.yaml: sentences that all call one region normal. `reads`: a pattern of more of them; `turned`: the
    inserted finding that states the opposite."""

    id: str
    region: str
    says: list[str]
    reads: str = ""
    turned: str = ""


class SiteRecord(Record):
    """A place: how it is written (`at` the `noun`, both: the `many`), read (`forms`; `short` by side; `whole`: words
    that hold a side), and which `others` it may be mistaken for. `implies`: a side that it always has."""

    noun: str
    many: str
    at: Literal["in", "at"]
    forms: list[str]
    adjective: str = ""
    short: dict[str, str] = {}
    whole: dict[str, str] = {}
    sides: list[str] = []
    implies: str = ""
    others: list[str] = []


class GradeRecord(Record):
    """A word of grade: what says the same, its opposite (another one for what comes in amounts), and its adverb."""

    says: list[str]
    opposite: str
    adverb: str
    of_amount: str = ""


class ChangeRecord(Record):
    """A change since an earlier study: words read, the word before a noun, its opposite, and tails after a noun."""

    forms: list[str]
    before: str
    opposite: str
    after: list[str]


class DoubtRecord(Record):
    """Words of doubt: read, written before a noun, and whole sentences."""

    forms: list[str]
    before: list[str]


class DenialRecord(Record):
    """Denials: their beginnings and ends as read, sentences as written, of several findings and of one, what may
    qualify a denied finding, and how a finding is asserted."""

    cues: list[str]
    joints: list[str]
    tails: list[str]
    written: list[str]
    of_one: list[str]
    qualifiers: list[str]
    asserted: list[str]


class SectionsRecord(Record):
    """Headings of sections: those that describe the study, and the others."""

    described: list[str]
    other: list[str]


class GlueRecord(Record):
    """Beginnings and words of sentences that can't leave the one before them."""

    starts: list[str]
    contains: list[str]


class WordsRecord(Record):
    """words.yaml."""

    sides: dict[str, list[str]]
    side_phrases: dict[str, list[str]]
    sites: dict[str, SiteRecord]
    grades: dict[str, GradeRecord]
    adverbs: dict[str, str]
    characters: list[dict[str, str]]
    changes: dict[str, ChangeRecord]
    doubts: DoubtRecord
    counts: dict[str, list[str]]
    count_says: dict[str, list[str]]
    fillers: list[str]
    ignored: list[str]
    denials: DenialRecord
    denied_nouns: list[str]
    heads: dict[str, str]
    negations: list[str]
    linking: list[str]
    sections: SectionsRecord
    glue: GlueRecord


class FramesRecord(Record):
    """frames.yaml: sentences around a noun phrase, and words that may be exchanged for each other."""

    one: list[str]
    many: list[str]
    located: dict[str, list[str]]
    sized: list[str]
    equal_words: list[list[str]]
    spellings: list[list[str]]
    openers: list[str]
    terse: list[list[str]]
    remarks: list[str]
