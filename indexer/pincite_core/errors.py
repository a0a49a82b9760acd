"""Every error that Pincite raises on purpose; each message says what is wrong and what to do.

PinciteError
├── InputError             what the user gave cannot be used (command line: exit 2)
│   ├── SiteError          the folder is no built site
│   ├── FrontMatterError   front matter says something about Pincite that cannot be read
│   ├── ManifestError      the manifest on standard input is malformed
│   ├── DuplicateIdError   two pages claim the same author-set stable ID
│   └── WorkLimitError     answering takes more processor time than a request may cause
├── IndexFileError         the index file cannot be read
│   ├── IndexNotFoundError
│   ├── IndexCorruptError
│   ├── IndexFormatError   written by another format version
│   ├── IndexFetchError    cannot be had now from where it is deployed; trying again may help
│   │   └── IndexUnavailableError  the database that holds it is away, or too slow
│   └── IndexAwaitedError  none has been there since the start
├── OutputError            the index cannot be written: full disk, no folder (an OSError as well)
├── EmptyIndexError        the build would produce an index without content
├── PluginError            a package that extends Pincite cannot be loaded
├── SearchEngineError      what finds candidates in an index cannot work
├── LostIdError            the build would lose stable IDs, and was told not to
└── ModelError             an embedding model cannot be loaded or does not fit
    ├── ModelNotFoundError
    ├── ModelMismatchError
    ├── ModelUnsupportedError  it is there, and cannot be run
    └── EmbeddingsEndpointError  an endpoint does not give the vectors of texts
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
    """Base of the tree; `exit_code` is what the command line ends with."""

    exit_code = 1


class InputError(PinciteError):
    """What the user gave cannot be used."""

    exit_code = 2


class SiteError(InputError):
    """The folder given is no built site."""


class FrontMatterError(InputError):
    """A page's front matter says something about Pincite that cannot be read."""


class ManifestError(InputError):
    """The manifest is malformed."""


class PrivateSourceError(InputError):
    """A source keeps its page out of the index, and it is not known which page that is."""

    exit_code = 1


class DuplicateIdError(InputError):
    """Two pages of one locale and version claim the same author-set stable ID."""

    exit_code = 1


class WorkLimitError(InputError):
    """What was asked takes more processor time than one request may cause."""


class IndexFileError(PinciteError):
    """The index file cannot be read."""


class IndexNotFoundError(IndexFileError):
    """There is no index at the place given."""

    exit_code = 2


class IndexCorruptError(IndexFileError):
    """The file is no SQLite database, is truncated, or lacks a table."""


class IndexFormatError(IndexFileError):
    """The file was written in a format that this version does not read."""


class IndexFetchError(IndexFileError):
    """The index cannot be copied now: no connection, or a deploy is under way."""


class IndexUnavailableError(IndexFetchError):
    """The database that holds the index does not answer, or not in time."""


class IndexAwaitedError(IndexFileError):
    """The process runs, but the index that it is to serve has not been there yet."""


class OutputError(PinciteError, OSError):
    """The index cannot be written; what stood there before is untouched."""


class EmptyIndexError(PinciteError):
    """The build found nothing to index."""


class PluginError(PinciteError):
    """A package that extends Pincite cannot be loaded, or does not register what it should."""


class SearchEngineError(PinciteError):
    """What finds candidates in an index cannot work on this machine."""


class LostIdError(PinciteError):
    """Stable IDs of the earlier index lead nowhere any more, and the build was told to fail then."""


class ModelError(PinciteError):
    """An embedding model cannot be used."""


class ModelNotFoundError(ModelError):
    """The model is neither on this machine nor reachable."""


class ModelMismatchError(ModelError):
    """The model does not fit the index."""


class ModelUnsupportedError(ModelError):
    """The model is there, and is of a kind that cannot be run."""


class EmbeddingsEndpointError(ModelError):
    """An endpoint that was to embed texts does not, or not as the index's own encoder does."""
