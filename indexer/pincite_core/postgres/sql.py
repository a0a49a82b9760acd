"""Run the SQL of the index file on one index in PostgreSQL: translate parameters, lists, and the names of tables.

The readers of rows and the search engines use the same SQL for both. The translation changes four things:

| in the index file | in PostgreSQL |
|---|---|
| `?` | `%s` |
| `json_each(?)` | `json_array_elements_text(%s) AS each(value)` |
| `IN (SELECT ... FROM json_each(?))` | `= ANY (ARRAY(...))`, so that PostgreSQL uses the table's B-tree index |
| `FROM pages` | the rows of `pincite.pages` with the number of the index |
"""

import re
from functools import lru_cache
from typing import Any

from pincite_core.errors import IndexCorruptError
from pincite_core.index.database import first_shown
from pincite_core.postgres.database import Database

__all__ = ("TABLES", "PostgresSql", "to_postgres")

TABLES = tuple(
    "meta scopes pages targets chunks units vectors tokens links redirects ids postings chunk_bits unit_bits".split()
)
"""The tables of an index. Except for the bit tables, `SELECT *` returns the columns in the order of `schema.sql`."""

_TABLE = re.compile(rf"\b(FROM|JOIN) ({'|'.join(TABLES)})\b")
# For a join with a list, PostgreSQL expects to read half of the table and chooses a slow plan.
_IN_LIST = re.compile(r"\bIN \((SELECT \S+(?: AS INTEGER\))? FROM json_each\(\?\))\)")
_MOST_CACHED = 1024  # statements; about fifty statements per served index


@lru_cache(_MOST_CACHED)
def to_postgres(sql: str, index_no: int) -> str:
    """Translate a statement to PostgreSQL and restrict it to one index.

    The index number is a literal in the statement, so that the query plan reads no other partition.
    """
    sql = _IN_LIST.sub(r"= ANY (ARRAY(\1))", sql.replace("%", "%%"))
    sql = sql.replace("json_each(?)", "json_array_elements_text(?::json) AS each(value)")
    return _TABLE.sub(rf"\1 (SELECT * FROM \2 WHERE index_no = {index_no}) AS \2", sql).replace("?", "%s")


class PostgresSql:
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
        return self._database.rows(to_postgres(sql, self._index_no), values)

    def retire(self) -> None:
        """Do nothing. The connections are shared, and the owner of the database closes them."""

    def corrupt(self, why: str) -> IndexCorruptError:
        """Return an error that says why the index cannot be used and what to do."""
        return IndexCorruptError(f"{self.name} is no usable index ({first_shown(why)}). Push it again.")
