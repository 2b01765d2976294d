"""Names of the command line → parsers and matchers that ask a server."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cabs.llm.hybrid import HybridParser
from cabs.llm.matcher import HybridMatcher, LlmMatcher
from cabs.llm.parser import LlmParser
from cabs.llm.server import server_from
from cabs.matching import Settings
from cabs.ontology import Ontology
from cabs.scoring.backends import Aligner
from cabs.scoring.judge import Parser

_PARSERS = {LlmParser.name: LlmParser, HybridParser.name: HybridParser}
_MATCHERS = {LlmMatcher.name: LlmMatcher, HybridMatcher.name: HybridMatcher}


def parser(name: str, ontology: Ontology, options: Mapping[str, Any]) -> Parser:
    """The parser `llm` or `hybrid`; options are the fields of `Server`.

    Raises:
        SettingError: an option is unknown or wrong; MissingExtraError: openai is not installed.
    """
    return _PARSERS[name](ontology, server_from(options))


def matcher(
    name: str, ontology: Ontology, settings: Settings, parser: Parser | None, options: Mapping[str, Any]
) -> Aligner:
    """The matcher `llm` or `hybrid`; options are the fields of `Server`. It reads texts with the parser.

    Raises:
        SettingError: an option is unknown or wrong; MissingExtraError: openai is not installed.
    """
    return _MATCHERS[name](ontology, settings, server_from(options), parser)
