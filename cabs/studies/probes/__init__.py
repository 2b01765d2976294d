"""Probes: what metrics give to cheap tricks, and to a correct paraphrase."""

from cabs.studies.probes.references import References, read_references
from cabs.studies.probes.result import Probing
from cabs.studies.probes.run import probes

__all__ = ["Probing", "References", "probes", "read_references"]
