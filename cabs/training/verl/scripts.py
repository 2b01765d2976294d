"""Keys of verl → scripts: one a recipe, and one that makes a Ray cluster of the nodes."""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping
from typing import Any

PLAIN = re.compile(r"[A-Za-z0-9_./@+-]+")
"""Text that Hydra reads as itself."""
WORDS = frozenset({"true", "false", "null", "none", "nan", "inf"})

HEAD = """#!/usr/bin/env bash
# {what}
# Written by cabs export verl; more keys of verl behind it win: bash {file} trainer.total_epochs=1
set -euo pipefail
HERE="$(cd "$(dirname "${{BASH_SOURCE[0]}}")" && pwd)"
exec python3 -m verl.trainer.main_ppo \\
"""

CLUSTER = """#!/usr/bin/env bash
# A Ray cluster of {nodes} nodes and a recipe on it. On every node, with the address of the first and its own number:
#   bash cluster.sh ADDRESS NUMBER grpo.sh          (0 is the first; Slurm: NUMBER="$SLURM_NODEID")
# Every node needs this folder, the media and the model under the same paths, and cabs and verl installed.
set -euo pipefail
ADDRESS="$1" NUMBER="$2" RECIPE="$3"
HERE="$(cd "$(dirname "${{BASH_SOURCE[0]}}")" && pwd)"
PORT="${{RAY_PORT:-6379}}"
if [ "$NUMBER" -ne 0 ]; then
    until ray start --address="$ADDRESS:$PORT" --num-gpus={gpus}; do sleep 5; done
    while ray status --address="$ADDRESS:$PORT" > /dev/null 2>&1; do sleep 30; done
    exit 0
fi
ray start --head --node-ip-address="$ADDRESS" --port="$PORT" --num-gpus={gpus}
trap 'ray stop' EXIT
until [ "$(python3 -c 'import ray; ray.init("auto", log_to_driver=False); print(len(ray.nodes()))' 2> /dev/null)" \\
    = "{nodes}" ]; do sleep 5; done
bash "$HERE/$RECIPE"
"""


def script(file: str, what: str, keys: Mapping[str, Any], files: Mapping[str, str]) -> str:
    """The script of a recipe. `files`: keys whose value is a file of the script's folder."""
    told = [f'{key}="$HERE/{name}"' for key, name in files.items()]
    told += [_word(f"{key}={value_of(value)}") for key, value in keys.items()]
    return HEAD.format(what=what, file=file) + "".join(f"    {word} \\\n" for word in told) + '    "$@"\n'


def _word(text: str) -> str:
    """A word of the shell; in double quotes where that is easier to read."""
    return f'"{text}"' if "'" in text and not set(text) & set('"$`\\!') else shlex.quote(text)


def cluster(nodes: int, gpus: int) -> str:
    """The script that makes a cluster."""
    return CLUSTER.format(nodes=nodes, gpus=gpus)


def value_of(value: Any) -> str:
    """A value in Hydra's grammar.

    >>> value_of("tif:gamma=0"), value_of(None), value_of([True, 1e-06]), value_of("vllm")
    ("'tif:gamma=0'", 'null', '[true,1e-06]', 'vllm')
    """
    if value is None:
        return "null"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list):
        return "[" + ",".join(map(value_of, value)) + "]"
    if isinstance(value, Mapping):
        return "{" + ",".join(f"{key}:{value_of(item)}" for key, item in value.items()) + "}"
    return str(value) if isinstance(value, int | float) else _text(str(value))


def _text(text: str) -> str:
    if PLAIN.fullmatch(text) and text.lower() not in WORDS and not text[0].isdigit():
        return text
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"
