"""Prompts are text files with a version, `prompts/NAME.VERSION.txt`: what is asked is data, and its hash stands in
every signature.

A file has two parts, `--- system` and `--- user`; `{{name}}` stands for what is put in. A prompt that has been used is
never edited: a new wording is a new version.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib.resources import files

from cabs.signature import HASH_LENGTH

_PART = re.compile(r"(?m)^--- (system|user)\n")
_HOLE = re.compile(r"\{\{(\w+)\}\}")

Message = tuple[str, str]
"""Role and text."""


@dataclass(frozen=True, slots=True)
class Prompt:
    """A versioned prompt. `hash`: of its text and of what is put in whatever the report (SHA-256, shortened)."""

    name: str
    version: int
    system: str
    user: str
    hash: str

    @property
    def stamp(self) -> str:
        """Name, version and hash as signatures show them: `extract@1/0f3a9c5e21b7`."""
        return f"{self.name}@{self.version}/{self.hash}"

    @property
    def holes(self) -> frozenset[str]:
        """The names of what has to be put in."""
        return frozenset(_HOLE.findall(self.system + self.user))

    def given(self, values: Mapping[str, str]) -> Prompt:
        """The prompt with some of its holes filled; the hash then tells of them."""
        system, user = _filled(self.system, values), _filled(self.user, values)
        return Prompt(self.name, self.version, system, user, _hash(system, user))

    def messages(self, values: Mapping[str, str]) -> tuple[Message, ...]:
        """The messages of a question. What is put in is never looked through for holes.

        Raises:
            KeyError: a hole is left.
        """
        left = self.holes - values.keys()
        if left:
            raise KeyError(sorted(left)[0])
        return ("system", _filled(self.system, values)), ("user", _filled(self.user, values))


@cache
def prompt(name: str, version: int = 1) -> Prompt:
    """The prompt of this name and version."""
    text = files("cabs.llm").joinpath("prompts", f"{name}.{version}.txt").read_text("utf-8")
    parts = _PART.split(text)
    found = {role: body.strip() for role, body in zip(parts[1::2], parts[2::2], strict=True)}
    return Prompt(name, version, found["system"], found["user"], _hash(found["system"], found["user"]))


def _filled(text: str, values: Mapping[str, str]) -> str:
    return _HOLE.sub(lambda hole: values.get(hole[1], hole[0]), text)


def _hash(*texts: str) -> str:
    return sha256("\0".join(texts).encode("utf-8", "surrogatepass")).hexdigest()[:HASH_LENGTH]
