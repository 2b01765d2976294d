"""Text → facts: sections, sentences, mentions, context, places, attributes, facts."""

from cabs.parsing.parser import RulesParser, parse

__all__ = ["RulesParser", "parse"]
