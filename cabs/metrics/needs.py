"""What a metric needs to be installed, whether it is there, and what to do if it isn't."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from shutil import which

from cabs.errors import MissingExtraError

PROGRAMS = {"java": "install a Java runtime, 8 or newer (on Debian or Ubuntu: apt-get install default-jre-headless)"}
"""Programs and what to do where they are missing."""


@dataclass(frozen=True)
class Needs:
    """`extra` of CABS with its packages as (module, distribution), and programs on the PATH."""

    extra: str = ""
    packages: tuple[tuple[str, str], ...] = ()
    programs: tuple[str, ...] = ()

    def missing(self) -> tuple[str, str] | None:
        """What isn't there and what to do about it; None where nothing is missing."""
        absent = [distribution for module, distribution in self.packages if find_spec(module) is None]
        if absent:
            install = f"pip install '.[{self.extra}]' in a checkout of CABS, or " if self.extra else ""
            return ", ".join(absent), f"{install}pip install {' '.join(absent)}"
        programs = [program for program in self.programs if which(program) is None]
        return (programs[0], PROGRAMS.get(programs[0], f"install {programs[0]}")) if programs else None

    def check(self, what: str) -> None:
        """Raises `MissingExtraError` where something isn't there; `what` needs it."""
        found = self.missing()
        if found is not None:
            raise MissingExtraError(f"needs what isn't installed here: {found[0]}", place=what, hint=found[1])

    def versions(self) -> tuple[tuple[str, str], ...]:
        """(distribution, version) of each package, "missing" where it isn't there."""
        return tuple((distribution, _version(distribution)) for _, distribution in self.packages)


def _version(distribution: str) -> str:
    try:
        return version(distribution)
    except PackageNotFoundError:
        return "missing"
