"""One YAML file → plain Python values, with YAML 1.2's scalars ("no" is a word). Duplicate keys, and lists and mappings
that an alias repeats, are refused; so is what only an attack has: files of many megabytes, lists in lists without end.

The C parser makes the node tree; the values are made here, which is twice as fast as PyYAML's own
constructor.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import yaml

from cabs.errors import OntologyError
from cabs.io.encoding import eight_bit

_Base: Any = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
LARGEST = 1 << 24
"""Bytes of a file, and characters of all its texts, those that aliases repeat counted each time."""
DEEPEST = 50
"""Lists and mappings in each other."""
DIGITS = 4000
"""Of a number; Python refuses to make one of more than 4300."""
SHOWN = 60
"""Characters of a key that a message repeats."""
FLAT, SPLIT = "say it with fewer levels", "split it into several files"
_NUMBER = re.compile(r"[-+]?[0-9]+(\.[0-9]*)?")
_WORDS = {"": None, "~": None, "null": None, "true": True, "false": False}


class _Loader(_Base):  # type: ignore[misc]
    """Makes nodes without a tag of their own: `_value` reads none, and finding them takes a third of the time."""

    def resolve(self, _kind: Any, _value: Any, _implicit: Any) -> str:
        """The same tag for every node."""
        return ""

    def descend_resolver(self, _node: Any, _index: Any) -> None:
        """Nothing, for the same reason."""

    def ascend_resolver(self) -> None:
        """Nothing, for the same reason."""


def read_yaml(path: Path, name: str) -> Any:
    """The content of a YAML file; `name` is how errors call it. An empty file is None.

    Raises OntologyError for a file that can't be read or parsed, with its line. No tag makes anything but what the file
    says in words: numbers, words, lists, mappings.
    """
    return read_lists(path, name)[0]


def read_lists(path: Path, name: str) -> tuple[Any, dict[str, list[int]]]:
    """The content of a YAML file as `read_yaml` gives it, and the lines at which the items of its lists start."""
    node = _tree(path, name)
    return (None, {}) if node is None else (_Maker(name).value(node), _lines(node))


def _lines(node: Any) -> dict[str, list[int]]:
    """The lines of the items of every list of the topmost mapping."""
    pairs = node.value if isinstance(node, yaml.MappingNode) else ()
    lists = ((key, value) for key, value in pairs if isinstance(value, yaml.SequenceNode))
    return {str(key.value): [item.start_mark.line + 1 for item in value.value] for key, value in lists}


def _tree(path: Path, name: str) -> Any:
    text = _text(path, name)
    try:
        node = _Loader(text).get_single_node()
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = f":{mark.line + 1}" if mark else ""
        what = getattr(error, "problem", None) or str(error).partition("\n")[0]
        raise OntologyError(
            f"not valid YAML: {what}",
            place=name + line,
            hint="look here and at the lines above: spaces at the start, a bracket or a quote that is not closed",
        ) from error
    except RecursionError:  # of the parser in Python; the one in C has a limit of its own
        raise OntologyError("lists and mappings are nested too deeply", place=name, hint=FLAT) from None
    if node is not None and "&" in text:
        _measure(node, name)
    return node


def _text(path: Path, name: str) -> str:
    try:
        with path.open("rb") as handle:
            raw = handle.read(LARGEST + 1)
        if len(raw) > LARGEST:
            raise OntologyError(f"has more than {LARGEST >> 20} MiB, which no such file has", place=name, hint=SPLIT)
        return raw.decode("utf-8-sig")
    except OSError as error:
        raise OntologyError(f"can't be read: {error.strerror or error}", place=name) from error
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise OntologyError("not UTF-8", place=f"{name}:{line}", hint=eight_bit(error.object)) from None


def _measure(node: Any, name: str) -> None:
    """See that no file of a few lines becomes a text of gigabytes, which it can where an alias repeats a long text."""
    length, waiting, seen = 0, [node], set[int]()
    while waiting:
        item = waiting.pop()
        if isinstance(item, yaml.ScalarNode):
            length += len(item.value)
        elif id(item) not in seen:
            seen.add(id(item))
            waiting += (
                item.value if isinstance(item, yaml.SequenceNode) else [part for pair in item.value for part in pair]
            )
    if length > LARGEST:
        what = f"aliases (*) repeat texts until there are more than {LARGEST >> 20} million characters"
        raise OntologyError(what, place=name, hint="write out what is meant")


class _Maker:
    """Makes the values of one file's nodes. `seen`: the lists and mappings so far; one that comes again may hold
    itself, or grow without bounds."""

    def __init__(self, name: str) -> None:
        self.name, self.seen = name, set[int]()

    def value(self, node: Any, depth: int = 0) -> Any:
        """The value of a node that stands so deep."""
        if isinstance(node, yaml.ScalarNode):
            return node.value if node.style else self._scalar(node)
        if id(node) in self.seen:
            raise self._error(
                node, "a list or a mapping is repeated by an alias (*)", "write it out where it is repeated"
            )
        if depth == DEEPEST:
            raise self._error(node, f"more than {DEEPEST} lists and mappings are nested in each other", FLAT)
        self.seen.add(id(node))
        if isinstance(node, yaml.SequenceNode):
            return [self.value(item, depth + 1) for item in node.value]
        made: dict[str, Any] = {}
        for key, item in node.value:
            word = self._key(key)
            if word in made:
                raise self._error(key, f"the key {word[:SHOWN]!r} is given twice", "keep one")
            made[word] = self.value(item, depth + 1)
        return made

    def _key(self, node: Any) -> str:
        if isinstance(node, yaml.ScalarNode):
            return str(node.value)
        raise self._error(node, "a key must be a word", "")

    def _scalar(self, node: Any) -> Any:
        if len(node.value) > DIGITS and _NUMBER.fullmatch(node.value):
            raise self._error(node, f"a number of more than {DIGITS} digits", "put quotes around it if it is a text")
        return _scalar(node.value)

    def _error(self, node: Any, what: str, hint: str) -> OntologyError:
        return OntologyError(what, place=f"{self.name}:{node.start_mark.line + 1}", hint=hint)


def _scalar(text: str) -> Any:
    if text in _WORDS:
        return _WORDS[text]
    if text[0] in "+-0123456789" and _NUMBER.fullmatch(text):
        return float(text) if "." in text else int(text)
    return text
