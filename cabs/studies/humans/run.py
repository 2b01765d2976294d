"""Rated candidates and metrics → how far they agree, and how far the raters agree among themselves."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from cabs.errors import SettingError
from cabs.metrics.batch import Batch
from cabs.metrics.intervals import Resampling
from cabs.metrics.measured import Floats
from cabs.metrics.pair_metric import PairMetric, measure_all
from cabs.metrics.registered import pair_metric
from cabs.ontology import Ontology
from cabs.parsing.parser import NAME as RULES
from cabs.signature import Signature, sign
from cabs.studies.humans.association import Association, associations, mean_of
from cabs.studies.humans.orders import order_measures
from cabs.studies.humans.rated import Order, Rated
from cabs.studies.humans.result import Agreeing, Humans, Measures, Reader
from cabs.studies.humans.sample import Sample, compared

NAME = "humans"
NORMALS = {"cabs_score": "cabs_score_normal"}
"""Metrics that leave references without findings to another one, so that a corpus never pools the two. Here each pair
is graded by itself, and the other one's value stands in."""

Progress = Callable[[int], None]
Which = NDArray[np.bool_]
"""Candidates that are looked at."""


def humans(
    rated: Rated,
    metrics: Sequence[PairMetric],
    ontology: Ontology,
    *,
    resampling: Resampling | None = None,
    progress: Progress | None = None,
) -> Humans:
    """How far metrics agree with people (specification of CABS, "Studies").

    Kendall's τ-b, Spearman's ρ and Pearson's r over all pairs; preference: the share of pairs of candidates of one
    reference that the metric orders as the rating does, its ties counting half. Signs are turned so that more is better
    on both sides. Intervals draw references (or clusters) whole. The ceiling of a metric is how far one rater agrees
    with the mean of the others, averaged over raters, on the pairs that it is measured on; to be held against `others`,
    in which the metric stands in that rater's place.

    `ontology` is that of CABS's own metrics and stands in the signature.

    Raises:
        SettingError: raters of both directions, which have no mean. MissingExtraError: a metric lacks what it needs.
    """
    how = resampling or Resampling()
    if len({rater.higher for rater in rated.raters}) > 1:
        hint = "run the ratings and the numbers of errors apart"
        raise SettingError(
            "raters for whom more is better and for whom less is have no mean", place="raters", hint=hint
        )
    values, notes = _values(rated, metrics)
    study = _Study(rated, how)
    found = []
    for done, metric in enumerate(metrics, 1):
        found.append(study.metric(metric, values[metric.name]))
        if progress is not None:
            progress(done)
    return Humans(
        signature=_signature(ontology, metrics, rated, how),
        pairs=len(rated.items),
        references=len(set(rated.groups)),
        full=int(study.full.sum()) if rated.raters else 0,
        raters=study.readers(),
        ceiling=study.ceiling(study.full),
        metrics=tuple(found),
        notes=notes,
        rated=rated,
        values={name: v.tolist() for name, v in values.items()},
    )


def _values(rated: Rated, metrics: Sequence[PairMetric]) -> tuple[dict[str, Floats], tuple[str, ...]]:
    """The values of every metric, as the metric has them."""
    standing = {m.name: _for_normals(m.name) for m in metrics}
    extra = [s for s in standing.values() if s is not None and s.name not in standing]
    measured = measure_all([*metrics, *extra], Batch(rated.items))
    found: dict[str, Floats] = {}
    for name, other in standing.items():
        own = measured[name].values
        found[name] = own if other is None else np.where(np.isnan(own), measured[other.name].values, own)
    return found, tuple(dict.fromkeys(note for m in metrics for note in measured[m.name].notes))


def _for_normals(name: str) -> PairMetric | None:
    base, colon, options = name.partition(":")
    return pair_metric(f"{NORMALS[base]}{colon}{options}") if base in NORMALS else None


class _Study:
    """Ratings turned so that more is better, and samples of the candidates that are used more than once."""

    def __init__(self, rated: Rated, resampling: Resampling) -> None:
        self.rated, self.resampling = rated, resampling
        signs = [1.0 if rater.higher else -1.0 for rater in rated.raters]
        self.ratings = np.array(rated.ratings, dtype=np.float64).reshape(len(signs), len(rated.items))
        self.ratings *= np.array(signs)[:, None]
        self.full: Which = np.asarray(~np.isnan(self.ratings).any(axis=0))
        self._samples: dict[bytes, Sample] = {}
        self._ceilings: dict[bytes, Measures] = {}

    def sample(self, chosen: Which) -> Sample:
        """The candidates where `chosen` is true."""
        key = np.asarray(chosen, dtype=bool).tobytes()
        if key not in self._samples:
            rows = np.flatnonzero(chosen)
            self._samples[key] = Sample(rows, self.rated.groups, self.rated.units, self.resampling)
        return self._samples[key]

    def agreement(self, x: Floats, y: Floats, chosen: Which, *, bare: bool = False) -> Measures:
        """How far two columns agree where `chosen` is true."""
        sample = self.sample(chosen)
        mine = associations(x[sample.rows], y[sample.rows], sample.groups)
        return sample.estimates(mine, {"preference": compared(y[sample.rows], sample.groups)}, bare=bare)

    def metric(self, metric: PairMetric, values: Floats) -> Agreeing:
        """All agreements of one metric."""
        turned = values if metric.higher else -values
        known: Which = np.asarray(~np.isnan(turned))
        chosen, several = self.full & known, len(self.ratings) > 1
        of_raters = {
            rater.field: self.agreement(turned, mine, known & ~np.isnan(mine), bare=True)
            for rater, mine in zip(self.rated.raters, self.ratings, strict=True)
        }
        rated = len(self.ratings) > 0
        order, categories = self._order(turned)
        return Agreeing(
            name=metric.name,
            label=metric.label,
            family=metric.family,
            higher=metric.higher,
            signature=metric.signature,
            n=int(chosen.sum()) if rated else 0,
            left_out=int((self.full & ~known).sum()) if rated else 0,
            mean=self.agreement(turned, self.ratings.mean(axis=0), chosen) if rated else {},
            others=self._others([turned] * len(self.ratings), chosen) if several else {},
            ceiling=self.ceiling(chosen),
            raters=of_raters,
            order=order,
            categories=categories,
        )

    def ceiling(self, chosen: Which) -> Measures:
        """How far a rater agrees with the mean of the others where `chosen` is true, averaged over the raters."""
        key = np.asarray(chosen, dtype=bool).tobytes()
        if key not in self._ceilings:
            several = len(self.ratings) > 1
            self._ceilings[key] = self._others(list(self.ratings), chosen) if several else {}
        return self._ceilings[key]

    def readers(self) -> tuple[Reader, ...]:
        """Every rater against the mean of the others."""
        found = []
        for at, rater in enumerate(self.rated.raters):
            several = len(self.ratings) > 1
            others = self.agreement(self.ratings[at], self._without(at), self.full) if several else {}
            found.append(Reader(rater.field, rater.higher, int((~np.isnan(self.ratings[at])).sum()), others))
        return tuple(found)

    def _without(self, at: int) -> Floats:
        """The mean of all raters but one."""
        return np.asarray(np.delete(self.ratings, at, axis=0).mean(axis=0))

    def _others(self, columns: Sequence[Floats], chosen: Which) -> Measures:
        """Each column against the mean of the raters but the one of its place; the agreements averaged."""
        sample = self.sample(chosen)
        parts: list[Mapping[str, Association]] = []
        pairs = 0
        for at, column in enumerate(columns):
            others = self._without(at)[sample.rows]
            parts.append(associations(column[sample.rows], others, sample.groups))
            pairs += compared(others, sample.groups)
        together = {name: mean_of([part[name] for part in parts]) for name in parts[0]}
        return sample.estimates(together, {"preference": pairs})

    def _order(self, turned: Floats) -> tuple[Measures, dict[str, Measures]]:
        orders = self.rated.orders
        if not orders:
            return {}, {}
        sample = self.sample(np.ones(len(turned), dtype=bool))
        by: dict[str, list[Order]] = {}
        for order in orders:
            by.setdefault(order.category, []).append(order)
        whole = order_measures(sample, turned, orders)
        apart: dict[str, Measures] = {
            name: order_measures(sample, turned, some, bare=True) for name, some in sorted(by.items()) if name
        }
        return whole, apart


def _signature(ontology: Ontology, metrics: Sequence[PairMetric], rated: Rated, how: Resampling) -> Signature:
    raters = ",".join(f"{r.field}={'higher' if r.higher else 'lower'}" for r in rated.raters) or "orders"
    chosen = (("study", NAME), ("metrics", ",".join(m.name for m in metrics)), ("raters", raters), *how.items())
    onto = f"{ontology.name}@{ontology.version}"
    return sign(ontology_version=onto, ontology_hash=ontology.content_hash, parser=RULES, parameters=chosen)
