"""Links that leave the site. They are facts of `meta`, one key a page, so that the format has no further table.

Older readers ignore the key, and an older index has none.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import msgspec

from pincite_core.index.schema import MOST_TEXT, OUTSIDE_LINKS
from pincite_core.urls import encode_url, is_web_url
from pincite_core.visible_text import visible

__all__ = ("OutsideLink", "StoredLink", "outside_facts", "read_outside")

_MOST_OF_PAGE = 1000  # a changelog may link to every pull request
_MOST_URL = 2000  # characters; longer ones are data


class OutsideLink(NamedTuple):
    """A link that leaves the site.

    Attributes:
        from_target_id: The section it stands in.
        url: The absolute URL.
        text: The link's text.
        after: How many of the section's links within the site stand before it.
    """

    from_target_id: int
    url: str
    text: str
    after: int


class StoredLink(NamedTuple):
    """As `meta` has it: the section by its place among the page's targets, then as in `OutsideLink`."""

    position: int
    url: str
    text: str
    after: int


def outside_facts(links: Mapping[str, Sequence[StoredLink]]) -> dict[str, object]:
    """Return links by their page's URL as `meta` keeps them, at most 1,000 a page."""
    found = {url: [link for link in of_page if len(link.url) <= _MOST_URL] for url, of_page in links.items()}
    kept = {f"{OUTSIDE_LINKS}{url}": of_page[:_MOST_OF_PAGE] for url, of_page in found.items() if of_page}
    return {key: of_page for key, of_page in kept.items() if len(msgspec.json.encode(of_page)) <= MOST_TEXT}


def read_outside(stored: object) -> tuple[StoredLink, ...]:
    """Return the links of a page; none of what cannot be a link to the web, since a file may come from anybody."""
    try:
        links = msgspec.convert(stored or (), tuple[StoredLink, ...])
    except msgspec.ValidationError:
        return ()
    seen = (link._replace(url=encode_url(link.url), text=visible(link.text)) for link in links)
    return tuple(link for link in seen if is_web_url(link.url) and link.after >= 0)
