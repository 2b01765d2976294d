"""The places that the names of findings say themselves: in front ("lower lobe | collapse") or behind a preposition
("calcification of the | aorta")."""

from __future__ import annotations

from collections.abc import Mapping

from cabs.ontology import Ontology
from cabs.parsing.form import Form

_LEADING = frozenset(("of", "in"))


class FormPlaces:
    """Writes to each form of a finding how many of its words name a place, and which."""

    def __init__(self, ontology: Ontology, lower: Mapping[str, Form], upper: Mapping[str, Form]) -> None:
        self._lower, self._upper = lower, upper
        self._roots = {structure for organ in ontology.organs.values() for structure in organ.structures}

    def write(self) -> None:
        """Gives every form of a finding the place within it."""
        for form in self._lower.values():
            words = form.text.split() if form.entities and not form.places else []
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
        form = self._lower.get(text) or self._upper.get(text)
        return form if form is not None and form.places and not form.entities else None
