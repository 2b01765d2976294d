"""The ontology compiled for scanning: every surface form with all that it can mean, and where one stands in a text."""

from __future__ import annotations

import re

from cabs.ontology import Ontology
from cabs.ontology.building import building
from cabs.parsing.form import Form, Pattern
from cabs.parsing.forms import Forms
from cabs.parsing.misspelling import Misspellings
from cabs.parsing.occurrences import Occurrences


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
            self._needs = tuple(dict.fromkeys(word for pattern in self.patterns for word in pattern.needs))

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
        either = self.forms.either
        return [(start, end, *either(words)) for start, end, words in self._occurrences.of(text)]

    def stating(self, low: str, digits: bool) -> list[Pattern]:
        """The patterns that may match a lower-case text (`digits`: it holds a digit)."""
        held = {word for word in self._needs if (digits if word == "0" else word in low)}
        return [pattern for pattern in self.patterns if not pattern.needs or not held.isdisjoint(pattern.needs)]

    def meaning(self, form: Form, low: str) -> Form:
        """The form as it is meant in this lower-case text: an ambiguous abbreviation becomes one of its readings."""
        if not form.readings:
            return form
        return next((r.form for r in form.readings if r.holds(low)), form)
