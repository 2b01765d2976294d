"""The locks in .ci → the packages that they pin."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from packaging.markers import Marker
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[2]
CORE, DEV = ROOT / ".ci" / "core.txt", ROOT / ".ci" / "dev.txt"


@dataclass(frozen=True, slots=True)
class Pin:
    """One version of a package, where it is for (None: everywhere), and the SHA-256 of its files."""

    name: str
    version: str
    marker: Marker | None
    hashes: tuple[str, ...]

    @property
    def here(self) -> bool:
        """Whether it is for this Python and system."""
        return self.marker is None or self.marker.evaluate()


def pins(lock: Path) -> list[Pin]:
    """What a lock pins, in its order."""
    return [_pin(entry) for entry in _entries(lock.read_text(encoding="utf-8"))]


def _entries(text: str) -> Iterator[str]:
    whole = text.replace("\\\n", " ")
    yield from (line for line in whole.splitlines() if line.strip() and not line.startswith("#"))


def _pin(entry: str) -> Pin:
    said, *hashes = entry.split(" --hash=sha256:")
    requirement = Requirement(said.strip())
    (version,) = requirement.specifier
    digests = tuple(sorted(digest.strip() for digest in hashes))
    return Pin(canonicalize_name(requirement.name), version.version, requirement.marker, digests)
