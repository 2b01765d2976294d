"""What `--parser` and `--matcher` name, and the account of what an LLM was asked."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cabs.matching import Settings
    from cabs.ontology import Ontology
    from cabs.scoring.backends import Aligner
    from cabs.scoring.judge import Parser
    from cabs.studies.counterfactual.other_words import Rewording


RULES = "rules"
"""What reads and matches unless the user names another."""


@dataclass(frozen=True)
class Chosen:
    """What the options of a command name; None stands for the rules."""

    parser: Parser | None = None
    aligner: Aligner | None = None

    @property
    def waits(self) -> bool:
        """Whether they ask others, so that processes are of no use."""
        from cabs.scoring.backends import waits

        return waits(self.parser, self.aligner)

    def processes(self, workers: int | None, total: int | None) -> int:
        """The number of processes; one where others are asked, unless the user says otherwise."""
        from cabs.cli.options import processes

        return workers or 1 if self.waits else processes(workers, total)


def chosen(
    parser: str,
    matcher: str,
    flags: list[str] | None,
    file: Path | None,
    ontology: Ontology,
    settings: Settings | None = None,
    *,
    text: bool = True,
) -> Chosen:
    """The parser and the matcher that the options name.

    Raises:
        SettingError: there is none of a name, or a setting is missing, unknown or wrong; MissingExtraError: what it
            needs is not installed.
    """
    from cabs.errors import SettingError

    if (parser, matcher) == (RULES, RULES):
        if flags or file is not None:
            place = "--llm" if flags else "--llm-config"
            raise SettingError("no LLM is asked", place=place, hint="--parser llm, --parser hybrid or --matcher llm")
        return Chosen()
    from cabs.llm.given import given
    from cabs.matching import Settings
    from cabs.scoring.backends import aligner_named, parser_named

    options: dict[str, Any] = given(flags or (), file, text=text)
    reader = parser_named(parser, ontology, options)
    return Chosen(reader, aligner_named(matcher, ontology, settings or Settings(), reader, options))


def rewording(name: str, flags: list[str] | None, file: Path | None, *, text: bool) -> Rewording | None:
    """What `--reword` names; None for the lexicon of the study.

    Raises:
        SettingError: there is none of the name, or a setting is missing, unknown or wrong.
    """
    from cabs.errors import SettingError

    if name == "llm":
        from cabs.llm.given import given
        from cabs.llm.reword import LlmRewording
        from cabs.llm.server import server_from

        return LlmRewording(server_from(given(flags or (), file, text=text)))
    if name != "lexicon":
        raise SettingError(f"{name!r} rewords nothing", place="--reword", hint="one of: lexicon, llm")
    if flags or file is not None:
        raise SettingError("no LLM is asked", place="--llm", hint="--reword llm")
    return None


@contextmanager
def accounted(*asked: object) -> Iterator[None]:
    """Tells on the standard error, at the end whatever it is, what was asked and what it cost."""
    from cabs.cli.door import note
    from cabs.errors import CabsError

    services = list({id(s): s for s in map(_service, asked) if s is not None}.values())
    try:
        yield
    finally:
        for service in services:
            note(service.usage.told(service.server.price_in, service.server.price_out))
    for service in services:
        if service.usage.failed and not service.usage.answered:
            hint = "the account above says why; nothing is scored"
            raise CabsError("no question got a usable answer", place=f"LLM at {service.server.shown}", hint=hint)


def _service(backend: object) -> Any:
    return getattr(backend, "service", None)
