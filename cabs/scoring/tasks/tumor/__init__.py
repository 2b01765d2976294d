"""Tumors: is there one, of what size, where, how does it enhance, in which slice. Source: [E-MRL], arXiv 2606.23888."""

from cabs.scoring.tasks.tumor.grammar import Output, output
from cabs.scoring.tasks.tumor.options import Comparing
from cabs.scoring.tasks.tumor.reader import Sighted, TumorReader
from cabs.scoring.tasks.tumor.slices import Slice, distance, near

__all__ = ["Comparing", "Output", "Sighted", "Slice", "TumorReader", "distance", "near", "output"]
