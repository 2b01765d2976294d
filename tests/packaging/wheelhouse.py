"""`make wheelhouse`: the wheel of this checkout and all that it needs, in one folder, for a machine without an index.

The dependencies are those of .ci/core.txt, checked against its hashes. `--platform` and `--python` fill it for another
machine than this one.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path

from tests.packaging.pins import CORE, ROOT

PIP = (sys.executable, "-m", "pip", "--disable-pip-version-check")
TAGS = {
    "linux": tuple(f"manylinux{age}_x86_64" for age in ("_2_28", "_2_27", "2014", "_2_17", "1")),
    "windows": ("win_amd64",),
    "macos": (*(f"macosx_{age}_0_arm64" for age in (14, 13, 12, 11)), "macosx_10_9_universal2"),
}
"""The tags of wheels that run on a system, newest first."""


def fill(folder: Path, system: str | None, python: str | None) -> None:
    """Put everything into a folder."""
    build = [sys.executable, "-m", "build", "--no-isolation", "--wheel", "--outdir", str(folder), str(ROOT)]
    subprocess.run(build, check=True, stdout=subprocess.DEVNULL)
    elsewhere = [part for tag in TAGS.get(system or "", ()) for part in ("--platform", tag)]
    elsewhere += ["--python-version", python] if python else []
    command = [*PIP, "download", "--quiet", "--no-deps", "--only-binary", ":all:", "--require-hashes", *elsewhere]
    subprocess.run([*command, "--dest", str(folder), "--requirement", str(CORE)], check=True)


def main() -> None:
    """Fill the folder that is named."""
    parser = argparse.ArgumentParser(description="Fill a folder with the wheel and all that it needs.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--platform", choices=TAGS, help="another system than this one")
    parser.add_argument("--python", help="another Python than this one, as 3.12")
    said = parser.parse_args()
    if said.platform and not said.python:
        parser.error("--platform needs --python, as in --python 3.12")
    fill(said.folder, said.platform, said.python)


if __name__ == "__main__":
    main()
