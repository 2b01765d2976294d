"""Token weights for fine-tuning on reports: what states an abnormality counts a little more.

Source: [M3D], "abnormality re-weighting" (1.10 in the released code).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from cabs.errors import InputError, SettingError
from cabs.ontology import Ontology
from cabs.parsing import parse
from cabs.scoring.judge import Parser
from cabs.values import Span

WEIGHT = 1.10
"""Of a token in a sentence that states a present abnormality; every other token has 1."""


def token_weights(
    text: str,
    offsets: Iterable[Sequence[int]],
    weight: float = WEIGHT,
    *,
    ontology: Ontology | None = None,
    parser: Parser | None = None,
) -> list[float]:
    """One weight a token: `weight` where it has a character of a sentence that states a present abnormality (a possible
    one too; no device, no post-operative state), 1 elsewhere.

    - offsets: (start, end) of each token in `text`, as a fast tokenizer gives them with `return_offsets_mapping=True`;
      (0, 0), as of special tokens, and any other empty span has weight 1. Where the report stands behind a prompt, take
      the tokens of the report alone, or subtract where it starts.
    - weight: more than 0.

    The loss of a batch is the weighted mean, so that its scale stays that of a plain mean:
    `(weights * losses).sum() / weights.sum()`, over the tokens that are trained on.

    >>> token_weights("No effusion. A nodule.", [(0, 0), (0, 2), (3, 11), (13, 14), (15, 21)])
    [1.0, 1.0, 1.0, 1.1, 1.1]

    Raises:
        SettingError: the weight is not more than 0; InputError: a span is no part of the text.
    """
    if not 0 < weight < float("inf"):
        raise SettingError(f"{weight} is no weight", place="weight", hint="more than 0; 1.1 is usual")
    spans = [_span(at, offset, len(text)) for at, offset in enumerate(offsets)]
    stated = abnormal_sentences(text, ontology=ontology, parser=parser)
    marked = bytearray(len(text))
    for start, end in stated:
        marked[start:end] = b"\x01" * (end - start)
    return [weight if any(marked[start:end]) else 1.0 for start, end in spans]


def abnormal_sentences(text: str, *, ontology: Ontology | None = None, parser: Parser | None = None) -> list[Span]:
    """The sentences that state a present abnormality, each once, in the order of the text; none of an empty text."""
    report = parse(text, ontology=ontology) if parser is None else parser(text)
    present = (fact for fact in report.facts if fact.status == "present" and fact.kind == "abnormality")
    return sorted({span for fact in present for span in fact.evidence})


def _span(at: int, offset: Sequence[int], length: int) -> tuple[int, int]:
    start, end = (int(offset[0]), int(offset[1])) if len(offset) == 2 else (0, -1)
    if not 0 <= start <= end <= length:
        hint = f"(start, end) within the {length} characters of the text"
        raise InputError(f"{tuple(offset)} is no span of the text", place=f"offsets, token {at}", hint=hint)
    return start, end
