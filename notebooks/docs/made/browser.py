"""The ontology as pages to look through: a page an organ, one of places, of attributes, of opposites and of sources."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import yaml

from cabs.ontology import Ontology
from cabs.ontology.model import AttributeKind, Entity, Structure
from notebooks.docs.made.included import ROOT

FOLDER = "ontology"
ANY = "any-organ"
"""The page of entities whose place decides the organ."""
QUIET = "---\nsearch:\n  boost: 0.3\n---\n"
"""The search of the site finds every name, after the pages that people wrote."""


def pages(ontology: Ontology) -> Mapping[str, str]:
    """Every page of the browser, by its place on the site."""
    homes = {id: home(entity) for id, entity in ontology.entities.items()}
    found = {f"{FOLDER}/index.md": index(ontology, homes)}
    for name in sorted(set(homes.values())):
        inside = [entity for id, entity in ontology.entities.items() if homes[id] == name]
        found[f"{FOLDER}/{name}.md"] = organ_page(ontology, name, inside, homes)
    found[f"{FOLDER}/places.md"] = places_page(ontology)
    found[f"{FOLDER}/attributes.md"] = attributes_page(ontology)
    found[f"{FOLDER}/opposites.md"] = opposites_page(ontology)
    found[f"{FOLDER}/sources.md"] = sources_page()
    return found


def home(entity: Entity) -> str:
    """The page of an entity: its usual organ's, or that of entities without one."""
    return f"organ-{entity.organs[0]}" if entity.organs else ANY


def index(ontology: Ontology, homes: Mapping[str, str]) -> str:
    """What there is, and where."""
    rows = [
        f"| [{_organ_title(ontology, name)}]({name}.md) | {sum(home == name for home in homes.values())} |"
        for name in sorted(set(homes.values()), key=lambda name: _organ_title(ontology, name))
    ]
    head = f"""# The ontology

All that CABS knows of radiology: {len(ontology.entities)} entities, {len(ontology.structures)} places,
{len(ontology.organs)} organs, {len(ontology.attribute_kinds)} kinds of attributes, {len(ontology.distinct)} pairs of
names that must never become one. These pages are made from the shipped files, version {ontology.version}, content hash
`{ontology.content_hash}`. The search field above finds every name and every other way to write it; the same from a
shell: `cabs ontology search WORD`, `cabs ontology show ID`.

No clinician has reviewed it. How to teach it terms of your own: [Extending the ontology](../extending.md).

- [Places](places.md) and what they are part of
- [Attributes](attributes.md): their values, what is compatible, what a conflict costs
- [Opposites](opposites.md): names and words that look alike and never match
- [Sources](sources.md) and licences

| organ | entities |
| --- | --- |
"""
    return head + "\n".join(rows) + "\n"


def organ_page(ontology: Ontology, name: str, inside: Iterable[Entity], homes: Mapping[str, str]) -> str:
    """The entities of an organ, by their names."""
    parts = [_entity(ontology, entity, homes) for entity in sorted(inside, key=lambda entity: entity.label.lower())]
    return f"{QUIET}\n# {_organ_title(ontology, name)}\n\n" + "\n".join(parts)


def _organ_title(ontology: Ontology, name: str) -> str:
    label = ontology.organs[name.removeprefix("organ-")].label if name != ANY else "any organ: the place decides"
    return label[:1].upper() + label[1:]


def _entity(ontology: Ontology, entity: Entity, homes: Mapping[str, str]) -> str:
    shown = {
        "a kind of": _link(ontology, entity.parent, homes),
        "organs": ", ".join(ontology.organs[organ].label for organ in entity.organs),
        "made of": _made_of(ontology, entity, homes),
        "also written": _words((*entity.forms, *entity.abbreviations)),
        "said of its place": _words(entity.predicates),
        "not meant by": _words(entity.blocked),
        "kinds of it": ", ".join(
            _link(ontology, other.id, homes) for other in ontology.entities.values() if other.parent == entity.id
        ),
        "significance": _significance(ontology, entity),
        "elsewhere": ", ".join(f"{name} `{id}`" for name, id in sorted(_ids(entity.xrefs))),
    }
    return _record(entity.label, entity.id, entity.kind, shown)


def _record(label: str, id: str, kind: str, shown: Mapping[str, str]) -> str:
    lines = [f"- {name}: {value}" for name, value in shown.items() if value]
    return "\n".join([f"## {_plain(label)} {{ #{id} }}", "", f"`{id}`, {kind}", "", *lines, ""])


def _link(ontology: Ontology, id: str | None, homes: Mapping[str, str]) -> str:
    return f"[{_plain(ontology.entities[id].label)}]({homes[id]}.md#{id})" if id else ""


def _made_of(ontology: Ontology, entity: Entity, homes: Mapping[str, str]) -> str:
    if entity.finding is None:
        return ""
    places = ", ".join(_place(ontology, id) for id in entity.places)
    return f"{_link(ontology, entity.finding, homes)} + {places}" if places else _link(ontology, entity.finding, homes)


def _place(ontology: Ontology, id: str) -> str:
    return f"[{_plain(ontology.structures[id].label)}](places.md#{id})"


def _significance(ontology: Ontology, entity: Entity) -> str:
    source = f" ({entity.significance_source})" if entity.significance_source else ", by rule or parent"
    return f"{ontology.significance(entity.id)}, weight {ontology.weight(entity.id):g}{source}"


def _ids(xrefs: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for name, ids in xrefs.items():
        for id in [ids] if isinstance(ids, str) else ids:
            yield name, str(id)


def _words(words: Iterable[str]) -> str:
    return "; ".join(map(_plain, words))


def _plain(text: str) -> str:
    """A name as Markdown shows it letter by letter."""
    return "".join(f"\\{c}" if c in "\\`*_[]<>#|{}" else c for c in text)


def places_page(ontology: Ontology) -> str:
    """Every place of the body."""
    parts = [
        _structure(ontology, place) for place in sorted(ontology.structures.values(), key=lambda s: s.label.lower())
    ]
    return f"{QUIET}\n# Places\n\n" + "\n".join(parts)


def _structure(ontology: Ontology, place: Structure) -> str:
    organ = ontology.organ_of(place.id)
    shown = {
        place.relation.replace("_", " "): f"[{_plain(ontology.structures[place.parent].label)}](#{place.parent})"
        if place.parent
        else "",
        "organ": ontology.organs[organ].label if organ else "",
        "side": place.side,
        "also written": _words((*place.forms, *place.adjectives, *place.abbreviations)),
        "elsewhere": ", ".join(f"{name} `{id}`" for name, id in sorted(_ids(place.xrefs))),
    }
    return _record(place.label, place.id, "place", shown)


def attributes_page(ontology: Ontology) -> str:
    """Every kind of attribute with its values."""
    return "# Attributes\n\n" + "\n".join(_kind(kind) for kind in ontology.attribute_kinds.values())


COMPARED = {
    "size": "within a tolerance",
    "ordered": "on a scale",
    "exclusive": "one value at a time",
    "set": "values stand beside each other; only opposites conflict",
    "free": "words, never in conflict",
}


def _kind(kind: AttributeKind) -> str:
    told = "disagrees" if kind.clinical else "is no disagreement"
    head = f"""## {_plain(kind.kind)} {{ #{kind.kind} }}

Compared: {COMPARED[kind.compare]}{f" (tolerance {kind.tolerance:g})" if kind.compare == "ordered" else ""}. A conflict
costs {kind.cost:g} of the fact's weight. Stated by the prediction alone it {told} by default.
"""
    rows = [
        f"| {_plain(value.value)} | {_words(value.forms)} | {_words(sorted(value.compatible))} "
        f"| {_words(sorted(value.opposites))} | {value.significance_shift or ''} |"
        for value in kind.values.values()
    ]
    table = [
        "",
        "| value | written | compatible | opposites | class shift |",
        "| --- | --- | --- | --- | --- |",
        *rows,
        "",
    ]
    return head + ("\n".join(table) if rows else "")


def opposites_page(ontology: Ontology) -> str:
    """What must never match."""
    pairs = [f"| {_plain(p.a)} | {_plain(p.b)} | {_plain(p.why)} |" for p in ontology.distinct]
    prefixes = [f"- {', '.join(prefix or '(none)' for prefix in group)}" for group in ontology.opposites.prefixes]
    words = [f"- {', '.join(group)}" for group in ontology.opposites.words]
    return "\n".join(
        [
            QUIET,
            "# Opposites",
            "",
            "Likeness of letters never makes two of these one.",
            "",
            "## Names",
            "",
            "| name | never | why |",
            "| --- | --- | --- |",
            *pairs,
            "",
            "## Prefixes",
            "",
            *prefixes,
            "",
            "## Beginnings of words",
            "",
            *words,
            "",
        ]
    )


def sources_page() -> str:
    """Where the ontology comes from, as SOURCES.yaml and NOTICE have it."""
    sources = yaml.safe_load((ROOT / "ontology" / "SOURCES.yaml").read_text(encoding="utf-8"))
    notice = (ROOT / "ontology" / "NOTICE").read_text(encoding="utf-8")
    vocabularies = [
        f"| {s['id']} | {s['name']} | {s.get('version', '')} | {s['licence']} | {s['used']} |"
        for s in sources["vocabularies"]
    ]
    labels = [f"| {s['name']} | {s['licence']} | {s['used']} |" for s in sources["label_sets"]]
    left_out = [f"- {s['what']}: {s['why']}" for s in sources["left_out"]]
    own = [f"- {s['what']}: {s['source']}" for s in sources["own"]]
    return "\n".join(
        [
            "# Sources of the ontology",
            "",
            f"Compiled {sources['compiled']}. Licence: {sources['licence']}.",
            "",
            "## Our own",
            "",
            *own,
            "",
            "## Identifiers of other vocabularies",
            "",
            "Identifiers alone, no text of theirs.",
            "",
            "| id | vocabulary | version | licence | used |",
            "| --- | --- | --- | --- | --- |",
            *vocabularies,
            "",
            "## Label sets",
            "",
            "| set | licence | used |",
            "| --- | --- | --- |",
            *labels,
            "",
            "## Left out",
            "",
            *left_out,
            "",
            "## Notice",
            "",
            "```text",
            notice.rstrip(),
            "```",
            "",
        ]
    )
