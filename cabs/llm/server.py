"""Where an LLM is asked, and how: every setting of the backend in one frozen record."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, get_type_hints
from urllib.parse import urlsplit

from cabs.errors import SettingError
from cabs.llm.rungs import RUNGS
from cabs.registry import refuse_unknown

PLACE = "LLM settings"
NO_KEY = "none"
"""What stands in for a key: servers of one's own want none, and the client library insists on a word."""

_LEAST: Mapping[str, float] = {
    "concurrency": 1, "requests_per_minute": 0, "tokens_per_minute": 0, "timeout": 0.001, "deadline": 0.001,
    "retries": 0, "again": 0, "max_tokens": 1, "temperature": 0, "seed": 0, "run": 0, "price_in": 0, "price_out": 0,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Server:
    """An OpenAI-compatible server and how it is asked. There is no default address: texts go where `base_url` points,
    and nowhere else.

    - base_url: http(s)://HOST/v1. model: its name there. key: sent as a bearer token; never written anywhere.
    - concurrency: calls at a time. requests_per_minute, tokens_per_minute: 0 is no limit.
    - timeout: seconds of one attempt, from the first byte sent to the last one read. deadline: seconds of one call with
      all its attempts and the waits between them. retries: attempts after the first. again: how often a question is
      put once more whose answer was refused.
    - max_tokens: of an answer; one that is cut there is asked for once more with twice as many.
    - temperature, seed: of sampling. extra: more fields of the request, as JSON.
    - rung: how answers get their form ("" finds out; see `cabs.llm.rungs`).
    - run: the number of a repeated run; each has answers of its own, and is sampled from the seed plus its number.
    - cache: the file that keeps answers; None keeps none.
    - price_in, price_out: of a million tokens, in any currency.

    Raises `SettingError` for a value outside its range.
    """

    base_url: str
    model: str
    key: str = field(default="", repr=False)
    concurrency: int = 8
    requests_per_minute: int = 0
    tokens_per_minute: int = 0
    timeout: float = 120.0
    deadline: float = 600.0
    retries: int = 5
    again: int = 1
    max_tokens: int = 4096
    temperature: float = 0.0
    seed: int = 0
    extra: str = ""
    rung: str = ""
    run: int = 0
    cache: Path | None = None
    price_in: float = 0.0
    price_out: float = 0.0

    def __post_init__(self) -> None:
        try:
            parts = urlsplit(self.base_url)
        except ValueError:
            parts = urlsplit("")
        if parts.scheme not in ("http", "https") or not parts.hostname or parts.username or parts.password:
            hint = "http://localhost:8000/v1, or where your server is; a key is a setting of its own"
            raise SettingError(f"{_shown(self.base_url)!r} is no address of a server", place="base_url", hint=hint)
        if not self.model.strip():
            raise SettingError("no model is named", place="model", hint="the name that the server gives it")
        if not all("!" <= letter <= "~" for letter in self.key):
            hint = (
                "one line of plain characters, without blanks; a file may end with a line break that is no part of it"
            )
            raise SettingError("it can't be sent: a character of it is none of a key", place="key", hint=hint)
        for name, least in _LEAST.items():
            if not getattr(self, name) >= least:
                raise SettingError(f"{name} is {getattr(self, name)!r}", place=PLACE, hint=f"{least:g} or more")
        if self.rung and self.rung not in RUNGS:
            raise SettingError(f"{self.rung!r} is no rung", place="rung", hint=f"one of: {', '.join(RUNGS)}")
        object.__setattr__(self, "base_url", self.base_url.rstrip("/"))

    @property
    def shown(self) -> str:
        """The address as messages and the cache may hold it, without a query."""
        return _shown(self.base_url)

    def masked(self, text: str) -> str:
        """A text without the key, whoever put it there, and without the query of the address."""
        secrets = [self.key, urlsplit(self.base_url).query]
        for secret in filter(None, secrets):
            text = text.replace(secret, "***")
        return text

    @property
    def sampling_seed(self) -> int:
        """The seed of a request: a repeated run has one of its own."""
        return self.seed + self.run

    def items(self) -> tuple[tuple[str, str], ...]:
        """What changes answers as (name, text), for signatures; the address is no part of it."""
        told = [("model", self.model), ("temperature", f"{self.temperature:g}"), ("llm_seed", str(self.seed))]
        told += [("max_tokens", str(self.max_tokens)), ("again", str(self.again))]
        told += [("extra", self.extra)] if self.extra else []
        return (*told, ("run", str(self.run)))


def server_from(values: Mapping[str, Any]) -> Server:
    """The server that these settings describe; texts are turned into numbers and paths.

    Raises:
        SettingError: a name is unknown, the address or the model is missing, or a value can't be understood.
    """
    known = [f.name for f in fields(Server)]
    refuse_unknown(values, known, PLACE)
    for name in ("base_url", "model"):
        if not values.get(name):
            hint = f"--llm {name}=..., CABS_LLM_{name.upper()}, or {name}: in the file of --llm-config"
            raise SettingError(f"{name} is not set", place=PLACE, hint=hint)
    hints = get_type_hints(Server)
    return Server(**{name: _typed(name, value, hints[name]) for name, value in values.items()})


def _typed(name: str, value: Any, wanted: Any) -> Any:
    if name == "cache":
        return None if value in (None, "", "none") else Path(str(value)).expanduser()
    if wanted is str:
        return str(value)
    try:
        if isinstance(value, bool) or (wanted is int and isinstance(value, float) and value != int(value)):
            raise ValueError
        return wanted(value)
    except (TypeError, ValueError, OverflowError):
        what = "a whole number" if wanted is int else "a number"
        raise SettingError(f"{name} is {value!r}, {what} expected", place=PLACE) from None


def _shown(address: str) -> str:
    """An address without what may be a password in it: neither a user nor a query."""
    scheme, _, rest = address.partition("?")[0].partition("#")[0].rpartition("://")
    rest = rest.rpartition("@")[2]
    return f"{scheme}://{rest}" if scheme and "@" not in address else rest
