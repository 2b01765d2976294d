"""The best one-to-one assignment, exact, and the same for any order of its input.

Maximal by (hits, exact hits, net slot evidence, agreeing slots); among equals the first reference item in
canonical order gets the first predicted one that it can. All of it goes into one whole number per pair, so
that the Hungarian algorithm (Kuhn 1955; Munkres 1957; potentials after Jonker & Volgenant 1987) finds it
without rounding.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

TIES_UP_TO = 64
"""In a component with more items than this on the shorter side, equals are decided by the solver's own fixed
order: the ranks that encode ties would need numbers of thousands of digits."""


class Worth(NamedTuple):
    """What a pair adds: 1 for the very entity (else 0), net slot evidence, agreeing slots."""

    exact: int
    evidence: int
    agreeing: int


def assign(
    edges: Mapping[int, Sequence[int]],
    worth: Callable[[int, int], Worth],
    same: Callable[[int, int], bool],
) -> list[tuple[int, int]]:
    """The best assignment, as (reference, prediction) in order of the reference.

    `edges`: for each reference item the predicted ones that may hit it. Items are numbered in canonical
    order. `same(i, j)`: the two say the same to the letter and hit each other exactly.
    """
    found: list[tuple[int, int]] = []
    for references, predictions in components(edges):
        if len(references) == 1 and len(predictions) == 1:
            found.append((references[0], predictions[0]))
        elif len(references) == len(predictions) and all(map(same, references, predictions)):
            # Nothing agrees better with an item than itself, so that equal sides need no search.
            found.extend(zip(references, predictions, strict=True))
        else:
            found.extend(_solve(references, predictions, edges, worth))
    return sorted(found)


def components(edges: Mapping[int, Sequence[int]]) -> list[tuple[list[int], list[int]]]:
    """The connected components of the graph, each as (reference items, predicted items) in ascending
    order."""
    back: dict[int, list[int]] = {}
    for i, targets in edges.items():
        for j in targets:
            back.setdefault(j, []).append(i)
    found: list[tuple[list[int], list[int]]] = []
    seen: set[int] = set()
    for start in edges:
        if start in seen or not edges[start]:
            continue
        left, right, queue = {start}, set[int](), [start]
        while queue:
            for j in edges[queue.pop()]:
                if j not in right:
                    right.add(j)
                    fresh = [i for i in back[j] if i not in left]
                    left.update(fresh)
                    queue.extend(fresh)
        seen |= left
        found.append((sorted(left), sorted(right)))
    return found


def _solve(
    references: list[int],
    predictions: list[int],
    edges: Mapping[int, Sequence[int]],
    worth: Callable[[int, int], Worth],
) -> list[tuple[int, int]]:
    column = {j: at for at, j in enumerate(predictions)}
    cells = {(row, column[j]): worth(i, j) for row, i in enumerate(references) for j in edges[i]}
    weights = _weights(cells, len(references), len(predictions))
    if len(references) <= len(predictions):
        pairs = _hungarian([[weights.get((r, c), 0) for c in range(len(predictions))] for r in range(len(references))])
    else:
        turned = [[weights.get((r, c), 0) for r in range(len(references))] for c in range(len(predictions))]
        pairs = [(r, c) for c, r in _hungarian(turned)]
    return [(references[r], predictions[c]) for r, c in pairs if (r, c) in cells]


def _weights(cells: Mapping[tuple[int, int], Worth], rows: int, columns: int) -> dict[tuple[int, int], int]:
    """One whole number per cell whose sums order assignments as the tuple of the specification does."""
    shorter = min(rows, columns)
    most = max(abs(w.evidence) for w in cells.values())
    evidence = shorter * 2 * most + 1
    agreeing = shorter * max(w.agreeing for w in cells.values()) + 1
    base = columns + 1
    ties = shorter <= TIES_UP_TO
    found: dict[tuple[int, int], int] = {}
    for (r, c), w in cells.items():
        rank = (((shorter + 1) + w.exact) * evidence + w.evidence + most) * agreeing + w.agreeing
        found[r, c] = rank * base**rows + (columns - c) * base ** (rows - 1 - r) if ties else rank
    return found


def _hungarian(weights: list[list[int]]) -> list[tuple[int, int]]:
    """The assignment of every row to a column of its own with the greatest sum; rows ≤ columns, O(rows² ·
    columns)."""
    rows, columns = len(weights), len(weights[0])
    u, v = [0] * (rows + 1), [0] * (columns + 1)
    row_of = [0] * (columns + 1)
    for row in range(1, rows + 1):
        row_of[0] = row
        here = 0
        least: list[int | None] = [None] * (columns + 1)
        came, done = [0] * (columns + 1), [False] * (columns + 1)
        while row_of[here]:
            done[here] = True
            at, delta, following = row_of[here], None, 0
            line, potential = weights[at - 1], u[at]
            for c in range(1, columns + 1):
                if done[c]:
                    continue
                reduced = -line[c - 1] - potential - v[c]
                best = least[c]
                if best is None or reduced < best:
                    least[c] = best = reduced
                    came[c] = here
                if delta is None or best < delta:
                    delta, following = best, c
            assert delta is not None  # rows ≤ columns: a free column is always left
            for c in range(columns + 1):
                value = least[c]
                if done[c]:
                    u[row_of[c]] += delta
                    v[c] -= delta
                elif value is not None:
                    least[c] = value - delta
            here = following
        while here:
            row_of[here] = row_of[came[here]]
            here = came[here]
    return sorted((row_of[c] - 1, c - 1) for c in range(1, columns + 1) if row_of[c])
