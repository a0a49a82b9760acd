"""Read and write external links. They are stored in the table `meta` under one key per page.

No table was added for them, so the format version stays the same: older readers ignore the keys, and older indexes
do not have them.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import msgspec

from pincite_core.index.schema import MOST_TEXT, OUTSIDE_LINKS
from pincite_core.strip_invisible import strip_invisible
from pincite_core.urls import encode_url, is_web_url

__all__ = ("OutsideLink", "StoredLink", "outside_facts", "read_outside")

_MOST_OF_PAGE = 1000  # a changelog may link to every pull request
_MOST_URL = 2000  # characters; longer ones are data


class OutsideLink(NamedTuple):
    """An external link.

    Attributes:
        from_target_id: The section that contains the link.
        url: The absolute URL.
        text: The link text.
        after: The number of internal links that precede this link in the section.
    """

    from_target_id: int
    url: str
    text: str
    after: int


class StoredLink(NamedTuple):
    """An external link as stored in `meta`.

    `position` is the section's position among the page's targets. The other fields are the same as in `OutsideLink`.
    """

    position: int
    url: str
    text: str
    after: int


def outside_facts(links: Mapping[str, Sequence[StoredLink]]) -> dict[str, object]:
    """Return the `meta` entries for the external links of pages, at most 1,000 links per page."""
    found = {url: [link for link in of_page if len(link.url) <= _MOST_URL] for url, of_page in links.items()}
    kept = {f"{OUTSIDE_LINKS}{url}": of_page[:_MOST_OF_PAGE] for url, of_page in found.items() if of_page}
    return {key: of_page for key, of_page in kept.items() if len(msgspec.json.encode(of_page)) <= MOST_TEXT}


def read_outside(stored: object) -> tuple[StoredLink, ...]:
    """Return the external links of a page. Invalid links are dropped, since the index file is untrusted."""
    try:
        links = msgspec.convert(stored or (), tuple[StoredLink, ...])
    except msgspec.ValidationError:
        return ()
    seen = (link._replace(url=encode_url(link.url), text=strip_invisible(link.text)) for link in links)
    return tuple(link for link in seen if is_web_url(link.url) and link.after >= 0)
