"""Define the exceptions that Pincite raises. Each message says what is wrong and what to do.

`exit_code` is the exit code of the command line: 2 for invalid input, 1 for other errors.
"""

__all__ = (
    "DuplicateIdError",
    "EmbeddingsEndpointError",
    "EmptyIndexError",
    "FrontMatterError",
    "IndexAwaitedError",
    "IndexCorruptError",
    "IndexFetchError",
    "IndexFileError",
    "IndexFormatError",
    "IndexNotFoundError",
    "IndexUnavailableError",
    "InputError",
    "LostIdError",
    "ManifestError",
    "ModelError",
    "ModelMismatchError",
    "ModelNotFoundError",
    "ModelUnsupportedError",
    "OutputError",
    "PinciteError",
    "PluginError",
    "PrivateSourceError",
    "SearchEngineError",
    "SiteError",
    "WorkLimitError",
)


class PinciteError(Exception):
    """Base class of all Pincite errors."""

    exit_code = 1


class InputError(PinciteError):
    """The user's input is invalid."""

    exit_code = 2


class SiteError(InputError):
    """The given folder is not a built site."""


class FrontMatterError(InputError):
    """The Pincite settings in a page's front matter are invalid."""


class ManifestError(InputError):
    """The manifest is malformed."""


class PrivateSourceError(InputError):
    """A source file excludes its page from the index, but the page of the source file is unknown."""

    exit_code = 1


class DuplicateIdError(InputError):
    """Two pages of one locale and version have the same author-set stable ID."""

    exit_code = 1


class WorkLimitError(InputError):
    """A request needs more processor time than the limit for one request."""


class IndexFileError(PinciteError):
    """The index file cannot be read."""


class IndexNotFoundError(IndexFileError):
    """There is no index at the given place."""

    exit_code = 2


class IndexCorruptError(IndexFileError):
    """The index is damaged or invalid: not an SQLite database, truncated, or with invalid content."""


class IndexFormatError(IndexFileError):
    """The index has a format version that this version of Pincite does not read."""


class IndexFetchError(IndexFileError):
    """The index cannot be fetched now, for example during a deploy. A later attempt may succeed."""


class IndexUnavailableError(IndexFetchError):
    """The database that holds the index does not respond in time."""


class IndexAwaitedError(IndexFileError):
    """The index has not existed since the server started."""


class OutputError(PinciteError, OSError):
    """The index cannot be written. The earlier index is unchanged."""


class EmptyIndexError(PinciteError):
    """The build found nothing to index."""


class PluginError(PinciteError):
    """A plugin cannot be loaded, or does not register the expected object."""


class SearchEngineError(PinciteError):
    """The search engine of an index cannot run on this machine."""


class LostIdError(PinciteError):
    """The build would lose stable IDs of the earlier index, and the user asked to fail in this case."""


class ModelError(PinciteError):
    """An embedding model cannot be used."""


class ModelNotFoundError(ModelError):
    """The model is neither on this machine nor reachable."""


class ModelMismatchError(ModelError):
    """The model does not fit the index."""


class ModelUnsupportedError(ModelError):
    """The model exists, but Pincite cannot run this kind of model."""


class EmbeddingsEndpointError(ModelError):
    """An embeddings endpoint fails, or its vectors differ from the vectors of the index's own encoder."""
