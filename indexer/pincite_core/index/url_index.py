"""Look up pages by URL. The lookup table holds twelve bytes of memory per page."""

from hashlib import blake2b

import numpy as np

from pincite_core.index.sql import ROWS_AT_ONCE, Sql
from pincite_core.urls import lookup_key

__all__ = ("UrlIndex",)

_PAGES = f"SELECT page_id, url FROM pages WHERE page_id > ? ORDER BY 1 LIMIT {ROWS_AT_ONCE}"
_BYTES = 8  # digest size; on a site of a million pages, a foreign URL collides with a probability of 1 in 10^13
_KEY = np.dtype([("digest", np.uint64), ("page_id", np.int32)])


class UrlIndex:
    """Map from the lookup keys of URLs to page row ids.

    Two pages can share a key, for example `search.html` and `search/index.html`. The earlier page comes first.

    Args:
        sql: The index. The constructor reads all page URLs once.
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

    def page_ids(self, key: str) -> list[int]:
        """Return the row ids of the pages with a lookup key, in order; "" matches no page."""
        digest = np.uint64(_digest(key))
        first, end = np.searchsorted(self._digests, digest), np.searchsorted(self._digests, digest, "right")
        return [int(page_id) for page_id in self._page_ids[first:end]] if key else []


def _digest(key: str) -> int:
    return int.from_bytes(blake2b(key.encode("utf-8", "surrogatepass"), digest_size=_BYTES).digest(), "little")
