"""Counts → ratios, rounded to four decimals; None where there is nothing to divide by."""

from __future__ import annotations


def share(part: float, whole: float) -> float | None:
    """part / whole."""
    return round(part / whole, 4) if whole else None


def prf(hits: int, found: int, truth: int) -> dict[str, float | int | None]:
    """Precision, recall and F1 with the counts that they come from."""
    return {
        "p": share(hits, found),
        "r": share(hits, truth),
        "f1": share(2 * hits, found + truth),
        "truth": truth,
        "found": found,
    }
