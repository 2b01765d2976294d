"""A machine → what CABS finds on it: what is there, what is missing and how it comes, and whether the core works."""

from cabs.checkup.checkup import Checkup, checkup

__all__ = ["Checkup", "checkup"]
