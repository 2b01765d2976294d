"""Scoring: many pairs → the result of a run."""

from cabs.scoring.many import score
from cabs.scoring.one import align
from cabs.scoring.result import Result, SystemResult

__all__ = ["Result", "SystemResult", "align", "score"]
