"""Open an index in PostgreSQL. The PostgreSQL libraries are imported only when an index is opened."""

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
    """Convert a missing PostgreSQL library to an error that says how to install it.

    Raises:
        InputError: A library is not installed.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        message = f"PostgreSQL needs {error.name}: pip install 'pincite[postgresql]'."
        raise InputError(message) from error


def open_catalog(place: str) -> "Catalog":
    """Open the builds of one site in a database.

    Raises:
        InputError: The address is invalid, or psycopg is not installed.
        IndexFileError: The database cannot be queried, or the site does not exist.
        SearchEngineError: The database has no pgvector.
    """
    with needs_postgresql():
        from pincite_core.postgres.catalog import Catalog
    return Catalog(DatabaseAddress.parse(place))


@contextmanager
def opened_index(place: str) -> Iterator[Index]:
    """Yield the first index of a site's newest build, without loading a model.

    Raises:
        PinciteError: `open_catalog` fails, or the index cannot be read.
    """
    with closing(open_catalog(place)) as catalog:
        yield catalog.open(catalog.indexes(catalog.builds()[0])[0])
