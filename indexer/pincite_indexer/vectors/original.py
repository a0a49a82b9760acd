"""Represent the original model of an encoder: run it from its files if possible, otherwise with torch."""

from pathlib import Path

from pincite_core.embedders import Encoder, SentenceTransformerEmbedder, Vectors, load_embedder
from pincite_core.embedders.loading import canonical_name, model_folder
from pincite_core.embedders.prompts import NO_GIVEN, GivenPrompts, folder_prompts
from pincite_core.embedders.sentence_transformer import has_sentence_transformers
from pincite_core.errors import ModelNotFoundError
from pincite_core.types import Prompts
from pincite_indexer.vectors.encoder_export import export_encoder
from pincite_indexer.vectors.hub_files import download
from pincite_indexer.vectors.light_export import export_files, float_embedder
from pincite_indexer.vectors.onnx_graphs.model_files import UnknownModelError

__all__ = ("Original", "fetched")

_NO_TORCH = (
    "{name} needs sentence-transformers ({why}): pip install 'pincite[index,torch]'. "
    "A build with --previous does without, when the earlier index has its encoder."
)


def fetched(model: str) -> Path | None:
    """Download a model's files and return their folder; None if sentence-transformers must locate them.

    Raises:
        ModelNotFoundError: The hub cannot be reached, and sentence-transformers is not installed.
    """
    try:
        return download(model)
    except ModelNotFoundError:
        if has_sentence_transformers():  # it reports the error, or finds files that other programs downloaded
            return None
        raise


class Original:
    """Model as it was published.

    Args:
        model: Its name or folder.
        folder: Folder of its files; None if only sentence-transformers can locate them.
        given: Prefixes for texts; each replaces the prefix from the model's own files.
    """

    def __init__(self, model: str, folder: Path | None, given: GivenPrompts = NO_GIVEN) -> None:
        self.name = canonical_name(model)
        self._model = model
        self._folder = folder
        self._given = given
        self._by_torch: SentenceTransformerEmbedder | None = None

    @property
    def folder(self) -> Path | None:
        """Return the folder of the files; sentence-transformers locates it if it is unknown."""
        if self._folder is None:
            self.run_by_torch("its files cannot be found without")
            self._folder = model_folder(self._model)
        return self._folder

    @property
    def prompts(self) -> Prompts:
        """Return the prefixes of questions and passages."""
        if self._by_torch is not None:
            return self._by_torch.info.prompts
        return self._given.over(folder_prompts(self._known_folder(), self.name))

    def export(self) -> Encoder:
        """Return the model's encoder, built from its files, or by torch's exporter if the files are not enough.

        Raises:
            EncoderExportError: Torch's exporter fails as well.
            ModelNotFoundError: The files are not enough, and sentence-transformers is not installed.
        """
        try:
            return export_files(self._known_folder(), self.name, self._given)
        except UnknownModelError as error:
            return export_encoder(self.run_by_torch(str(error)))

    def encode(self, texts: list[str]) -> Vectors:
        """Return the original model's unit vectors, with each text computed separately.

        Raises:
            ModelNotFoundError: The files are not enough, and sentence-transformers is not installed.
        """
        try:
            return float_embedder(self._known_folder(), self.name, self._given).encode(texts)
        except UnknownModelError as error:
            return self.run_by_torch(str(error)).encode(texts, batch_size=1)

    def run_by_torch(self, why: str) -> SentenceTransformerEmbedder:
        """Return the model in sentence-transformers; the clause `why` states why the files are not enough.

        Raises:
            ModelNotFoundError: sentence-transformers is not installed, or cannot find the model.
        """
        if self._by_torch is None:
            if not has_sentence_transformers():
                raise ModelNotFoundError(_NO_TORCH.format(name=self.name, why=why))
            embedder = load_embedder(self._model, self._given)
            assert isinstance(embedder, SentenceTransformerEmbedder)  # `choose_encoder` handles the fake model
            self._by_torch = embedder
        return self._by_torch

    def _known_folder(self) -> Path:
        if self.folder is None:
            raise UnknownModelError("its files are in no folder")
        return self.folder
