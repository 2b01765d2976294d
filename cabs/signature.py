"""The score-changing settings of a result as one line that parses back.

`cabs:0.1.0|onto:cabs-radiology@1.0.0/0f3a9c5e21b7|parser:rules@1|match:strict|...|seed:0`: the same signature
and the same input give the same bytes. Source: the habit of sacrebleu (mjpost/sacrebleu), a signature on
every score.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from urllib.parse import quote, unquote

from cabs.errors import SettingError
from cabs.version import __version__

HASH_LENGTH = 12
"""Hexadecimal digits of the ontology's content hash that a signature shows."""

_HEAD = ("cabs", "onto", "parser")
_SAFE = " +,.@=_-"


@dataclass(frozen=True, slots=True)
class Signature:
    """Package, ontology (version and shortened content hash), parser and every parameter, in a fixed order.

    `parameters` are (name, text) pairs: the matcher's and metrics' settings, the resampling and its seed,
    and, for facts from a model, the hash of the facts used. Names are unique and none of `cabs`, `onto`,
    `parser`.
    """

    version: str
    ontology_version: str
    ontology_hash: str
    parser: str
    parameters: tuple[tuple[str, str], ...] = ()

    def __post_init__(self) -> None:
        names = [name for name, _ in self.parameters]
        repeated = {name for name in names if names.count(name) > 1 or name in _HEAD or not name}
        if repeated:
            raise SettingError(f"the signature names {sorted(repeated)[0]!r} twice or wrongly", place="signature")

    def __str__(self) -> str:
        onto = f"{_quote(self.ontology_version)}/{_quote(self.ontology_hash)}"
        head = (f"cabs:{_quote(self.version)}", f"onto:{onto}", f"parser:{_quote(self.parser)}")
        return "|".join((*head, *(f"{_quote(name)}:{_quote(text)}" for name, text in self.parameters)))

    @property
    def items(self) -> dict[str, str]:
        """The parameters by name."""
        return dict(self.parameters)

    def differences(self, other: Signature) -> tuple[tuple[str, str, str], ...]:
        """(name, mine, theirs) for each part in which two signatures differ; "" where one lacks it.

        Results whose signatures differ in anything but `cabs` and the seed are not comparable.
        """
        mine, theirs = _parts(self), _parts(other)
        names = [*mine, *(name for name in theirs if name not in mine)]
        pairs = ((name, mine.get(name, ""), theirs.get(name, "")) for name in names)
        return tuple(pair for pair in pairs if pair[1] != pair[2])


def sign(
    *,
    ontology_version: str,
    ontology_hash: str,
    parser: str,
    parameters: Iterable[tuple[str, str]] | Mapping[str, str] = (),
) -> Signature:
    """The signature of a result of this package; `ontology_hash` is shortened to `HASH_LENGTH` digits."""
    pairs = parameters.items() if isinstance(parameters, Mapping) else parameters
    return Signature(__version__, ontology_version, ontology_hash[:HASH_LENGTH], parser, tuple(pairs))


def parse_signature(line: str) -> Signature:
    """The signature that `line` states, of any version of the package: `str(parse_signature(line)) == line`.

    Unknown parameters are kept. Raises `SettingError` where the line is no signature.
    """
    if not line.isascii() and any("\ud800" <= sign <= "\udfff" for sign in line):
        raise _no_signature(line)
    fields: dict[str, str] = {}
    for part in line.strip().split("|"):
        name, colon, text = part.partition(":")
        if not colon or unquote(name) in fields:
            raise _no_signature(line)
        fields[unquote(name)] = text
    if tuple(fields)[:3] != _HEAD or "/" not in fields["onto"]:
        raise _no_signature(line)
    version, onto, parser = (fields.pop(name) for name in _HEAD)
    ontology_version, _, ontology_hash = onto.rpartition("/")
    parameters = tuple((name, unquote(text)) for name, text in fields.items())
    return Signature(unquote(version), unquote(ontology_version), unquote(ontology_hash), unquote(parser), parameters)


def _quote(text: str) -> str:
    return quote(text, safe=_SAFE, errors="backslashreplace")


def _parts(signature: Signature) -> dict[str, str]:
    onto = f"{signature.ontology_version}/{signature.ontology_hash}"
    return {"cabs": signature.version, "onto": onto, "parser": signature.parser, **signature.items}


def _no_signature(line: str) -> SettingError:
    return SettingError(
        f"this is no signature: {line[:80]!r}", place="signature", hint="it starts with cabs:VERSION|onto:"
    )
