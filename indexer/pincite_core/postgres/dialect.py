"""Translate the SQL of the index file to PostgreSQL: parameters, lists, and the restriction to one index.

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

__all__ = ("TABLES", "translated")

TABLES = tuple(
    "meta scopes pages targets chunks units vectors tokens links redirects ids postings chunk_bits unit_bits".split()
)
"""The tables of an index. Except for the bit tables, `SELECT *` returns the columns in the order of `schema.sql`."""

_TABLE = re.compile(rf"\b(FROM|JOIN) ({'|'.join(TABLES)})\b")
# For a join with a list, PostgreSQL expects to read half of the table and chooses a slow plan.
_IN_LIST = re.compile(r"\bIN \((SELECT \S+(?: AS INTEGER\))? FROM json_each\(\?\))\)")
_KEPT = 1024  # about fifty statements per served index


@lru_cache(_KEPT)
def translated(sql: str, index_no: int) -> str:
    """Translate a statement to PostgreSQL and restrict it to one index.

    The index number is a literal in the statement, so that the query plan reads no other partition.
    """
    sql = _IN_LIST.sub(r"= ANY (ARRAY(\1))", sql.replace("%", "%%"))
    sql = sql.replace("json_each(?)", "json_array_elements_text(?::json) AS each(value)")
    return _TABLE.sub(rf"\1 (SELECT * FROM \2 WHERE index_no = {index_no}) AS \2", sql).replace("?", "%s")
