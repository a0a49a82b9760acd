"""The rows of one index in PostgreSQL, asked for by the same SQL as an index file's."""

from typing import Any

from pincite_core.errors import IndexCorruptError
from pincite_core.index.database import first_shown
from pincite_core.postgres.database import Database
from pincite_core.postgres.dialect import translated

__all__ = ("PushedSql",)


class PushedSql:
    """One index of a database; `pincite_core.index.sql.Sql`.

    Args:
        database: Holds it.
        index_no: Its number there.
        name: What it is called in messages.
    """

    def __init__(self, database: Database, index_no: int, name: str) -> None:
        self.name = name
        self._database = database
        self._index_no = index_no

    def rows(self, sql: str, values: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
        """Return all rows of a query."""
        return self._database.rows(translated(sql, self._index_no), values)

    def retire(self) -> None:
        """Do nothing: connections are shared, and closed by whoever opened the database."""

    def corrupt(self, why: str) -> IndexCorruptError:
        """Return the error that says why it is no usable index, and what to do."""
        return IndexCorruptError(f"{self.name} is no usable index ({first_shown(why)}). Push it again.")
