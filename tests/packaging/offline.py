"""`make test-offline`: a wheelhouse, then a fresh environment without a network: installed from it, the demo run, the
shipped examples held to their digests, and the time taken."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import time
import venv
from pathlib import Path

from cabs.version import __version__

LIMIT = 120.0
"""Seconds of processor time from the empty environment to the end of the demo; on a machine that does nothing else the
clock says about the same."""
NOWHERE = "http://127.0.0.1:9"
"""A proxy that isn't there, where a process can't be cut off from the network."""


def cut_off() -> list[str]:
    """What is put before a command to take the network from it; nothing where the system has no such command."""
    prefix = ["unshare", "--net"]
    if shutil.which("unshare") and subprocess.run([*prefix, "true"], capture_output=True, check=False).returncode == 0:
        return prefix
    return []


def environment(house: Path) -> dict[str, str]:
    """The variables of a process that has nothing but the wheelhouse."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PIP_", "PYTHON"))}
    proxies = dict.fromkeys(("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"), NOWHERE)
    return kept | proxies | {"PIP_CONFIG_FILE": os.devnull, "PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(house)}


def main(house: Path) -> int:
    """Install, run and time it; 1 where it takes more than the limit."""
    prefix, variables = cut_off(), environment(house.resolve())
    print("network:", "cut off by " + " ".join(prefix) if prefix else f"proxies at {NOWHERE}")  # noqa: T201
    with tempfile.TemporaryDirectory() as folder:
        place, start = Path(folder), time.perf_counter()
        venv.create(place / "env", with_pip=True)
        bin = Path(sysconfig.get_path("scripts", "venv", {"base": str(place / "env")}))
        for command in (
            [
                str(bin / "python"),
                "-m",
                "pip",
                "install",
                "--quiet",
                "--disable-pip-version-check",
                f"cabs=={__version__}",
            ],
            [str(bin / "cabs"), "demo", "--workers", "1"],
            [str(bin / "cabs"), "demo", "--check"],
        ):
            began = time.perf_counter()
            subprocess.run([*prefix, *command], cwd=place, env=variables, check=True, stdout=subprocess.DEVNULL)
            print(f"{Path(command[0]).name} {' '.join(command[1:4])} ...: {time.perf_counter() - began:.0f} s")  # noqa: T201
        taken = time.perf_counter() - start
    spent = sum(os.times()[2:4])
    print(f"all: {spent:.0f} s of processor time (limit {LIMIT:.0f} s), {taken:.0f} s by the clock")  # noqa: T201
    return int(spent > LIMIT)


if __name__ == "__main__":
    raise SystemExit(main(Path(sys.argv[1])))
