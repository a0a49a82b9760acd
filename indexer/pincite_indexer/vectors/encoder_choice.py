"""Choose the encoder that a build uses and ships: a deployed one, a cached or new export, or the model itself.

An export replaces its model only if their vectors are similar enough on a sample of the site's own chunks.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import msgspec
import numpy as np
import numpy.typing as npt

from pincite_core.deployed.build_facts import Parity
from pincite_core.embedders import (
    FAKE_MODEL,
    Embedder,
    Encoded,
    Encoder,
    GivenPrompts,
    ModelInfo,
    OnnxEmbedder,
    Vectors,
    encoder_from,
    load_embedder,
)
from pincite_core.embedders.base import NO_GIVEN, folder_prompts
from pincite_core.embedders.loading import canonical_name, model_folder, weights_sha256
from pincite_core.errors import PinciteError
from pincite_core.index.quantise import StoredText, to_int8
from pincite_core.index.read import Index
from pincite_core.index.schema import text_hash
from pincite_core.types import Role
from pincite_indexer.vectors.embedding import is_close, parity_of, sample_of
from pincite_indexer.vectors.encoder_cache import EncoderCache
from pincite_indexer.vectors.encoder_export import EncoderExportError
from pincite_indexer.vectors.onnx_graphs.quantised import faster_form
from pincite_indexer.vectors.original import Original, cached, fetched
from pincite_indexer.vectors.vector_cache import VectorCache

__all__ = ("BuildEmbedder", "Choice", "choose_encoder", "measure")

_PASSING = (OSError, MemoryError, ImportError)  # temporary, such as a full disk: a later build may export the model


class _Record(msgspec.Struct):
    """The encoder's entry in an index, reduced to the fields that are needed here."""

    sha256: str
    parity: Parity | None = None


@dataclass(frozen=True, slots=True)
class Choice:
    """The embedder of a build, the encoder to ship, and the reason if there is none.

    `why_none` is a sentence; it is empty if no encoder was requested.
    """

    embedder: Embedder
    encoder: Encoder | None = None
    why_none: str = ""


class BuildEmbedder:
    """Embedder that encodes questions with the shipped encoder, and passages with its faster form.

    An encoder from another place must have passed `require_usable`.
    """

    def __init__(self, encoder: Encoder) -> None:
        self.info: ModelInfo = encoder.info
        self._encoder = encoder

    def encode(self, texts: Sequence[str], role: Role = "passage") -> Vectors:
        """Return one unit vector for each text; the result does not depend on the other texts of the batch."""
        return self._of(role).encode(texts, role)

    def encode_with_tokens(self, texts: Sequence[str], role: Role = "passage") -> list[Encoded]:
        """Return the unit vector of each text and, if the encoder supports it, of each token."""
        return self._of(role).encode_with_tokens(texts, role)

    def pieces(self, text: str) -> list[str]:
        """Return a text's tokens as strings; unknown tokens keep the model's name for them."""
        return self._questions.pieces(text)

    def _of(self, role: Role) -> Embedder:
        return self._questions if role == "query" else self._passages

    @cached_property
    def _questions(self) -> OnnxEmbedder:
        return self._encoder.load()

    @cached_property
    def _passages(self) -> OnnxEmbedder:
        return OnnxEmbedder(faster_form(self._encoder.onnx), self._encoder.tokenizer, self._encoder.info)


def choose_encoder(
    model: str,
    texts: Sequence[str],
    *,
    cache_root: Path | None,
    deployed: Sequence[Path] = (),
    given: GivenPrompts = NO_GIVEN,
) -> Choice:
    """Return the embedder and the encoder of a model.

    Args:
        model: A hub name, a folder, or `fake`, which has no encoder.
        texts: The site's chunks; a sample of them shows whether the encoder agrees with its model.
        cache_root: The user's cache folder; None disables the cache.
        deployed: Index folders. The first encoder that belongs to the model is reused with its recorded parity. Neither
            the model's files nor the hub are needed then.
        given: Prefixes for texts; each replaces the prefix from the model's own files.

    Raises:
        ModelError: No deployed encoder fits, and the model cannot be loaded.
    """
    if model == FAKE_MODEL:
        return Choice(load_embedder(model))
    name, folder = canonical_name(model), model_folder(model) or cached(model)
    weights = weights_sha256(folder) if folder else None
    for place in deployed:
        if encoder := _deployed(place, name, weights):
            own = folder_prompts(folder, name) if folder else encoder.info.prompts
            encoder = replace(encoder, info=replace(encoder.info, name=name, prompts=given.over(own)))
            return Choice(BuildEmbedder(encoder), encoder)
    return _own(Original(model, folder or fetched(model), given), texts, cache_root, deployed)


def _deployed(place: Path, name: str, weights: str | None) -> Encoder | None:
    """Return a deployed encoder if it belongs to this model; else None.

    The weights are compared, or the names if the weights are not on this machine.
    """
    try:
        encoder = encoder_from(place)
        if encoder is None or (encoder.info.weights_sha256 != weights if weights else encoder.info.name != name):
            return None
        encoder.require_usable()
    except PinciteError:  # a damaged encoder is exported again
        return None
    return encoder


def _own(original: Original, texts: Sequence[str], cache_root: Path | None, deployed: Sequence[Path]) -> Choice:
    try:
        encoder = _export(EncoderCache(cache_root, original.folder), original)
    except EncoderExportError as error:
        return Choice(original.run_by_torch("it cannot be exported"), why_none=str(error))
    encoder = replace(encoder, info=replace(encoder.info, name=original.name, prompts=original.prompts))
    embedder = BuildEmbedder(encoder)
    parity = _measured_before(deployed, encoder) or measure(embedder, original.encode, texts, cache_root)
    if not is_close(parity):
        why = f"Its int8 form is too far from {encoder.info.name}: cosine {parity.mean} mean, {parity.min} least."
        return Choice(original.run_by_torch("its int8 form is too far from it"), why_none=why)
    return Choice(embedder, replace(encoder, parity=parity))


def _measured_before(deployed: Sequence[Path], encoder: Encoder) -> Parity | None:
    """Return the parity that an earlier index records for this encoder; the encoder's files may lie elsewhere."""
    for place in deployed:
        try:
            index = Index.open(place)
            record = msgspec.convert(index.meta("encoder"), _Record)
        except (PinciteError, msgspec.ValidationError):
            continue
        made_by = (record.sha256, index.info.weights_sha256, index.info.prompts)
        if made_by == (encoder.info.encoder, encoder.info.weights_sha256, encoder.info.prompts):
            return record.parity
    return None


def _export(cache: EncoderCache, original: Original) -> Encoder:
    if encoder := cache.get():
        return encoder
    if why := cache.failure():
        raise EncoderExportError(why)
    try:
        encoder = original.export()
    except EncoderExportError as error:
        if not isinstance(error.__cause__, _PASSING):
            cache.put_failure(str(error))
        raise
    cache.put(encoder)
    return encoder


def measure(
    encoder: Embedder, encode: Callable[[list[str]], Vectors], texts: Sequence[str], cache_root: Path | None
) -> Parity:
    """Return the cosines between an encoder's vectors and its model's vectors, after rounding as in the index.

    `encode` embeds texts one at a time with the model. It is not called if the cache has the whole sample of the texts.
    """
    sample = sample_of(texts)
    # These vectors have their own cache key, because vectors computed in batches differ in the last bit. The same site
    # therefore always gives the same parity.
    alone = replace(encoder.info, encoder="").vectors_key + "/alone"
    theirs = _stored(sample, encode, alone, cache_root)
    ours = _stored(sample, encoder.encode, encoder.info.vectors_key, cache_root)
    return parity_of(ours, theirs)


def _stored(
    sample: list[str], encode: Callable[[list[str]], Vectors], key: str, cache_root: Path | None
) -> npt.NDArray[np.float64]:
    """Return the sample's vectors as an index stores them, computed only if the cache lacks them."""
    hashes = [text_hash(text) for text in sample]
    with VectorCache(key, cache_root) as cache:
        known = cache.get(hashes)
        if missing := [position for position, digest in enumerate(hashes) if digest not in known]:
            vectors = to_int8(encode([sample[position] for position in missing]))
            fresh = {hashes[row]: StoredText(vector) for row, vector in zip(missing, vectors, strict=True)}
            cache.put(fresh)
            known.update(fresh)
    return np.stack([known[digest].vector for digest in hashes]).astype(np.float64)
