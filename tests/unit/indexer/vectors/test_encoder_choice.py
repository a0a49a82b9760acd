"""Which encoder a build takes: a deployed one, a cached one, a fresh export, or the model itself."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from unittest.mock import ANY

import msgspec
import numpy as np
import pytest
from tests.tiny_model import save_static_model, save_tiny_model
from tests.unit.core.index.index_content import INFO, make_content

from pincite_core import embedders
from pincite_core.deployed.build_facts import Parity
from pincite_core.embedders import (
    Encoder,
    SentenceTransformerEmbedder,
    Vectors,
    encoder_from,
    load_embedder,
)
from pincite_core.errors import ModelNotFoundError
from pincite_core.index.schema import ENCODER_NAME, INFO_NAME
from pincite_core.index.write import write_index
from pincite_indexer.publish import encoder_facts
from pincite_indexer.vectors import encoder_choice, original
from pincite_indexer.vectors.embedding import is_close, sample_of
from pincite_indexer.vectors.encoder_cache import EncoderCache
from pincite_indexer.vectors.encoder_choice import BuildEmbedder, Choice, choose_encoder, measure
from pincite_indexer.vectors.encoder_export import EncoderExportError, export_files

QUESTIONS = ["rotate the token", "a", "", "Wörter & 数字 42"]
TEXTS = [f"chunk {number} of the guide" for number in range(40)]


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_tiny_model(tmp_path_factory.mktemp("tiny"))


@pytest.fixture(scope="module")
def static(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model that torch alone can run."""
    return save_static_model(tmp_path_factory.mktemp("static"))


@pytest.fixture(scope="module")
def cache_root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("encoders")


@pytest.fixture(scope="module")
def chosen(model: Path, cache_root: Path) -> Choice:
    """The first build's choice, which fills the cache."""
    return choose_encoder(str(model), TEXTS, cache_root=cache_root)


@pytest.fixture
def no_torch(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine without sentence-transformers."""
    for name in ("sentence_transformers", "torch", "onnxscript"):
        monkeypatch.setitem(__import__("sys").modules, name, None)


def encoder_of(choice: Choice) -> Encoder:
    assert choice.encoder is not None
    return choice.encoder


def deployed_folder(folder: Path, encoder: Encoder, model: Path) -> Path:
    """Lay an encoder out as an index folder has it."""
    exports = EncoderCache(folder, model)
    exports.put(encoder)
    return next((folder / "encoders").iterdir())


def test_a_build_embeds_with_the_encoder_that_it_ships(chosen: Choice) -> None:
    assert isinstance(chosen.embedder, BuildEmbedder)
    assert chosen.embedder.info == encoder_of(chosen).info
    assert chosen.why_none == ""


def test_the_parity_is_that_of_a_sample_of_the_sites_own_chunks(chosen: Choice, model: Path) -> None:
    parity = encoder_of(chosen).parity
    assert parity is not None
    sample = sample_of(TEXTS)
    cosines = (chosen.embedder.encode(sample) * load_embedder(str(model)).encode(sample)).sum(axis=1)
    assert parity.sample == len(sample) < len(TEXTS)
    assert parity.min == pytest.approx(cosines.min(), abs=1e-3)
    assert parity.mean == pytest.approx(cosines.mean(), abs=1e-3)


@pytest.mark.usefixtures("no_torch")
def test_a_first_build_needs_no_torch_and_makes_the_same_choice(chosen: Choice, model: Path) -> None:
    assert choose_encoder(str(model), TEXTS, cache_root=None) == Choice(ANY, chosen.encoder)


@pytest.mark.usefixtures("no_torch")
def test_a_model_that_needs_torch_says_what_to_install_where_there_is_none(static: Path, tmp_path: Path) -> None:
    with pytest.raises(ModelNotFoundError, match=r"its parts are StaticEmbedding.*'pincite\[index,torch\]'") as caught:
        choose_encoder(str(static), TEXTS, cache_root=tmp_path)
    assert "\n" not in str(caught.value)


@pytest.mark.usefixtures("no_torch")
def test_the_second_build_takes_export_and_parity_from_the_cache(chosen: Choice, model: Path, cache_root: Path) -> None:
    again = choose_encoder(str(model), TEXTS, cache_root=cache_root)
    assert again.encoder == chosen.encoder


def test_without_the_cache_the_choice_is_the_same(chosen: Choice, model: Path) -> None:
    assert choose_encoder(str(model), TEXTS, cache_root=None).encoder == chosen.encoder


def test_a_cached_export_that_is_damaged_is_made_anew(chosen: Choice, model: Path, tmp_path: Path) -> None:
    folder = deployed_folder(tmp_path, encoder_of(chosen), model)
    (folder / ENCODER_NAME).write_bytes(b"half")
    assert choose_encoder(str(model), TEXTS, cache_root=tmp_path).encoder == chosen.encoder
    assert encoder_from(folder) is not None


def test_a_changed_setting_of_the_same_weights_is_another_export(chosen: Choice, model: Path, tmp_path: Path) -> None:
    deployed_folder(tmp_path, encoder_of(chosen), model)
    other = save_tiny_model(tmp_path / "other", "cls")
    assert EncoderCache(tmp_path, model).get() is not None
    assert EncoderCache(tmp_path, other).get() is None


@pytest.mark.usefixtures("no_torch")
def test_a_deployed_encoder_needs_neither_torch_nor_the_weights(
    chosen: Choice, model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    deployed = deployed_folder(tmp_path, encoder_of(chosen), model)
    monkeypatch.setattr(encoder_choice, "model_folder", lambda _name: None)
    taken = choose_encoder(model.name, TEXTS, cache_root=None, deployed=[tmp_path / "gone", deployed])
    assert taken.encoder == chosen.encoder
    with pytest.raises(ModelNotFoundError, match="neither on this machine nor reachable"):
        choose_encoder("another-model", TEXTS, cache_root=None, deployed=[deployed])


def test_a_deployed_encoder_of_other_weights_is_not_taken(chosen: Choice, model: Path, tmp_path: Path) -> None:
    other = replace(encoder_of(chosen), info=replace(encoder_of(chosen).info, weights_sha256="1" * 64))
    deployed = deployed_folder(tmp_path, other, model)
    assert encoder_of(choose_encoder(str(model), TEXTS, cache_root=None, deployed=[deployed])) == chosen.encoder


def test_a_model_that_cannot_be_exported_is_used_itself_and_says_why(tmp_path: Path) -> None:
    choice = choose_encoder(str(save_static_model(tmp_path)), TEXTS, cache_root=tmp_path)
    assert isinstance(choice.embedder, SentenceTransformerEmbedder)
    assert choice.encoder is None
    assert "cannot be exported" in choice.why_none


def test_a_failed_export_is_remembered_and_says_how_to_try_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = str(save_static_model(tmp_path))
    first = choose_encoder(model, TEXTS, cache_root=tmp_path)
    with monkeypatch.context() as patch:
        patch.setattr(original, "export_encoder", None)  # is not called
        second = choose_encoder(model, TEXTS, cache_root=tmp_path)
    (file,) = tmp_path.rglob("*.failed.json")
    assert second.why_none == f"{first.why_none} An earlier build failed with this error; delete {file} to try again."
    file.unlink()
    assert choose_encoder(model, TEXTS, cache_root=tmp_path).why_none == first.why_none


@pytest.mark.parametrize("other", [b'{"why": "x", "versions": {"torch": "0.1"}}', b"half"])
def test_a_failure_of_other_packages_is_forgotten(tmp_path: Path, other: bytes) -> None:
    exports = EncoderCache(tmp_path, tmp_path)
    exports.put_failure("It cannot.")
    assert "It cannot." in exports.failure()
    (file,) = tmp_path.rglob("*.failed.json")
    file.write_bytes(other)
    assert exports.failure() == ""


def test_a_failure_that_may_pass_is_not_remembered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: object) -> Encoder:
        raise EncoderExportError("m cannot be exported (OSError: no space).") from OSError()

    monkeypatch.setattr(original, "export_encoder", full)
    assert "no space" in choose_encoder(str(save_static_model(tmp_path)), TEXTS, cache_root=tmp_path).why_none
    assert not list(tmp_path.rglob("*.failed.json"))


@pytest.mark.usefixtures("no_torch")
def test_the_parity_that_an_earlier_index_records_of_the_same_encoder_is_not_measured_again(
    chosen: Choice, model: Path, cache_root: Path, tmp_path: Path
) -> None:
    encoder = encoder_of(chosen)
    parity = Parity(0.99, 0.98, 7)
    info = replace(INFO, weights_sha256=encoder.info.weights_sha256, encoder=encoder.info.encoder)
    meta = {"encoder": encoder_facts(replace(encoder, parity=parity))}
    write_index(make_content(info=info, meta=meta), tmp_path / "index.db")
    texts = ["never seen by the model"]
    assert encoder_of(choose_encoder(str(model), texts, cache_root=cache_root, deployed=[tmp_path])).parity == parity


def test_an_encoder_too_far_from_its_model_is_not_shipped(
    model: Path, cache_root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(encoder_choice, "measure", lambda *_: Parity(0.97, 0.96, 32))
    choice = choose_encoder(str(model), TEXTS, cache_root=cache_root)
    assert choice.embedder.info.encoder == ""
    assert choice.encoder is None
    assert "0.97 mean" in choice.why_none


@pytest.mark.parametrize(
    ("mean", "least", "good"), [(0.98, 0.95, True), (0.979, 0.97, False), (0.99, 0.949, False), (1.0, 1.0, True)]
)
def test_parity_holds_when_mean_and_least_cosine_are_high(mean: float, least: float, good: bool) -> None:
    assert is_close(Parity(mean, least, 32)) is good


def test_parity_sees_a_model_that_gives_something_else(chosen: Choice) -> None:
    def turned(texts: Sequence[str]) -> Vectors:
        return np.roll(chosen.embedder.encode(texts), 1, axis=1)

    assert isinstance(chosen.embedder, BuildEmbedder)
    assert not is_close(measure(chosen.embedder, turned, TEXTS, None))


def test_an_empty_site_has_an_encoder_too(model: Path, cache_root: Path) -> None:
    assert encoder_of(choose_encoder(str(model), [], cache_root=cache_root)).parity is not None


def test_the_sample_hardly_changes_with_a_page() -> None:
    assert len(set(sample_of(TEXTS)) & set(sample_of([*TEXTS[1:], "another chunk"]))) >= 30


def test_without_an_encoder_the_model_itself_embeds(model: Path) -> None:
    assert load_embedder(str(model)).info.encoder == ""
    assert choose_encoder("fake", TEXTS, cache_root=None).embedder.info == embedders.FakeEmbedder.info


def test_the_cache_keeps_what_an_index_folder_keeps(chosen: Choice, model: Path, tmp_path: Path) -> None:
    folder = deployed_folder(tmp_path, encoder_of(chosen), model)
    facts = msgspec.json.decode((folder / INFO_NAME).read_bytes())
    assert facts["encoder"]["sha256"] == encoder_of(chosen).info.encoder
    assert not list(folder.parent.glob(".*"))


@pytest.fixture(scope="module")
def exported(model: Path) -> Encoder:
    return export_files(model, "tiny")


def test_questions_have_the_bits_that_the_shipped_encoder_gives(exported: Encoder) -> None:
    embedder, shipped = BuildEmbedder(exported), exported.load()
    assert np.array_equal(embedder.encode(QUESTIONS, "query"), shipped.encode(QUESTIONS, "query"))
    assert embedder.info == exported.info
    assert embedder.pieces(QUESTIONS[0]) == shipped.pieces(QUESTIONS[0])


def test_passages_are_near_to_it_and_have_the_same_bits_with_their_tokens(exported: Encoder) -> None:
    embedder = BuildEmbedder(exported)
    passages = embedder.encode(QUESTIONS)
    assert (passages * exported.load().encode(QUESTIONS)).sum(axis=1).min() > 0.99
    for vector, encoded in zip(passages, embedder.encode_with_tokens(QUESTIONS), strict=True):
        assert np.array_equal(encoded.vector, vector)
        assert encoded.tokens is not None


def test_encoding_questions_builds_no_faster_form(exported: Encoder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(encoder_choice, "faster_form", None)
    assert len(BuildEmbedder(exported).encode(QUESTIONS, "query")) == len(QUESTIONS)
