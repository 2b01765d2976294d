"""The places that the names of findings say themselves: in front ("lower lobe | collapse") or behind a preposition
("calcification of the | aorta")."""

from __future__ import annotations

from cabs.ontology import Ontology
from cabs.parsing.form import Form, FormOf

_LEADING = frozenset(("of", "in"))


class FormPlaces:
    """Writes to a form of a finding how many of its words name a place, and which. `lower` and `upper` give the
    forms in any letters and those in capitals by their text."""

    def __init__(self, ontology: Ontology, lower: FormOf, upper: FormOf) -> None:
        self._lower, self._upper = lower, upper
        self._roots = {structure for organ in ontology.organs.values() for structure in organ.structures}

    def write(self, form: Form) -> None:
        """Gives a form of a finding the place within it."""
        if form.entities and not form.places:
            words = form.text.split()
            self._in_front(form, words)
            self._behind(form, words)

    def _in_front(self, form: Form, words: list[str]) -> None:
        for size in range(len(words) - 1, 0, -1):
            place = self._place(words[:size])
            if place is not None:
                if not (place.adjective and place.places[0] in self._roots):
                    form.anatomic, form.inner = size, place.places[:1]
                return

    def _behind(self, form: Form, words: list[str]) -> None:
        for i in range(1, len(words) - 1):
            first = i + 2 if words[i + 1] == "the" else i + 1
            place = self._place(words[first:]) if words[i] in _LEADING else None
            if place is not None:
                form.placed, form.inner = len(words) - first, place.places[:1]
                return

    def _place(self, words: list[str]) -> Form | None:
        text = " ".join(words)
        form = self._lower(text) or self._upper(text)
        return form if form is not None and form.places and not form.entities else None
