"""A run that is killed again and again (SIGKILL), and what it asks for twice.

`python -m benchmarks.llm.kill [--reports 200] [--seed 0]`. `cabs parse --parser llm` is killed at drawn moments and
started again until it ends. An answer counts as finished once it is in the cache; none of these may be asked for again.
What was under way in the moment of a kill is asked for again, and is counted.
"""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

from benchmarks.llm.process import ROOT, Outside, outside
from benchmarks.llm.reports import write_reports
from cabs.llm.asking import asked, key_of
from cabs.llm.cache import Cache
from cabs.llm.fence import fenced
from cabs.llm.parser import LlmParser
from cabs.llm.server import Server
from cabs.ontology import load_ontology

CONCURRENCY = 8
LATENCY = 0.1
KILLS = 12


def killed(folder: Path, reports: int, seed: int = 0, kills: int = KILLS) -> dict[str, Any]:
    """Kill and start again; what came of it. `finished_again`: finished answers that were asked for again, which is to
    be 0; `under_way_again`: those that were lost with a kill; `lines`: of the file in the end."""
    texts = write_reports(folder / "reports.jsonl", reports)
    rng, again, rounds = Random(seed), 0, 0
    with outside(folder, LATENCY) as server:
        how = Server(server.base_url, "scripted", concurrency=CONCURRENCY, cache=folder / "answers.sqlite")
        done, ended = 0, False
        while not ended:
            finished = _finished(how, texts) if done else set()
            rounds += 1
            moment = None if rounds > kills else (rng.randrange(1, reports // kills + 1), rng.random() * LATENCY)
            ended = _run(folder, how, server, moment)
            again += sum(_text_of(said) in finished for said in server.served(done))
            done = server.entries()
        served = server.served()
    lines = (folder / "facts.jsonl").read_text(encoding="utf-8").splitlines()
    return {
        "reports": reports,
        "kills": rounds - 1,
        "answers": len(served),
        "finished_again": again,
        "under_way_again": len(served) - len({_text_of(said) for said in served}),
        "most_under_way": (rounds - 1) * CONCURRENCY,
        "lines": len(lines),
    }


def _run(folder: Path, how: Server, server: Outside, moment: tuple[int, float] | None) -> bool:
    """One run of the command, killed so many seconds after so many answers (None: not at all); whether it ended by
    itself."""
    flags = {"base_url": how.base_url, "model": how.model, "concurrency": how.concurrency, "cache": how.cache}
    command = [sys.executable, "-m", "cabs", "parse", str(folder / "reports.jsonl"), "-o", str(folder / "facts.jsonl")]
    command += ["--parser", "llm", *(part for name in flags for part in ("--llm", f"{name}={flags[name]}"))]
    before, errors = server.entries(), folder / "errors.txt"
    with errors.open("wb") as handle:
        run = subprocess.Popen(command, cwd=ROOT, stderr=handle)
        while moment is not None and run.poll() is None and server.entries() < before + moment[0]:
            time.sleep(0.002)
        if moment is not None and run.poll() is None:
            time.sleep(moment[1])
            os.kill(run.pid, signal.SIGKILL)
            run.wait()
            time.sleep(2 * LATENCY)  # what was under way is answered to nobody
            return False
        if run.wait():
            raise RuntimeError(errors.read_text(encoding="utf-8"))
    return True


def _finished(server: Server, texts: list[str]) -> set[str]:
    """The reports whose answers are kept."""
    asking = LlmParser(load_ontology(), server)
    cache = Cache(server.cache)
    try:
        (rung,) = {value for name, value in asking.items() if name == "rung"}
        questions = {text: asking.question(text) for text in texts}
        fields = {text: asked(server, question, rung, server.max_tokens) for text, question in questions.items()}
        keys = {text: key_of(server, questions[text], fields[text]) for text in texts}
        return {fenced(text).block for text in texts if cache.get(keys[text]) is not None}
    finally:
        cache.close()


def _text_of(said: str) -> str:
    """The fenced report of a question."""
    start = said.index("<report ", said.rindex("The code of this report"))
    return said[start : said.index("\n\nThe answer has this form", start)]


def main() -> None:
    """Kill, print what came of it; 1 where a finished answer was asked for again."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--reports", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        found = killed(Path(folder), args.reports, args.seed)
    print(Counter(found))
    raise SystemExit(int(found["finished_again"] > 0 or found["lines"] != found["reports"]))


if __name__ == "__main__":
    main()
