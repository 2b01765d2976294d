"""The lowest versions that pyproject.toml declares, as constraints for pip: `make test-minimum` installs them."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator

from packaging.requirements import Requirement

from tests.packaging.pins import ROOT


def declared(extra: str = "") -> list[Requirement]:
    """What the package asks for, or one of its extras."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return [
        Requirement(line) for line in (project["optional-dependencies"][extra] if extra else project["dependencies"])
    ]


def oldest() -> Iterator[str]:
    """One constraint a dependency.

    Raises:
        ValueError: one declares no lowest version.
    """
    for requirement in declared():
        (version,) = (one.version for one in requirement.specifier if one.operator in (">=", "=="))
        yield f"{requirement.name}=={version}"


if __name__ == "__main__":
    print("\n".join(oldest()))  # noqa: T201
