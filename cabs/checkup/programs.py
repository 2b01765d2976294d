"""Programs and devices beside Python that some part of CABS uses → where they are."""

from __future__ import annotations

import os
from dataclasses import dataclass
from shutil import which

JAVA = "a Java runtime, 8 or newer (apt-get install default-jre-headless)"
CHROMIUM = "chromium", "chromium-browser", "google-chrome"


@dataclass(frozen=True, slots=True)
class Program:
    """What it is called, what uses it, where it is (None: not found), and how it comes."""

    name: str
    purpose: str
    place: str | None
    install: str


def programs() -> tuple[Program, ...]:
    """Those that CABS can use. Looks, and starts none of them."""
    browser = os.environ.get("CHROMIUM") or next(filter(None, map(which, CHROMIUM)), None)
    return (
        Program("java", "METEOR, CIDEr over treebank words", which("java"), JAVA),
        Program("chromium", "make test-web", browser, "apt-get install chromium, or CHROMIUM=path"),
        Program("nvidia-smi", "a GPU for cabs train", which("nvidia-smi"), "the driver of the GPU's maker"),
    )
