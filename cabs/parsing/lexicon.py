"""The ontology compiled for scanning: every surface form with all that it can mean, and where one stands in a text."""

from __future__ import annotations

import re
from functools import lru_cache

from cabs.ontology import Ontology
from cabs.ontology.building import building
from cabs.parsing.form import Form, Pattern
from cabs.parsing.forms import Forms
from cabs.parsing.misspelling import Misspellings
from cabs.parsing.occurrences import Occurrences

_NEEDS = 1024


class Lexicon:
    """The compiled surface forms of an ontology. Build once, share between threads (it is never changed)."""

    def __init__(self, ontology: Ontology) -> None:
        self.ontology = ontology
        with building():
            self.forms = Forms(ontology)
            forms = self.forms
            self._occurrences = Occurrences(dict.fromkeys((*forms.texts, *forms.in_capitals)))
            words = set(" ".join(forms.texts).split())
            self.misspellings = Misspellings(words, ontology.spelling.everyday, ontology.opposites)
            self.patterns = [
                Pattern(re.compile(p.regex, re.IGNORECASE), p.needs, p.kind, p.value)
                for p in ontology.attribute_patterns
            ]
            self._needs = tuple(dict.fromkeys(w for pattern in self.patterns for w in pattern.needs if w != "0"))
            self._needing = lru_cache(maxsize=_NEEDS)(self._stating)  # most texts hold few of these words

    def place(self, text: str) -> Form | None:
        """The form of these lower-case words if they name a place, whatever number their noun has; else None."""
        for words in (text, " ".join(map(self.ontology.spelling.singular, text.split()))):
            form = self.forms.lower(words)
            if form is not None and form.places and not form.entities:
                return form
        return None

    def finding(self, text: str) -> Form | None:
        """The form of these lower-case words if they name a finding; else None."""
        form = self.forms.lower(text)
        return form if form is not None and form.entities else None

    def stated(self, text: str) -> Form | None:
        """The form of these lower-case words if they name a finding or state one as a predicate; else None."""
        form = self.forms.lower(text)
        return form if form is not None and (form.entities or form.predicates) else None

    def side(self, side: str) -> Form | None:
        """The form of a side's own word."""
        return self.forms.lower(side)

    def found(self, text: str) -> list[tuple[int, int, Form | None, Form | None]]:
        """Where the words of forms stand in a text as `matchable` gives it, the first before the next: start, end,
        the form in any letters and the one in capitals (one of them can be None)."""
        made, either = self.forms.made, self.forms.either
        return [(start, end, *(made.get(words) or either(words))) for start, end, words in self._occurrences.of(text)]

    def stating(self, low: str, digits: bool) -> list[Pattern]:
        """The patterns that may match a lower-case text (`digits`: it holds a digit)."""
        held = [word for word in self._needs if word in low]
        return self._needing(("0", *held) if digits else tuple(held))

    def _stating(self, held: tuple[str, ...]) -> list[Pattern]:
        return [pattern for pattern in self.patterns if not pattern.needs or not set(held).isdisjoint(pattern.needs)]

    def meaning(self, form: Form, low: str) -> Form:
        """The form as it is meant in this lower-case text: an ambiguous abbreviation becomes one of its readings."""
        if not form.readings:
            return form
        return next((r.form for r in form.readings if r.holds(low)), form)
