"""`cabs.align`: one pair, laid side by side."""

from __future__ import annotations

from functools import lru_cache

from cabs.matching import Alignment, Settings
from cabs.ontology import Ontology, load_ontology
from cabs.scoring.judge import Judge, Plan
from cabs.values import ParsedReport, QuotedReport


@lru_cache(maxsize=8)
def _judge(ontology: Ontology, settings: Settings) -> Judge:
    return Judge(Plan(ontology, settings))


def align(
    reference: str | QuotedReport | ParsedReport,
    prediction: str | QuotedReport | ParsedReport | None,
    *,
    ontology: Ontology | None = None,
    settings: Settings | None = None,
) -> Alignment:
    """The alignment of two reports, given as texts or as facts: hits, missed and false facts, and every
    disagreement by name. A prediction of None is a missing one: it says nothing.

    The empty case: two reports without facts give an alignment without facts; whether they were read is in
    it.
    """
    judge = _judge(ontology or load_ontology(), settings or Settings())
    return judge.matcher.align(judge.read(reference), None if prediction is None else judge.read(prediction))
