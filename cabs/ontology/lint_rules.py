"""The lint of rules: each has examples that must match and examples that must not, and its own words do
so."""

from __future__ import annotations

import re
from collections.abc import Iterator

from cabs.ontology.examples import cases, read_fact
from cabs.ontology.lint_groups import members
from cabs.ontology.ontology import Ontology
from cabs.ontology.problems import Problem, problem
from cabs.ontology.rules import (
    DENIED_NOUN,
    VALUED,
    VALUES,
    AbbreviationRule,
    AttributePattern,
    ContextRule,
    CueClass,
    Group,
    SectionRule,
)
from cabs.ontology.suggest import meant


def rules(ontology: Ontology) -> list[Problem]:
    """Rules without examples, examples that can't be read, patterns and cues that miss their own examples."""
    return [*_missing(ontology), *_notation(ontology), *_patterns(ontology), *_cues(ontology), *members(ontology)]


def values(ontology: Ontology) -> Iterator[Problem]:
    """Cues whose value the parser would not know, or that mean nothing without one."""
    for rule in ontology.rules:
        known = _values(ontology, rule.cls)
        if rule.value is None and rule.cls in VALUED:
            said = f"value: missing; a cue of the class {rule.cls} needs one of {', '.join(known)}"
        elif rule.value is not None and known and rule.value not in known:
            near = meant(rule.value, known)
            said = f"value: unknown value {rule.value!r} of {rule.cls}{near}; known are {', '.join(known)}"
        else:
            continue
        yield problem(ontology, "context", rule.id, said)


def remarks(ontology: Ontology) -> Iterator[Problem]:
    """Cues of extra folders with a value of which the parser makes nothing. No fault: it is a remark."""
    for rule in ontology.rules:
        layer = ontology.origins["context", rule.id].where(rule.value)
        if rule.value is not None and layer.depth and not _values(ontology, rule.cls):
            said = f"value: {rule.value!r} is a remark, since cues of the class {rule.cls} tell no values apart"
            yield problem(ontology, "context", rule.id, said, text=rule.value)


def _values(ontology: Ontology, cls: CueClass) -> tuple[str, ...]:
    """The values that a class of cues may give; () where any word may stand."""
    if cls == "global_denial":
        return (*ontology.organs, DENIED_NOUN)
    if cls == "change" and cls in ontology.attribute_kinds:
        return tuple(ontology.attribute_kinds[cls].values)
    return VALUES.get(cls, ())


def regexes(ontology: Ontology) -> Iterator[Problem]:
    """Patterns that can't be compiled, or that match everywhere."""
    for pattern in ontology.attribute_patterns:
        try:
            said = "regex: matches the empty text" if re.compile(pattern.regex).search("") else ""
        except re.error as error:
            said = f"regex: {error}"
        if said:
            yield _of_pattern(ontology, pattern, said)


def _of_pattern(ontology: Ontology, pattern: AttributePattern, message: str) -> Problem:
    name = f"{pattern.kind}: {pattern.regex[:40]}"
    return problem(ontology, "attributes", pattern.kind, message, name=name, text=pattern.regex)


def _missing(ontology: Ontology) -> Iterator[Problem]:
    for rule in ontology.rules:
        yield from (problem(ontology, "context", rule.id, said) for said in _without(rule))
    for section in ontology.section_rules:
        name = ": ".join((section.role, *section.headings[:1]))
        yield from (problem(ontology, "sections", section, said, name=name) for said in _without(section))
    for abbreviation in ontology.abbreviation_rules:
        name = f"{abbreviation.abbr} = {abbreviation.reading}"
        yield from (
            problem(ontology, "abbreviations", abbreviation, said, name=name) for said in _without(abbreviation)
        )
    for pattern in ontology.attribute_patterns:
        yield from (_of_pattern(ontology, pattern, said) for said in _without(pattern))
    for group in ontology.groups.values():
        yield from (problem(ontology, "groups", group.id, said) for said in _without(group))


def _without(rule: ContextRule | SectionRule | AbbreviationRule | AttributePattern | Group) -> Iterator[str]:
    if not rule.match:
        yield "match: no example"
    if not rule.no_match:
        yield "no_match: no example"


def _notation(ontology: Ontology) -> Iterator[Problem]:
    for case in cases(ontology):
        for fact in case.example.facts or ():
            try:
                read_fact(fact, ontology)
            except ValueError as error:
                yield Problem(case.file, case.rule, f"example {case.example.text!r}: {error}", case.line)


def _patterns(ontology: Ontology) -> Iterator[Problem]:
    for pattern in ontology.attribute_patterns:
        for message in _pattern(pattern):
            yield _of_pattern(ontology, pattern, message)


def _pattern(pattern: AttributePattern) -> Iterator[str]:
    try:
        compiled = re.compile(pattern.regex, re.IGNORECASE)
    except re.error:
        return  # told by `regexes`
    yield from (f"doesn't match {e.text!r}" for e in pattern.match if not compiled.search(e.text))
    yield from (f"matches {e.text!r}" for e in pattern.no_match if e.facts is None and compiled.search(e.text))


def _cues(ontology: Ontology) -> Iterator[Problem]:
    """A context rule has its own words in each example that it must match."""
    for rule in ontology.rules:
        forms = ontology.variants(rule.forms)
        if not forms:
            yield problem(ontology, "context", rule.id, "forms: there are none")
            continue
        words = re.compile("|".join(map(_whole, forms)))
        for example in rule.match:
            plain = " ".join(ontology.variants([" ".join(example.text.split())]))
            if not words.search(plain):
                said = f"none of its forms is in {example.text!r}"
                yield problem(ontology, "context", rule.id, said, text=example.text)


def _whole(form: str) -> str:
    """The regular expression of a form as whole words."""
    start = r"(?<!\w)" if form[0].isalnum() else ""
    end = r"(?!\w)" if form[-1].isalnum() else ""
    return start + re.escape(form) + end
