"""References and written cases → the counterfactual ranking study."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from cabs.errors import InputError, SettingError
from cabs.metrics.intervals import Resampling
from cabs.metrics.pair_metric import PairMetric
from cabs.ontology import Ontology
from cabs.parsing.parser import NAME as RULES
from cabs.signature import HASH_LENGTH, Signature, sign
from cabs.studies.counterfactual.ladder import LEAST_FACTS, LEAST_PRESENT, RUNGS, Climber, Ladders
from cabs.studies.counterfactual.lexicon import Lexicon, load_lexicon
from cabs.studies.counterfactual.measure import Phis, Values, phis, values_of
from cabs.studies.counterfactual.other_words import TOLD, Rewording, retold
from cabs.studies.counterfactual.rank import Group
from cabs.studies.counterfactual.result import IDENTITY_METRICS, Counterfactual, MetricPhi, Part
from cabs.studies.seeded import seeded

NAME, LADDERS = "counterfactual", "ladders"
Progress = Callable[[int], None]


@dataclass(frozen=True, slots=True)
class Design:
    """How ladders are made: of how many references at most, with how many variants of each (a multiple of the six rungs
    of a ladder), and the seed.

    Raises `SettingError` for a value outside its range.
    """

    references: int = 150
    variants: int = 12
    seed: int = 0

    def __post_init__(self) -> None:
        if self.references < 1 or self.seed < 0:
            raise SettingError("references are 1 or more, the seed is 0 or more", place="design")
        if self.variants < 1 or self.variants % (RUNGS + 1):
            what = f"{self.variants} variants are no whole ladders"
            raise SettingError(what, place="--variants", hint=f"a multiple of {RUNGS + 1}; 12 is usual")

    @property
    def ladders(self) -> int:
        """Ladders of each reference."""
        return self.variants // (RUNGS + 1)

    def items(self) -> tuple[tuple[str, str], ...]:
        """The settings as (name, text), for the signature."""
        facts = f"{LEAST_FACTS}/{LEAST_PRESENT}"
        return (("references", str(self.references)), ("variants", str(self.variants)), ("least_facts", facts))


def counterfactual(
    references: Mapping[str, str],
    metrics: Sequence[PairMetric],
    ontology: Ontology,
    *,
    cases: Mapping[str, Sequence[Group]] | None = None,
    design: Design | None = None,
    resampling: Resampling | None = None,
    rewording: Rewording | None = None,
    progress: Progress | None = None,
) -> Counterfactual:
    """How far metrics rank texts by their errors (specification of CABS, "Studies": mechanistic divergence).

    `references`: texts by id, of which ladders of errors are made; `cases`: written ones by the name of their file.
    `ontology` is that of CABS's own metrics and stands in the signature; ladders don't depend on it. `rewording`: says
    the texts of ladders anew where its words hold (see `other_words`), instead of the lexicon's frames.

    Raises:
        InputError: there are neither references with enough facts nor cases. SettingError: cases are named "ladders".
        MissingExtraError: a metric lacks what it needs.
    """
    if LADDERS in (cases or {}):
        raise SettingError(f"{LADDERS!r} is the name of what is made of references", place="cases", hint="another name")
    chosen, how, lexicon = design or Design(), resampling or Resampling(), load_lexicon()
    made = ladders(references, lexicon, chosen)
    anew = None if rewording is None else retold(made, rewording)
    made = made if anew is None else list(anew.made)
    used = tuple(m for m in made if m.variants)
    if not used and not cases:
        hint = f"a reference needs {LEAST_FACTS} facts, {LEAST_PRESENT} of them present"
        raise InputError("there is no reference to make ladders of", place="references", hint=hint)
    for metric in metrics:
        metric.needs.check(f"metric {metric.name!r}")
    groups: dict[str, Sequence[Group]] = {LADDERS: [m.group() for m in used]} if used else {}
    groups |= cases or {}
    values: dict[str, list[Values]] = {}
    parts: list[Part] = []
    for name, mine in groups.items():
        values[name] = values_of(mine, metrics, progress if name == LADDERS else None)
        parts += (
            [_ladders_part(used, mine, values[name], how, progress)]
            if name == LADDERS
            else _case_parts(name, mine, values[name], how)
        )
    return Counterfactual(
        signature=_signature(ontology, chosen, how, metrics, lexicon, rewording),
        ladders=next((part for part in parts if part.name == LADDERS), None),
        cases=tuple(part for part in parts if part.name != LADDERS),
        references=len(references),
        left_out=dict(sorted(Counter(m.reason for m in made if m.reason).items())),
        drawn=_drawn(used),
        retold=None if anew is None else {TOLD: anew.told, **anew.kept},
        made=used,
        groups=groups,
        values={name: {v.metric.name: [g.tolist() for g in v.groups] for v in found} for name, found in values.items()},
    )


def ladders(references: Mapping[str, str], lexicon: Lexicon, design: Design) -> list[Ladders]:
    """The ladders of references in a drawn order, until there are enough; each with its reason where it has none."""
    ids = sorted(references)
    seeded(design.seed, "references").shuffle(ids)
    climber = Climber(lexicon, design.seed, design.ladders)
    made: list[Ladders] = []
    full = 0
    for id in ids:
        if full == design.references:
            break
        made.append(climber.climb(id, references[id]))
        full += bool(made[-1].variants)
    return made


def _ladders_part(
    used: Sequence[Ladders], told: Sequence[Group], found: Sequence[Values], how: Resampling, progress: Progress | None
) -> Part:
    clean = [made.group(clean=True) for made in used]
    rest = None if progress is None else _after(progress, len(found))
    bare = values_of(clean, [value.metric for value in found], rest)
    rows = [
        _metric(value, phis(told, value, how), phis(clean, other, how))
        for value, other in zip(found, bare, strict=True)
    ]
    return Part(LADDERS, "", len(told), sum(len(group.variants) for group in told), tuple(rows))


def _after(progress: Progress, done: int) -> Progress:
    return lambda more: progress(done + more)


def _metric(value: Values, phi: Phis, clean: Phis) -> MetricPhi:
    metric = value.metric
    answers = "identity" if metric.name.partition(":")[0] in IDENTITY_METRICS else "all"
    return MetricPhi(metric.name, metric.label, metric.family, metric.signature, answers, phi, clean)


def _case_parts(name: str, groups: Sequence[Group], found: Sequence[Values], how: Resampling) -> list[Part]:
    """The cases of a file, all together and by category."""
    categories = sorted({group.category for group in groups} - {""})
    parts = []
    for category in ["", *categories]:
        at = [n for n, group in enumerate(groups) if category in ("", group.category)]
        mine = [groups[n] for n in at]
        kept = [Values(value.metric, tuple(value.groups[n] for n in at)) for value in found]
        rows = tuple(_metric(value, phis(mine, value, how), {}) for value in kept)
        parts.append(Part(name, category, len(mine), sum(len(g.variants) for g in mine), rows))
    return parts


def _drawn(used: Sequence[Ladders]) -> dict[str, dict[str, int]]:
    variants = [variant for made in used for variant in made.variants]
    tops = max((variant.rung for variant in variants), default=0)
    first = Counter(v.edits[0].type for v in variants if v.rung == 1)
    every = Counter(edit.type for v in variants if v.rung == tops for edit in v.edits)
    return {"first rung": dict(sorted(first.items())), "all rungs": dict(sorted(every.items()))}


def _signature(
    ontology: Ontology,
    design: Design,
    how: Resampling,
    metrics: Sequence[PairMetric],
    lexicon: Lexicon,
    rewording: Rewording | None,
) -> Signature:
    chosen = [
        ("study", NAME),
        *design.items(),
        ("lexicon", lexicon.content_hash[:HASH_LENGTH]),
        *(() if rewording is None else (("reword", rewording.name), *rewording.items())),
        ("metrics", ",".join(metric.name for metric in metrics)),
        *(item for item in how.items() if item[0] != "seed"),
        ("seed", f"{design.seed}/{how.seed}"),
    ]
    onto = f"{ontology.name}@{ontology.version}"
    return sign(ontology_version=onto, ontology_hash=ontology.content_hash, parser=RULES, parameters=chosen)
