"""Mechanistic divergence: do metrics rank reports by the errors that they hold?"""

from cabs.studies.counterfactual.result import Counterfactual
from cabs.studies.counterfactual.run import Design, counterfactual

__all__ = ["Counterfactual", "Design", "counterfactual"]
