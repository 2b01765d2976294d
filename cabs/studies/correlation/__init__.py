"""Correlation: how far metrics rank the same systems and reports alike, and whether words hide wrong findings."""

from cabs.studies.correlation.result import Correlation
from cabs.studies.correlation.run import correlation

__all__ = ["Correlation", "correlation"]
