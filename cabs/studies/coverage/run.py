"""Reports → their coverage: streaming, over processes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial

from cabs.io.reports import ReportText
from cabs.ontology import Ontology
from cabs.parsing.parser import NAME as RULES
from cabs.scoring.pool import mapped
from cabs.signature import sign
from cabs.studies.coverage.phrases import Role
from cabs.studies.coverage.report import covering
from cabs.studies.coverage.tally import Coverage, CoverageTally


def coverage(
    reports: Iterable[ReportText],
    ontology: Ontology,
    *,
    top: int = 0,
    roles: Sequence[Role] = (),
    least: int = 1,
    text: bool = True,
    workers: int = 1,
    progress: Callable[[int], None] | None = None,
) -> Coverage:
    """What the findings and impressions of these reports say and the parser does not know.

    A phrase is a maximal run of content words that no mention, place, attribute, cue or function word covers; its
    role is `noun` (it names something), `modifier` (a known word follows, which it qualifies) or `predicate` (it is
    said of a subject). Content words leave out function words, the verbs of telling, and words that say nothing of
    their own ("size", "appearance", "patient"). Without any report: zeros and no phrases.

    `top`, `roles`, `least` and `text` as in `CoverageTally.coverage`; `progress` is told the reports done so far.
    """
    tally = CoverageTally(ontology)
    for done, report in enumerate(mapped(reports, partial(covering, ontology), workers), 1):
        tally.add(report)
        if progress is not None:
            progress(done)
    onto = f"{ontology.name}@{ontology.version}"
    signature = sign(ontology_version=onto, ontology_hash=ontology.content_hash, parser=RULES)
    return tally.coverage(signature, top=top, roles=roles, least=least, text=text)
