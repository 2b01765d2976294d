"""One small, lazy table of names for what users plug in.

Built-ins are listed as "module:attribute" and imported when asked for. Third parties join by an entry point of the
table's group in their package's metadata, under the same contract. A name that is taken is refused; a name that nobody
has is answered with the nearest one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from difflib import get_close_matches
from functools import cached_property
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from inspect import signature
from typing import NamedTuple

from cabs.errors import CabsError, SettingError, UnknownOptionError

NAME = re.compile(r"[a-z][a-z0-9_]*")
OURS = "cabs"


class Entry(NamedTuple):
    """A name, the "module:attribute" that it stands for, and the package that brings it."""

    name: str
    target: str
    package: str = OURS


class Registry:
    """Names of one `kind` of thing; `group` is the entry-point group in which other packages add theirs."""

    def __init__(self, kind: str, group: str, builtin: Mapping[str, str]) -> None:
        self.kind, self.group, self._builtin = kind, group, builtin

    @cached_property
    def entries(self) -> Mapping[str, Entry]:
        """Every entry by name: the built-in ones in their order, then those of other packages by name.

        Raises:
            CabsError: two packages bring the same name, or one that is no name.
        """
        found = {name: Entry(name, target) for name, target in self._builtin.items()}
        for entry in sorted(map(_entry, entry_points(group=self.group)), key=lambda e: (e.name, e.package)):
            self._fits(entry, found)
            found[entry.name] = entry
        return found

    def _fits(self, entry: Entry, found: Mapping[str, Entry]) -> None:
        place = f"package {entry.package!r}, {self.group}:{entry.name}"
        if not NAME.fullmatch(entry.name):
            hint = "a name is lower-case letters, digits and _, a letter first"
            raise CabsError(f"{entry.name!r} is no name of a {self.kind}", place=place, hint=hint)
        other = found.get(entry.name)
        if other is not None and other != entry:  # the same distribution may be seen twice on the path
            hint = f"uninstall one of the two, or ask its author to rename its {self.kind}"
            raise CabsError(f"{other.package!r} has a {self.kind} of this name already", place=place, hint=hint)

    @property
    def names(self) -> tuple[str, ...]:
        """Every name."""
        return tuple(self.entries)

    def load(self, name: str) -> object:
        """What the name stands for.

        Raises:
            SettingError: nobody has this name; the hint offers the nearest.
            CabsError: the package that brings it can't be loaded.
        """
        entry = self.entries.get(name)
        if entry is None:
            raise SettingError(f"there is no {self.kind} {name!r}", place=self.kind, hint=offer(name, self.names))
        module, _, attribute = entry.target.partition(":")
        try:
            return getattr(import_module(module), attribute)
        except Exception as error:  # what another package does while it is imported can raise anything
            if entry.package == OURS:
                raise
            place, hint = f"package {entry.package!r}", "repair or uninstall that package"
            raise CabsError(f"its {self.kind} {name!r} can't be loaded: {error}", place=place, hint=hint) from error


def _entry(point: EntryPoint) -> Entry:
    return Entry(point.name, point.value.replace(" ", ""), point.dist.name if point.dist else "?")


def spelled_name(spelled: str, kind: str) -> tuple[str, dict[str, str]]:
    """The name and the options of `NAME:KEY=VALUE,KEY=VALUE`.

    >>> spelled_name("f1:match=hierarchical,scope=section", "metric")
    ('f1', {'match': 'hierarchical', 'scope': 'section'})

    Raises:
        SettingError: an option can't be understood or comes twice.
    """
    name, colon, rest = spelled.partition(":")
    options: dict[str, str] = {}
    for part in rest.split(",") if colon else ():
        key, equals, value = part.partition("=")
        if not equals or not key or key in options:
            raise SettingError(f"{part!r} is no option", place=f"{kind} {spelled!r}", hint="NAME:KEY=VALUE,KEY=VALUE")
        options[key] = value
    return name, options


def keywords_of(maker: Callable[..., object]) -> list[str] | None:
    """The options that a function takes behind the name; None where it takes any and checks them itself."""
    accepted = list(signature(maker).parameters.values())[1:]
    if any(parameter.kind is parameter.VAR_KEYWORD for parameter in accepted):
        return None
    return [parameter.name for parameter in accepted]


def refuse_unknown(options: Iterable[str], accepted: Iterable[str] | None, place: str) -> None:
    """Raises `UnknownOptionError` for an option that is none of `accepted` (None: any is)."""
    known = None if accepted is None else list(accepted)
    for option in options:
        if known is not None and option not in known:
            hint = offer(option, known) if known else "it takes no options"
            raise UnknownOptionError(f"{option!r} is no option of it", place=place, hint=hint)


def offer(name: str, names: Iterable[str]) -> str:
    """The nearest of `names`, or all of them, as a hint.

    >>> offer("rouge_I", ["bleu_4", "rouge_l"])
    "did you mean 'rouge_l'?"
    """
    known = list(names)
    near = get_close_matches(name.lower(), known, 1, 0.6)
    return f"did you mean {near[0]!r}?" if near else f"one of: {', '.join(known)}"
