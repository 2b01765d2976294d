"""Settings of a server from flags, the environment and a file → one mapping; the first of them that has one counts."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

from cabs.checked import read_plain
from cabs.errors import InputError, SettingError
from cabs.llm.server import Server
from cabs.registry import offer

ENVIRONMENT: Mapping[str, str] = {
    "base_url": "CABS_LLM_BASE_URL", "key": "CABS_LLM_API_KEY", "model": "CABS_LLM_MODEL", "cache": "CABS_LLM_CACHE",
}  # fmt: skip
"""setting → variable. Those of other programs (OPENAI_API_KEY) are not read: a key goes to no server that it is not
for."""

NAMES = tuple(field.name for field in fields(Server))


def given(
    flags: Sequence[str], file: Path | None, *, text: bool = True, environment: Mapping[str, str] | None = None
) -> dict[str, Any]:
    """The settings that are set.

    - flags: `NAME=VALUE` each. file: YAML or JSON with the same names; `cache` in it starts at its folder.
    - text: whether words of reports may be written; if not, answers, which quote them, are kept only where a cache is
      named. Else they go to `default_cache`.

    Raises:
        SettingError: a flag says nothing or names nothing; InputError: the file can't be read.
    """
    env = os.environ if environment is None else environment
    found: dict[str, Any] = {} if text is False else {"cache": str(default_cache(env))}
    found |= {} if file is None else _of_file(file)
    found |= {name: env[variable] for name, variable in ENVIRONMENT.items() if env.get(variable)}
    return found | _of_flags(flags)


def default_cache(environment: Mapping[str, str]) -> Path:
    """Where answers are kept unless the user says so: the user's own folder for caches."""
    home = environment.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(home) / "cabs" / "llm.sqlite"


def _of_flags(flags: Sequence[str]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for flag in flags:
        name, equals, value = flag.partition("=")
        if not equals or name not in NAMES:
            if name in NAMES:
                raise SettingError(f"{name!r} has no value", place="--llm", hint=f"{name}=VALUE")
            hint = offer(name, NAMES) if equals else f"NAME=VALUE of {', '.join(NAMES)}"
            raise SettingError(f"{name!r} is no setting", place="--llm", hint=hint)
        found[name] = value
    return found


def _of_file(path: Path) -> dict[str, Any]:
    content = read_plain(path)
    if not isinstance(content, Mapping):
        raise InputError("settings expected, one a line", place=str(path), hint="base_url: http://localhost:8000/v1")
    for name in content:
        if name not in NAMES:
            raise InputError(f"{name!r} is no setting", place=str(path), hint=offer(str(name), NAMES))
    kept = {name: json.dumps(value) if isinstance(value, Mapping) else value for name, value in content.items()}
    if kept.get("cache") not in (None, "none"):
        kept["cache"] = str(path.parent / Path(str(kept["cache"])).expanduser())
    return {name: value for name, value in kept.items() if value is not None}
