"""The lint of rules: each has examples that must match and examples that must not, and its own words do
so."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from cabs.ontology.examples import cases, read_fact
from cabs.ontology.model import Example
from cabs.ontology.ontology import Ontology
from cabs.ontology.problems import Problem
from cabs.ontology.rules import AttributePattern


def rules(ontology: Ontology) -> list[Problem]:
    """Rules without examples, examples that can't be read, patterns and cues that miss their own examples."""
    return [*_missing(ontology), *_notation(ontology), *_patterns(ontology), *_cues(ontology)]


def _missing(ontology: Ontology) -> Iterator[Problem]:
    for rule in ontology.rules:
        yield from _without(ontology.files["context", rule.id], rule.id, rule.match, rule.no_match)
    for section in ontology.section_rules:
        yield from _without("sections.yaml", f"{section.role}: {section.headings[0]}", section.match, section.no_match)
    for abbreviation in ontology.abbreviation_rules:
        name = f"{abbreviation.abbr} = {abbreviation.reading}"
        yield from _without("abbreviations.yaml", name, abbreviation.match, abbreviation.no_match)
    for pattern in ontology.attribute_patterns:
        name = f"{pattern.kind}: {pattern.regex[:40]}"
        yield from _without("attributes.yaml", name, pattern.match, pattern.no_match)


def _without(file: str, name: str, match: Sequence[Example], no_match: Sequence[Example]) -> Iterator[Problem]:
    if not match:
        yield Problem(file, name, "match: no example")
    if not no_match:
        yield Problem(file, name, "no_match: no example")


def _notation(ontology: Ontology) -> Iterator[Problem]:
    for case in cases(ontology):
        for fact in case.example.facts or ():
            try:
                read_fact(fact, ontology)
            except ValueError as error:
                yield Problem(case.file, case.rule, f"example {case.example.text!r}: {error}")


def _patterns(ontology: Ontology) -> Iterator[Problem]:
    for pattern in ontology.attribute_patterns:
        for message in _pattern(pattern):
            yield Problem("attributes.yaml", f"{pattern.kind}: {pattern.regex[:40]}", message)


def _pattern(pattern: AttributePattern) -> Iterator[str]:
    try:
        compiled = re.compile(pattern.regex, re.IGNORECASE)
    except re.error as error:
        yield f"regex: {error}"
        return
    if compiled.search(""):
        yield "regex: matches the empty text"
    yield from (f"doesn't match {e.text!r}" for e in pattern.match if not compiled.search(e.text))
    yield from (f"matches {e.text!r}" for e in pattern.no_match if e.facts is None and compiled.search(e.text))


def _cues(ontology: Ontology) -> Iterator[Problem]:
    """A context rule has its own words in each example that it must match."""
    for rule in ontology.rules:
        forms = ontology.variants(rule.forms)
        if not forms:
            yield Problem(ontology.files["context", rule.id], rule.id, "forms: there are none")
            continue
        words = re.compile("|".join(map(_whole, forms)))
        for example in rule.match:
            plain = " ".join(ontology.variants([" ".join(example.text.split())]))
            if not words.search(plain):
                yield Problem(ontology.files["context", rule.id], rule.id, f"none of its forms is in {example.text!r}")


def _whole(form: str) -> str:
    """The regular expression of a form as whole words."""
    start = r"(?<!\w)" if form[0].isalnum() else ""
    end = r"(?!\w)" if form[-1].isalnum() else ""
    return start + re.escape(form) + end
