"""The package's own requirements → which of them are met here. Reads what is installed, imports nothing."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, requires, version
from operator import eq, ge, gt, le, lt, ne
from typing import Any

from cabs.registry import OURS

REQUIREMENT = re.compile(
    r"(?P<name>[\w.-]+)\s*(?P<wanted>[^;]*?)\s*(?:;.*?extra\s*==\s*[\"'](?P<extra>[\w-]+)[\"'].*)?"
)
BOUND = re.compile(r"(?P<sign>>=|<=|==|!=|<|>)\s*(?P<version>[\w.]+)")
SIGNS: Mapping[str, Callable[[Any, Any], bool]] = {">=": ge, "<=": le, "==": eq, "!=": ne, "<": lt, ">": gt}

FOR: Mapping[str, str] = {
    "llm": "a language model that reads or judges (--parser llm, --matcher llm)",
    "sheet": "sheets as .xlsx",
    "audit": "metrics of words, figures (cabs audit correlation)",
    "coco": "METEOR and CIDEr",
    "embedding": "embedding similarity and BERTScore",
    "train": "cabs train",
    "volumes": "cabs slices of NIfTI files",
    "scispacy": "abbreviations that a report defines itself, in spaCy",
    "dev": "the tests (make test)",
    "docs": "the site (make docs)",
    "ray": "a cluster that scores (--engine ray)",
}
"""What each extra is for."""


@dataclass(frozen=True, slots=True)
class Package:
    """A distribution, the versions that are wanted (">=1.26.4"), and the one that is there (None: none)."""

    name: str
    wanted: str
    version: str | None

    @property
    def fits(self) -> bool:
        """Whether it is there, in a version that is wanted."""
        return self.version is not None and meets(self.version, self.wanted)


@dataclass(frozen=True, slots=True)
class Extra:
    """An optional part of CABS: what it is for, and its packages."""

    name: str
    purpose: str
    packages: tuple[Package, ...]

    @property
    def missing(self) -> tuple[Package, ...]:
        """The packages that are not there, or in another version than is wanted."""
        return tuple(package for package in self.packages if not package.fits)


def requirements() -> tuple[tuple[Package, ...], tuple[Extra, ...]] | None:
    """What the core needs, and every extra; None where CABS is run from its files, which tell neither."""
    try:
        lines = requires(OURS) or []
    except PackageNotFoundError:
        return None
    core: list[Package] = []
    extras: dict[str, list[Package]] = {}
    for line in lines:
        found = REQUIREMENT.fullmatch(line)
        if found is not None:
            package = Package(found["name"], found["wanted"], installed(found["name"]))
            (extras.setdefault(found["extra"], []) if found["extra"] else core).append(package)
    return tuple(core), tuple(Extra(name, FOR.get(name, ""), tuple(packages)) for name, packages in extras.items())


def installed(name: str) -> str | None:
    """The version of a distribution; None where it isn't there."""
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def meets(version: str, wanted: str) -> bool:
    """Whether a version obeys every bound, by the numbers of both; what follows them (rc1, +cpu) is not looked at.

    >>> meets("1.26.4", ">=1.26"), meets("2.0.1+cpu", ">=1.9,<2"), meets("3.1", "")
    (True, False, True)
    """
    return all(_obeys(version, bound) for bound in BOUND.finditer(wanted))


def _obeys(version: str, bound: re.Match[str]) -> bool:
    own, other = _numbers(version), _numbers(bound["version"])
    length = max(len(own), len(other))
    padded = ((*numbers, *[0] * (length - len(numbers))) for numbers in (own, other))
    return SIGNS[bound["sign"]](*padded)


def _numbers(version: str) -> tuple[int, ...]:
    found = re.match(r"\d+(?:\.\d+)*", version)
    return tuple(map(int, found[0].split("."))) if found else ()


def install_line(packages: Iterable[Package]) -> str:
    """The command that brings packages, for a shell; names and versions, since on PyPI the name of CABS is another's.

    >>> install_line([Package("openai", ">=3.0", None)])
    "python -m pip install 'openai>=3.0'"
    """
    return "python -m pip install " + " ".join(f"'{package.name}{package.wanted}'" for package in packages)
