"""The knowledge that CABS scores with: one immutable Ontology, loaded from the YAML files of `ontology/`."""

from cabs.ontology.load import load_ontology
from cabs.ontology.ontology import Ontology

__all__ = ["Ontology", "load_ontology"]
