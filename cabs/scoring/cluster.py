"""Pairs in files anywhere → their portions, judged on a Ray cluster by way of Ray Data.

Ray moves pieces and portions; which pairs there are, in which order, and what becomes of them is decided by the same
code as on one machine, so that the bytes are the same. The only module that imports ray.
"""

from __future__ import annotations

import json
import logging
import os
import socket
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass, field
from hashlib import blake2b
from itertools import accumulate, islice
from typing import Any

import numpy as np

from cabs.errors import InputError, MissingExtraError, SettingError, WorkerError
from cabs.io.pairs import Reading, pair_of
from cabs.io.pieces import Piece, lines_in, pieces, placed, records_in
from cabs.io.read import told_apart
from cabs.io.seen import Seen
from cabs.scoring.judge import Plan
from cabs.scoring.known import Known
from cabs.scoring.portion import KEY, Portion, keys_of, portioning, unpacked
from cabs.values import Pair
from cabs.version import __version__

ANSWER = 10
"""Seconds in which a cluster answers."""
TOGETHER = 256
"""Pairs of a portion that travels."""

Row = dict[str, Any]
Batch = Mapping[str, Any]


@dataclass
class OnRay:
    """The pairs of a file, a folder or a pattern of fsspec, judged by the Ray cluster that `connected` has reached.

    All pairs are read once before the first is judged, by the cluster too.

    Raises:
        InputError: as `cabs.io.pairs.read_pairs` of one file, with the same places.
    """

    path: str
    how: Reading = field(default_factory=Reading)
    size: int = 1 << 20

    def __post_init__(self) -> None:
        found = pieces(self.path, self.size)
        checked = list(_mapped(_checking(self.how), [_task(at, piece) for at, piece in enumerate(found)]))
        checked.sort(key=lambda row: row["index"])
        _same_version(checked)
        self.pieces = placed(found, [row["lines"] for row in checked])
        self.numbers = [row["pairs"] for row in checked]
        self._refuse(checked)
        self.keys = b"".join(row["keys"] for row in checked)
        self.done = 0
        if not self.total:
            raise InputError("holds no pairs", place=self.path)

    @property
    def total(self) -> int:
        """How many pairs there are."""
        return sum(self.numbers)

    def passes(self, portion: Portion) -> bool:
        """Pass over the next pairs if they are those of the portion."""
        end = self.done + portion.pairs
        same = self.keys[self.done * KEY : end * KEY] == portion.keys
        self.done = end if same else self.done
        return same

    def portions(self, plan: Plan) -> Generator[Portion, None, None]:
        """The portions of the pairs that are left, in their order.

        Raises:
            WorkerError: the cluster is gone; InputError: facts in place of a text are none that the ontology knows.
        """
        refuse_others(plan)
        tasks: list[Row] = []
        left: list[int] = []
        for piece, start, number in zip(self.pieces, _starts(self.numbers), self.numbers, strict=True):
            skipped = min(max(self.done - start, 0), number)
            if skipped < number:
                tasks.append(_task(len(tasks), piece, skipped))
                left.append(number - skipped)
        with closing(_mapped(_Judging, tasks, plan=plan, how=self.how)) as rows:
            yield from map(_portion, _in_order(rows, left))

    def _refuse(self, checked: Sequence[Row]) -> None:
        """Raise what is wrong with the pairs, as one process would have met it first."""
        failed = next((at for at, row in enumerate(checked) if row["failed"]), None)
        until = checked if failed is None else checked[: failed + 1]
        twice = _twice(np.frombuffer(b"".join(row["ids"] for row in until), dtype="u8,u8"))
        if twice is not None:
            seen = Seen()
            for at in twice:
                seen.add(self._pair(at))
        if failed is not None:
            for _ in _pairs(self.pieces[failed], self.how):
                pass

    def _pair(self, at: int) -> Pair:
        starts = _starts(self.numbers)
        piece = int(np.searchsorted(starts, at, side="right")) - 1
        return next(islice(_pairs(self.pieces[piece], self.how), at - starts[piece], None))


def refuse_others(plan: Plan) -> None:
    """See that a plan reads and matches by the rules.

    Raises:
        SettingError: it asks a model or a server.
    """
    for name, backend in (("--parser", plan.parser), ("--matcher", plan.aligner)):
        if backend is not None:
            hint = "an LLM is asked from one process: leave --engine out"
            raise SettingError("on a cluster texts are read and matched by the rules alone", place=name, hint=hint)


@contextmanager
def connected(place: str | None = None) -> Iterator[None]:
    """A Ray cluster while the block runs: the one at this address, one that the program is in already, the one that the
    environment names (RAY_ADDRESS), or a new one on this machine.

    Raises:
        MissingExtraError: there is no ray; WorkerError: there is no cluster at the address.
    """
    try:
        import ray
        import ray.data
    except ImportError as error:
        raise MissingExtraError(f"--engine ray needs ray ({error})", hint="pip install 'cabs[ray]'") from None
    if ray.is_initialized():
        yield
        return
    where = place or os.environ.get("RAY_ADDRESS", "")
    try:
        _answers(where)
        ray.init(address=place, log_to_driver=False, logging_level=logging.ERROR)
    except (OSError, ValueError, RuntimeError, ray.exceptions.RayError) as error:
        what = (str(error).splitlines() or [type(error).__name__])[0]
        named = where if place or not where else f"RAY_ADDRESS={where}"
        raise WorkerError(f"no Ray cluster is reached: {what}", place=named, hint="ray status tells more") from None
    try:
        yield
    finally:
        ray.shutdown()


def _answers(place: str) -> None:
    """See that someone listens at an address of host and port: Ray itself asks on for minutes, then ends the program.

    Raises:
        OSError: nobody does.
    """
    host, colon, port = place.removeprefix("ray://").rpartition(":")
    if colon and port.isdecimal():
        socket.create_connection((host.strip("[]"), int(port)), timeout=ANSWER).close()


def _mapped(work: Any, tasks: Sequence[Row], **options: Any) -> Generator[Row, None, None]:
    """The rows that come of the tasks: of a function, or of a class that each worker makes once, with these options. A
    worker that dies is replaced, and its task done again."""
    import ray
    from ray.data import ActorPoolStrategy, DataContext
    from ray.exceptions import RayActorError, RaySystemError

    if not tasks:
        return
    context = DataContext.get_current()
    context.enable_progress_bars = False
    context.execution_options.preserve_order = True
    logging.getLogger("ray.data").setLevel(logging.ERROR)
    cores = max(1, int(ray.cluster_resources().get("CPU", 1)))
    how: dict[str, Any] = {"batch_size": 1, "num_cpus": 1}
    if isinstance(work, type):
        workers = ActorPoolStrategy(min_size=1, max_size=min(cores, len(tasks)))
        how |= {"fn_constructor_kwargs": options, "compute": workers}
    try:
        yield from ray.data.from_items(list(tasks), override_num_blocks=len(tasks)).map_batches(work, **how).iter_rows()
    except (RayActorError, RaySystemError) as error:
        what = str(error).splitlines()[0]
        hint = "ray status tells more"
        raise WorkerError(f"the Ray cluster failed: {what}", place="--engine ray", hint=hint) from None


def _task(index: int, piece: Piece, skipped: int = 0) -> Row:
    return {"index": index, "piece": json.dumps(asdict(piece)), "skipped": skipped}


def _given(batch: Batch) -> tuple[int, Piece, int]:
    return int(batch["index"][0]), Piece(**json.loads(str(batch["piece"][0]))), int(batch["skipped"][0])


def _pairs(piece: Piece, how: Reading) -> Iterator[Pair]:
    return (pair_of(record, how) for record in told_apart(records_in(piece)))


def _checking(how: Reading) -> Any:
    def check(batch: Batch) -> Batch:
        """What there is in a piece, as far as it can be read."""
        index, piece, _ = _given(batch)
        ids, keys, failed = [], [], False
        try:
            for pair in _pairs(piece, how):
                ids.append(blake2b(repr((pair.system, pair.id)).encode(), digest_size=16).digest())
                keys.append(keys_of([pair]))
        except InputError:  # said by whoever knows how many lines come before
            failed = True
        found = {"index": index, "lines": lines_in(piece), "pairs": len(ids), "failed": failed, "version": __version__}
        return _columns({**found, "ids": b"".join(ids), "keys": b"".join(keys)})

    return check


class _Judging:
    """Judges pieces, one after the other; each worker makes its own."""

    def __init__(self, plan: Plan, how: Reading) -> None:
        self.portion, self.how, self.known = portioning(plan), how, Known(plan.ontology)

    def __call__(self, batch: Batch) -> Iterator[Batch]:
        index, piece, skipped = _given(batch)
        pairs, part = self.known.pairs(islice(_pairs(piece, self.how), skipped, None)), 0
        try:
            while chunk := list(islice(pairs, TOGETHER)):
                portion, part = self.portion(chunk), part + 1
                yield _columns({"index": index, "part": part, "content": portion.packed(), "error": ""})
        except InputError as error:
            told = json.dumps([error.message, error.place, error.hint])
            yield _columns({"index": index, "part": part + 1, "content": b"", "error": told})


def _columns(row: Row) -> Batch:
    return {name: np.array([value], dtype=object if isinstance(value, bytes) else None) for name, value in row.items()}


def _in_order(rows: Iterator[Row], left: Sequence[int]) -> Iterator[Row]:
    """The rows by task and part, each once, whatever order they come in; `left`: the pairs of each task."""
    waiting: dict[tuple[int, int], Row] = {}
    task, part, pairs = 0, 1, 0
    for came in rows:
        waiting.setdefault((came["index"], came["part"]), came)
        while (row := waiting.pop((task, part), None)) is not None:
            yield row
            part, pairs = part + 1, pairs + TOGETHER
            if pairs >= left[task]:
                task, part, pairs = task + 1, 1, 0


def _portion(row: Row) -> Portion:
    if row["error"]:
        message, place, hint = json.loads(row["error"])
        raise InputError(message, place=place, hint=hint)
    return unpacked(row["content"])


def _starts(numbers: Sequence[int]) -> list[int]:
    return [0, *accumulate(numbers)][:-1]


def _twice(ids: Any) -> tuple[int, int] | None:
    """Where the first id that comes again has come first, and where it comes again."""
    order = np.argsort(ids, kind="stable")
    again = np.flatnonzero(ids[order][1:] == ids[order][:-1]) + 1
    if not len(again):
        return None
    second = int(order[again].min())
    return int(np.flatnonzero(ids == ids[second])[0]), second


def _same_version(checked: Sequence[Row]) -> None:
    others = sorted({row["version"] for row in checked} - {__version__})
    if others:
        what = f"the cluster has cabs {', '.join(others)}, this is {__version__}"
        raise WorkerError(what, place="--engine ray", hint="install the same version everywhere")
