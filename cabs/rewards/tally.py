"""What every reward of reports logs beside its value: what became of the facts, whatever is rewarded.

- format: 1 where the form is kept. read: share of the judged sections in which the completion was understood.
- facts: of the reference. hits: those that the completion states. earned: the sum of their agreements (0 to 1 each).
- location, attributes, certainty: hits that agree in it. contradicted: hits that the completion denies as well.
- false: facts of the completion that match none. restated: sentences that tell a fact once more.
"""

from __future__ import annotations

from cabs.rewards.judgement import Judgement
from cabs.rewards.tif import agreement

COUNTS = (
    "format",
    "read",
    "facts",
    "hits",
    "earned",
    "location",
    "attributes",
    "certainty",
    "contradicted",
    "false",
    "restated",
)


def tally(judged: Judgement, keeps_form: bool) -> dict[str, float]:
    """The counts of a judgement under the keys of `COUNTS`, sections added."""
    sections = list(judged.values())
    verdicts = [verdict for section in sections for verdict in section.verdicts]
    hits = [verdict for verdict in verdicts if verdict.hit]
    counts = (
        keeps_form,
        sum(section.read for section in sections) / len(sections) if sections else 0.0,
        len(verdicts),
        len(hits),
        sum(map(agreement, hits)),
        sum(verdict.location for verdict in hits),
        sum(verdict.attributes for verdict in hits),
        sum(verdict.certainty for verdict in hits),
        sum(verdict.contradicted for verdict in hits),
        sum(section.false_positives for section in sections),
        sum(section.restated for section in sections),
    )
    return dict(zip(COUNTS, map(float, counts), strict=True))
