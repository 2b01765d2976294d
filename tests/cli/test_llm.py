"""The LLM backend as a user calls it: settings from flags, environment and file; accounts and failures on stderr."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks.llm.server import Act, Scripted, honest

PAIRS = [
    {"id": "a1", "reference": "Small left pleural effusion. No pneumothorax.", "prediction": "Small left effusion."},
    {"id": "a2", "reference": "The liver is enlarged.", "prediction": "Hepatomegaly. Moderate ascites."},
]


@pytest.fixture
def server() -> Iterator[Scripted]:
    with Scripted(honest()) as scripted:
        yield scripted


@pytest.fixture
def file(tmp_path: Path) -> str:
    (tmp_path / "p.jsonl").write_text("".join(json.dumps(pair) + "\n" for pair in PAIRS))
    return "p.jsonl"


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in [name for name in os.environ if name.startswith("CABS_LLM")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "caches"))


def flags(server: Scripted, *more: str) -> list[str]:
    settings = (f"base_url={server.base_url}", "model=m", *more)
    return [part for setting in settings for part in ("--llm", setting)]


def test_the_parser_gives_what_the_rules_give(cabs, file: str, server: Scripted, tmp_path: Path) -> None:
    mine = cabs("score", file, "--draws", "0", "--json", "--parser", "llm", *flags(server))
    rules = cabs("score", file, "--draws", "0", "--json")
    assert mine.returncode == 0, mine.stderr
    assert json.loads(mine.stdout)["systems"] == json.loads(rules.stdout)["systems"]
    assert "|parser:llm|" in json.loads(mine.stdout)["signature"]
    assert mine.stderr.startswith("LLM: 4 calls, 0 from the cache; 400 tokens in, 80 out")
    again = cabs("score", file, "--draws", "0", "--json", "--parser", "llm", *flags(server))
    assert again.stdout == mine.stdout
    assert "0 calls, 4 from the cache" in again.stderr
    assert (tmp_path / "caches" / "cabs" / "llm.sqlite").is_file()


def test_the_judge_and_the_cost(cabs, file: str, server: Scripted) -> None:
    run = cabs(
        "score", file, "--draws", "0", "--matcher", "llm", *flags(server, "price_in=10", "price_out=100"), "-o", "out"
    )
    assert run.returncode == 0, run.stderr
    assert "cost 0.0060" in run.stderr
    assert "matcher:llm" in run.stdout
    told = cabs("explain", file, "--id", "a2", "--matcher", "llm", *flags(server))
    assert "not in the reference" in told.stdout


def test_settings_come_from_flags_then_environment_then_file(
    cabs, file: str, server: Scripted, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "llm.yaml").write_text(f"base_url: {server.base_url}\nmodel: of-file\nkey: k1\ncache: mine.sqlite\n")
    run = ["parse", "r.txt", "--parser", "llm", "--llm-config", "llm.yaml"]
    (tmp_path / "r.txt").write_text("Small left pleural effusion.")
    assert cabs(*run).returncode == 0
    assert (server.requests[-1]["model"], "Bearer k1" in server.headers[-1]) == ("of-file", True)
    assert (tmp_path / "mine.sqlite").is_file()
    monkeypatch.setenv("CABS_LLM_MODEL", "of-environment")
    monkeypatch.setenv("CABS_LLM_API_KEY", "k2")
    assert cabs(*run).returncode == 0
    assert (server.requests[-1]["model"], "Bearer k2" in server.headers[-1]) == ("of-environment", True)
    assert cabs(*run, "--llm", "model=of-flag").returncode == 0
    assert server.requests[-1]["model"] == "of-flag"


def test_without_text_nothing_is_kept_unless_a_cache_is_named(
    cabs, file: str, server: Scripted, tmp_path: Path
) -> None:
    run = ["score", file, "--draws", "0", "--no-text", "--parser", "llm"]
    assert cabs(*run, *flags(server)).returncode == 0
    assert not (tmp_path / "caches").exists()
    assert cabs(*run, *flags(server, "cache=c.sqlite")).returncode == 0
    assert (tmp_path / "c.sqlite").is_file()


def test_failures_are_told_and_unscored(cabs, file: str, server: Scripted) -> None:
    server.script = lambda body, _n: Act("no idea") if "Hepatomegaly" in str(body) else honest()(body, _n)
    run = cabs("score", file, "--draws", "0", "--json", "--parser", "llm", *flags(server))
    (system,) = json.loads(run.stdout)["systems"]
    assert (run.returncode, system["scored"], [u["id"] for u in system["unscored"]]) == (0, 1, ["a2"])
    assert "1 questions without an answer (1 refused)" in run.stderr
    assert "1 pair is unscored: a2" in run.stderr


def test_reports_without_an_answer_have_no_line(cabs, server: Scripted, tmp_path: Path) -> None:
    server.script = lambda body, _n: Act("no idea") if "Hepatomegaly" in str(body) else honest()(body, _n)
    rows = [{"id": "1", "report": "Hepatomegaly."}, {"id": "2", "report": "Ascites."}]
    (tmp_path / "r.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    run = cabs("parse", "r.jsonl", "--parser", "llm", *flags(server))
    assert [json.loads(line)["id"] for line in run.stdout.splitlines()] == ["2"]
    assert "1 of 2 reports have no line, for their parser failed: 1 (" in run.stderr


def test_repeated_runs(cabs, server: Scripted, tmp_path: Path) -> None:
    (tmp_path / "r.jsonl").write_text(json.dumps({"id": "1", "report": "Ascites."}) + "\n")
    run = cabs("audit", "consistency", "r.jsonl", "--runs", "3", "--json", "--draws", "0", *flags(server))
    told = json.loads(run.stdout)
    assert (told["runs"], told["reports"], told["shares"]["two_or_more"]["value"]) == (3, 1, 0.0)
    assert run.stderr.count("LLM: 1 calls") == 3


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["--parser", "lmm"], "there is no parser 'lmm'"),
        (["--matcher", "judge"], "there is no matcher 'judge'"),
        (["--parser", "llm"], "base_url is not set"),
        (["--parser", "llm", "--llm", "modle=x"], "did you mean 'model'?"),
        (["--parser", "llm", "--llm", "base_url=http://h/v1"], "model is not set"),
        (["--parser", "llm", "--llm", "base_url=h", "--llm", "model=m"], "no address of a server"),
        (["--llm", "model=m"], "no LLM is asked"),
        (["--task", "mcq", "--parser", "llm"], "--task mcq does not take it"),
    ],
)
def test_slips_are_met_before_any_work(cabs, file: str, args: list[str], said: str) -> None:
    run = cabs("score", file, *args)
    assert run.returncode == 2
    assert said in run.stderr
    assert "Traceback" not in run.stderr


def test_a_server_that_is_not_there(cabs, file: str) -> None:
    run = cabs(
        "score", file, "--parser", "llm", "--llm", "base_url=http://127.0.0.1:9/v1", "--llm", "model=m", "-o", "out"
    )
    assert run.returncode == 1
    assert "is it running, and is this its address?" in run.stderr
    assert run.stdout == ""


@pytest.mark.parametrize("command", ["score p.jsonl --draws 0 --matcher llm", "parse r.jsonl --parser llm"])
def test_a_command_without_any_answer_fails(cabs, file: str, server: Scripted, tmp_path: Path, command: str) -> None:
    (tmp_path / "r.jsonl").write_text(json.dumps({"id": "1", "report": "Hepatomegaly."}) + "\n")
    server.script = lambda *_: Act(status=500, body="")
    run = cabs(*command.split(), *flags(server, "retries=0", "rung=text"))
    assert run.returncode == 1
    assert "no question got a usable answer" in run.stderr
    assert "may go well later" in run.stderr
