"""How long a leaderboard takes to build, and how soon its explorer shows something, in a real browser.

`make leaderboard-speed RUNS=pairs.jsonl`: RUNS are pairs of several systems (their texts can't be shipped; only figures
are stored). The explorer is measured on 5,000 cases of two systems made of the shipped generated reports.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, sync_playwright

from benchmarks import store

TEXTS = Path(__file__).parent / "data" / "synthrad_ct.jsonl"
CASES, SYSTEMS = 5000, 2
TRIES = 5
MOST_SECONDS = {"build": 60.0, "first_view": 2.0}
"""What has to be reached."""
SERIOUS = ("serious", "critical")
FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update",
    "--disable-sync", "--no-first-run",
)  # fmt: skip
SCHEMES = ("light", "dark")
SEARCHED = "spiculated"

Figures = dict[str, Any]


def cabs(folder: Path, *args: str) -> float:
    """Seconds that a command takes, start-up and all."""
    begun = time.perf_counter()
    subprocess.run([sys.executable, "-m", "cabs", *args], cwd=folder, check=True, capture_output=True)
    return time.perf_counter() - begun


def built(pairs: Path, folder: Path) -> Figures:
    """Scoring and building, in seconds."""
    scored = cabs(folder, "score", str(pairs.resolve()), "-o", "results")
    board = cabs(folder, "leaderboard", "results", "-o", "site")
    page = json.loads((folder / "site" / "leaderboard.json").read_text(encoding="utf-8"))
    found = {"score_s": round(scored, 2), "leaderboard_s": round(board, 2), "build_s": round(scored + board, 2)}
    return {"systems": len(page["systems"]), "reports": page["reports"], **found}


def synthetic(folder: Path) -> Path:
    """Pairs of generated reports: every case has a text of its own (the id stands in it), and a prediction that belongs
    to another report."""
    texts = [json.loads(line)["report"] for line in TEXTS.read_text(encoding="utf-8").splitlines()]
    with (folder / "cases.jsonl").open("w", encoding="utf-8", newline="\n") as handle:
        for row in _rows(texts):
            handle.write(json.dumps(row) + "\n")
    return folder / "cases.jsonl"


def _rows(texts: list[str]) -> Iterator[dict[str, str]]:
    for system in range(SYSTEMS):
        for n in range(CASES):
            reference, prediction = texts[n % len(texts)], texts[(n + 2 * system + 1) % len(texts)]
            yield {
                "id": f"case-{n:04}",
                "system": f"system-{system}",
                "reference": f"Study {n}. {reference}",
                "prediction": f"Study {n}. {prediction}",
            }


def looked_at(browser: Browser, site: Path) -> Figures:
    """Seconds until the explorer shows its first case, each time in an empty profile; then of a filter and of the first
    search through all texts."""
    shown, painted = [], []
    for _ in range(TRIES):
        context = browser.new_context()
        page = context.new_page()
        begun = time.perf_counter()
        page.goto(f"file://{site / 'cases.html'}")
        page.wait_for_selector("#case[data-shown] .side", timeout=60_000)
        shown.append(time.perf_counter() - begun)
        painted.append(page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime / 1000"))
        context.close()
    page = browser.new_page()
    page.goto(f"file://{site / 'cases.html'}")
    page.wait_for_selector("#case[data-shown] .side")
    filtered = page.evaluate(
        "() => { const begun = performance.now(); const error = document.getElementById('error');"
        " error.value = 'mark:missed'; error.dispatchEvent(new Event('change'));"
        " document.getElementById('list').clientHeight; return (performance.now() - begun) / 1000; }"
    )
    page.locator("#clear").click()
    begun = time.perf_counter()
    page.locator("#search").fill(SEARCHED)
    page.wait_for_selector("#count:has-text('reading')", timeout=60_000)
    page.wait_for_selector("#count:has-text('cases')", timeout=120_000)
    searched = time.perf_counter() - begun
    page.close()
    return {
        "cases": CASES,
        "systems": SYSTEMS,
        "first_view_s": [round(s, 3) for s in sorted(shown)],
        "first_view_median_s": round(statistics.median(shown), 3),
        "first_contentful_paint_median_s": round(statistics.median(painted), 3),
        "filter_s": round(filtered, 3),
        "first_search_s": round(searched, 3),
        "site_mb": round(sum(path.stat().st_size for path in site.iterdir()) / 1e6, 1),
    }


def violations(browser: Browser, site: Path) -> Figures:
    """axe's violations by impact, over every kind of page in light and dark."""
    found: dict[str, int] = {}
    pages = ("index.html", "cases.html", next(site.glob("system-*.html")).name)
    for scheme in SCHEMES:
        for name in pages:
            page = browser.new_page(color_scheme="light" if scheme == "light" else "dark")
            page.goto(f"file://{site / name}")
            page.wait_for_selector("body[data-ready=yes]")
            for violation in Axe().run(page, options={"preload": False}).response["violations"]:
                found[violation["impact"]] = found.get(violation["impact"], 0) + 1
            page.close()
    return {"pages": len(pages) * len(SCHEMES), "violations": dict(sorted(found.items()))}


def main() -> int:
    """Measure, print and store; 1 where something that has to be reached isn't."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("runs", type=Path, help="pairs of several systems on the same references")
    parser.add_argument("--check", action="store_true", help="store nothing")
    given = parser.parse_args()
    chromium = os.environ.get("CHROMIUM") or shutil.which("chromium")
    with tempfile.TemporaryDirectory() as place, sync_playwright() as playwright:
        folder = Path(place)
        figures: Figures = {"build": built(given.runs, folder)}
        (folder / "many").mkdir()
        cases = synthetic(folder / "many")
        cabs(folder / "many", "score", cases.name, "-o", "results", "--draws", "200")
        board = cabs(folder / "many", "leaderboard", "results", "-o", "site")
        browser = playwright.chromium.launch(executable_path=chromium, args=[*FLAGS])
        figures["explorer"] = {"leaderboard_s": round(board, 2), **looked_at(browser, folder / "many" / "site")}
        figures["axe"] = violations(browser, folder / "site")
        figures["browser"] = browser.version.partition(".")[0]
        browser.close()
    print(json.dumps(figures, indent=1))
    if not given.check:
        print(store.save("leaderboard-local", figures))
    return 0 if reached(figures) else 1


def reached(figures: Figures) -> bool:
    """Whether the figures are within `MOST_SECONDS`, and no violation is serious."""
    quick = figures["build"]["build_s"] < MOST_SECONDS["build"]
    soon = max(figures["explorer"]["first_view_s"]) < MOST_SECONDS["first_view"]
    return quick and soon and not any(impact in SERIOUS for impact in figures["axe"]["violations"])


if __name__ == "__main__":
    raise SystemExit(main())
