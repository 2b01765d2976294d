"""All that a checkup finds, as one value."""

from __future__ import annotations

import platform
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cabs.checkup.caches import Cache, caches
from cabs.checkup.core import Core, core
from cabs.checkup.packages import Extra, Package, install_line, requirements
from cabs.checkup.programs import Program, programs
from cabs.version import __version__


@dataclass(frozen=True, slots=True)
class Checkup:
    """What CABS finds on a machine. `installed`: False where it is run from its files, whose requirements nobody tells;
    `dependencies` and `extras` are then empty."""

    cabs: str
    folder: str
    installed: bool
    python: str
    executable: str
    system: str
    core: Core
    dependencies: tuple[Package, ...]
    extras: tuple[Extra, ...]
    programs: tuple[Program, ...]
    caches: tuple[Cache, ...]


def checkup() -> Checkup:
    """Look at this machine. Nothing is fetched, started or written."""
    found = requirements()
    dependencies, extras = found or ((), ())
    return Checkup(
        cabs=__version__,
        folder=str(Path(__file__).resolve().parents[1]),
        installed=found is not None,
        python=platform.python_version(),
        executable=sys.executable,
        system=platform.platform(),
        core=core(dependencies),
        dependencies=dependencies,
        extras=extras,
        programs=programs(),
        caches=caches(),
    )


def as_json(found: Checkup) -> dict[str, Any]:
    """A checkup as an object of JSON's own types."""
    known = found.core.knowledge
    return {
        "cabs": found.cabs,
        "folder": found.folder,
        "installed": found.installed,
        "python": found.python,
        "executable": found.executable,
        "system": found.system,
        "works": found.core.works,
        "seen": found.core.seen,
        "ontology": None
        if known is None
        else {
            "name": known.name,
            "version": known.version,
            "content_hash": known.content_hash,
            "entities": known.entities,
            "places": known.places,
            "organs": known.organs,
        },
        "dependencies": [_package(package) for package in found.dependencies],
        "extras": [_extra(extra) for extra in found.extras],
        "programs": [
            {"name": p.name, "purpose": p.purpose, "place": p.place, "install": None if p.place else p.install}
            for p in found.programs
        ],
        "caches": [{"what": c.what, "place": c.place, "size": c.size} for c in found.caches],
    }


def _package(package: Package) -> dict[str, Any]:
    return {"name": package.name, "wanted": package.wanted, "version": package.version, "fits": package.fits}


def _extra(extra: Extra) -> dict[str, Any]:
    return {
        "name": extra.name,
        "purpose": extra.purpose,
        "complete": not extra.missing,
        "missing": [package.name for package in extra.missing],
        "install": install_line(extra.missing) if extra.missing else None,
        "packages": [_package(package) for package in extra.packages],
    }
