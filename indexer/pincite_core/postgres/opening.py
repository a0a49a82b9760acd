"""Opening what was pushed; the libraries that speak to PostgreSQL are loaded only then."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING

from pincite_core.errors import InputError
from pincite_core.index.read import Index
from pincite_core.postgres.address import DatabaseAddress

if TYPE_CHECKING:
    from pincite_core.postgres.catalog import Catalog

__all__ = ("needs_postgresql", "open_catalog", "opened_index")


@contextmanager
def needs_postgresql() -> Iterator[None]:
    """Tell how to install what is missing.

    Raises:
        InputError: Something is.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        message = f"PostgreSQL needs {error.name}: pip install 'pincite[postgresql]'."
        raise InputError(message) from error


def open_catalog(place: str) -> "Catalog":
    """Open a site in a database.

    Raises:
        InputError: The address is none, or psycopg is not installed.
        IndexFileError: The database cannot be asked, or has no such site.
        SearchEngineError: It has no pgvector.
    """
    with needs_postgresql():
        from pincite_core.postgres.catalog import Catalog
    return Catalog(DatabaseAddress.parse(place))


@contextmanager
def opened_index(place: str) -> Iterator[Index]:
    """Yield the index of a site that was pushed last, without a model.

    Raises:
        PinciteError: As `open_catalog`.
    """
    with closing(open_catalog(place)) as catalog:
        yield catalog.open(catalog.indexes(catalog.builds()[0])[0])
