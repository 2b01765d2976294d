"""What a corpus says and the parser does not know: unexplained phrases, and how much of the text is explained."""

from cabs.studies.coverage.phrases import Role
from cabs.studies.coverage.run import coverage
from cabs.studies.coverage.tally import Coverage, PhraseRow

__all__ = ["Coverage", "PhraseRow", "Role", "coverage"]
