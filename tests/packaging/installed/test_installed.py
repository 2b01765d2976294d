"""Run with the interpreter of an environment that holds only the wheel, from a folder outside the
checkout."""

from __future__ import annotations

import json
import subprocess
import sys
import sysconfig
from pathlib import Path

import cabs

CHECKOUT = Path(__file__).resolve().parents[3]
CABS = Path(sysconfig.get_path("scripts")) / "cabs"


def run(folder: Path, *arguments: str) -> str:
    result = subprocess.run([CABS, *arguments], cwd=folder, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    return result.stdout


def test_the_package_is_the_installed_one() -> None:
    assert not Path(cabs.__file__).is_relative_to(CHECKOUT / "cabs")


def test_it_knows_what_the_checkout_knows() -> None:
    assert cabs.load_ontology().content_hash == cabs.load_ontology(CHECKOUT / "ontology").content_hash


def test_the_demo_runs_and_leaves_results(tmp_path: Path) -> None:
    printed = run(tmp_path, "demo")
    assert "F1" in printed
    results = list(tmp_path.rglob("results.json"))
    assert results
    assert json.loads(results[0].read_text(encoding="utf-8"))


def test_a_site_has_its_scripts_and_notices(tmp_path: Path) -> None:
    run(tmp_path, "demo")
    results = next(tmp_path.rglob("results.json")).parent
    run(tmp_path, "leaderboard", str(results), "-o", "site")
    names = {path.name for path in (tmp_path / "site").iterdir()}
    assert {"index.html", "cases.html", "explorer.js", "board.css", "echarts.min.js", "echarts-LICENSE.txt"} <= names
    assert "ct-rate" in run(tmp_path, "benchmark", "list")


def test_every_command_has_help(tmp_path: Path) -> None:
    for command in ("parse", "score", "explain", "compare", "demo", "leaderboard", "ontology"):
        assert command in run(tmp_path, command, "--help")


def test_prompts_come_with_it() -> None:
    from cabs.llm.prompt import prompt

    for name in ("extract", "judge", "settle", "reword"):
        assert prompt(name).system


def test_without_openai_it_says_what_to_install(tmp_path: Path) -> None:
    (tmp_path / "r.txt").write_text("Ascites.")
    flags = [part for flag in ("base_url=http://localhost:9/v1", "model=m") for part in ("--llm", flag)]
    command = [sys.executable, "-m", "cabs", "parse", "r.txt", "--parser", "llm", *flags]
    result = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert result.returncode == 1
    assert "pip install 'cabs[llm]'" in result.stderr


def test_spacy_finds_the_components_by_name() -> None:
    import spacy

    nlp = spacy.blank("en")
    nlp.add_pipe("cabs_facts")
    assert nlp("There is a small right pleural effusion.")._.cabs_facts
