"""One statement → the same statement in other words."""

from __future__ import annotations

import re
from random import Random

from cabs.studies.counterfactual.grammar import article, capital, listed, lower, other_unit
from cabs.studies.counterfactual.lexicon import Lexicon, Noun
from cabs.studies.counterfactual.reading import FINDING, SIZE, Reading, Statement, Token

OWN = 0.5
"""The share of findings that keep the word that the report has for them."""
OPENED = 0.12
"""The share of sentences that get an opening which adds nothing."""


class Phraser:
    """Says statements anew; what the lexicon does not read whole keeps its words but for a few equal ones."""

    def __init__(self, reading: Reading, lexicon: Lexicon, rng: Random, share: float) -> None:
        self.text, self.lexicon, self.rng, self.share = reading.text, lexicon, rng, share

    def say(self, made: Statement) -> str:
        """The sentence anew, with its stop."""
        said = self._said(made)
        if self.rng.random() > OPENED or ":" in said or "study" in said or not made.whole:
            return said
        return self.rng.choice(self.lexicon.frames.openers) + lower(said)

    def _said(self, made: Statement) -> str:
        said = self.text[made.start : made.sentence.end]
        if self.rng.random() > self.share:
            return self._light(said)
        if made.kind == "normal":
            return f"{self.rng.choice(self.lexicon.normals[made.id].says)}."
        if made.kind == "insert":
            return self.rng.choice(next(i.says for i in self.lexicon.inserts if i.id == made.id))
        if made.kind == "denial" and made.whole:
            return self._denied(made)
        if made.kind == "positive" and made.whole:
            return self._stated(made) or self._light(said)
        return self._light(said)

    def _light(self, said: str) -> str:
        """A sentence with equal words exchanged, spellings and units changed, in another style."""
        frames = self.lexicon.frames
        for pattern, stays in frames.terse if self.rng.random() < self.share / 2 else ():
            said = capital(re.sub(pattern, stays, said))
        for row in [*frames.equal_words, *frames.spellings]:
            if self.rng.random() < self.share:
                new = self.rng.choice(row)
                pattern = rf"\b(?:{'|'.join(map(re.escape, row))})\b"
                said = re.sub(pattern, lambda m, new=new: capital(new) if m[0][0].isupper() else new, said, flags=re.I)  # type: ignore[misc]
        return SIZE.sub(lambda m: other_unit(m[0]) if self.rng.random() < self.share / 2 else m[0], said)

    def _denied(self, made: Statement) -> str:
        items = [lower(self.text[m.start : m.end]) for m in made.members]
        items = [self._member(item, m.finding) for item, m in zip(items, made.members, strict=True)]
        self.rng.shuffle(items)
        denials = self.lexicon.words.denials
        said = denied(items, self.rng.choice(denials.written if len(items) > 1 else denials.of_one))
        if not made.normal:
            return said
        parts = [f"{self.rng.choice(self.lexicon.normals[made.normal].says)}.", said]
        self.rng.shuffle(parts)
        return " ".join(parts)

    def _member(self, item: str, finding: str) -> str:
        """A denied finding, at times in the lexicon's words; never where a qualifier stands before it."""
        tag = self.lexicon.phrases.get(tuple(item.lower().split()))
        nouns = self.lexicon.wordings.get(finding, ())
        specific = bool(finding) and item.lower() in self.lexicon.findings[finding].specific
        if tag is None or tag.kind != FINDING or not nouns or specific or self.rng.random() < OWN:
            return item
        return self.rng.choice(nouns).text

    def _stated(self, made: Statement) -> str:
        """A positive statement around another noun, in another frame; "" where its words don't allow it."""
        named = next(t for t in made.tokens if t.tag.kind in ("finding", "clause"))
        noun = self._noun(made, named)
        if noun is None or not self._placed(made):
            return ""
        phrase, tail = self._phrase(made, noun)
        loc = self._location(made)
        if tail and loc and tail.startswith(","):
            tail, loc = loc + tail, ""
        frames = self.lexicon.frames
        plural = noun.number == "many"
        choices = list(frames.many if plural else frames.one)
        if loc:
            choices += frames.located["many" if plural else "one"]
        phrase += tail
        frame = self.rng.choice([c for c in choices if "," not in tail or c.rstrip(".").endswith(("{np}", "{loc}"))])
        return frame.format(np=phrase, Np=capital(phrase), loc=loc, Loc=capital(loc.strip()))

    def _placed(self, made: Statement) -> bool:
        """Whether the place can be told with its side."""
        site, side = made.slots.get("site") or made.token("organ"), made.slots.get("side")
        if (
            site is not None
            and site.tag.value not in self.lexicon.findings[made.id].sites
            and made.token("organ") is None
        ):
            return False
        if site is None or side is None:
            return True
        record = self.lexicon.words.sites[site.tag.value]
        return not site.tag.extra and side.tag.value in record.sides

    def _noun(self, made: Statement, named: Token) -> Noun | None:
        own = None
        if named.tag.kind == "finding" and made.token("organ") is None:
            said = self.text[named.start : named.end]
            own = Noun(lower(said), named.tag.extra)
        counted = "count" in made.slots
        number = named.tag.extra if own or named.tag.kind == "finding" else "mass"
        nouns = self.lexicon.wordings[made.id]
        fits = [
            n for n in nouns if n.number == number or (n.number == "mass" and not counted and "size" not in made.slots)
        ]
        specific = own is not None and own.text.lower() in self.lexicon.findings[made.id].specific
        if own is not None and (specific or not fits or self.rng.random() < OWN):
            return own
        return self.rng.choice(fits) if fits else None

    def _phrase(self, made: Statement, noun: Noun) -> tuple[str, str]:
        """The noun with its modifiers, and what follows it."""
        words, slots, said = self.lexicon.words, made.slots, self.text
        before: list[str] = []
        tail = ""
        if "doubt" in slots:
            before.append(self.rng.choice(words.doubts.before))
        if "change" in slots:
            change = words.changes[slots["change"].tag.value]
            if self.rng.random() < OWN:
                before.append(change.before)
            else:
                tail = self.rng.choice(change.after)
        count = slots.get("count")
        if count is not None and count.tag.extra == "many":
            before.append(self.rng.choice(words.count_says.get(count.tag.value, [count.tag.value])))
        grade = slots.get("grade")
        amount = self.lexicon.findings[made.id].amount and noun.number == "mass"
        if grade is not None and not amount:
            before.append(self.rng.choice(words.grades[grade.tag.value].says))
        if "size" in slots:
            tail = self._size(slots["size"], before) + tail
        if "character" in slots:
            token = slots["character"]
            before.append(said[token.start : token.end].lower())
        phrase = " ".join([*before, noun.text])
        if grade is not None and amount:
            amounts = f"{words.grades[grade.tag.value].says[0]} amount of {phrase}"
            return f"{article(amounts)} {amounts}", tail
        single = noun.number == "one" and (count is None or count.tag.extra == "one")
        return (f"{article(phrase)} {phrase}" if single else phrase), tail

    def _size(self, token: Token, before: list[str]) -> str:
        size = token.tag.value
        size = other_unit(size) if self.rng.random() < OWN else size
        if self.rng.random() < OWN and not before:
            before.append(size)
            return ""
        return self.rng.choice(self.lexicon.frames.sized).format(size=size)

    def _location(self, made: Statement) -> str:
        words = self.lexicon.words
        site, side = made.slots.get("site") or made.token("organ"), made.slots.get("side")
        told = side.tag.value if side else (site.tag.extra if site else "")
        if site is None:
            return f" {self.rng.choice(words.side_phrases[told][:1])}" if told else ""
        record = words.sites[site.tag.value]
        if told == "both" and "both" in record.sides:
            return f" {record.at} both {record.many}"
        if told and told != record.implies and record.sides:
            return f" {record.at} the {told} {record.noun}"
        plural = self.text[site.start : site.end].lower() == record.many
        return f" {record.at} the {record.many if plural else record.noun}"


def denied(items: list[str], frame: str) -> str:
    """A denial of several findings in a frame; its verb agrees with the last of them.

    >>> denied(["stone", "cysts"], "No {or} is seen.")
    'No stone or cysts are seen.'
    """
    either, both = listed(items, "or"), listed(items, "and")
    if re.search(r"[^s]s$", items[-1]) and not items[-1].endswith("is"):
        frame = re.sub(r"\bis\b(?! no\b)", "are", frame)
    return frame.format(**{"or": either, "Or": capital(either), "and": both, "And": capital(both)})
