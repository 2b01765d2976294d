"""The data of a run and a model that has learnt nothing, in a folder: all of it from a seed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

from benchmarks.divergence.plan import Part, Plan
from benchmarks.divergence.scan import draw
from benchmarks.divergence.world import World
from benchmarks.divergence.writing import report

CHAT = (
    "{% for message in messages %}{% if message['role'] == 'user' %}<scan>{{ message['content'] }}"
    "{% else %}<report>{{ message['content'] }}<end>{% endif %}{% endfor %}"
    "{% if add_generation_prompt %}<report>{% endif %}"
)
SPECIAL = ("<pad>", "<unk>", "<scan>", "<report>", "<end>")
WORD = r"</?\w+>| ?[\w\-]+|[^\w\s]|\s"


def rows(world: World, part: Part, number: int, seed: int) -> Iterator[dict[str, Any]]:
    """Scans with their reports. Held-out scans are the same for every seed."""
    drawn = "all" if part == "eval" else str(seed)
    for at in range(number):
        rng = Random(f"{part} {drawn} {at}")
        scan = draw(world, rng)
        told = report(world, scan.truth, rng)
        yield {"id": f"{part}{at}", "scan": scan.tokens, "reference": told, "truth": json.dumps(sorted(scan.truth))}


def make(folder: Path, world: World, plan: Plan, seed: int) -> None:
    """Write sft.jsonl, train.jsonl, eval.jsonl and model/ into a folder, unless they are there."""
    if (folder / "model" / "config.json").is_file():
        return
    folder.mkdir(parents=True, exist_ok=True)
    written = {part: list(rows(world, part, number, seed)) for part, number in plan.rows.items()}
    for part, told in written.items():
        text = "".join(json.dumps(row) + "\n" for row in told)
        (folder / f"{part}.jsonl").write_text(text, encoding="utf-8", newline="\n")
    words = [str(row[name]) for told in written.values() for row in told for name in ("scan", "reference")]
    tokenizer = _tokenizer(words)
    tokenizer.save_pretrained(folder / "model")
    _model(plan, tokenizer, seed).save_pretrained(folder / "model")


def _tokenizer(texts: list[str]) -> Any:
    """Whole words, each with the space before it, so that texts come back as they were."""
    from tokenizers import Regex, Tokenizer, decoders, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast

    pieces = pre_tokenizers.Split(Regex(WORD), "isolated")
    words = sorted({word for text in texts for word, _ in pieces.pre_tokenize_str(text)})
    known = {word: at for at, word in enumerate((*SPECIAL, *words))}
    inner = Tokenizer(models.WordLevel(known, unk_token="<unk>"))
    inner.pre_tokenizer, inner.decoder = pieces, decoders.Fuse()
    made = PreTrainedTokenizerFast(
        tokenizer_object=inner,
        pad_token="<pad>",
        unk_token="<unk>",
        eos_token="<end>",
        extra_special_tokens=["<scan>", "<report>"],
    )
    made.chat_template = CHAT
    return made


def _model(plan: Plan, tokenizer: Any, seed: int) -> Any:
    import torch
    from transformers import LlamaConfig, LlamaForCausalLM
    from transformers.utils import logging

    logging.disable_progress_bar()
    torch.manual_seed(seed)
    config = LlamaConfig(
        **plan.model,
        vocab_size=len(tokenizer),
        eos_token_id=tokenizer.eos_token_id,
        pad_token_id=tokenizer.pad_token_id,
        bos_token_id=None,
        tie_word_embeddings=True,
    )
    return LlamaForCausalLM(config)
