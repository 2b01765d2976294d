"""A medspaCy pipeline (PyRuSH sentences, target rules, ConText) on texts: seconds, and the rules' hits.

Runs in an environment of its own (medspaCy asks for an older spaCy) and so imports nothing of CABS:
`python medspacy_pipeline.py FILE`, a JSON object of `texts` and `names`, one target rule each. Prints one JSON object.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path


def main(file: Path) -> None:
    """Time the pipeline on the texts of a file, once each, after one text to warm it up."""
    import medspacy
    from medspacy.ner import TargetRule

    asked = json.loads(file.read_text(encoding="utf-8"))
    nlp = medspacy.load(medspacy_enable={"medspacy_pyrush", "medspacy_target_matcher", "medspacy_context"})
    nlp.get_pipe("medspacy_target_matcher").add([TargetRule(name, "FINDING") for name in asked["names"]])
    nlp(asked["texts"][0])
    start = time.perf_counter()
    hits = sum(len(nlp(text).ents) for text in asked["texts"])
    print(json.dumps({"seconds": time.perf_counter() - start, "hits": hits, "version": medspacy.__version__}))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
