"""Texts read by the parser, each once; the tools that read and compare facts, made once."""

from __future__ import annotations

from functools import lru_cache

import cabs
from cabs.matching import Matcher
from cabs.scoring.quoted import QuoteReader
from cabs.values import Fact, ParsedReport


@lru_cache(maxsize=50_000)
def read(text: str) -> ParsedReport:
    """The parsed report of a text."""
    return cabs.parse(text)


def present(text: str) -> list[Fact]:
    """The present facts of a text."""
    return [fact for fact in read(text).facts if fact.status == "present"]


def abnormal(text: str) -> list[Fact]:
    """The present abnormalities of a text, devices and post-operative states left out."""
    return [fact for fact in present(text) if fact.kind == "abnormality"]


def quote(text: str, fact: Fact) -> str:
    """The sentence that states a fact."""
    span = fact.evidence[0] if fact.evidence else fact.mention
    return text[span.start : span.end]


@lru_cache(maxsize=1)
def matcher() -> Matcher:
    """What aligns facts."""
    return Matcher(cabs.load_ontology())


@lru_cache(maxsize=1)
def quotes() -> QuoteReader:
    """What reads annotated facts."""
    return QuoteReader(cabs.load_ontology())
