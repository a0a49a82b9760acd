"""Pair an opened index with the embedding model that made it. The pair is immutable and thread-safe."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

import msgspec
import numpy as np

from pincite_core.deployed.build_facts import BuildFacts, facts_beside
from pincite_core.embedders import Embedder, Encoded, GivenPrompts, load_embedder, load_index_embedder
from pincite_core.errors import IndexCorruptError, ModelMismatchError
from pincite_core.index.read import Index
from pincite_core.search.evidence import CALIBRATION_KEY, DEFAULT_CALIBRATION, Calibration, calibration_where
from pincite_core.urls import join_url
from pincite_server.policy import Policy

__all__ = ("Answerer",)


@dataclass(frozen=True, slots=True)
class Answerer:
    """An index, its embedder, and the operator's policy.

    `build` holds the facts in `index.json`; empty if that file is missing.
    """

    index: Index
    embedder: Embedder
    policy: Policy = field(default_factory=Policy)
    calibration: Calibration = DEFAULT_CALIBRATION
    build: BuildFacts = field(default_factory=BuildFacts)

    @classmethod
    def open(cls, place: Path | str, model: str | None = None, policy: Policy | None = None) -> Self:
        """Open the index at `place`, with the model `model`, or else with the index's own encoder or model.

        Raises:
            IndexFileError: There is no index, or it cannot be read.
            ModelNotFoundError: The model is not on this machine.
            ModelMismatchError: The model is not the one that made the index.
        """
        index = Index.open(place)
        prompts = GivenPrompts(index.info.prompts.query, index.info.prompts.passage)
        embedder = load_embedder(model, prompts) if model else load_index_embedder(index.file.parent, index.info)
        return cls.with_embedder(index, embedder, policy)

    @classmethod
    def with_embedder(
        cls, index: Index, embedder: Embedder, policy: Policy | None = None, build: BuildFacts | None = None
    ) -> Self:
        """Pair an opened index with a loaded embedder.

        `policy` is None for the default; `build` is None to read the facts in the `index.json` beside the index.

        Raises:
            ModelMismatchError: The embedder is not the one that made the index.
        """
        _require_match(index, embedder)
        if build is None:
            try:
                build = facts_beside(index.file)
            except (OSError, IndexCorruptError):  # the server reports a damaged file; answers only lack their date
                build = BuildFacts()
        return cls(index, embedder, policy or Policy(), _calibration(index), build)

    @property
    def built_at(self) -> str | None:
        """The time of the build, ISO 8601; None if unknown."""
        return self.build.built_at

    @property
    def built_on(self) -> str:
        """The day of the build as an ISO date; "" if unknown."""
        built = self.build.built
        return built.date().isoformat() if built else ""

    @property
    def corpus_name(self) -> str:
        """The site's title, for messages; "" if the site has none."""
        return self.index.info.title

    def absolute(self, url: str) -> str:
        """Return a root-relative URL with the site's host, if the host is known."""
        return join_url(self.index.info.site_url, url) or url

    def calibration_of(self, scope_ids: Sequence[int]) -> Calibration:
        """Return the weights of the evidence signals in the language of some scopes."""
        profile = self.index.language_profile(scope_ids)
        if profile.calibration is not None:
            return profile.calibration
        return self.calibration if profile.vectors == 1.0 else calibration_where(profile.vectors)

    def encode(
        self, text: str, ready_made: tuple[float, ...] | None = None, tokens: Sequence[Sequence[float]] = ()
    ) -> Encoded:
        """Return the vectors of a question and its tokens, or the client's own vectors (`ready_made` and `tokens`).

        Raises:
            ModelMismatchError: The client's vector has another dimension, is all zeros, or is not finite.
        """
        if ready_made is None:
            return self.embedder.encode_with_tokens([text], "query")[0]
        vector = np.asarray(ready_made, dtype=np.float32)
        length = float(np.linalg.norm(vector))
        if vector.shape != (self.index.info.dimension,) or not np.isfinite(length) or length == 0:
            message = (
                f"The embedding must be {self.index.info.dimension} finite numbers, not all zero; "
                f"make it with {self.index.info.model}, or leave it out."
            )
            raise ModelMismatchError(message)
        return Encoded(vector / np.float32(length), np.asarray(tokens, dtype=np.float32) if tokens else None)


def _require_match(index: Index, embedder: Embedder) -> None:
    info, model = index.info, embedder.info
    same_model = (info.weights_sha256, info.dimension) == (model.weights_sha256, model.dimension)
    if same_model and info.encoder == model.encoder:
        return
    if same_model:
        message = (
            f"The index was made with {_maker(info.encoder)}, but {_maker(model.encoder)} is loaded. "
            "Serve the whole index folder and name no other model, or rebuild the index with --no-encoder."
        )
        raise ModelMismatchError(message)
    message = (
        f"The index was made with {info.model} ({info.dimension} dimensions, weights {info.weights_sha256[:12]}), "
        f"but {model.name} ({model.dimension} dimensions, weights {model.weights_sha256[:12]}) is loaded. "
        f"Load {info.model}, or rebuild the index with `pincite index SITE_DIR --model {model.name}`."
    )
    raise ModelMismatchError(message)


def _maker(encoder: str) -> str:
    return f"its exported encoder {encoder[:12]}" if encoder else "the model itself"


def _calibration(index: Index) -> Calibration:
    """Return the index's own calibration; the default if it has none, or one with the signals of another version."""
    stored = index.meta(CALIBRATION_KEY)
    try:
        found = msgspec.convert(stored, Calibration)
    except msgspec.ValidationError:
        return DEFAULT_CALIBRATION
    return found if msgspec.to_builtins(found) == stored else DEFAULT_CALIBRATION  # other signals
