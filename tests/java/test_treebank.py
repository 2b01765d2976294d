"""CIDEr over the words of the Penn Treebank's tokeniser, which is a Java program."""

from __future__ import annotations

import numpy as np

from cabs.metrics.registered import pair_metric
from cabs.testing import examples


def test_cider_with_the_treebank_s_words() -> None:
    from pycocoevalcap.cider.cider import Cider
    from pycocoevalcap.tokenizer.ptbtokenizer import PTBTokenizer

    pairs = [*examples(), ("One line.\nAnother, longer line.", "One line."), ("", "Something."), ("Something.", "")]
    lines = [{i: [{"caption": " ".join(pair[side].split())}] for i, pair in enumerate(pairs)} for side in (0, 1)]
    _, values = Cider().compute_score(*(PTBTokenizer().tokenize(side) for side in lines))
    found = pair_metric("cider:tokenizer=ptb").measure([r for r, _ in pairs], [p for _, p in pairs])
    np.testing.assert_allclose(found.values, values, rtol=0, atol=1e-9)
