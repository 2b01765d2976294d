"""The formulas of TIF, slow and obvious: sums over prefixes, means over all orders, written from the definitions.

They take agreements and counts, no value of the package.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import permutations
from math import exp, log

EPSILON = 1e-8


def paper_section(agreements: Sequence[float], hits: int, false: int) -> float:
    """R of arXiv 2605.20277 for one section, the released coefficients. `agreements`: r of each fact in order."""
    facts = len(agreements)
    ratio = false / (hits + false + EPSILON)
    if facts == 0:
        return 2.0 - 2.0 * ratio * ratio
    cost = 0.0
    for k in range(1, facts + 1):
        first = agreements[:k]
        error = 1.0 - sum(first) / k
        cost += error * error
    value = 1.0 - cost / facts
    if hits + false > 0:
        value += 1.0 - ratio * ratio
        value += 0.05
    return value + 0.2 * (sum(agreements) / facts)


def paper_report(findings: float, impression: float, keeps_form: bool, characters: int) -> float:
    """The reward of a report from R of both sections."""
    form = 0.1 if keeps_form else 0.0
    over = characters - 1600 if characters > 1600 else 0
    return (form + 0.5 * findings + 0.5 * impression) / (1.0 + over / 5000.0)


@cache
def over_all_orders(agreements: tuple[float, ...]) -> float:
    """1 - mean over k of E_k², averaged over every order of the facts."""
    values = []
    for order in permutations(agreements):
        errors = [1.0 - sum(order[:k]) / k for k in range(1, len(order) + 1)]
        values.append(1.0 - sum(e * e for e in errors) / len(errors))
    return sum(values) / len(values)


def section(agreements: Sequence[float], false: float, *, read: bool = True, gamma: float = 1.0) -> float:
    """R of the recommended reward for one section; `false`: F, with everything that counts in it."""
    total = 0.0
    for agreement in agreements:
        total += agreement
    if not agreements:
        value = 1.0 if read else 0.0
    else:
        first = 0.05 if total > 0 else 0.0
        value = (over_all_orders(tuple(agreements)) + 0.2 * total / len(agreements) + first + 0.15) / 1.4
    power = exp(1.5 * log(false / (1.0 + total))) if false > 0 else 0.0
    return value / (1.0 + gamma * power)
