"""The study's own lexicon, read from the files beside it and checked: findings, words, frames and sentences.

It is not the ontology and shares no code with the parser: edits that were drawn from what the parser knows would only
ask whether the parser agrees with itself.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, TypeVar

from pydantic import TypeAdapter, ValidationError

from cabs.errors import InputError
from cabs.studies.counterfactual.schema import (
    FindingRecord,
    FramesRecord,
    InsertRecord,
    NormalRecord,
    WordsRecord,
)

FOLDER = Path(__file__).parent / "lexicon"
FILES = ("findings", "inserts", "normals", "words", "frames", "regions")
ANY = "any"
"""What an inserted finding needs that fits any report."""
WORD = re.compile(r"[A-Za-z]+(?:[-'][A-Za-z]+)*|\d+(?:[.,]\d+)*|[^\w\s]")

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Noun:
    """A noun phrase of a finding. `number`: "one", "many" or "mass"."""

    text: str
    number: str


@dataclass(frozen=True, slots=True)
class Tag:
    """What a phrase stands for: its kind, a value, and what else goes with it (a number, a side)."""

    kind: str
    value: str
    extra: str = ""


@dataclass(frozen=True)
class Lexicon:
    """The whole lexicon. `content_hash` is that of its files."""

    findings: dict[str, FindingRecord]
    inserts: tuple[InsertRecord, ...]
    normals: dict[str, NormalRecord]
    words: WordsRecord
    frames: FramesRecord
    regions: dict[str, list[str]]
    content_hash: str

    @cached_property
    def wordings(self) -> dict[str, tuple[Noun, ...]]:
        """How each finding is written."""
        return {id: tuple(nouns(record.wordings)) for id, record in self.findings.items()}

    @cached_property
    def phrases(self) -> dict[tuple[str, ...], Tag]:
        """Every phrase that is read, as lower-case words. Where two kinds share one, the earlier kind wins."""
        found: dict[tuple[str, ...], Tag] = {}
        for text, tag in _tags(self):
            found.setdefault(words_of(text), tag)
        return found

    @cached_property
    def longest(self) -> int:
        """Words of the longest phrase."""
        return max(map(len, self.phrases))

    @cached_property
    def predicates(self) -> dict[tuple[str, str], str]:
        """(subject, predicate) → finding."""
        return {(p[0], p[1]): id for id, record in self.findings.items() for p in record.predicates}

    @cached_property
    def composed(self) -> dict[tuple[str, str], str]:
        """(head, site) → finding."""
        return {(c[0], c[1]): id for id, record in self.findings.items() for c in record.composed}

    @cached_property
    def normal_says(self) -> dict[str, NormalRecord]:
        """A normal sentence, simplified, → its record."""
        return {plain(says): record for record in self.normals.values() for says in record.says}

    def normal(self, sentence: str) -> NormalRecord | None:
        """The record of a normal sentence."""
        said = plain(sentence)
        if said in self.normal_says:
            return self.normal_says[said]
        return next((r for r in self.normals.values() if r.reads and re.fullmatch(r.reads, said)), None)

    @cached_property
    def insert_says(self) -> dict[str, InsertRecord]:
        """An inserted sentence, simplified, → its record."""
        return {plain(says): record for record in self.inserts for says in record.says}

    @cached_property
    def opposites(self) -> dict[str, str]:
        """A word of character → the one that takes its place."""
        return {word: other for group in self.words.characters for word, other in group.items()}


def words_of(text: str) -> tuple[str, ...]:
    """The lower-case words and signs of a text.

    >>> words_of("Ground-glass, 3 mm")
    ('ground-glass', ',', '3', 'mm')
    """
    return tuple(WORD.findall(text.lower()))


def plain(sentence: str) -> str:
    """A sentence without its capitals, its full stop and double spaces.

    >>> plain("Lungs  are clear.")
    'lungs are clear'
    """
    return " ".join(sentence.lower().rstrip(" .").split())


def nouns(entries: list[str]) -> Iterator[Noun]:
    """The noun phrases of entries like "one|many" or "mass"."""
    for entry in entries:
        one, bar, many = entry.partition("|")
        if not bar:
            yield Noun(one, "mass")
            continue
        if one:
            yield Noun(one, "one")
        if many:
            yield Noun(many, "many")


def _tags(lexicon: Lexicon) -> Iterator[tuple[str, Tag]]:
    words = lexicon.words
    for id, finding in lexicon.findings.items():
        for noun in nouns([*finding.forms, *finding.wordings]):
            yield noun.text, Tag("finding", id, noun.number)
    for side, forms in words.side_phrases.items():
        yield from ((form, Tag("side", side)) for form in forms)
    for side, forms in words.sides.items():
        yield from ((form, Tag("side", side)) for form in forms)
    yield from _site_tags(lexicon)
    for word in words.grades:
        yield word, Tag("grade", word)
    for adverb, word in words.adverbs.items():
        yield adverb, Tag("grade", word, "adverb")
    for word in lexicon.opposites:
        yield word, Tag("character", word)
    for change, record in words.changes.items():
        yield from ((form, Tag("change", change)) for form in record.forms)
    yield from ((form, Tag("doubt", form)) for form in words.doubts.forms)
    for number, forms in words.counts.items():
        yield from ((form, Tag("count", form, number)) for form in forms)
    for subject, predicate in lexicon.predicates:
        yield subject, Tag("subject", subject)
        yield predicate, Tag("predicate", predicate)
    for head, entry in words.heads.items():
        yield from ((noun.text, Tag("head", head, noun.number)) for noun in nouns([entry]))
    yield from ((form, Tag("denied", form)) for form in words.denied_nouns)
    yield from ((word, Tag("negation", word)) for word in words.negations)
    yield from ((word, Tag("filler", word)) for word in (*words.fillers, *words.ignored))


def _site_tags(lexicon: Lexicon) -> Iterator[tuple[str, Tag]]:
    for id, site in lexicon.words.sites.items():
        yield from ((form, Tag("site", id, site.implies)) for form in site.forms)
        yield from ((form, Tag("site", id, side)) for side, form in site.short.items())
        yield from ((form, Tag("site", id, side)) for form, side in site.whole.items())


@lru_cache(maxsize=4)
def load_lexicon(folder: Path = FOLDER) -> Lexicon:
    """The lexicon of a folder, checked.

    Raises:
        InputError: a file is missing, malformed or names what no other file has.
    """
    digest = hashlib.sha256()
    pages = {}
    for name in FILES:
        path = folder / f"{name}.yaml"
        pages[name] = _page(path)
        digest.update(path.read_bytes())

    def read(name: str, kind: type[T]) -> T:
        return _checked(folder / f"{name}.yaml", pages[name], kind)

    lexicon = Lexicon(
        findings={record.id: record for record in read("findings", list[FindingRecord])},
        inserts=tuple(read("inserts", list[InsertRecord])),
        normals={record.id: record for record in read("normals", list[NormalRecord])},
        words=read("words", WordsRecord),
        frames=read("frames", FramesRecord),
        regions=read("regions", dict[str, list[str]]),
        content_hash=digest.hexdigest(),
    )
    for problem in problems(lexicon):
        raise InputError(problem, place=str(folder))
    return lexicon


def _page(path: Path) -> Any:
    import yaml

    try:
        return yaml.safe_load(path.read_text(encoding="utf-8"))
    except (OSError, yaml.YAMLError) as error:
        raise InputError(f"can't be read as YAML: {error}", place=str(path)) from None


def _checked(path: Path, page: Any, kind: type[T]) -> T:
    try:
        return TypeAdapter(kind).validate_python(page)
    except ValidationError as error:
        first = error.errors()[0]
        place = f"{path}: {'.'.join(map(str, first['loc']))}"
        raise InputError(first["msg"], place=place) from None


def problems(lexicon: Lexicon) -> Iterator[str]:
    """What an entry names that no other file has."""
    sites = lexicon.words.sites
    for id, record in lexicon.findings.items():
        yield from (f"finding {id}: no finding {other!r}" for other in record.swap if other not in lexicon.findings)
        yield from (f"finding {id}: no site {site!r}" for site in record.sites if site not in sites)
        yield from (f"finding {id}: {entry!r} is no pair of words" for entry in record.predicates if len(entry) != 2)
        yield from (f"finding {id}: no head {c[0]!r}" for c in record.composed if c[0] not in lexicon.words.heads)
        yield from (f"finding {id}: {other!r} has no wording" for other in record.swap if not _worded(lexicon, other))
    for id, site in sites.items():
        yield from (f"site {id}: no site {other!r}" for other in site.others if other not in sites)
    for word, grade in lexicon.words.grades.items():
        if grade.opposite not in lexicon.words.grades:
            yield f"grade {word}: no grade {grade.opposite!r}"
    for name, change in lexicon.words.changes.items():
        if change.opposite not in lexicon.words.changes:
            yield f"change {name}: no change {change.opposite!r}"
    inserted = {record.id for record in lexicon.inserts}
    yield from (
        f"normal {n.id}: no insert {n.turned!r}" for n in lexicon.normals.values() if n.turned not in {*inserted, ""}
    )
    families = {record.family for record in lexicon.findings.values()}
    known = {*lexicon.regions, ANY}
    yield from (f"insert {i.id}: no region {i.needs!r}" for i in lexicon.inserts if i.needs not in known)
    yield from (f"insert {i.id}: no family {i.family!r}" for i in lexicon.inserts if i.family not in families)


def _worded(lexicon: Lexicon, id: str) -> bool:
    return id in lexicon.findings and bool(lexicon.findings[id].wordings)
