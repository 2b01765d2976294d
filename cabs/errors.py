"""What a user can do wrong. Each error says what is wrong, where, and what to do; the command line prints it
without a traceback and exits with 1."""

from __future__ import annotations


class CabsError(Exception):
    """A mistake that its reader can mend.

    `message` says what is wrong, `place` where (file, line, field or id), `hint` what to do about it.
    """

    passing = False
    """Whether the same may go well later: nothing is kept as finished that failed so."""

    def __init__(self, message: str, *, place: str = "", hint: str = "") -> None:
        self.message, self.place, self.hint = message, place, hint
        super().__init__(message, place, hint)

    def __reduce__(self) -> tuple[object, ...]:
        """Errors cross process borders: without this, unpickling would pass place and hint as positions."""
        return _rebuild, (type(self), self.message, self.place, self.hint)

    def __str__(self) -> str:
        head = f"{self.place}: {self.message}" if self.place else self.message
        return f"{head} ({self.hint})" if self.hint else head


def _rebuild(kind: type[CabsError], message: str, place: str, hint: str) -> CabsError:
    return kind(message, place=place, hint=hint)


class InputError(CabsError):
    """A file of reports, pairs or facts that can't be read as such."""


class OutputError(CabsError):
    """A place that can't be written."""


class HeldError(OutputError):
    """A place that another process is writing."""


class OntologyError(CabsError):
    """An ontology folder that is missing, malformed or contradicts itself."""


class SettingError(CabsError):
    """An option or parameter outside its range, or a signature that can't be parsed."""


class UnknownOptionError(SettingError):
    """An option that a metric or a reward does not have."""


class MissingExtraError(CabsError):
    """An optional part that isn't installed; the hint is the install line."""


class WorkerError(CabsError):
    """A process or a machine that works for a run has died; what had been finished is kept."""


class UnavailableError(CabsError):
    """A service that all of a run depends on refuses its work or is gone: the run stops, and nothing is scored."""
