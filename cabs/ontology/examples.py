"""The examples of the rules, run through a parser.

A fact is written as sign, entity id and, where it matters, organ, side and attributes, in any order:
"-pleural_effusion" (absent), "?pneumonia" (present, possible), "+renal_cyst right" (present, definite),
"+nodule @lung change=new". A fact written without a side has none; an organ or attributes that are not
written are not checked. The facts listed must be all facts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from cabs.ontology.model import Example
from cabs.ontology.ontology import Ontology
from cabs.ontology.origin import Raw
from cabs.ontology.suggest import meant
from cabs.values import Fact, ParsedReport

SIGNS = {"+": ("present", "definite"), "?": ("present", "possible"), "-": ("absent", "definite")}
SIDES = frozenset(("right", "left", "bilateral"))


@dataclass(frozen=True, slots=True)
class Expected:
    """A fact as an example states it. An `organ` of None and attributes that aren't listed are not
    checked."""

    status: str
    certainty: str
    entity: str
    organ: str | None
    side: str | None
    attributes: tuple[tuple[str, str], ...]

    def meets(self, fact: Fact) -> bool:
        """Whether a parsed fact is this one."""
        attributes = {(attribute.kind, attribute.value) for attribute in fact.attributes}
        return (
            (fact.status, fact.certainty, fact.entity) == (self.status, self.certainty, self.entity)
            and self.organ in (None, fact.organ)
            and self.side == fact.side
            and all(attribute in attributes for attribute in self.attributes)
        )


@dataclass(frozen=True, slots=True)
class Case:
    """One example of one rule; `polarity` is "match" or "no_match". `line` is that of the rule; `depth` is 0 for an
    example of the ontology itself, more for one of a folder laid over it."""

    file: str
    rule: str
    polarity: str
    example: Example
    line: int = 0
    depth: int = 0

    def readable(self, ontology: Ontology) -> bool:
        """Whether the facts that it states can be read."""
        try:
            return all(read_fact(fact, ontology) for fact in self.example.facts or ())
        except ValueError:
            return False


@dataclass(frozen=True, slots=True)
class Failure:
    """An example whose facts a parser doesn't give: `found` is what it gives, in the same notation."""

    case: Case
    found: tuple[str, ...]

    @property
    def wanted(self) -> str:
        """The facts that the example states."""
        return ", ".join(self.case.example.facts or ()) or "nothing"

    @property
    def got(self) -> str:
        """The facts that were found."""
        return ", ".join(self.found) or "nothing"

    def __str__(self) -> str:
        place = f"{self.case.file}: {self.case.rule}: {self.case.polarity}"
        return f"{place}: {self.case.example.text!r}: expected {self.wanted}; found {self.got}"


def cases(ontology: Ontology) -> list[Case]:
    """The examples of all rules, in the order of the rules."""
    origins = ontology.origins
    found: list[Case] = []
    for rule in ontology.rules:
        found += _cases(origins["context", rule.id], rule.id, rule.match, rule.no_match)
    for section in ontology.section_rules:
        found += _cases(origins["sections", section], section.role, section.match, section.no_match)
    for abbreviation in ontology.abbreviation_rules:
        name = f"{abbreviation.abbr} = {abbreviation.reading}"
        found += _cases(origins["abbreviations", abbreviation], name, abbreviation.match, abbreviation.no_match)
    for pattern in ontology.attribute_patterns:
        found += _cases(origins["attributes", pattern.kind], f"{pattern.kind} pattern", pattern.match, pattern.no_match)
    for group in ontology.groups.values():
        found += _cases(origins["groups", group.id], group.id, group.match, group.no_match)
    for kind in ontology.attribute_kinds.values():
        for value in kind.values.values():
            found += _cases(origins["attributes", kind.kind], f"{kind.kind} {value.value}", value.examples, ())
    return found


def _cases(origin: Raw, rule: str, match: Sequence[Example], no_match: Sequence[Example]) -> Iterator[Case]:
    for polarity, examples in (("match", match), ("no_match", no_match)):
        for example in examples:
            layer = origin.where(example.text)
            yield Case(layer.file, rule, polarity, example, layer.line, layer.depth)


def read_fact(text: str, ontology: Ontology) -> Expected:
    """A fact from its notation. ValueError where it can't be read or names an unknown id."""
    sign, words = text[:1], text[1:].split()
    if sign not in SIGNS or not words:
        raise ValueError(f"{text!r} is no fact: write +, ? or -, then an entity id")
    entity, _, organ = words[0].partition("@")
    side: str | None = None
    attributes: list[tuple[str, str]] = []
    for word in words[1:]:
        if word in SIDES:
            side = word
        elif word.startswith("@"):
            organ = word[1:]
        elif "=" in word:
            kind, _, value = word.partition("=")
            attributes.append((kind, value))
        else:
            raise ValueError(f"{text!r}: {word!r} is no side, @organ or kind=value")
    for kind, id, known in (("entity", entity, ontology.entities), ("organ", organ, ontology.organs)):
        if id and id not in known:
            raise ValueError(f"{text!r}: unknown {kind} {id}{meant(id, known)}")
    at_organ = ontology.compose(entity, (), organ) if organ else entity
    return Expected(*SIGNS[sign], at_organ, organ or None, side, tuple(attributes))


def written(fact: Fact) -> str:
    """A parsed fact in the notation of the examples."""
    sign = "-" if fact.status == "absent" else "?" if fact.certainty == "possible" else "+"
    attributes = [f"{a.kind}={a.value or a.text}" for a in fact.attributes]
    organ = f"@{fact.organ}" if fact.organ and "@" not in fact.entity else ""
    return " ".join(filter(None, (sign + fact.entity, organ, fact.side, *attributes)))


def run_case(case: Case, parse: Callable[[str], ParsedReport], ontology: Ontology) -> Failure | None:
    """None if the facts of the example, and no others, are parsed; also for an example without facts."""
    if case.example.facts is None:
        return None
    facts = parse(case.example.text).facts
    expected = [read_fact(fact, ontology) for fact in case.example.facts]
    if len(facts) == len(expected) and _pair(expected, list(facts)):
        return None
    return Failure(case, tuple(written(fact) for fact in facts))


def _pair(expected: list[Expected], facts: list[Fact]) -> bool:
    """Whether the expected facts can be paired one-to-one with the facts found."""
    if not expected:
        return True
    first, rest = expected[0], expected[1:]
    fits = (i for i, fact in enumerate(facts) if first.meets(fact))
    return any(_pair(rest, facts[:i] + facts[i + 1 :]) for i in fits)
