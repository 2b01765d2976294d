"""Agreement: the facts of two parsers, annotators or runs, unit by unit."""

from cabs.studies.agreement.result import Agreement
from cabs.studies.agreement.run import agreement

__all__ = ["Agreement", "agreement"]
