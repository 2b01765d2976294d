"""CABS: is a model-written radiology report clinically right?

Text → facts → alignment → counts → scores:

>>> import cabs
>>> report = cabs.parse("There is a 9 mm nodule in the right upper lobe. No pleural effusion.")
>>> [(fact.status, fact.name, fact.side) for fact in report.facts]
[('present', 'pulmonary nodule', 'right'), ('absent', 'pleural effusion', None)]

Everything is imported on first use, so that `import cabs` stays light.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from cabs.version import __version__

if TYPE_CHECKING:
    from cabs.errors import (
        CabsError,
        InputError,
        MissingExtraError,
        OntologyError,
        OutputError,
        SettingError,
    )
    from cabs.matching import Alignment, Settings
    from cabs.metrics import Counts
    from cabs.metrics.intervals import Resampling
    from cabs.ontology import Ontology, load_ontology
    from cabs.parsing import parse
    from cabs.scoring import Result, align, score
    from cabs.signature import Signature
    from cabs.values import (
        Attribute,
        Fact,
        Issue,
        Location,
        Normal,
        Pair,
        ParsedReport,
        QuotedFact,
        QuotedReport,
        Span,
    )

_HOMES = {
    "cabs.errors": (
        "CabsError",
        "InputError",
        "MissingExtraError",
        "OntologyError",
        "OutputError",
        "SettingError",
    ),
    "cabs.matching": ("Alignment", "Settings"),
    "cabs.metrics": ("Counts",),
    "cabs.metrics.intervals": ("Resampling",),
    "cabs.ontology": ("Ontology", "load_ontology"),
    "cabs.parsing": ("parse",),
    "cabs.scoring": ("Result", "align", "score"),
    "cabs.signature": ("Signature",),
    "cabs.values": (
        "Attribute",
        "Fact",
        "Issue",
        "Location",
        "Normal",
        "Pair",
        "ParsedReport",
        "QuotedFact",
        "QuotedReport",
        "Span",
    ),
}
_HOME = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [  # noqa: RUF022  # in the order of use
    "__version__",
    "load_ontology",
    "parse",
    "align",
    "score",
    "Alignment",
    "Attribute",
    "CabsError",
    "Counts",
    "Fact",
    "InputError",
    "Issue",
    "Location",
    "MissingExtraError",
    "Normal",
    "Ontology",
    "OntologyError",
    "OutputError",
    "Pair",
    "ParsedReport",
    "QuotedFact",
    "QuotedReport",
    "Resampling",
    "Result",
    "SettingError",
    "Settings",
    "Signature",
    "Span",
]


def __getattr__(name: str) -> Any:
    home = _HOME.get(name)
    if home is None:
        raise AttributeError(f"module 'cabs' has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(home), name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
