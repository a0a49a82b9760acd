"""Open the index of the last deploy, from a file, a folder or the web, to compare and to reuse vectors."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from pincite_core.deployed.fetch import fetch_deploy
from pincite_core.deployed.origin import Deploy, is_url
from pincite_core.embedders import ModelInfo
from pincite_core.errors import IndexFetchError, IndexFormatError, IndexNotFoundError, InputError
from pincite_core.index.quantise import StoredText
from pincite_core.index.read import Index
from pincite_core.index.rows import IndexRows

__all__ = ("Previous", "open_previous")


@dataclass(slots=True)
class Previous:
    """Earlier index with its reusable texts."""

    place: str  # the user's path or URL
    index: Index
    _texts: dict[bytes, StoredText] | None = field(default=None, repr=False)

    def texts(self, model: ModelInfo) -> dict[bytes, StoredText]:
        """Return the embedded texts by hash; empty if another model embedded them."""
        if self.made_by.vectors_key != model.vectors_key:
            return {}
        if self._texts is None:
            self._texts = IndexRows.open(self.index.file).texts_by_hash()
        return self._texts

    @property
    def made_by(self) -> ModelInfo:
        """Return the model that computed the index's vectors."""
        info = self.index.info
        return ModelInfo(info.model, info.weights_sha256, info.dimension, info.max_tokens, info.encoder, info.prompts)


@contextmanager
def open_previous(place: str) -> Iterator[Previous | None]:
    """Open an earlier index; yield None if the web address has none, as before a site's first deploy.

    `place` is a file, a folder with an index, or the web address of the file, the folder, its `index.json` or the site.

    Raises:
        IndexFileError: The index does not exist or is not usable.
        InputError: The web address cannot be reached.
    """
    if not is_url(place):
        yield _opened(place, Path(place))
        return
    with tempfile.TemporaryDirectory(prefix="pincite-") as folder:
        database = _download(place, Path(folder))
        yield _opened(place, database) if database else None


def _download(url: str, folder: Path) -> Path | None:
    """Download the index at `url` and its encoder; return None if the address has no index."""
    from pincite_core.deployed.web import WebOrigin  # only this function needs an HTTP client

    try:
        origin = WebOrigin(url)
        main = origin.look().indexes[0]
        fetch_deploy(origin, Deploy((main,)), folder)
    except IndexNotFoundError:
        return None
    except IndexFetchError as error:
        message = f"The earlier index cannot be fetched. {error} Check --previous, or build without it."
        raise InputError(message) from error
    return folder / main.database.path


def _opened(place: str, file: Path) -> Previous:
    try:
        return Previous(place, Index.open(file))
    except IndexFormatError as error:
        message = (
            f"The earlier index at {place} has another format than this version of Pincite reads. "
            "Build once without --previous: its IDs are not carried over then."
        )
        raise IndexFormatError(message) from error
