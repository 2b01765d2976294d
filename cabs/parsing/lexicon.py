"""The ontology compiled for scanning: every surface form with all that it can mean, and one automaton over them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import ahocorasick

from cabs.ontology import Ontology
from cabs.ontology.model import Entity, Structure
from cabs.parsing.misspelling import Misspellings
from cabs.parsing.view import lowered, matchable


@dataclass(frozen=True, slots=True)
class Cue:
    """A context rule as one of its forms calls it."""

    cls: str
    value: str | None
    direction: str
    reach: str
    rule: str


@dataclass(frozen=True, slots=True)
class Reading:
    """One meaning of an ambiguous abbreviation, and the words that call for it or rule it out."""

    when: re.Pattern[str] | None
    unless: re.Pattern[str] | None
    form: Form

    def holds(self, low: str) -> bool:
        """True where the lower-case text around the abbreviation allows this meaning."""
        if self.unless is not None and self.unless.search(low):
            return False
        return self.when is None or self.when.search(low) is not None


_LEADING = frozenset(("of", "in"))


@dataclass(frozen=True, slots=True)
class Pattern:
    """A regular expression that states an attribute, and the words without one of which it can't match."""

    regex: re.Pattern[str]
    needs: tuple[str, ...]
    kind: str
    value: str | None

    def may_match(self, low: str, digits: bool) -> bool:
        """False where the lower-case text rules a match out (`digits`: it holds a digit)."""
        for word in self.needs:  # a loop: this runs for every pattern and sentence
            if digits if word == "0" else word in low:
                return True
        return not self.needs


@dataclass(slots=True)
class Form:
    """All meanings of one surface form.

    `entities` it names, findings that it states as a predicate, anatomy `places` it names (`adjective`: as an
    adjective), `attributes` (kind, value) it gives, `cues` it is, the `side` it says. `pair`: the plural of a pair.
    `generic`: a noun that takes its organ from its place. `measured`: the entity that the place states by its size,
    and from how many mm on. `anatomic`, `placed`: how many words at the start, and how many behind a preposition at
    the end, name a place. `blocks`: entities that words within it do not name. `capitals`: it counts only if the text
    writes it in capitals. `readings`: what an ambiguous abbreviation can mean.
    """

    text: str
    entities: tuple[str, ...] = ()
    predicates: tuple[str, ...] = ()
    places: tuple[str, ...] = ()
    adjective: bool = False
    attributes: tuple[tuple[str, str], ...] = ()
    cues: tuple[Cue, ...] = ()
    side: str | None = None
    pair: bool = False
    generic: bool = False
    measured: tuple[str, float] | None = None
    blocks: tuple[str, ...] = ()
    anatomic: int = 0
    placed: int = 0
    capitals: bool = False
    readings: tuple[Reading, ...] = ()

    @property
    def only_blocks(self) -> bool:
        """True for a phrase that has no meaning but to block."""
        return not (self.entities or self.predicates or self.places or self.side or self.attributes or self.cues)

    def cue(self, *classes: str) -> Cue | None:
        """The first cue of these classes, or None."""
        return next((cue for cue in self.cues if cue.cls in classes), None)


class Lexicon:
    """The compiled surface forms of an ontology. Build once, share between threads (it is never changed)."""

    def __init__(self, ontology: Ontology) -> None:
        self.ontology = ontology
        self._lower: dict[str, Form] = {}
        self._upper: dict[str, Form] = {}
        for fill in (self._entities, self._structures, self._attributes, self._rules, self._abbreviations):
            fill()
        self._defaults()
        self._nouns()
        self._sides()
        self._measured()
        self._anatomic()
        self.patterns = [
            Pattern(re.compile(p.regex, re.IGNORECASE), p.needs, p.kind, p.value) for p in ontology.attribute_patterns
        ]
        words = {word for text in self._lower for word in text.split()}
        self.misspellings = Misspellings(words, ontology.spelling.everyday, ontology.opposites)
        self.automaton = ahocorasick.Automaton()
        for text in self._lower.keys() | self._upper.keys():
            self.automaton.add_word(text, (len(text), self._lower.get(text), self._upper.get(text)))
        self.automaton.make_automaton()

    def form(self, text: str, capitals: bool = False) -> Form:
        """The record of a form, made if it is new. `text` is as `matchable` gives it."""
        table = self._upper if capitals else self._lower
        form = table.get(text)
        if form is None:
            form = table[text] = Form(text, capitals=capitals)
        return form

    def place(self, text: str) -> Form | None:
        """The form of these lower-case words if they name a place, whatever number their noun has; else None."""
        for words in (text, " ".join(map(self.ontology.spelling.singular, text.split()))):
            form = self._lower.get(words)
            if form is not None and form.places and not form.entities:
                return form
        return None

    def finding(self, text: str) -> Form | None:
        """The form of these lower-case words if they name a finding; else None."""
        form = self._lower.get(text)
        return form if form is not None and form.entities else None

    def side(self, side: str) -> Form:
        """The form of a side's own word."""
        return self._lower[side]

    def _named(self, record: Entity | Structure) -> Iterator[Form]:
        for surface in self.ontology.surface_forms(record):
            yield self.form(surface.text.lower() if surface.capitals else surface.text, surface.capitals)

    def _forms(self, words: tuple[str, ...]) -> Iterator[Form]:
        for variant in self.ontology.variants(words):
            yield self.form(variant)

    def _entities(self) -> None:
        for entity in self.ontology.entities.values():
            if entity.kind == "root":
                continue
            generic = not entity.organs and entity.finding is None
            for form in self._named(entity):
                form.generic = generic if not form.entities else form.generic and generic
                if entity.id not in form.entities:
                    form.entities += (entity.id,)
            for form in self._forms(entity.predicates):
                form.predicates += (entity.id,)
                if entity.predicate_attribute:
                    form.attributes += (entity.predicate_attribute,)
            for form in self._forms(entity.blocked):
                form.blocks += (entity.id,)

    def _structures(self) -> None:
        for structure in self.ontology.structures.values():
            for form in (*self._named(structure), *self._forms(tuple(self._numbered(structure.forms)))):
                if structure.id not in form.places:
                    form.places += (structure.id,)
            for form in self._forms((*structure.adjectives, *self._numbered(structure.adjectives))):
                form.adjective = form.adjective or not form.places
                if structure.id not in form.places:
                    form.places += (structure.id,)

    def _numbered(self, adjectives: tuple[str, ...]) -> Iterator[str]:
        """Labelled places with their noun in the plural, as a list of them starts ("stations 2L and 7")."""
        for text in adjectives:
            noun, _, label = text.partition(" ")
            if label[:1].isdigit() and " " not in label:
                yield from (f"{plural} {label}" for plural in self.ontology.spelling.plural(noun.lower()))

    def _defaults(self) -> None:
        """Puts the ids of a shared form in the order of the ontology: the first one is the default."""
        for shared in self.ontology.ambiguous:
            for variant in self.ontology.variants((shared.form,), noun=True):
                form = self._lower.get(variant)
                if form is not None:
                    form.entities = _ordered(form.entities, shared.ids)
                    form.places = _ordered(form.places, shared.ids)

    def _nouns(self) -> None:
        """An adjective that ends with the noun it waits for is a noun ("station 7 | node")."""
        for form in self._lower.values():
            noun = self._lower.get(form.text.split()[-1]) if form.adjective and " " in form.text else None
            if noun is not None and noun.places and not noun.adjective:
                form.adjective = not any(self.ontology.contains(noun.places[0], place) for place in form.places)

    def _sides(self) -> None:
        """Forms that say a side by a word ("both lungs"), and those that are the plural of a pair ("lower lobes")."""
        pairs = self._pairs()
        said = {text: form.side for text, form in self._lower.items() if form.side and " " not in text}
        self._letters = {text: form.side for text, form in self._upper.items() if form.side and len(text) == 1}
        for form in sorted((*self._lower.values(), *self._upper.values()), key=lambda form: not form.places):
            if form.side or not (form.places or form.entities):
                continue
            words = {said[w] for w in form.text.split() if w in said} or self._lettered(form)
            form.side = (words.pop() if len(words) == 1 else "bilateral") if words else self._implied(form)
            form.pair = bool(form.places) and self._pair(form, pairs)
            if form.side is None and form.entities and not form.places and self._of_pair(form, pairs):
                form.side = "bilateral"
            if form.places and form.side and " " not in form.text:
                said[form.text] = form.side  # "LV hypertrophy" is on the side of "LV"

    def _implied(self, form: Form) -> str | None:
        """The side of an abbreviation whose long form says one ("LV", left ventricle) or that starts with one's letter
        ("RLZ", lower zone), and both for "bi-"."""
        if len(form.places) == 1:
            place = self.ontology.structures[form.places[0]]
            listed = {matchable(lowered(text))[0] for text in place.abbreviations}
            if form.text in listed and place.side in place.label.split():
                return place.side
            if listed.issuperset((form.text, form.text[1:])):
                return self._letters.get(form.text[:1])
        return self._doubled(form)

    def _lettered(self, form: Form) -> set[str]:
        """The side that the first letter of a part of a pair says ("R base", not "L spine")."""
        letter, _, rest = form.text.partition(" ")
        organ = self.ontology.organ_of(form.places[0]) if form.places else None
        paired = organ is not None and self.ontology.organs[organ].paired
        return {self._letters[letter]} if rest and paired and letter in self._letters else set()

    def _doubled(self, form: Form) -> str | None:
        """Both sides for a place word behind "bi-" ("biapical", "bibasal")."""
        single = self._lower.get(form.text[2:]) if form.text.startswith("bi") else None
        return "bilateral" if single is not None and not set(single.places).isdisjoint(form.places) else None

    def _measured(self) -> None:
        """Place nouns whose size alone makes an abnormality (a lymph node of 10 mm)."""
        for entity in self.ontology.entities.values():
            if entity.measured_from is None:
                continue
            structures = self.ontology.structures
            within = {i for i in structures if any(self.ontology.contains(p, i) for p in entity.places)}
            for form in self._lower.values():
                if not form.adjective and form.places[:1] and form.places[0] in within:
                    form.measured = (entity.id, entity.measured_from)

    def _anatomic(self) -> None:
        """How many words of an entity's form name a part of its organ in front ("lower lobe | collapse")."""
        roots = {structure for organ in self.ontology.organs.values() for structure in organ.structures}
        for form in self._lower.values():
            words = form.text.split() if form.entities and not form.places else []
            form.placed = self._behind(words)
            for size in range(len(words) - 1, 0, -1):
                place = self._lower.get(" ".join(words[:size]))
                if place is not None and place.places and not place.entities:
                    form.anatomic = size if not place.adjective or place.places[0] not in roots else 0
                    break

    def _behind(self, words: list[str]) -> int:
        """How many words of a place a preposition leads to at the end of a name ("calcification of the | aorta")."""
        for i in range(1, len(words) - 1):
            first = i + 2 if words[i + 1] == "the" else i + 1
            place = self._lower.get(" ".join(words[first:])) if words[i] in _LEADING else None
            if place is not None and place.places and not place.entities:
                return len(words) - first
        return 0

    def _of_pair(self, form: Form, pairs: set[str]) -> bool:
        """True for a finding whose last words are the plural of a pair ("blunted | costophrenic angles")."""
        words = form.text.split()
        ends = (self._lower.get(" ".join(words[n:])) for n in range(1, len(words)))
        place = next((end for end in ends if end is not None and end.places and not end.entities), None)
        if place is None or any(place.places[0] in organ.structures for organ in self.ontology.organs.values()):
            return False  # "hyperinflated lungs" says no more than the organ
        return self._pair(place, pairs)

    def _pair(self, form: Form, pairs: set[str]) -> bool:
        if form.adjective or form.places[0] not in pairs:
            return False
        head = form.text.split(" of ")[0].split()[-1]
        return self.ontology.spelling.singular(head) != head

    def _pairs(self) -> set[str]:
        """The structures that exist once on each side, in an organ that does too."""
        organs = self.ontology.organs
        placed = ((s, self.ontology.organ_of(s.id)) for s in self.ontology.structures.values() if s.side == "paired")
        return {s.id for s, organ in placed if organ is not None and organs[organ].paired}

    def _attributes(self) -> None:
        for kind in self.ontology.attribute_kinds.values():
            for value in kind.values.values():
                for form in self._forms(value.forms):
                    if (kind.kind, value.value) not in form.attributes:
                        form.attributes += ((kind.kind, value.value),)

    def _rules(self) -> None:
        for rule in self.ontology.rules:
            cue = Cue(rule.cls, rule.value, rule.direction, rule.reach, rule.id)
            letters = [self.form(f.lower(), capitals=True) for f in rule.forms if len(f) == 1 and f.isalpha()]
            for form in (*letters, *self._forms(tuple(f for f in rule.forms if len(f) > 1 or not f.isalpha()))):
                if rule.cls == "side" and rule.value in ("right", "left", "bilateral"):
                    form.side = rule.value
                elif cue not in form.cues:
                    form.cues += (cue,)

    def _abbreviations(self) -> None:
        for rule in self.ontology.abbreviation_rules:
            form = self.form(
                matchable(lowered(rule.abbr))[0], capitals=rule.abbr.lower() in self.ontology.spelling.ordinary
            )
            meaning = Form(form.text)
            if rule.reading in self.ontology.entities:
                meaning.entities = (rule.reading,)
            else:
                meaning.places = (rule.reading,)
            form.readings += (Reading(_words(rule.when), _words(rule.unless), meaning),)

    def meaning(self, form: Form, low: str) -> Form:
        """The form as it is meant in this lower-case text: an ambiguous abbreviation becomes one of its readings."""
        if not form.readings:
            return form
        return next((r.form for r in form.readings if r.holds(low)), form)


def _ordered(ids: tuple[str, ...], first: tuple[str, ...]) -> tuple[str, ...]:
    return (*(id for id in first if id in ids), *(id for id in ids if id not in first))


def _words(words: tuple[str, ...]) -> re.Pattern[str] | None:
    if not words:
        return None
    return re.compile(rf"(?<!\w)(?:{'|'.join(re.escape(w.lower()) for w in words)})(?!\w)")
