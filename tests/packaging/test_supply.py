"""What comes with CABS: locked with hashes, licensed, listed; the lists are those of the lock."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from packaging.version import Version

from tests.packaging import licences
from tests.packaging.bom import bill
from tests.packaging.oldest import declared, oldest
from tests.packaging.pins import CORE, DEV, ROOT, Pin, pins


def for_python(found: list[Pin], python: str, system: str) -> dict[str, Pin]:
    """What of a lock is for a machine."""
    where = {"python_full_version": f"{python}.0", "python_version": python, "sys_platform": system}
    return {pin.name: pin for pin in found if pin.marker is None or pin.marker.evaluate(where)}


@pytest.mark.parametrize("lock", [CORE, DEV], ids=lambda path: path.name)
def test_a_lock_pins_each_file_and_names_no_index(lock: Path) -> None:
    assert all(pin.hashes and all(re.fullmatch(r"[0-9a-f]{64}", digest) for digest in pin.hashes) for pin in pins(lock))
    assert "://" not in lock.read_text(encoding="utf-8")
    assert "index" not in re.sub(r"#.*|importlib\S*", "", lock.read_text(encoding="utf-8"))


@pytest.mark.parametrize("system", ["linux", "darwin", "win32"])
@pytest.mark.parametrize("python", ["3.11", "3.12", "3.13"])
def test_the_locks_cover_what_is_declared(python: str, system: str) -> None:
    for lock, wanted in ((CORE, declared()), (DEV, declared() + declared("dev"))):
        locked = for_python(pins(lock), python, system)
        for requirement in wanted:
            name = requirement.name.lower()
            assert requirement.specifier.contains(locked[name].version), f"{lock.name}: run make lock ({requirement})"


def test_both_locks_have_the_same_versions() -> None:
    core = {(pin.name, pin.version) for pin in pins(CORE)}
    assert core <= {(pin.name, pin.version) for pin in pins(DEV)}


def test_the_oldest_versions_are_those_declared() -> None:
    found = dict(line.split("==") for line in oldest())
    assert set(found) == {requirement.name for requirement in declared()}
    assert all(Version(version) for version in found.values())


def test_the_page_of_licences_is_complete() -> None:
    page = licences.PAGE.read_text(encoding="utf-8")
    listed = licences.known()
    assert {pin.name for pin in pins(CORE)} <= set(listed), "run make licences"
    assert set(licences.sources()) <= set(listed)
    assert {name: listed[name] for name in licences.sources()} == licences.sources()
    assert all(licence.strip() and "unknown" not in licence.lower() for licence in listed.values())
    assert page.startswith(licences.HEAD)


def test_the_bill_lists_what_is_locked_and_is_the_same_twice() -> None:
    made = bill()
    names = {(one["name"], one["version"]) for one in made["components"]}
    assert names == {(pin.name, pin.version) for pin in pins(CORE)} | {("echarts", made["components"][-1]["version"])}
    known = {one["bom-ref"] for one in made["components"]} | {made["metadata"]["component"]["bom-ref"]}
    assert {ref for link in made["dependencies"] for ref in (link["ref"], *link["dependsOn"])} <= known
    command = [sys.executable, "-m", "tests.packaging.bom"]
    printed = subprocess.run(command, cwd=ROOT, capture_output=True, check=True).stdout
    assert json.loads(printed) == made
    assert b"timestamp" not in printed
