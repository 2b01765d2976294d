"""References and metrics → what every metric gives to cheap tricks, and whether that is sound."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from cabs.errors import InputError
from cabs.metrics.batch import batch_of
from cabs.metrics.intervals import Resampling
from cabs.metrics.measured import Measured
from cabs.metrics.pair_metric import PairMetric, measure_all, sharing
from cabs.ontology import Ontology
from cabs.parsing.parser import NAME as RULES
from cabs.signature import HASH_LENGTH, Signature, sign
from cabs.studies.probes.cut import Cut, Cutter
from cabs.studies.probes.data import Probes, load
from cabs.studies.probes.references import References
from cabs.studies.probes.result import Probed, Probing, Value
from cabs.studies.probes.standing import Standing, Which
from cabs.studies.probes.texts import Texts, probe_texts
from cabs.studies.probes.verdict import checks

NAME = "probes"
Progress = Callable[[int], None]


def probes(
    references: References,
    metrics: Sequence[PairMetric],
    ontology: Ontology,
    *,
    resampling: Resampling | None = None,
    progress: Progress | None = None,
) -> Probing:
    """What metrics give to texts that no reader would take for a report, and to a correct paraphrase (specification of
    CABS, "Studies": audit).

    The probes, the families that they apply to and what a sound metric does with them stand in probes.yaml beside this
    module, the words that they change in lexicon.yaml. Probes stand on references with findings: where there are none,
    a normal report is no trick. `ontology` cuts the references and is that of CABS's own metrics.

    Raises:
        InputError: no reference has findings. MissingExtraError: a metric lacks what it needs.
    """
    how = resampling or Resampling()
    data, lexicon, content_hash = load()
    cutter = Cutter(ontology)
    every = [cutter.cut(id, text) for id, text in references.texts.items()]
    cuts = [cut for cut in every if cut.findings]
    if not cuts:
        raise InputError("no reference has findings", place="references", hint="probes stand on references with some")
    texts = probe_texts(cuts, lexicon, ontology, references.paraphrases, how.seed)
    measured = _measured(cuts, texts, data.ids, metrics, progress)
    has = {name: np.array([name in mine for mine in texts]) for name in data.ids}
    return Probing(
        signature=_signature(ontology, metrics, how, content_hash),
        references=len(cuts),
        normal=sum(cut.facts.read and not cut.findings for cut in every),
        unread=sum(not cut.facts.read for cut in every),
        written=sum(cut.id in references.paraphrases for cut in cuts),
        margins=data.margins,
        probes=data.probes,
        metrics=tuple(_probed(Standing(m, measured[m.name], has), data, how) for m in metrics),
        ids=tuple(cut.id for cut in cuts),
        texts=texts,
    )


def _measured(
    cuts: Sequence[Cut],
    texts: Sequence[Texts],
    names: Sequence[str],
    metrics: Sequence[PairMetric],
    progress: Progress | None,
) -> dict[str, dict[str, Measured]]:
    """Metric → probe → its values for all references; one that lacks the probe stands there with its own text and is
    never looked at. Metrics whose value of a pair depends on the others see one probe at a time, the others all at
    once, since some are slow to start."""
    predictions = {name: [mine.get(name, c.text) for c, mine in zip(cuts, texts, strict=True)] for name in names}
    found: dict[str, dict[str, Measured]] = {metric.name: {} for metric in metrics}
    own, size = [cut.text for cut in cuts], len(cuts)
    every, done = batch_of(own * len(names), [text for name in names for text in predictions[name]]), 0
    for some in sharing(metric for metric in metrics if metric.independent):
        for metric, values in measure_all(some, every).items():
            found[metric] = {name: values.take(range(at * size, (at + 1) * size)) for at, name in enumerate(names)}
        done += len(some)
        if progress is not None:
            progress(done)
    alone = [metric for metric in metrics if not metric.independent]
    for name in names if alone else ():
        for metric, values in measure_all(alone, batch_of(own, predictions[name])).items():
            found[metric][name] = values
    return found


def _probed(standing: Standing, data: Probes, resampling: Resampling) -> Probed:
    metric = standing.metric
    return Probed(
        name=metric.name,
        label=metric.label,
        family=metric.family,
        signature=metric.signature,
        values={name: _value(standing, name) for name in data.ids},
        checks=tuple(c for probe in data.probes for c in checks(probe, standing, data.margins, resampling)),
    )


def _value(standing: Standing, name: str) -> Value:
    chosen: Which = standing.common(name)
    if not chosen.any():
        return Value(0, None, None)
    weights = chosen.astype(np.float64)[None, :]
    raw, worth = (float(of(name, weights)[0]) for of in (standing.raw, standing.worth))
    return Value(int(chosen.sum()), None if np.isnan(raw) else raw, None if np.isnan(worth) else worth)


def _signature(ontology: Ontology, metrics: Sequence[PairMetric], how: Resampling, content_hash: str) -> Signature:
    names = ",".join(metric.name for metric in metrics)
    chosen: Mapping[str, str] = dict(
        (("study", NAME), ("metrics", names), ("probes", content_hash[:HASH_LENGTH]), *how.items())
    )
    onto = f"{ontology.name}@{ontology.version}"
    return sign(ontology_version=onto, ontology_hash=ontology.content_hash, parser=RULES, parameters=chosen)
