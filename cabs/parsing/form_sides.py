"""The sides that surface forms say: by a word ("both lungs"), by a letter ("R base"), by "bi-" or by the plural of a
pair ("lower lobes")."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from cabs.ontology import Ontology
from cabs.parsing.form import Form, FormOf
from cabs.parsing.view import lowered, matchable
from cabs.values import Side


class SideWords(NamedTuple):
    """The lower-case words, and the letters that count in capitals alone, that are nothing but a side."""

    words: Mapping[str, Side]
    letters: Mapping[str, Side]


def paired(place: str, ontology: Ontology) -> bool:
    """True for a place of an organ that has two sides: only there a part's side is the finding's."""
    organ = ontology.organ_of(place)
    return organ is not None and ontology.organs[organ].paired


class FormSides:
    """Writes to a form of a place or finding the side that it says. `lower` and `upper` give the forms in any letters
    and those in capitals by their text; `before` tells of two of them whether the first is listed before the second."""

    def __init__(
        self, ontology: Ontology, lower: FormOf, upper: FormOf, sides: SideWords, before: Callable[[Form, Form], bool]
    ) -> None:
        self._ontology, self._lower, self._upper, self._before = ontology, lower, upper, before
        self._words, self._letters = sides
        self._pairs = {s.id for s in ontology.structures.values() if s.side == "paired" and paired(s.id, ontology)}

    def write(self, form: Form) -> None:
        """Gives a form its side, if it is none itself."""
        if form.side or not (form.places or form.entities):
            return
        form.side = self._side(form)
        form.pair = bool(form.places) and self._pair(form)
        if form.side is None and form.entities and not form.places and self._of_pair(form):
            form.side = "bilateral"

    def _side(self, form: Form) -> Side | None:
        spoken = form.text.partition(" than ")[0].split()  # what something is compared with is on another side
        words = {side for word in spoken if (side := self._said(word, form))} or self._lettered(form)
        if len(words) == 1:
            return words.pop()
        return "bilateral" if words else self._implied(form)

    def _said(self, word: str, form: Form) -> Side | None:
        """The side of a word of a form: "LV hypertrophy" is on the side of "LV". A place takes none from a word that is
        listed after it."""
        if word in self._words or word == form.text:
            return self._words.get(word)
        for known in (self._upper(word), self._lower(word)):
            if known is not None and known.places and known.side and (not form.places or self._before(known, form)):
                return known.side
        return None

    def _implied(self, form: Form) -> Side | None:
        """The side of an abbreviation whose long form says one ("LV", left ventricle) or that starts with one's letter
        ("RLZ", lower zone), and both for "bi-"."""
        if len(form.places) == 1 and " " not in form.text:
            place = self._ontology.structures[form.places[0]]
            listed = {matchable(lowered(text))[0] for text in place.abbreviations}
            if form.text in listed and place.side in place.label.split():
                return self._words.get(str(place.side))
            if listed.issuperset((form.text, form.text[1:])):
                return self._letters.get(form.text[:1])
        return self._doubled(form)

    def _lettered(self, form: Form) -> set[Side]:
        """The side that the first letter of a part of a pair says ("R base", not "L spine")."""
        letter, _, rest = form.text.partition(" ")
        if not (rest and form.places and letter in self._letters):
            return set()
        return {self._letters[letter]} if paired(form.places[0], self._ontology) else set()

    def _doubled(self, form: Form) -> Side | None:
        """Both sides for a place word behind "bi-" ("biapical", "bibasal")."""
        single = self._lower(form.text[2:]) if form.text.startswith("bi") else None
        return "bilateral" if single is not None and not set(single.places).isdisjoint(form.places) else None

    def _of_pair(self, form: Form) -> bool:
        """True for a finding whose last words are the plural of a pair ("blunted | costophrenic angles")."""
        words = form.text.split()
        ends = (self._lower(" ".join(words[n:])) for n in range(1, len(words)))
        place = next((end for end in ends if end is not None and end.places and not end.entities), None)
        if place is None or any(place.places[0] in organ.structures for organ in self._ontology.organs.values()):
            return False  # "hyperinflated lungs" says no more than the organ
        return self._pair(place)

    def _pair(self, form: Form) -> bool:
        if form.adjective or form.places[0] not in self._pairs:
            return False
        head = form.text.split(" of ")[0].split()[-1]
        return self._ontology.spelling.singular(head) != head
