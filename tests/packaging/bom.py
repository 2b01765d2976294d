"""`make sbom`: a bill of materials of the wheel and its locked dependencies, as CycloneDX JSON. The same lock gives the
same bytes: it has no time in it, and its serial number is made of its content."""

from __future__ import annotations

import json
import re
import uuid
from importlib.metadata import PackageNotFoundError, requires
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from cabs.version import __version__
from tests.packaging.licences import dependencies
from tests.packaging.pins import CORE, Pin, pins

OWN = f"pkg:pypi/cabs@{__version__}"
CHARTS = "pkg:npm/echarts@{version}"
VENDOR = Path(__file__).resolve().parents[2] / "cabs" / "leaderboard" / "site" / "vendor" / "echarts"


def reference(pin: Pin) -> str:
    """The package URL of a pinned version."""
    return f"pkg:pypi/{pin.name}@{pin.version}"


def component(pin: Pin, licence: str) -> dict[str, Any]:
    """One dependency; where it is for some systems alone, that is said."""
    found: dict[str, Any] = {
        "type": "library",
        "bom-ref": reference(pin),
        "name": pin.name,
        "version": pin.version,
        "purl": reference(pin),
        "licenses": [{"license": {"name": licence}}],
    }
    files = [{"name": "cabs:file:sha256", "value": digest} for digest in pin.hashes]
    where = [] if pin.marker is None else [{"name": "cabs:marker", "value": str(pin.marker)}]
    return found | {"properties": where + files}


def charts() -> dict[str, Any]:
    """The charting library that comes with the wheel."""
    (version,) = set(re.findall(r'\.version="([0-9.]+)"', (VENDOR / "echarts.min.js").read_text(encoding="utf-8")))
    link = CHARTS.format(version=version)
    licence = [{"license": {"id": "Apache-2.0"}}]
    return {
        "type": "library",
        "bom-ref": link,
        "name": "echarts",
        "version": version,
        "purl": link,
        "licenses": licence,
    }


def asked(name: str) -> set[str]:
    """What a package asks for without extras; nothing is known of one that isn't installed."""
    try:
        said = requires(name) or []
    except PackageNotFoundError:
        return set()
    found = (Requirement(line) for line in said)
    return {canonicalize_name(one.name) for one in found if one.marker is None or "extra" not in str(one.marker)}


def bill() -> dict[str, Any]:
    """The whole bill."""
    locked, licences = pins(CORE), dependencies()
    links = [{"ref": OWN, "dependsOn": sorted(reference(p) for p in locked if p.name in asked("cabs"))}]
    for pin in locked:
        needs = sorted(reference(other) for other in locked if other.name in asked(pin.name))
        links.append({"ref": reference(pin), "dependsOn": needs})
    own = {"type": "application", "bom-ref": OWN, "name": "cabs", "version": __version__, "purl": OWN}
    content: dict[str, Any] = {
        "metadata": {"component": own | {"licenses": [{"license": {"id": "Apache-2.0"}}]}},
        "components": [*(component(pin, licences[pin.name]) for pin in locked), charts()],
        "dependencies": links,
    }
    serial = uuid.uuid5(uuid.NAMESPACE_URL, json.dumps(content, sort_keys=True))
    head = {"bomFormat": "CycloneDX", "specVersion": "1.6", "serialNumber": f"urn:uuid:{serial}", "version": 1}
    return head | content


if __name__ == "__main__":
    print(json.dumps(bill(), indent=2, ensure_ascii=False))  # noqa: T201
