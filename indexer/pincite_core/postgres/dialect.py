"""The SQL of the index file, as PostgreSQL understands it: parameters, lists, and which index's rows are meant.

Rows and engines write one SQL for both. It differs in three places:

| in the index file | in PostgreSQL |
|---|---|
| `?` | `%s` |
| `json_each(?)` | `json_array_elements_text(%s) AS each(value)` |
| `FROM pages` | the rows of `pincite.pages` that bear the index's number |
"""

import re
from functools import lru_cache

__all__ = ("TABLES", "translated")

TABLES = tuple(
    "meta scopes pages targets chunks sentences vectors tokens links redirects ids postings chunk_bits "
    "sentence_bits".split()
)
"""The tables of an index; `SELECT *` of one gives the columns of `schema.sql` in their order, but for the bits."""

_TABLE = re.compile(rf"\b(FROM|JOIN) ({'|'.join(TABLES)})\b")
_KEPT = 1024  # some fifty statements for each index that is served


@lru_cache(_KEPT)
def translated(sql: str, index_no: int) -> str:
    """Return a statement for the rows of one index; the number stands in it, so that plans touch no other partition."""
    sql = sql.replace("%", "%%").replace("json_each(?)", "json_array_elements_text(?::json) AS each(value)")
    return _TABLE.sub(rf"\1 (SELECT * FROM \2 WHERE index_no = {index_no}) AS \2", sql).replace("?", "%s")
