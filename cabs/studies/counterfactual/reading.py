"""A report → what the study's lexicon reads in it: statements with the places of their words.

A sentence that it does not read whole is left as it is and never edited beyond the words that it does read.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from cabs.studies.counterfactual.lexicon import WORD, Lexicon, Tag, plain, words_of
from cabs.studies.counterfactual.passages import Section, Sentence, sections

SIZE = re.compile(
    r"(?<![\d.\-/])\d+(?:[.,]\d+)?(?:\s?(?:mm|cm)?\s?[x×*]\s?\d+(?:[.,]\d+)?){0,2}\s?(?:mm|cm)\b(?!\s?[x×*]\s?\d)",
    re.IGNORECASE,
)
SLOTS = ("side", "site", "size", "grade", "character", "change", "doubt", "count")
FINDING, MEMBER_WORDS = "finding", 6
OPEN = 4
"""Words that a sentence may hold beside those of the lexicon for its words to be taken as the finding's own."""


@dataclass(frozen=True, slots=True)
class Token:
    """text[start:end] and what it stands for."""

    start: int
    end: int
    tag: Tag


@dataclass(frozen=True, slots=True)
class Member:
    """One member of a denied list; `finding` is "" where it may not be edited."""

    start: int
    end: int
    finding: str


@dataclass(frozen=True, slots=True)
class Statement:
    """What one sentence states.

    `kind`: "positive" (one finding), "denial" (a list), "normal", "insert" (a sentence of inserts.yaml), "other".
    `core` ends before the full stop. `slots`: the places of a positive statement's words. `whole`: it has no word
    that the lexicon does not know; `open`: only a few. `id`: the finding, or the normal or inserted record.
    """

    sentence: Sentence
    core: int
    section: int
    block: int
    kind: str
    id: str = ""
    tokens: tuple[Token, ...] = ()
    slots: dict[str, Token] = field(default_factory=dict)
    whole: bool = False
    members: tuple[Member, ...] = ()
    normal: str = ""
    open: bool = False

    @property
    def start(self) -> int:
        """Where the sentence begins."""
        return self.sentence.start

    def token(self, kind: str) -> Token | None:
        """The first token of a kind."""
        return next((token for token in self.tokens if token.tag.kind == kind), None)


@dataclass(frozen=True, slots=True)
class Reading:
    """A text with its sections and statements. `families`: how often each family of findings is mentioned; `normal`:
    regions called normal."""

    text: str
    sections: tuple[Section, ...]
    statements: tuple[Statement, ...]
    families: Counter[str]
    normal: frozenset[str]

    def facts(self, lexicon: Lexicon) -> tuple[int, int]:
        """Facts (families of findings that are stated or denied, regions called normal) and, of them, present ones."""
        present = {f for s in self.statements if s.kind in ("positive", "other") for f in _stated(s, lexicon)}
        denied = {lexicon.findings[m.finding].family for s in self.statements for m in s.members if m.finding}
        normal = {s.id for s in self.statements if s.kind == "normal" and lexicon.normals[s.id].turned}
        return len(present | denied) + len(normal), len(present)


def _stated(made: Statement, lexicon: Lexicon) -> set[str]:
    """The families that a statement states as present: all that it mentions where nothing in it denies."""
    if any(token.tag.kind in ("negation", "denied") for token in made.tokens):
        return set()
    return {lexicon.findings[t.tag.value].family for t in made.tokens if t.tag.kind in (FINDING, "clause")}


def read(text: str, lexicon: Lexicon) -> Reading:
    """What the lexicon reads in a report."""
    parts = sections(text, lexicon)
    found: list[Statement] = []
    for at, section in enumerate(parts):
        for number, block in enumerate(section.blocks):
            label = text[block.inner : block.body]
            found.extend(statement(text, sentence, at, number, lexicon, label) for sentence in block.sentences)
    families: Counter[str] = Counter()
    for made in found:
        families.update(_families(text, made, lexicon))
    normal = {lexicon.normals[name].region for s in found for name in (s.normal, s.id) if name in lexicon.normals}
    return Reading(text, parts, tuple(found), families, frozenset(normal))


def scan(text: str, start: int, end: int, lexicon: Lexicon) -> list[Token]:
    """The tokens of text[start:end]: sizes, the longest phrases of the lexicon, other words (kind "unknown") and signs
    ("sign")."""
    found: list[Token] = []
    words = _words(text, start, end)
    at = 0
    while at < len(words):
        left, right = words[at]
        if SIZE.fullmatch(text, left, right):
            found.append(Token(left, right, Tag("size", text[left:right])))
            at += 1
            continue
        length, tag = _longest(text, words, at, lexicon)
        found.append(Token(left, words[at + length - 1][1], tag))
        at += length
    return _composed(found, lexicon)


def _words(text: str, start: int, end: int) -> list[tuple[int, int]]:
    sizes = [match.span() for match in SIZE.finditer(text, start, end)]
    plain_words = (match.span() for match in WORD.finditer(text, start, end))
    inside = [w for w in plain_words if not any(a <= w[0] < b for a, b in sizes)]
    return sorted([*sizes, *inside])


def _longest(text: str, words: list[tuple[int, int]], at: int, lexicon: Lexicon) -> tuple[int, Tag]:
    lower = [text[a:b].lower() for a, b in words[at : at + lexicon.longest]]
    for length in range(len(lower), 0, -1):
        tag = lexicon.phrases.get(tuple(lower[:length]))
        if tag is not None:
            return length, tag
    return 1, Tag("unknown" if lower[0][0].isalnum() else "sign", lower[0])


def _composed(tokens: list[Token], lexicon: Lexicon) -> list[Token]:
    """Heads with a site that together name a finding, and clauses that state one, become findings."""
    if any(token.tag.kind == FINDING for token in tokens):
        return tokens
    for head in (t for t in tokens if t.tag.kind == "head"):
        for site in (t for t in tokens if t.tag.kind == "site"):
            id = lexicon.composed.get((head.tag.value, site.tag.value))
            if id is not None:
                made = Token(head.start, head.end, Tag(FINDING, id, head.tag.extra))
                kept = Token(site.start, site.end, Tag("organ", site.tag.value, site.tag.extra))
                return [made if t is head else kept if t is site else t for t in tokens]
    values = {t.tag.value: t for t in tokens}
    for (subject, predicate), id in lexicon.predicates.items():
        if subject in values and predicate in values and values[subject].start < values[predicate].start:
            made = Token(values[predicate].start, values[predicate].end, Tag("clause", id, subject))
            return [made if t is values[predicate] else t for t in tokens]
    return tokens


def statement(text: str, sentence: Sentence, section: int, block: int, lexicon: Lexicon, label: str = "") -> Statement:
    """What one sentence states; `label` is that of its block."""
    core = sentence.start + len(text[sentence.start : sentence.end].rstrip(" ."))
    said = plain(text[sentence.start : sentence.end])
    base = Statement(sentence, core, section, block, "other")
    normal = lexicon.normal(said)
    if normal is not None:
        return _with(base, kind="normal", id=normal.id, whole=True)
    if said in lexicon.insert_says:
        return _with(base, kind="insert", id=lexicon.insert_says[said].id, whole=True)
    return _denial(text, base, lexicon) or _positive(text, base, lexicon, label)


def _with(base: Statement, **changes: object) -> Statement:
    from dataclasses import replace

    return replace(base, **changes)  # type: ignore[arg-type]


def _positive(text: str, base: Statement, lexicon: Lexicon, label: str) -> Statement:
    tokens = tuple(scan(text, base.start, base.core, lexicon))
    base = _with(base, tokens=tokens)
    kinds = Counter(token.tag.kind for token in tokens)
    if kinds[FINDING] + kinds["clause"] != 1 or kinds["negation"] or kinds["denied"] or kinds["head"]:
        return base
    unknown = kinds["unknown"] + sum(t.tag.kind == "sign" and t.tag.value != "," for t in tokens)
    named = next(t for t in tokens if t.tag.kind in (FINDING, "clause"))
    slots = {kind: t for kind in SLOTS if kinds[kind] == 1 and (t := base.token(kind)) is not None}
    once = all(kinds[kind] <= 1 for kind in SLOTS)
    loose = kinds["subject"] > (named.tag.kind == "clause") or kinds["predicate"]
    alone = not any(t.tag.value in lexicon.words.linking for t in tokens) and _at_home(label, named.tag.value, lexicon)
    return _with(
        base,
        kind="positive",
        id=named.tag.value,
        slots=slots,
        whole=alone and once and not unknown and not loose,
        open=alone and unknown <= OPEN,
    )


def _at_home(label: str, id: str, lexicon: Lexicon) -> bool:
    """Whether a finding is at home under a label: not where that names another place than it may lie in."""
    named = {t.tag.value for t in scan(label, 0, len(label), lexicon) if t.tag.kind == "site"}
    record = lexicon.findings[id]
    own = {*record.sites, *(site for _, site in record.composed)}
    return not named or not record.sites or bool(named & own)


def _denial(text: str, base: Statement, lexicon: Lexicon) -> Statement | None:
    words = lexicon.words.denials
    said = text[base.start : base.core]
    normal, start = _joint(said, lexicon)
    if not normal:
        cues = (c for c in words.cues if re.match(rf"{c}\s", said, re.IGNORECASE))
        start = len(max(cues, key=len, default=""))
        if not start:
            return None
    tail = re.search(rf"\s(?:{'|'.join(words.tails)})$", said, re.IGNORECASE)
    end = tail.start() if tail else len(said)
    members = tuple(_members(text, base.start + start, base.start + end, lexicon))
    if not members:
        return None
    editable = all(m.finding != "?" for m in members)
    kept = tuple(m if m.finding not in ("?", "-") else Member(m.start, m.end, "") for m in members)
    tokens = tuple(scan(text, base.start + start, base.start + end, lexicon))
    return _with(base, kind="denial", members=kept, whole=editable, normal=normal, tokens=tokens)


def _joint(said: str, lexicon: Lexicon) -> tuple[str, int]:
    """The normal statement that a denial begins with ("the lungs are clear without ..."), and where its list begins."""
    for joint in sorted(lexicon.words.denials.joints, key=len, reverse=True):
        head, found, _ = said.partition(f" {joint} " if joint[0] != "," else f"{joint} ")
        normal = lexicon.normal(head) if found else None
        if normal is not None:
            return normal.id, len(head) + len(found)
    return "", 0


def _members(text: str, start: int, end: int, lexicon: Lexicon) -> Iterator[Member]:
    """The members of text[start:end]; `finding` "-": read, not to be edited; "?": not read."""
    left = start
    for joint in [
        *re.finditer(r"(?:(?<!\s)\s++)?,\s*(?:or\s|and\s|nor\s)?\s*|(?<!\s)\s+(?:or|and|nor)\s+", text[start:end]),
        None,
    ]:
        right = start + joint.start() if joint else end
        part = text[left:right]
        shift = len(part) - len(part.lstrip())
        yield Member(left + shift, left + len(part.rstrip()), _denied(part, lexicon))
        left = start + joint.end() if joint else end


def _denied(part: str, lexicon: Lexicon) -> str:
    """The finding that one member denies."""
    said = part.strip().lower()
    for qualifier in sorted(lexicon.words.denials.qualifiers, key=len, reverse=True):
        said = said.removeprefix(f"{qualifier} ")
    tag = lexicon.phrases.get(words_of(said))
    if tag is not None and tag.kind == FINDING:
        return tag.value
    return "-" if tag is not None and tag.kind == "denied" else "?"


def _families(text: str, made: Statement, lexicon: Lexicon) -> set[str]:
    """The families that a statement mentions in whatever way."""
    if made.kind == "insert":
        return {record.family for record in lexicon.inserts if record.id == made.id}
    tokens = made.tokens or scan(text, made.start, made.core, lexicon)
    named = {t.tag.value for t in tokens if t.tag.kind in (FINDING, "clause")}
    return {lexicon.findings[id].family for id in named}
