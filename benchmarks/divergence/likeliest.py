"""What a model writes about the held-out scans where it takes the likeliest word each time, and does not draw."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

LONGEST = 80
"""Words of a text at most."""


def likeliest(model: Path, rows: Sequence[Mapping[str, str]], kept: Path) -> list[dict[str, str]]:
    """`id`, `reference` and `completion` of every row; kept in a file, and read from it the next time."""
    if not kept.is_file():
        told = _written(model, [row["scan"] for row in rows])
        pages = [{**_kept(row), "completion": text} for row, text in zip(rows, told, strict=True)]
        beside = kept.with_suffix(".tmp")
        beside.write_text("".join(json.dumps(page) + "\n" for page in pages), encoding="utf-8", newline="\n")
        beside.replace(kept)
    return [json.loads(line) for line in kept.read_text(encoding="utf-8").splitlines()]


def _kept(row: Mapping[str, str]) -> dict[str, str]:
    return {name: row[name] for name in ("id", "reference")}


def _written(model: Path, scans: Sequence[str]) -> list[str]:
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    tokenizer: Any = AutoTokenizer.from_pretrained(model, padding_side="left")
    loaded: Any = AutoModelForCausalLM.from_pretrained(model)
    asked = [[{"role": "user", "content": scan}] for scan in scans]
    batch = tokenizer.apply_chat_template(
        asked, add_generation_prompt=True, padding=True, return_tensors="pt", return_dict=True
    )
    known = {name: batch[name] for name in ("input_ids", "attention_mask")}
    with torch.no_grad():
        made = loaded.generate(**known, do_sample=False, max_new_tokens=LONGEST)
    return [tokenizer.decode(one, skip_special_tokens=True) for one in made[:, batch["input_ids"].shape[1] :]]
