"""Choose the encoder that a build uses and ships: a deployed one, a cached or new export, or the model itself.

An export replaces its model only if their vectors are similar enough on a sample of the site's own chunks.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import msgspec
import numpy as np
import numpy.typing as npt

from pincite_core.embedders import (
    FAKE_MODEL,
    Embedder,
    Encoder,
    GivenPrompts,
    Parity,
    Vectors,
    encoder_from,
    load_embedder,
)
from pincite_core.embedders.loading import canonical_name, model_folder, weights_sha256
from pincite_core.embedders.prompts import NO_GIVEN, folder_prompts
from pincite_core.errors import PinciteError
from pincite_core.index.quantise import StoredText, to_int8
from pincite_core.index.read import Index
from pincite_core.index.text_hash import text_hash
from pincite_indexer.vectors.build_embedder import BuildEmbedder
from pincite_indexer.vectors.encoder_cache import EncoderCache
from pincite_indexer.vectors.encoder_export import EncoderExportError
from pincite_indexer.vectors.hub_files import cached
from pincite_indexer.vectors.original import Original, fetched
from pincite_indexer.vectors.parity import holds, parity_of, sample_of
from pincite_indexer.vectors.vector_cache import VectorCache

__all__ = ("Choice", "choose_encoder", "measure", "without_encoder")

_PASSING = (OSError, MemoryError, ImportError)  # temporary, such as a full disk: a later build may export the model


class _Record(msgspec.Struct):
    """The encoder's entry in an index, reduced to the fields that are needed here."""

    sha256: str
    parity: Parity | None = None


@dataclass(frozen=True, slots=True)
class Choice:
    """Result of the choice: the embedder, the encoder to ship, and the reason if there is none.

    `why_none` is a sentence; it is empty if no encoder was requested.
    """

    embedder: Embedder
    encoder: Encoder | None = None
    why_none: str = ""


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
        return without_encoder(model)
    name, folder = canonical_name(model), model_folder(model) or cached(model)
    weights = weights_sha256(folder) if folder else None
    for place in deployed:
        if encoder := _deployed(place, name, weights):
            own = folder_prompts(folder, name) if folder else encoder.info.prompts
            encoder = replace(encoder, info=replace(encoder.info, name=name, prompts=given.over(own)))
            return Choice(BuildEmbedder(encoder), encoder)
    return _own(Original(model, folder or fetched(model), given), texts, cache_root, deployed)


def without_encoder(model: str, given: GivenPrompts = NO_GIVEN) -> Choice:
    """Return the model itself and no encoder to ship; the sidecar loads the model by name.

    Raises:
        ModelError: The model cannot be loaded.
    """
    return Choice(load_embedder(model, given))


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
    if not holds(parity):
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


def _export(exports: EncoderCache, original: Original) -> Encoder:
    encoder = exports.get()
    if encoder is None:
        if why := exports.failure():
            raise EncoderExportError(why)
        encoder = _fresh_export(exports, original)
        exports.put(encoder)
    return encoder


def _fresh_export(exports: EncoderCache, original: Original) -> Encoder:
    try:
        return original.export()
    except EncoderExportError as error:
        if not isinstance(error.__cause__, _PASSING):
            exports.put_failure(str(error))
        raise


def measure(
    encoder: Embedder, encode: Callable[[list[str]], Vectors], texts: Sequence[str], cache_root: Path | None
) -> Parity:
    """Return the cosines between the vectors of an encoder and its model, both as the index stores them.

    Args:
        encoder: The encoder.
        encode: Function that embeds texts one at a time with the model. It is not called if the cache has the whole
            sample.
        texts: The site's chunks.
        cache_root: Folder of the vector cache; None disables it.
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
        missing = [position for position, digest in enumerate(hashes) if digest not in known]
        if missing:
            vectors = to_int8(encode([sample[position] for position in missing]))
            fresh = {hashes[row]: StoredText(vector) for row, vector in zip(missing, vectors, strict=True)}
            cache.put(fresh)
            known.update(fresh)
    return np.stack([known[digest].vector for digest in hashes]).astype(np.float64)
