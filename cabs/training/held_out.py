"""What the model writes about held-out rows while it is trained, scored by CABS on one rank."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import cabs
from cabs.io.jsontext import json_line
from cabs.io.output import file_output, write_bytes, writing
from cabs.matching import Settings
from cabs.metrics.intervals import Resampling
from cabs.rewards.adapters.trl import TrlReward
from cabs.rewards.completion import answer_of
from cabs.rewards.rules import rules_judge
from cabs.scoring.joined import joined
from cabs.training.outputs import EVALUATION, HELD_OUT
from cabs.values import ParsedReport

Text = Mapping[str, str]
"""`id`, `reference`, `completion`."""


class HeldOut:
    """The reward of a run, which keeps what it is shown while `open`."""

    def __init__(self, reward: TrlReward) -> None:
        self.reward, self.open = reward, False
        self.kept: list[Text] = []
        self.__name__ = reward.__name__

    def __call__(self, /, prompts: Any = None, completions: Any = None, **columns: Any) -> list[float | None]:
        """As the reward itself."""
        if self.open:
            for key, told, said in zip(columns["id"], columns["reference"], completions, strict=True):
                self.kept.append({"id": key, "reference": told, "completion": written(answer_of(said).text)})
        return self.reward(prompts, completions, **columns)

    def taken(self) -> list[Text]:
        """What was kept, which is then forgotten."""
        found, self.kept = self.kept, []
        return found


def written(text: str) -> str:
    """What a model wrote as a report's text: signs that none can have, of which an untrained model writes some, give
    way to the mark of a lost one.

    >>> written("a\\0b") == "a\\ufffdb"
    True
    """
    return text.encode("utf-8", "replace").decode("utf-8").replace("\0", "\ufffd")


def scored(texts: Sequence[Text], names: Sequence[str]) -> tuple[dict[str, float], str]:
    """The metrics by name, those that are defined alone, and the signature that they are under. Each row counts once,
    however many ranks have written about it."""
    once = {text["id"]: text for text in texts}
    pairs = [(_report(once[key]["reference"]), once[key]["completion"]) for key in sorted(once)]
    result = cabs.score(pairs, resampling=Resampling(n=0), keep=False)
    found = {name: result.scores[name] for name in names}
    return {name: value for name, value in found.items() if value is not None}, str(result.signature)


def _report(reference: str) -> str | ParsedReport:
    """A reference that holds facts as them; a text as it is."""
    if reference.lstrip()[:1] not in ("{", "["):
        return reference
    read = rules_judge(None, Settings(), None).reader.reference(reference)
    return joined(stated.report for stated in read.sections.values())


def write_evaluation(
    folder: Path, step: int, found: Mapping[str, float], signature: str, texts: Sequence[Text], *, whole: bool
) -> None:
    """Add a line of metrics, and with `whole` a line for each text, which `cabs rewards ... --by step` reads."""
    page = {"step": step, "rows": len({text["id"] for text in texts}), **found, "signature": signature}
    _add(folder / EVALUATION, [page])
    if whole:
        ordered = sorted({text["id"]: text for text in texts}.values(), key=lambda text: text["id"])
        _add(folder / HELD_OUT, [{"step": step, **text} for text in ordered])


def _add(path: Path, pages: Sequence[Mapping[str, Any]]) -> None:
    """Whole lines in one write, so that a run which is killed leaves none that is cut."""
    with writing(path), path.open("a", encoding="utf-8", newline="\n") as handle:
        handle.write("".join(json_line(page) + "\n" for page in pages))


def forget_after(folder: Path, step: int) -> None:
    """Drop the lines of steps that a run which goes on from `step` makes again."""
    for path in (folder / EVALUATION, folder / HELD_OUT):
        if path.is_file():
            lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
            kept = [line for line in lines if line.endswith("\n") and json.loads(line)["step"] <= step]
            with file_output(path) as beside:
                write_bytes(beside, "".join(kept).encode())
