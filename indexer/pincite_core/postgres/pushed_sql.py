"""Read the rows of one index in PostgreSQL with the SQL of the index file."""

from typing import Any

from pincite_core.errors import IndexCorruptError
from pincite_core.index.database import first_shown
from pincite_core.postgres.database import Database
from pincite_core.postgres.dialect import translated

__all__ = ("PushedSql",)


class PushedSql:
    """Implementation of `pincite_core.index.sql.Sql` for one index in PostgreSQL.

    Args:
        database: The database that holds the index.
        index_no: The number of the index in the database.
        name: The name of the index in messages.
    """

    def __init__(self, database: Database, index_no: int, name: str) -> None:
        self.name = name
        self._database = database
        self._index_no = index_no

    def rows(self, sql: str, values: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
        """Return all rows of a query."""
        return self._database.rows(translated(sql, self._index_no), values)

    def retire(self) -> None:
        """Do nothing. The connections are shared, and the owner of the database closes them."""

    def corrupt(self, why: str) -> IndexCorruptError:
        """Return an error that says why the index cannot be used and what to do."""
        return IndexCorruptError(f"{self.name} is no usable index ({first_shown(why)}). Push it again.")
