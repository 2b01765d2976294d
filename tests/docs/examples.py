"""The examples of a Markdown page, run as a reader would run them, in the order of the page.

- `python` blocks run one after the other in one namespace; a `text` block right after one is what it prints.
- `console` blocks hold commands (`$ cabs ...`), each followed by what it prints, and by `exit code N` where
  it has to fail.
- A block with a file name behind its language (`json pairs.jsonl`) is written to that file.

All of it happens in one empty folder. An expected line `...` stands for any number of lines, `...` within a
line for any words. `make readme` runs the same code and writes what is printed today into the page.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

BLOCK = re.compile(r"^```(?P<language>\w+)(?: (?P<file>\S+))?\n(?P<body>.*?)^```$", re.M | re.S)
EXIT = re.compile(r"^exit code ([1-9]\d*)$", re.M)
OUTPUT_FOLLOWS = re.compile(r"\n+```text\n(?P<body>.*?)^```$", re.M | re.S)


@dataclass(slots=True)
class Page:
    """A page, and the folder and namespace that its examples share."""

    text: str
    folder: Path
    namespace: dict[str, object] = field(default_factory=lambda: {"__name__": "__readme__"})
    problems: list[str] = field(default_factory=list)

    def run(self) -> str:
        """Run every block; the page with today's output in place of what it says, problems collected."""
        pieces, at = [], 0
        for block in BLOCK.finditer(self.text):
            if block.start() < at:
                continue
            pieces.append(self.text[at : block.start()])
            at = block.end()
            if block["file"]:
                file = self.folder / block["file"]
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(block["body"], encoding="utf-8")
                pieces.append(block[0])
            elif block["language"] == "console":
                pieces.append(f"```console\n{self._console(block['body'])}```")
            elif block["language"] == "python":
                expected = OUTPUT_FOLLOWS.match(self.text, block.end())
                printed = self._python(block["body"])
                pieces.append(block[0])
                if expected:
                    at = expected.end()
                    pieces.append(f"\n\n```text\n{self._settle(block['body'], expected['body'], printed)}```")
            else:
                pieces.append(block[0])
        return "".join([*pieces, self.text[at:]])

    def _python(self, code: str) -> str:
        printed = io.StringIO()
        with contextlib.chdir(self.folder), contextlib.redirect_stdout(printed):
            exec(compile(code, "<example>", "exec"), self.namespace)
        return printed.getvalue()

    def _console(self, body: str) -> str:
        out = []
        for command, expected in re.findall(r"^\$ (.*(?:\\\n.*)*)\n((?:(?!\$ ).*\n)*)", body, re.M):
            code = EXIT.search(expected)
            printed = self.command(command, int(code[1]) if code else 0)
            out.append(f"$ {command}\n{self._settle(command, expected, printed)}")
        return "".join(out)

    def command(self, command: str, code: int = 0) -> str:
        """What a command prints, and its exit code if it is not 0; another one than this is a problem."""
        path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
        environment = {**os.environ, "PATH": path, "COLUMNS": "110", "NO_COLOR": "1", "TERM": "dumb"}
        words = shlex.split(command.replace("\\\n", " "))
        result = subprocess.run(words, cwd=self.folder, env=environment, capture_output=True, text=True, check=False)
        if result.returncode != code:
            self.problems.append(f"$ {command}\nexit {result.returncode}: {result.stderr}")
        return result.stdout + (f"exit code {result.returncode}\n" if code else "")

    def _settle(self, what: str, expected: str, printed: str) -> str:
        """The expected text where it fits; else today's output, with a problem noted."""
        if fits(expected, printed):
            return expected
        self.problems.append(f"{what}\nexpected:\n{expected}\nprinted:\n{printed}")
        return refreshed(expected, printed)


def squeezed(text: str) -> list[str]:
    """Lines without outer and repeated spaces, empty ones left out."""
    return [" ".join(line.split()) for line in text.splitlines() if line.strip()]


def fits(expected: str, printed: str) -> bool:
    """Whether a text says what was expected, spacing aside; `...` is any words, alone any number of lines."""
    lines = (re.escape(line).replace(r"\.\.\.", ".*") for line in squeezed(expected))
    parts = ["(?:.*\n)*?" if line == ".*" else f"{line}\n" for line in lines]
    return re.fullmatch("".join(parts), "".join(f"{line}\n" for line in squeezed(printed))) is not None


def refreshed(expected: str, printed: str) -> str:
    """Today's output, shortened after as many lines as the page showed before `...`."""
    lines = [line.rstrip() for line in printed.rstrip("\n").splitlines()]
    shown = expected.splitlines()
    if "..." in shown:
        lines = [*lines[: shown.index("...")], "..."]
    return "".join(f"{line}\n" for line in lines)
