"""A temperature for evaluations that is not the trainer's."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from transformers import GenerationConfig


def decoded(keys: Mapping[str, Any], temperature: float) -> dict[str, Any]:
    """Keys of a generation at another temperature; at 0 every token is the likeliest one, without a key of sampling."""
    if temperature:
        return {**keys, "do_sample": True, "temperature": temperature}
    sampling = ("temperature", "top_k", "top_p", "min_p")
    return {**{key: value for key, value in keys.items() if key not in sampling}, "do_sample": False}


@contextmanager
def at_temperature(trainer: Any, temperature: float | None) -> Iterator[None]:
    """Let a trainer of TRL write at a temperature within the block, with transformers or with vLLM; None leaves it."""
    changed = [] if temperature is None else _changed(trainer, temperature)
    before = [(owner, name, getattr(owner, name)) for owner, name, _ in changed]
    try:
        for owner, name, value in changed:
            setattr(owner, name, value)
        yield
    finally:
        for owner, name, value in before:
            setattr(owner, name, value)


def _changed(trainer: Any, temperature: float) -> list[tuple[Any, str, Any]]:
    """What holds the temperature, and what it holds then. TRL hands its keys and its settings to transformers."""
    if trainer.use_vllm:
        return [(trainer.vllm_generation, "temperature", temperature)]
    keys = decoded(trainer.generation_kwargs, temperature)
    settings = GenerationConfig(**keys, disable_compile=True)
    return [(trainer, "generation_kwargs", keys), (trainer, "generation_config", settings)]
