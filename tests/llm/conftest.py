"""A scripted server in a thread, and settings that point to it."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from benchmarks.llm.server import Scripted, honest
from cabs.llm import Server
from cabs.llm.service import Service
from cabs.ontology import Ontology, load_ontology

Start = Callable[..., Scripted]


@pytest.fixture(scope="session")
def ontology() -> Ontology:
    return load_ontology()


@pytest.fixture
def start() -> Iterator[Start]:
    """Start a server that answers by a script; the honest one answers as the rules would."""
    with ExitStack() as stack:
        yield lambda script=None: stack.enter_context(Scripted(script or honest()))


@pytest.fixture
def settings(tmp_path: Path) -> Callable[..., Server]:
    """Settings of a server that is there: a cache of the test's own, hardly any waiting."""

    def made(scripted: Scripted, **changes: Any) -> Server:
        usual = Server(scripted.base_url, "scripted", concurrency=4, retries=2, cache=tmp_path / "answers.sqlite")
        return dataclasses.replace(usual, **changes)

    return made


@pytest.fixture
def serve(settings: Callable[..., Server]) -> Iterator[Callable[..., Service]]:
    """A service of a scripted server, closed in the end."""
    made: list[Service] = []

    def service(scripted: Scripted, **changes: Any) -> Service:
        made.append(Service(settings(scripted, **changes)))
        return made[-1]

    yield service
    for one in made:
        one.close()


@pytest.fixture(autouse=True)
def no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    """Waits before another attempt are cut to nothing; how long they are is tested where they are worked out."""
    monkeypatch.setattr("cabs.llm.retry.FIRST", 0.001)
