"""Which page a URL leads to, for sites of any number of pages: twelve bytes each are in memory."""

from hashlib import blake2b

import numpy as np

from pincite_core.index.sql import ROWS_AT_ONCE, Sql
from pincite_core.urls import lookup_key

__all__ = ("UrlIndex",)

_PAGES = f"SELECT page_id, url FROM pages WHERE page_id > ? ORDER BY 1 LIMIT {ROWS_AT_ONCE}"
_BYTES = 8  # of a digest: that another URL of a reader's has a page's is one in 10^13 on a site of a million pages
_KEY = np.dtype([("digest", np.uint64), ("page_id", np.int32)])


class UrlIndex:
    """Finds pages by their URLs' lookup keys; of two pages with one key the earlier.

    Args:
        sql: Holds the index; it is read once.
    """

    def __init__(self, sql: Sql) -> None:
        read, last = [np.zeros(0, dtype=_KEY)], 0
        while rows := sql.rows(_PAGES, (last,)):
            keys = [(_digest(lookup_key(url)), page_id) for page_id, url in rows]
            read.append(np.array(keys, dtype=_KEY))
            last = rows[-1][0]
        found = np.concatenate(read)
        found = found[np.argsort(found["digest"], kind="stable")]
        self._digests, self._page_ids = (np.ascontiguousarray(found[name]) for name in ("digest", "page_id"))

    def page_id(self, key: str) -> int | None:
        """Return the row id of the page with a lookup key; None where there is none, as for ""."""
        digest = np.uint64(_digest(key))
        place = int(np.searchsorted(self._digests, digest))
        is_there = key and place < len(self._digests) and self._digests[place] == digest
        return int(self._page_ids[place]) if is_there else None


def _digest(key: str) -> int:
    return int.from_bytes(blake2b(key.encode("utf-8", "surrogatepass"), digest_size=_BYTES).digest(), "little")
