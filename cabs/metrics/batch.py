"""The pairs that a metric is given: texts, and what else some metrics need of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from cabs.errors import InputError
from cabs.values import Pair, ParsedReport, QuotedReport

Facts: TypeAlias = ParsedReport | QuotedReport


@dataclass(frozen=True)
class Item:
    """One pair. A text is None where only the facts of that side are known; facts are None where they have to be read
    from the text. A missing prediction is an empty text: a report that says nothing."""

    id: str
    reference: str | None
    prediction: str | None
    reference_facts: Facts | None = None
    prediction_facts: Facts | None = None
    system: str | None = None
    extra: Mapping[str, object] | None = None
    source: str = ""

    @property
    def place(self) -> str:
        """Where the pair is, for messages."""
        return self.source or f"report {self.id!r}"


@dataclass(frozen=True)
class Batch:
    """Pairs in an order; every metric gives its values in the same one. `made`: how many of the last ones a study adds
    to those of the user (controls); what is told of pairs does not count them."""

    items: tuple[Item, ...]
    made: int = 0

    def __len__(self) -> int:
        return len(self.items)

    def systems(self) -> dict[str | None, list[int]]:
        """The rows of each system, in order of appearance: what `Measured.take` takes."""
        found: dict[str | None, list[int]] = {}
        for row, item in enumerate(self.items):
            found.setdefault(item.system, []).append(row)
        return found

    def texts(self) -> tuple[list[str], list[str]]:
        """The references and the predictions as texts.

        Raises:
            InputError: a side is known by its facts alone.
        """
        return [_text(i.reference, i, "reference") for i in self.items], [
            _text(i.prediction, i, "prediction") for i in self.items
        ]


def _text(text: str | None, item: Item, side: str) -> str:
    if text is None:
        hint = "metrics that compare words need it; give the text beside the facts, or leave these metrics out"
        raise InputError(f"the {side} has facts but no text", place=item.place, hint=hint)
    return text


def batch_of(
    references: Sequence[str], predictions: Sequence[str], reference_facts: Sequence[Facts | None] | None = None
) -> Batch:
    """Pairs of texts, numbered from "1"; `reference_facts` (one a pair, None: read the text) stand in for the
    references in metrics that compare facts.

    Raises:
        InputError: the lengths differ, or a text is no text.
    """
    facts = [None] * len(references) if reference_facts is None else list(reference_facts)
    if not len(references) == len(predictions) == len(facts):
        counts = f"{len(references)} references, {len(predictions)} predictions, facts of {len(facts)}"
        raise InputError(counts, place="pairs", hint="give one prediction for each reference, in the same order")
    rows = zip(references, predictions, facts, strict=True)
    return Batch(tuple(_item(n, *row) for n, row in enumerate(rows, 1)))


def _item(number: int, reference: str, prediction: str, facts: Facts | None) -> Item:
    sides: tuple[object, ...] = (reference, prediction)
    for text in sides:
        if not isinstance(text, str):
            what = f"text expected, found {type(text).__name__}"
            raise InputError(what, place=f"pair {number}", hint="a missing report is the empty text")
    return Item(str(number), reference, prediction, facts)


def batch_of_pairs(pairs: Iterable[Pair], put_facts: Callable[[Pair], Pair] | None = None) -> Batch:
    """The pairs as `read_pairs` and `pairs_from` give them. `put_facts` puts checked facts in a reference's place
    (`ReferenceFacts.put`): metrics that compare facts use these, the others the text."""
    return Batch(tuple(_item_of(pair, pair if put_facts is None else put_facts(pair)) for pair in pairs))


def _item_of(pair: Pair, checked: Pair) -> Item:
    reference, reference_facts = _side(pair.reference)
    prediction, prediction_facts = _side("" if pair.prediction is None else pair.prediction)
    if not isinstance(checked.reference, str):
        reference_facts = checked.reference
    return Item(
        pair.id,
        reference,
        prediction,
        reference_facts,
        prediction_facts,
        pair.system,
        pair.extra,
        pair.source,
    )


def _side(side: Any) -> tuple[str | None, Facts | None]:
    if isinstance(side, str):
        return side, None
    return (side.text if isinstance(side, QuotedReport) else None), side
