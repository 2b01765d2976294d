"""Sites as a reader has them: built by the command line, opened from the disk by a real browser."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from tests.web.texts import PAIRS

CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update",
    "--disable-sync", "--no-first-run",
)  # fmt: skip
PATIENCE = 20_000
"""Milliseconds that a test waits for what it waits for; the machine may be busy."""


def cabs(folder: Path, *args: str) -> subprocess.CompletedProcess[str]:
    """`cabs ARGS` in a folder, which has to end well."""
    command = [sys.executable, "-m", "cabs", *args]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done


def lines(path: Path, rows: list[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BrowserContext]:
    """Debian's chromium with an empty profile."""
    assert CHROMIUM, "there is no chromium: apt-get install chromium, or CHROMIUM=path"
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=CHROMIUM, args=[*FLAGS])
        yield started
        started.close()


def ready(page: Page) -> None:
    """Wait until the scripts of a page are done."""
    page.wait_for_selector("body[data-ready=yes]", timeout=PATIENCE)


@dataclass
class Reader:
    """A page in a browser, and what went wrong in it."""

    page: Page
    complaints: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)

    def open(self, file: Path, fragment: str = "") -> Page:
        """Open a page and wait until its scripts are done."""
        self.page.goto("about:blank")
        self.page.goto(f"file://{file}{fragment}")
        ready(self.page)
        return self.page

    def check(self) -> None:
        """Nothing complained, and nothing outside the disk was asked for."""
        assert self.complaints == []
        assert [url for url in self.requests if not url.startswith(("file://", "about:", "data:"))] == []


@pytest.fixture
def reader(browser: Browser) -> Iterator[Callable[..., Reader]]:
    """Makes readers: `reader(color_scheme="dark", viewport={...})`; each is checked at the end."""
    made: list[tuple[BrowserContext, Reader]] = []

    def make(**how: Any) -> Reader:
        context = browser.new_context(**{"viewport": {"width": 1280, "height": 900}, **how})
        context.set_default_timeout(PATIENCE)
        found = Reader(context.new_page())
        found.page.on("console", lambda m: found.complaints.append(m.text) if m.type in ("error", "warning") else None)
        found.page.on("pageerror", lambda error: found.complaints.append(str(error)))
        found.page.on("dialog", lambda dialog: (found.complaints.append(dialog.message), dialog.dismiss()))
        found.page.on("request", lambda request: found.requests.append(request.url))
        made.append((context, found))
        return found

    yield make
    for context, found in made:
        found.check()
        context.close()


@pytest.fixture(scope="session")
def work(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the pairs, their results, and a site of them."""
    folder = tmp_path_factory.mktemp("web")
    lines(folder / "pairs.jsonl", PAIRS)
    cabs(folder, "score", "pairs.jsonl", "-o", "results")
    cabs(folder, "leaderboard", "results", "-o", "site", "--title", "Three systems")
    return folder


@pytest.fixture(scope="session")
def site(work: Path) -> Path:
    """The site."""
    return work / "site"
