"""Checked records → the frozen ones of `model` and `rules`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import TypeVar

from cabs.ontology import schema
from cabs.ontology.forms import Letters, Spelling
from cabs.ontology.model import AttributeKind, AttributeValue, Entity, Example, Organ, Structure
from cabs.ontology.opposites import Opposites
from cabs.ontology.rules import (
    AbbreviationRule,
    AmbiguousForm,
    AttributePattern,
    ContextRule,
    Crosswalk,
    DistinctPair,
    Group,
    GroupRule,
    SectionRule,
    SignificanceRule,
    SizeShift,
    Weights,
)

_Value = TypeVar("_Value")


def frozen(mapping: Mapping[str, _Value]) -> Mapping[str, _Value]:
    """A read-only view of a mapping that nobody else holds."""
    return MappingProxyType(dict(mapping))


def organ(r: schema.OrganRecord) -> Organ:
    """One organ."""
    return Organ(r.id, r.label, r.adjective, r.paired, tuple(r.structures), frozen(r.crosswalk))


def structure(r: schema.StructureRecord) -> Structure:
    """One structure; the names of vocabularies in capitals."""
    return Structure(
        r.id, r.label, r.parent, r.relation, r.side, r.organ, tuple(r.forms), tuple(r.adjectives),
        tuple(r.abbreviations), _xrefs(r.xrefs),
    )  # fmt: skip


def entity(r: schema.EntityRecord) -> Entity:
    """One entity."""
    attribute = (r.predicate_attribute[0], r.predicate_attribute[1]) if r.predicate_attribute else None
    return Entity(
        r.id, r.label, r.parent, r.kind, tuple(r.organs), r.finding, tuple(r.places), r.default_place,
        r.measured_from, tuple(r.other_findings), r.keeps_name, tuple(r.forms), tuple(r.abbreviations),
        tuple(r.predicates), attribute, tuple(r.blocked), r.significance,
        r.significance_source, _xrefs(r.xrefs), tuple(r.label_sets),
    )  # fmt: skip


def _xrefs(xrefs: Mapping[str, str]) -> Mapping[str, str]:
    return frozen({name.upper(): identifier for name, identifier in xrefs.items()})


def examples(records: Iterable[str | schema.ExampleRecord]) -> tuple[Example, ...]:
    """Examples; a plain string states no facts."""
    return tuple(map(_example, records))


def _example(r: str | schema.ExampleRecord) -> Example:
    if isinstance(r, str):
        return Example(r, None)
    return Example(r.text, None if r.facts is None else tuple(r.facts))


def kind(r: schema.KindRecord) -> AttributeKind:
    """One attribute kind with its values."""
    values = frozen({v.value: _value(v) for v in r.values})
    return AttributeKind(r.kind, r.compare, r.tolerance, r.clinical, r.cost, values)


def _value(r: schema.ValueRecord) -> AttributeValue:
    return AttributeValue(
        r.value, r.rank, tuple(r.forms), frozenset(r.compatible), r.significance_shift,
        frozenset(r.opposites), examples(r.examples),
    )  # fmt: skip


def patterns(r: schema.KindRecord) -> tuple[AttributePattern, ...]:
    """The patterns of a kind, in the order of its file."""
    return tuple(
        AttributePattern(r.kind, p.value, p.regex, tuple(p.needs), examples(p.match), examples(p.no_match))
        for p in r.patterns
    )


def context(r: schema.RuleRecord) -> ContextRule:
    """One context rule."""
    return ContextRule(
        r.id, r.cls, r.value, tuple(r.forms), r.direction, r.reach, examples(r.match), examples(r.no_match)
    )


def section(r: schema.SectionRecord) -> SectionRule:
    """One set of headings."""
    return SectionRule(r.role, tuple(r.headings), examples(r.match), examples(r.no_match), r.brief)


def abbreviation(r: schema.AbbreviationRecord) -> AbbreviationRule:
    """One reading of an ambiguous abbreviation."""
    return AbbreviationRule(r.abbr, r.reading, tuple(r.when), tuple(r.unless), examples(r.match), examples(r.no_match))


def ambiguous(r: schema.AmbiguousRecord) -> AmbiguousForm:
    """One shared form."""
    return AmbiguousForm(r.form, tuple(r.ids), r.why)


def distinct(r: schema.DistinctRecord) -> DistinctPair:
    """One pair of names."""
    return DistinctPair(r.a, r.b, r.why)


def crosswalk(r: schema.CrosswalkRecord) -> Crosswalk:
    """One label set; a label without counterpart has no ids."""
    targets = {label: _ids(target) for label, target in r.labels.items()}
    return Crosswalk(r.name, r.source, frozen(targets))


def _ids(target: str | list[str] | None) -> tuple[str, ...]:
    return () if target is None else (target,) if isinstance(target, str) else tuple(target)


def group(r: schema.GroupRecord, content_hash: str) -> Group:
    """One group, with the hash of its record."""
    rules = tuple(GroupRule(rule.is_a, tuple(rule.organs), rule.member) for rule in r.rules)
    compared = frozen({name: tuple(kinds) for name, kinds in r.compared.items()})
    return Group(
        r.id, r.label, r.stands_for, r.source, rules, compared, examples(r.match), examples(r.no_match), content_hash
    )


def weights(r: schema.SignificanceRecord) -> Weights:
    """The class rules."""
    rules = tuple(SignificanceRule(rule.significance, rule.is_a, rule.kind, rule.source) for rule in r.rules)
    shifts = tuple(SizeShift(s.is_a, s.at_least_mm, s.below_mm, s.shift, s.source) for s in r.shifts)
    return Weights(r.default, frozen(r.weights), rules, shifts)


def opposites(r: schema.OppositesRecord) -> Opposites:
    """The groups of words that look alike."""
    return Opposites(tuple(map(tuple, r.prefixes)), tuple(map(tuple, r.words)))


def spelling(r: schema.SpellingRecord) -> Spelling:
    """The spelling tables. A British part may have one American counterpart only."""
    pairs = [(british, american) for british, american in r.letters]
    for ending in r.endings:
        british, american = ending.pair
        parts = [(stem, tail) for stem in ending.stems for tail in ending.tails]
        pairs += [(f"{stem}{british}{tail}$", f"{stem}{american}{tail}$") for stem, tail in parts]
    keep = tuple(r.keep)
    return Spelling(
        frozenset(r.minor), frozenset(r.ordinary), frozenset(r.everyday), frozenset(r.foreign),
        frozenset(r.linkers), frozenset(r.prefixes), frozenset(r.singulars),
        frozen(dict(r.plurals)), Letters(dict(pairs), keep),
        Letters({_like(british, american): british for british, american in pairs}, keep),
    )  # fmt: skip


def _like(british: str, american: str) -> str:
    """The American part, bound to the ends of a word as the British one is."""
    plain = american.strip("^$")
    return ("^" if british.startswith("^") else "") + plain + ("$" if british.endswith("$") else "")
