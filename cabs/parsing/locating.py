"""The heads of a clause → where each of them is."""

from __future__ import annotations

from cabs.ontology import Ontology
from cabs.ontology.rules import CueClass
from cabs.parsing.grammar import WITHOUT
from cabs.parsing.heads import Head
from cabs.parsing.naming import Naming
from cabs.parsing.places import (
    NOWHERE,
    PlacePhrase,
    Where,
    certain_organs,
    joined,
    names_organ,
    phrases,
    resolve,
    within,
)
from cabs.parsing.scan import ATTRIBUTE, CUE, ENTITY, PLACE, SIDE, SIZE, Token
from cabs.parsing.sharing import lent, sided


class Locator:
    """Locates the heads of one clause. `topic` is the place that the clause speaks of before its first head."""

    def __init__(
        self, ontology: Ontology, naming: Naming, tokens: list[Token], heads: list[Head], above: Where, topic: Where
    ) -> None:
        self._ontology, self._naming, self._tokens, self._heads, self._above = ontology, naming, tokens, heads, above
        self._sized = SIZE in [token.kind for token in tokens]
        self._lead = phrases(tokens, 0, heads[0].first if heads else len(tokens))
        self.topic = topic
        spoken = resolve(self._lead, ontology, self.hints()) if self._lead else topic
        self.topic = spoken if spoken.organ or not topic.organ else within(spoken, topic)

    def hints(self, head: Head | None = None) -> tuple[str, ...]:
        """Organs that settle what ambiguous place words mean."""
        named = self._naming.organs(head.token) if head is not None else ()
        around = (self._above.organ, self.topic.organ)
        return (*named, *(organ for organ in around if organ))

    def stop(self, i: int) -> int:
        """Index of the first token that belongs to the head after the head `i`, or to a structure that is measured
        behind it ("mildly enlarged heart, pulmonary trunk 32 mm")."""
        end = self._heads[i + 1].first if i + 1 < len(self._heads) else len(self._tokens)
        if not self._sized:
            return end
        sizes = [j for j in range(self._heads[i].first, end) if self._tokens[j].kind == SIZE]
        if len(sizes) == 1 and sizes[0] > self._heads[i].end:
            found = phrases(self._tokens, self._heads[i].end, sizes[0])
            if found and found[-1].end == sizes[0] and self._apart(self._heads[i], found):
                return found[-1].first - 1
        return end

    def _apart(self, head: Head, found: list[PlacePhrase]) -> bool:
        """True where the last of these places opens a list item of its own, in another organ than the head's."""
        lead, last = self._tokens[found[-1].first - 1], found[-1]
        organ = resolve([last], self._ontology, self.hints(head)).organ
        if lead.kind != "&" or organ is None or last.tokens[-1].adjective:
            return False
        subject = [PlacePhrase(0, 0, head.subject)] if head.subject else found[:-1]
        organs = self._naming.organs(head.token) or (resolve(subject, self._ontology, self.hints(head)).organ,)
        return organs[0] is not None and organ not in organs

    def own(self, i: int) -> list[PlacePhrase]:
        """The place phrases of the head `i`: in its noun phrase, its subject, and behind it."""
        head, stop = self._heads[i], self.stop(i)
        measured = self._tokens[head.at]
        own = measured.kind == PLACE and not names_organ(measured, self._ontology)
        before = phrases(self._tokens, head.first, head.at + own)
        if not head.subject:
            return [*before, *phrases(self._tokens, head.at + 1, stop)]
        first = self._tokens.index(head.subject[0])
        subject = self._items(PlacePhrase(first, first + len(head.subject), head.subject))
        if (
            first > head.at and len(subject) == 1 and all(t.kind != "&" for t in head.subject)
        ):  # "enlarged porta hepatis node": the noun decides
            subject[0].noun = subject[0].noun or next((t for t in reversed(head.subject) if t.kind == PLACE), None)
        rest = head.end if first > head.at else head.at + 1
        return [*before, *subject, *phrases(self._tokens, rest, stop)]

    def places(self, i: int, own: list[PlacePhrase], previous: Where, source: Where) -> list[Where]:
        """The places of the head `i`, given its own phrases and the place of the head before it; more than one where
        coordinated places lie in different organs."""
        head = self._heads[i]
        if own:
            found = [resolve(group, self._ontology, self.hints(head)) for group in self._split(own, head)]
            around = self.topic if self.topic.organ else next((w for w in (previous, source) if w.organ), NOWHERE)
            found = [w if w.organ or not around.organ else self._within(w, around) for w in found]
            return [self._on_side(w, self._behind(i, own)) for w in found]
        shared = self._shared(i)
        if shared is not None:
            return [shared]
        if (near := self._near(head, previous)) is not None:
            return [near]
        if self.topic.organ or not (source.organ and self._naming.likely(head.token, source.organ)):
            spoken = self._split(self._lead, head) if self._lead else []
            return [resolve(group, self._ontology, self.hints(head)) for group in spoken] or [self.topic]
        return [source]

    def _near(self, head: Head, previous: Where) -> Where | None:
        """The place before as the head may have it: in its organ, or in that of the place itself ("RLL embolism with
        infarct")."""
        if not previous.organ:
            return None
        organs = (previous.organ, *map(self._ontology.organ_of, previous.ids))
        organ = next((o for o in organs if o and self._naming.likely(head.token, o)), None)
        return lent(previous, organ, self._ontology)._replace(organ=organ) if organ else None

    def _behind(self, i: int, own: list[PlacePhrase]) -> Where | None:
        """The place behind a row of heads for one whose own words stand in front of it ("subpleural reticulation and
        bronchiectasis on the left")."""
        return self._shared(i) if all(p.first < self._heads[i].at for p in own) else None

    def _on_side(self, own: Where, behind: Where | None) -> Where:
        """A place without a side on the side that its sentence speaks of: of the place behind the row in its organ, or
        told in front, alone ("On the left, ...") or with its organ ("The left kidney has a cyst in the lower pole")."""
        around = behind or (self.topic if self.topic.organ in (None, own.organ) else NOWHERE)
        if own.side or not around.side or around.organ not in (None, own.organ):
            return own
        if own.organ and not self._ontology.organs[own.organ].paired:
            return own
        if behind and not sided(own, self._ontology):
            return own
        return joined(own, around) if around.organ else within(own, around)

    def _within(self, own: Where, around: Where) -> Where:
        """Words of position at the place that the sentence speaks of, or has just spoken of: of that only the side."""
        if around is not self.topic:
            around = around._replace(spans=() if own.side else around.side_spans)
        return within(own, around)

    def coordinated(self, head: Head) -> list[tuple[int, Where]]:
        """Places that share the head's noun with its own, with the index of each ("sternal or" + "vertebral
        fracture")."""
        tokens = self._tokens
        at = head.at - 1
        while at > 0 and (tokens[at].kind == ATTRIBUTE or _tells(tokens[at], "certainty")):
            at -= 1
        if head.token.kind != ENTITY or at < 1 or tokens[at].kind != "&":
            return []
        found: list[tuple[int, Where]] = []
        while at >= 0 and (
            tokens[at].kind in ("&", SIDE, ATTRIBUTE) or tokens[at].adjective or _tells(tokens[at], "certainty")
        ):
            if tokens[at].kind == PLACE:
                first = at - 1 if at and tokens[at - 1].kind == SIDE else at
                phrase = PlacePhrase(first, at + 1, tokens[first : at + 1])
                found.append((at, resolve([phrase], self._ontology, self.hints())))
            at -= 1
        return found[::-1]

    def _split(self, own: list[PlacePhrase], head: Head) -> list[list[PlacePhrase]]:
        """Coordinated places grouped by what the finding is there, if the head's entity depends on its place."""
        spoken = [*self._tokens[head.first : head.at], *(t for p in own for t in self._tokens[p.first : p.end])]
        if not self._naming.takes_place(head.token) or all(t.kind != "&" for t in spoken):
            return [own]
        hints = (*self.hints(head), *certain_organs(own, self._ontology))
        front = [p for p in own if p.first < head.at]
        if len(front) < len(own) and front and self._made(head, front[0], hints):
            return [own]  # "lymph node enlargement in the neck or axilla"
        groups: dict[str, list[PlacePhrase]] = {}
        for item in (item for phrase in own for item in self._items(phrase)):
            groups.setdefault(self._made(head, item, hints), []).append(item)
        loose = groups.pop("", [])
        for entity in [e for e in groups if any(e in self._ontology.ancestors(other) for other in groups)]:
            loose += groups.pop(entity)  # "L2 and L3 transverse processes"
        if len(groups) < 2:
            return [own]
        first, *rest = groups.values()
        return [[*loose, *first], *rest]

    def _made(self, head: Head, item: PlacePhrase, hints: tuple[str, ...]) -> str:
        """The entity that the head is at a place; "" where the place makes it none of its own."""
        where = NOWHERE if item.beside else resolve([item], self._ontology, hints)
        named = self._naming.named(head.token, where, self._above) if where.organ else None
        alone = head.token.form.entities if head.token.form is not None else ()
        return named.entity if named is not None and named.entity and named.entity not in alone else ""

    def _items(self, phrase: PlacePhrase) -> list[PlacePhrase]:
        """The items of a coordination, the noun deciding in each: "liver and spleen" are two, "hilar and axillary
        nodes" are one, since the adjectives wait for the noun."""
        spoken = self._tokens[phrase.first : phrase.end]
        if len(phrase.tokens) < 2 or all(t.kind != "&" for t in spoken):
            return [phrase]
        items: list[list[Token]] = [[]]
        for token in spoken:
            if token.kind == "&":
                items.append([])
            elif token in phrase.tokens and token.kind in (PLACE, SIDE):
                items[-1].append(token)
        nouns = [next((t for t in reversed(item) if t.kind == PLACE and not t.adjective), None) for item in items]
        whole = [
            PlacePhrase(phrase.first, phrase.end, i, phrase.beside, n) for i, n in zip(items, nouns, strict=True) if i
        ]
        if all(n is not None for n, item in zip(nouns, items, strict=True) if item) or not any(nouns):
            return whole
        return [
            PlacePhrase(
                phrase.first, phrase.end, [t for i in items for t in i], phrase.beside, [n for n in nouns if n][-1]
            )
        ]

    def _shared(self, i: int) -> Where | None:
        """The place behind a row of heads side by side ("effusion and atelectasis on the left")."""
        for n in range(i + 1, len(self._heads)):
            head, following = self._heads[n - 1], self._heads[n]
            between = self._between(head, following)
            if following.subject or self._measured(following, head) or not all(self._joins(t, n) for t in between):
                return None
            if phrases(self._tokens, following.first, following.at):
                return None
            if own := self.own(n):
                return resolve(own, self._ontology, self.hints(self._heads[i]))
            if any(t.text in WITHOUT for t in between):
                return None  # what is denied ends the row
        return None

    def _measured(self, following: Head, head: Head) -> bool:
        """True where only the second of two heads is measured in front: a lesion of its own."""
        first, second = ([t.kind for t in self._tokens[h.first : h.at]] for h in (head, following))
        return SIZE in second and SIZE not in first

    def _between(self, head: Head, following: Head) -> list[Token]:
        """What stands between two heads, how large the first is left out ("of 17 mm")."""
        between = self._tokens[head.end : following.first] or self._tokens[following.first : following.first + 1]
        sizes = [i for i, t in enumerate(between) if t.kind == SIZE]
        measuring = {*sizes, *(i - 1 for i in sizes if i and between[i - 1].kind == "p")}
        return [t for i, t in enumerate(between) if i not in measuring]

    def _joins(self, token: Token, n: int) -> bool:
        """True for a word between the heads `n` - 1 and `n` that makes them a row or one the other's explanation."""
        return (
            token.kind in ("&", "d")
            or token.text in WITHOUT
            or _tells(token, "alternative", "certainty", "change")
            or self._accompanied(token, n)
        )

    def _accompanied(self, token: Token, n: int) -> bool:
        """True for the "with" of what goes with the finding before it ("consolidation with air bronchograms"), not
        of another lesion ("emphysema with a 6 cm bulla")."""
        own = self._tokens[self._heads[n].first : self._heads[n].at]
        led = self._tokens[self._heads[n].first - 1]
        return token.text == "with" and led.kind != "d" and all(t.kind != SIZE for t in own)


def _tells(token: Token, *classes: CueClass) -> bool:
    return token.kind == CUE and token.form is not None and token.form.cue(*classes) is not None
