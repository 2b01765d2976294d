"""What the rules read in a text, as statements that quotes point to: each answers for one fact, and none for what it
denies.

A quote to the letter proves nothing by itself: that of a denial, or of another finding, is as verbatim as a good one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from cabs.llm.quotes import words_of
from cabs.llm.terms import Terms
from cabs.matching.item import Item
from cabs.ontology.compose import AT
from cabs.values import OTHER, Fact, Span

KIN, SAME, ALIKE = 1, 2, 3
"""How well a statement fits a claim: a broader or narrower entity, the same one, the same at the same side."""


@dataclass(frozen=True, slots=True)
class Claim:
    """Something that is said to stand at one of these `places`: its `name`, its `head` (the entity without its organ,
    `OTHER` for what the ontology lacks) and its `sides`."""

    name: str
    head: str
    sides: frozenset[str]
    places: tuple[Span, ...] = ()


def claim_of(fact: Fact, terms: Terms) -> Claim:
    """The claim that a fact is stated."""
    items = terms.matcher.items(fact)
    sides: frozenset[str] = frozenset().union(*(item.sides for item in items))
    return Claim(fact.name, items[0].head, sides)


def claim_named(name: str, terms: Terms) -> Claim:
    """The claim that a finding of this name is stated."""
    head = (terms.ontology.resolve(name) or OTHER).partition(AT)[0]
    return Claim(name, head, frozenset())


class Statements:
    """The statements of one text; each is given to one claim."""

    def __init__(self, text: str, terms: Terms) -> None:
        self._text, self._terms = text, terms
        report = terms.rules.parse(text)
        items = [item for fact in report.facts for item in terms.matcher.items(fact)]
        self._present = [item for item in items if item.fact.status == "present"]
        self._denied = [item for item in items if item.fact.status == "absent"]
        self._normal = [normal.span for normal in report.normal]
        self._given: set[int] = set()
        self._worded: list[Span] = []

    def given(self, claims: Sequence[Claim]) -> list[Span | None]:
        """For each claim the place where a statement answers for it; None where there is none, or none is left. What
        fits best is given first."""
        found: dict[int, Span] = {}
        for least in (ALIKE, SAME, KIN, 0):
            for at, claim in enumerate(claims):
                place = None if at in found else self._take(claim, least)
                if place is not None:
                    found[at] = place
        return [found.get(at) for at in range(len(claims))]

    def to_the_point(self, claim: Claim) -> bool:
        """Whether a statement at one of its places can answer for a claim, whichever claim has it."""
        read = (self._fit(claim, item, place) for place in claim.places for item in self._present)
        return any(read) or any(self._says(claim, place) for place in claim.places)

    def _take(self, claim: Claim, least: int) -> Span | None:
        """The place of a statement that fits so well and is still to be had; for 0, of words that may say it."""
        for place in claim.places:
            for at, item in enumerate(self._present) if least else ():
                if at not in self._given and self._fit(claim, item, place) >= least:
                    self._given.add(at)
                    return place
            if not least and not any(_meet(place, other) for other in self._worded) and self._says(claim, place):
                self._worded.append(place)
                return place
        return None

    def _fit(self, claim: Claim, item: Item, place: Span) -> int:
        """How well what the rules read at a place fits a claim, 0 for not at all. Beside a denial of the claim only the
        very thing does."""
        if not _meet(item.fact.mention, place):
            return 0
        if item.head == claim.head != OTHER and item.sides == claim.sides:
            return ALIKE
        if self._denies(claim, place) or not self._kin(claim, item):
            return 0
        return SAME if item.head == claim.head else KIN

    def _denies(self, claim: Claim, place: Span) -> bool:
        """Whether the rules read a denial of a claim at a place."""
        return any(
            _meet(item.fact.mention, place)
            and self._terms.kind_of(claim.head, item.head)
            and (not item.sides or (claim.sides and claim.sides <= item.sides))
            for item in self._denied
        )

    def _kin(self, claim: Claim, item: Item) -> bool:
        """Whether both may be one: an entity and a kind of it, or a name that the ontology lacks and words that it
        shares."""
        if claim.head == OTHER:
            start, end = item.fact.mention
            return self._shared(claim, f"{item.fact.name} {self._text[start:end]}")
        return self._terms.kind_of(claim.head, item.head) or self._terms.kind_of(item.head, claim.head)

    def _shared(self, claim: Claim, said: str) -> bool:
        words = set(words_of(said))
        return any(word in words or f"{word}s" in words for word in self._terms.telling(claim.name))

    def _says(self, claim: Claim, place: Span) -> bool:
        """Whether words at a place may say what the rules do not read there: they share one with its name, outside of
        what the rules read; or the rules read nothing, and words that they do not know stand by one that they do."""
        if self._denies(claim, place):
            return False
        read = [*(item.fact.mention for item in (*self._present, *self._denied)), *self._normal]
        inside = [span for span in read if _meet(span, place)]
        if self._shared(claim, _without(self._text, place, inside)):
            return True
        return not inside and self._terms.unexplained(self._text[place.start : place.end])


def _meet(a: Span, b: Span) -> bool:
    return a.start < b.end and b.start < a.end


def _without(text: str, place: Span, spans: Sequence[Span]) -> str:
    """The words of a place, blanks for those of spans."""
    letters = list(text[place.start : place.end])
    for span in spans:
        for at in range(max(span.start, place.start), min(span.end, place.end)):
            letters[at - place.start] = " "
    return "".join(letters)
