"""The chat on pages that do not have it yet: for trying Pincite on any built site without touching its files."""

import re
from html import escape

from pincite_core.index.schema import INDEX_FOLDER
from pincite_core.urls import normalise_base_url

__all__ = ("widget_tag", "with_widget")

_BODY_END = re.compile(rb"</body\s*>", re.IGNORECASE)
_ELEMENT = b"<pincite-chat"


def widget_tag(base_url: str, title: str) -> bytes:
    """Return the two lines of HTML that put the chat on a page of the site."""
    base = escape(normalise_base_url(base_url))
    return (
        f'<script type="module" src="{base}{INDEX_FOLDER}/pincite.js"></script>\n'
        f'<pincite-chat base-url="{base}" site-title="{escape(title)}"></pincite-chat>\n'
    ).encode()


def with_widget(html: bytes, tag: bytes) -> bytes:
    """Return a page with `tag` at the end of its body; unchanged when it has the chat. Minified pages end anywhere."""
    if _ELEMENT in html:
        return html
    ends = list(_BODY_END.finditer(html))
    place = ends[-1].start() if ends else len(html)
    return html[:place] + tag + html[place:]
