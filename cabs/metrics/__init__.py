"""Metrics: an alignment → counts → scores, with intervals and tests.

The parts that need numpy (`intervals`, `paired`) are imported from their modules, not from here.
"""

from cabs.metrics.count import By, count, count_by
from cabs.metrics.counts import FIELDS, Counts, total
from cabs.metrics.definitions import NAMES, Metric, metrics
from cabs.metrics.errors import Error, ErrorRow, error_table, errors_of
from cabs.metrics.score import MACRO, macro, score

__all__ = [
    "FIELDS",
    "MACRO",
    "NAMES",
    "By",
    "Counts",
    "Error",
    "ErrorRow",
    "Metric",
    "count",
    "count_by",
    "error_table",
    "errors_of",
    "macro",
    "metrics",
    "score",
    "total",
]
