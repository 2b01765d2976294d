"""References → the text of every probe for each of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from cabs.ontology import Ontology
from cabs.studies.probes import edits
from cabs.studies.probes.cut import Cut, tidy
from cabs.studies.probes.data import Lexicon
from cabs.studies.seeded import seeded
from cabs.values import OTHER

Texts = dict[str, str]
"""Probe → its text; a probe that a reference has no place for is left out."""


def probe_texts(
    cuts: Sequence[Cut], lexicon: Lexicon, ontology: Ontology, paraphrases: Mapping[str, str], seed: int
) -> list[Texts]:
    """The texts for each reference. `paraphrases`: written ones by id."""
    words = lexicon.words
    known = [e for e in ontology.entities.values() if e.kind == "abnormality"]
    labels = [e.label for e in known if e.label_sets] or [e.label for e in known]
    constant = {
        "empty": "",
        "normal": words.normal,
        "everything": " ".join(words.says.format(name=label) for label in labels),
        "everything_hedged": " ".join(words.says_possible.format(name=label) for label in labels),
    }
    templates = _templates(cuts, lexicon)
    return [
        {"reference": cut.text, **constant, **template, **_own(cut, lexicon, paraphrases, seed)}
        for cut, template in zip(cuts, templates, strict=True)
    ]


def _own(cut: Cut, lexicon: Lexicon, paraphrases: Mapping[str, str], seed: int) -> Texts:
    """The probes that are made of the reference itself."""
    found: Texts = {}
    second = cut.findings[1::2]
    if second:
        found["partial"] = cut.without(second)
        told = edits.doubled(cut, cut.findings[::2])
        found["doubled"] = tidy(cut.with_changed({**told, **dict.fromkeys(second, "")}))
    for name, changed in (("negated", edits.negated(cut, lexicon)), ("sides", edits.sides(cut, lexicon))):
        if changed:
            found[name] = cut.with_changed(changed)
            found[f"without_{name}"] = cut.without(changed)
    hedged = edits.hedged(cut, lexicon)
    if hedged:
        found["hedged"] = cut.with_changed(hedged)
    moved = cut.shuffled(lexicon, seeded(seed, cut.id))
    if moved is not None:
        found["shuffled"] = moved
    reworded = edits.reworded(cut, lexicon)
    if cut.id in paraphrases:
        found |= {"paraphrase": paraphrases[cut.id], "without_paraphrase": ""}
    elif reworded:
        found |= {"paraphrase": cut.with_changed(reworded), "without_paraphrase": cut.without(reworded)}
    return found


def _templates(cuts: Sequence[Cut], lexicon: Lexicon) -> list[Texts]:
    """For each reference the findings most frequent in the others; none where there are no others."""
    stated = [_findings(cut) for cut in cuts]
    total = Counter(entity for names in stated for entity in names)
    name_of = {entity: name for names in stated for entity, name in names.items()}
    size = round(sum(map(len, stated)) / len(stated)) if stated else 0
    found: list[Texts] = []
    for own in stated:
        others = {entity: count - (entity in own) for entity, count in total.items()}
        ranked = sorted((e for e, count in others.items() if count), key=lambda e: (-others[e], e))[:size]
        said = " ".join(lexicon.words.says.format(name=name_of[entity]) for entity in ranked)
        found.append({"template": said} if said else {})
    return found


def _findings(cut: Cut) -> dict[str, str]:
    """The abnormalities of a reference, entity → name."""
    facts = (f for f in cut.facts.facts if f.status == "present" and f.kind == "abnormality" and f.entity != OTHER)
    return {fact.entity: fact.name for fact in facts}
