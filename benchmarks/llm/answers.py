"""Questions → the answers that a perfect model would give, if the rules were right: so that a run through the LLM
backend can be held against one by the rules."""

from __future__ import annotations

import json
import re
from functools import lru_cache
from typing import Any

from cabs.matching import Matcher
from cabs.ontology import load_ontology
from cabs.parsing import parse
from cabs.values import Fact

Json = dict[str, Any]
_BLOCK = r"(?s)<{kind} ([0-9a-f]{{16}})>\n(.*?)\n</{kind} \1>"
GREETING: Json = {"facts": [], "normal": []}


def block(kind: str, said: str) -> str:
    """What stands between the marks of a kind in a message; "" for nothing."""
    found = re.search(_BLOCK.format(kind=kind), said)
    return found[2] if found else ""


def answer(body: Json) -> str:
    """The answer to a request: of an extraction, a judgement, a settlement, a rewording, or a probe."""
    said = str(body["messages"][-1]["content"])
    if "</facts " in said:
        return _judgement(block("facts", said), block("report", said))
    if "</lists " in said:
        return json.dumps({"matches": []})
    if "in other words" in said:
        return json.dumps({"report": block("report", said)})
    if "</report " in said:
        return extraction(block("report", said))
    return json.dumps(GREETING) if "response_format" in body else "Hello."


@lru_cache(maxsize=4096)
def extraction(text: str) -> str:
    """What the rules find in a text, as a model would say it."""
    report = parse(text)
    facts = [_fact(fact, text) for fact in report.facts if fact.evidence]
    normal = [{"organ": n.organ, "evidence": text[n.span.start : n.span.end]} for n in report.normal]
    return json.dumps({"facts": facts, "normal": normal})


def _fact(fact: Fact, text: str) -> Json:
    evidence = fact.evidence[0]
    return {
        "name": fact.name,
        "status": fact.status,
        "organ": fact.organ or "unknown",
        "location": fact.location.text if fact.location.text in text else "",
        "side": fact.side or "unstated",
        "attributes": [{"kind": a.kind, "text": a.text} for a in fact.attributes if a.text in text],
        "certainty": fact.certainty,
        "mention": text[fact.mention.start : fact.mention.end],
        "evidence": text[evidence.start : evidence.end],
    }


@lru_cache(maxsize=1)
def _matcher() -> Matcher:
    return Matcher(load_ontology())


@lru_cache(maxsize=4096)
def _judgement(facts: str, text: str) -> str:
    return json.dumps(judgement(facts, text))


def judgement(facts: str, text: str) -> Json:
    """The rules' verdicts on listed facts, by name and side alone."""
    listed = [json.loads(line) for line in facts.splitlines() if line.startswith("{")]
    said = parse(text)
    present = [f for f in _matcher().canonical(said).present if f.evidence]
    verdicts = []
    for item in listed:
        found = next((f for f in present if f.name == item["name"]), None)
        if found is not None:
            present.remove(found)
        same = found is not None and (found.side or "unstated") == item["side"]
        sure = found is not None and found.certainty == item["certainty"]
        flags = {"location_match": same, "attribute_match": found is not None, "certainty_match": sure}
        verdicts.append({"id": item["id"], "hit": found is not None, **flags, "evidence": _quote(found, text)})
    false = [{"name": f.name, "organ": f.organ or "unknown", "evidence": _quote(f, text)} for f in present]
    return {"verdicts": verdicts, "false_positives": false}


def _quote(fact: Fact | None, text: str) -> str:
    return "" if fact is None else text[fact.evidence[0].start : fact.evidence[0].end]
