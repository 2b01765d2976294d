"""Humans: metrics against what people say of predictions (ratings, numbers of errors, an expected order)."""

from cabs.studies.humans.rated import Order, Rated, Rater, read_rated, read_rater
from cabs.studies.humans.result import Humans
from cabs.studies.humans.run import humans

__all__ = ["Humans", "Order", "Rated", "Rater", "humans", "read_rated", "read_rater"]
