"""Items → answers → accuracy with intervals, system by system."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from cabs.metrics.estimates import Estimate, Share, estimates
from cabs.metrics.intervals import Resampling
from cabs.scoring.tasks.mcq.choice import Choice, chosen
from cabs.scoring.tasks.mcq.item import Item, Items
from cabs.scoring.tasks.mcq.result import Answered, McqResult, Scores, SystemScores
from cabs.signature import Signature, sign

READER = "mcq@1"
"""Name and version of what reads answers, in signatures; another reading of any answer raises it."""
NONE = "none"
"""Of the ontology in the signature: this task reads none."""
_EMPTY = "there is no item"


def score_items(given: Items, resampling: Resampling | None = None, cluster: str | None = None) -> McqResult:
    """The result of a file's items. `cluster`: the name of the field that the items' clusters came from; its values are
    drawn whole for intervals, items without one alone.

    Intervals are bootstrapped as for all scores; where a share is 0 or 1 Wilson's stands in.
    """
    how = resampling or Resampling()
    answers = tuple(Answered(item, answer_of(item)) for item in given.items)
    by_system: dict[str | None, list[Answered]] = {}
    for answer in answers:
        by_system.setdefault(answer.item.system, []).append(answer)
    systems = tuple(_system(name, mine, how) for name, mine in by_system.items())
    return McqResult(_signature(how, cluster), systems, answers, given.open)


def answer_of(item: Item) -> Choice:
    """The option that the prediction of an item names."""
    if item.prediction is None:
        return Choice(None, "missing")
    return chosen(item.prediction, item.question.options)


def _signature(how: Resampling, cluster: str | None) -> Signature:
    named = () if cluster is None else (("cluster", cluster),)
    parameters = (("task", "mcq"), *how.items(), *named)
    return sign(ontology_version=NONE, ontology_hash=NONE, parser=READER, parameters=parameters)


def _system(name: str | None, answers: Sequence[Answered], how: Resampling) -> SystemScores:
    groups: dict[str, list[Answered]] = {}
    for answer in answers:
        groups.setdefault(answer.item.question.category, []).append(answer)
    why = Counter(answer.choice.why for answer in answers if answer.choice.label is None)
    found = {category: _scores(mine, how) for category, mine in groups.items()}
    return SystemScores(name, _scores(answers, how), found, dict(sorted(why.items())))


def _scores(answers: Sequence[Answered], how: Resampling) -> Scores:
    rows = _rows(answers)
    total = Counter[str]()
    for row in rows:
        total.update(row)
    shares = {
        "accuracy": Share("correct", ("items",), empty=_EMPTY),
        "answered": Share("answered", ("items",), empty=_EMPTY),
    }
    found: Mapping[str, Estimate] = estimates(rows, shares, how, wilson=True)
    chance = sum(1 / len(answer.item.question.options) for answer in answers) / len(answers)
    counts = (total["items"], total["answered"], total["correct"])
    return Scores(*counts, chance, found["accuracy"], found["answered"])


def _rows(answers: Iterable[Answered]) -> list[dict[str, int]]:
    """The counts of each unit that is drawn: a cluster in order of appearance, or an item alone."""
    units: dict[object, dict[str, int]] = {}
    for at, answer in enumerate(answers):
        key = ("alone", at) if answer.item.cluster is None else answer.item.cluster
        row = units.setdefault(key, {"items": 0, "answered": 0, "correct": 0})
        row["items"] += 1
        row["answered"] += answer.choice.label is not None
        row["correct"] += answer.correct
    return list(units.values())
