"""The SQL of the index file, as PostgreSQL understands it: parameters, lists, and which index's rows are meant.

Rows and engines write one SQL for both. It differs in four places:

| in the index file | in PostgreSQL |
|---|---|
| `?` | `%s` |
| `json_each(?)` | `json_array_elements_text(%s) AS each(value)` |
| `IN (SELECT ... FROM json_each(?))` | `= ANY (ARRAY(...))`: looked up in the index of a table of any size |
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
# From a join with a list PostgreSQL expects half of the table, and plans for that.
_IN_LIST = re.compile(r"\bIN \((SELECT \S+(?: AS INTEGER\))? FROM json_each\(\?\))\)")
_KEPT = 1024  # some fifty statements for each index that is served


@lru_cache(_KEPT)
def translated(sql: str, index_no: int) -> str:
    """Return a statement for the rows of one index; the number stands in it, so that plans touch no other partition."""
    sql = _IN_LIST.sub(r"= ANY (ARRAY(\1))", sql.replace("%", "%%"))
    sql = sql.replace("json_each(?)", "json_array_elements_text(?::json) AS each(value)")
    return _TABLE.sub(rf"\1 (SELECT * FROM \2 WHERE index_no = {index_no}) AS \2", sql).replace("?", "%s")
