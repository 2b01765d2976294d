"""A reading → the errors that can be made in it, drawn from the study's lexicon."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from random import Random

from cabs.studies.counterfactual.edits import TYPES, Change, Edit, Type
from cabs.studies.counterfactual.grammar import article, capital, fitted, millimetres, scaled
from cabs.studies.counterfactual.lexicon import ANY, Lexicon, Noun
from cabs.studies.counterfactual.reading import SLOTS, Reading, Statement, Token

LARGE_MM, GROWN, SHRUNK = 25.0, 2.5, 0.4
"""Sizes above the first (mm) become a share of themselves, others a multiple: beyond every tolerance."""


SLOT_TYPES: dict[Type, str] = {
    "side": "side", "site": "site", "size": "size", "severity": "grade", "character": "character", "change": "change",
}  # fmt: skip
"""Types of error that exchange the words of one slot, and the slot."""

BOTH = "both"
Making = Callable[[Type, Sequence[Change], str, str], Iterator[Edit]]


class Editor:
    """Lists the edits of one reading. `rng` draws wordings only, so that equal edits may be worded unlike."""

    def __init__(self, reading: Reading, lexicon: Lexicon, rng: Random) -> None:
        self.reading, self.lexicon, self.rng = reading, lexicon, rng
        self.text, self.statements = reading.text, reading.statements

    def candidates(self) -> list[Edit]:
        """All edits, by type and then in the order of the text."""
        found: list[Edit] = []
        for group in self._groups():
            found.extend(self._of_group(group))
        found.extend(self._denials())
        found.extend(self._normals())
        found.extend(self._inserts())
        return sorted(found, key=lambda edit: TYPES.index(edit.type))

    def _groups(self) -> Iterator[list[int]]:
        """The statements of each fact whose every mention is one of them."""
        families: dict[str, list[int]] = {}
        for at, made in enumerate(self.statements):
            if made.kind == "positive":
                families.setdefault(self.lexicon.findings[made.id].family, []).append(at)
        for family, group in families.items():
            parts = [self.statements[at] for at in group]
            apart = len({s.section for s in parts}) == len(parts) and len({s.id for s in parts}) == 1
            if self.reading.families[family] == len(group) and apart:
                yield group

    def _of_group(self, group: list[int]) -> Iterator[Edit]:
        family = self.lexicon.findings[self.statements[group[0]].id].family

        def edit(type: Type, changes: Sequence[Change], old: str, new: str) -> Iterator[Edit]:
            if changes:
                yield Edit(type, family, frozenset(group), tuple(changes), None, old, new)

        yield from self._whole(group, edit)
        for type, kind in SLOT_TYPES.items():
            old, new = self._exchange(group, kind)
            if new:
                changes = [self._exchanged(at, kind, new) for at in group if kind in self.statements[at].slots]
                yield from edit(type, changes, old, new)
        changes, old, new = self._certainty(group)
        yield from edit("certainty", changes, old, new)

    def _whole(self, group: list[int], edit: Making) -> Iterator[Edit]:
        """Edits that take the whole fact: left out, denied, or another in its place."""
        made = [self.statements[at] for at in group]
        if not all(s.open and not self._followed(at) for s, at in zip(made, group, strict=True)):
            return
        said = self.text[made[0].start : made[0].core]
        removed = [self._removed(at) for at in group]
        yield from edit("omit", removed, said, "")
        denial = self._denial_of(made[0].id)
        if denial:
            changes = [Change(made[0].start, made[0].sentence.end, denial), *removed[1:]]
            yield from edit("negate", changes, said, denial)
        for noun in self._partners(made):
            changes = [self._swapped(s, noun) for s in made]
            if changes:
                named = self._named(made[0])
                yield from edit("swap", changes, self.text[named.start : named.end], noun.text)
                return

    def _followed(self, at: int) -> bool:
        after = at + 1
        return after < len(self.statements) and self.statements[after].sentence.glued

    def _removed(self, at: int) -> Change:
        """Leaves out a sentence, and the whole line or item where it stands alone."""
        made = self.statements[at]
        blocks = self.reading.sections[made.section].blocks
        block = blocks[made.block]
        place = block.sentences.index(made.sentence)
        if len(block.sentences) > 1:
            if place + 1 < len(block.sentences):
                return Change(made.start, block.sentences[place + 1].start, "")
            return Change(block.sentences[place - 1].end, made.sentence.end, "")
        if made.block + 1 < len(blocks):
            return Change(block.start, blocks[made.block + 1].start, "")
        before = blocks[made.block - 1].end if made.block else block.start
        return Change(before, block.end, "")

    def _denial_of(self, id: str) -> str:
        wordings = self.lexicon.wordings[id]
        if not wordings:
            return ""
        noun = self.rng.choice(wordings).text
        frame = self.rng.choice(self.lexicon.words.denials.of_one)
        return _framed(frame, or_=noun)

    def _named(self, made: Statement) -> Token:
        return next(t for t in made.tokens if t.tag.kind in ("finding", "clause"))

    def _partners(self, made: list[Statement]) -> Iterator[Noun]:
        """Nouns of other findings that may stand in the same sentence."""
        first = made[0]
        named = self._named(first)
        slots = {kind for s in made for kind in s.slots}
        if named.tag.kind == "clause" or any(s.token("organ") for s in made) or {"character", "count"} & slots:
            return
        for id in self.lexicon.findings[first.id].swap:
            record = self.lexicon.findings[id]
            needed = (("size", record.measured), ("grade", record.graded), ("side", bool(record.sided)))
            fits = all(has for slot, has in needed if slot in slots)
            if not fits or self.reading.families[record.family] or record.region in self.reading.normal:
                continue
            yield from (noun for noun in self.lexicon.wordings[id] if noun.number == named.tag.extra)

    def _swapped(self, made: Statement, noun: Noun) -> Change:
        named = self._named(made)
        return Change(*fitted(self.text, named.start, named.end, noun.text))

    def _exchange(self, group: list[int], kind: str) -> tuple[str, str]:
        """What a slot of a fact says wherever it is stated, and what it will say; "" where it can't be exchanged."""
        values = set()
        for at in group:
            made = self.statements[at]
            if any(t.tag.kind == kind for t in made.tokens):
                token = made.slots.get(kind)
                if token is None or not (made.open or self._near(made, token)):
                    return "", ""
                values.add(token.tag.value)
        if len(values) != 1:
            return "", ""
        (old,) = values
        return old, self._opposite(old, kind, self.statements[group[0]])

    def _near(self, made: Statement, token: Token) -> bool:
        """Whether only words of slots stand between a token and the finding that it modifies."""
        named = self._named(made)
        between = [t for t in made.tokens if token.end <= t.start < named.start]
        return token.end <= named.start and named.tag.kind == "finding" and all(t.tag.kind in SLOTS for t in between)

    def _opposite(self, old: str, kind: str, made: Statement) -> str:
        words, record = self.lexicon.words, self.lexicon.findings[made.id]
        if kind == "side":
            turned = {"left": "right", "right": "left"}.get(old, "")
            site = made.slots.get("site")
            known = site is None or turned in words.sites[site.tag.value].sides
            return turned if known and not self._other_side(made, turned) else ""
        if kind == "site":
            side = made.slots.get("side")
            others = [o for o in words.sites[old].others if o in record.sites]
            fits = [o for o in others if side is None or side.tag.value in words.sites[o].sides]
            if made.slots["site"].tag.extra == BOTH:
                fits = [o for o in fits if words.sites[o].whole]
            return fits[0] if fits and not words.sites[old].implies else ""
        if kind == "size":
            return scaled(old, SHRUNK if millimetres(old) > LARGE_MM else GROWN)
        if kind == "grade":
            token = made.slots[kind]
            amounts = self.text[token.end :].startswith(" of ")
            grade = words.grades[old]
            return "" if amounts else (record.amount and grade.of_amount) or grade.opposite
        if kind == "character":
            return self.lexicon.opposites[old]
        return words.changes[old].opposite

    def _other_side(self, made: Statement, side: str) -> bool:
        """Whether the text speaks of the same fact on that side, too (denied sides and lists hold it as tokens)."""
        family = self.lexicon.findings[made.id].family
        for other in self.statements:
            if other is not made and any(t.tag.kind == "side" and t.tag.value == side for t in other.tokens):
                ids = {t.tag.value for t in other.tokens if t.tag.kind in ("finding", "clause")}
                if any(self.lexicon.findings[id].family == family for id in ids):
                    return True
        return False

    def _exchanged(self, at: int, kind: str, new: str) -> Change:
        token = self.statements[at].slots[kind]
        said, words = self.text[token.start : token.end], self.lexicon.words
        if kind == "side":
            new = re.sub(token.tag.value, new, said.lower())
        elif kind == "site":
            new = self._site(said, token, new)
        elif kind == "grade" and token.tag.extra == "adverb":
            new = words.grades[new].adverb
        elif kind == "change":
            new = words.changes[new].before
        return Change(*fitted(self.text, token.start, token.end, new))

    def _site(self, said: str, token: Token, new: str) -> str:
        sites = self.lexicon.words.sites
        old, site = sites[token.tag.value], sites[new]
        if token.tag.extra == BOTH:
            return next(iter(site.whole))
        if token.tag.extra:
            return f"{token.tag.extra} {site.noun}"
        if said.lower() == old.many and old.many != old.noun:
            return site.many
        return site.adjective if said.lower() in (old.adjective,) and site.adjective else site.noun

    def _certainty(self, group: list[int]) -> tuple[list[Change], str, str]:
        """A fact hedged where it was plain, plain where it was hedged."""
        hedged = ["doubt" in self.statements[at].slots for at in group]
        if any(hedged) and not all(hedged):
            return [], "", ""
        changes = []
        for at in group:
            made = self.statements[at]
            named = self._named(made)
            if named.tag.kind == "clause" or not made.open:
                return [], "", ""
            if all(hedged):
                token = made.slots["doubt"]
                changes.append(Change(*fitted(self.text, token.start, token.end, "")))
            else:
                changes.append(self._hedged(made, named))
        return (changes, "possible", "definite") if all(hedged) else (changes, "definite", "possible")

    def _hedged(self, made: Statement, named: Token) -> Change:
        first = named
        for token in reversed([t for t in made.tokens if t.end <= named.start]):
            if token.tag.kind not in SLOTS or self.text[token.end : first.start].strip():
                break
            first = token
        word = self.lexicon.words.doubts.before[0]
        said = self.text[first.start : named.end]
        start, end, new = fitted(self.text, first.start, named.end, f"{word} {_inside(said)}")
        return Change(start, end, new)

    def _denials(self) -> Iterator[Edit]:
        """Denied findings asserted."""
        for at, made in enumerate(self.statements):
            for number, member in enumerate(made.members):
                if not member.finding or not self._free(member.finding) or not _separable(self.text, made):
                    continue
                record = self.lexicon.findings[member.finding]
                wordings = self.lexicon.wordings[member.finding]
                if not wordings or record.region in self.reading.normal or self.reading.families[record.family] > 1:
                    continue
                said = asserted(self.rng.choice(wordings), self.rng.choice(self.lexicon.words.denials.asserted))
                old = self.text[member.start : member.end]
                yield Edit("negate", record.family, frozenset([at]), (), (at, number), old, said, present=False)

    def _free(self, id: str) -> bool:
        return self.reading.families[self.lexicon.findings[id].family] == 1

    def _normals(self) -> Iterator[Edit]:
        """What is called normal called ill."""
        for at, made in enumerate(self.statements):
            record = self.lexicon.normals.get(made.id) if made.kind == "normal" else None
            if record is None or not record.turned or self._followed(at):
                continue
            insert = next(i for i in self.lexicon.inserts if i.id == record.turned)
            if not self.reading.families[insert.family]:
                said = self.rng.choice(insert.says)
                change = Change(made.start, made.sentence.end, said)
                old = self.text[made.start : made.core]
                yield Edit("negate", insert.family, frozenset([at]), (change,), None, old, said, present=False)

    def _inserts(self) -> Iterator[Edit]:
        """Findings of which the text says nothing."""
        spoken = set(re.findall(r"[a-z]+", self.text.lower()))
        places = [at for at, s in enumerate(self.statements) if s.kind != "other" and not self._followed(at)]
        first = self.statements[places[0]].section if places else 0
        places = [at for at in places if self.statements[at].section == first]
        for insert in self.lexicon.inserts:
            known = insert.needs == ANY or spoken.intersection(self.lexicon.regions[insert.needs])
            if not places or not known or self.reading.families[insert.family] or insert.region in self.reading.normal:
                continue
            at, said = self.rng.choice(places), self.rng.choice(insert.says)
            yield Edit(
                "insert", insert.family, frozenset([at]), (self._behind(at, said),), None, "", said, present=False
            )

    def _behind(self, at: int, said: str) -> Change:
        """A sentence behind a statement; behind its line, as one of its own, where the line has a label or a number."""
        made = self.statements[at]
        block = self.reading.sections[made.section].blocks[made.block]
        if block.body == block.start:
            return Change(made.sentence.end, made.sentence.end, f" {said}")
        return Change(block.end, block.end, f"\n{said}")


def _inside(said: str) -> str:
    return said if said[1:2].isupper() else said[:1].lower() + said[1:]


def _framed(frame: str, *, or_: str) -> str:
    return frame.format(**{"or": or_, "Or": capital(or_), "and": or_})


def asserted(noun: Noun, frame: str) -> str:
    """A sentence that states a finding, e.g. "There is {np}." around a noun."""
    plural = noun.number == "many"
    np = noun.text if noun.number != "one" else f"{article(noun.text)} {noun.text}"
    return re.sub(r"\bis\b", "are" if plural else "is", frame, count=1).format(np=np, Np=capital(np))


def _separable(text: str, made: Statement) -> bool:
    """Whether members of a denied list stand for themselves: "mediastinal or hilar nodes" share their noun."""
    shared = re.compile(r"(?i)(?:al|ar|ic|ary|ous|ed)$")
    return not any(not m.finding and shared.search(text[m.start : m.end]) for m in made.members)
