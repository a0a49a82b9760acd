"""Define what each element of HTML shows its readers, in one table.

The elements are those of the HTML standard (https://html.spec.whatwg.org/multipage/indices.html#elements-3), with
obsolete ones that browsers still render. An element that is not in the table shows its content, as in browsers.
`source` and `track` are empty, but the parser puts what follows them inside.
"""

from collections.abc import Mapping
from typing import Literal

__all__ = ("BLOCK_TAGS", "CONTAINER_TAGS", "ELEMENTS", "FURNITURE_TAGS", "HEADING_TAGS", "Shows", "tags_that_show")

Shows = Literal[
    "blocks",
    "block",
    "heading",
    "text",
    "code",
    "break",
    "superscript",
    "subscript",
    "struck text",
    "quotation",
    "ruby",
    "formula",
    "picture",
    "control",
    "nothing",
]
"""What an element shows.

- `blocks`: blocks; its ID stands for all of them
- `block`: one block; its ID stands for the block around it
- `text`: its content, as part of a sentence
- `break`: a line break, or a place for one
- `struck text`: its content, crossed out
- `picture`: a picture, which its alternative text replaces
- `control`: a control of a form; its value is text if it stands within a sentence
- `nothing`: no text of the page, such as scripts, menus and embedded media
"""

_TAGS: Mapping[Shows, str] = {
    "blocks": (
        "address article aside blockquote body center dd details dialog dir div dl dt fieldset figcaption figure "
        "footer form header hgroup hr html li main menu ol p pre search section summary table tbody td tfoot th thead "
        "tr ul"
    ),
    "block": "caption legend optgroup option",
    "heading": "h1 h2 h3 h4 h5 h6",
    "text": (
        "a abbr acronym b bdi bdo big cite data dfn em font i ins kbd label mark nobr output rb rp rt rtc samp slot "
        "small source span strong time track tt u var"
    ),
    "code": "code",
    "break": "br wbr",
    "superscript": "sup",
    "subscript": "sub",
    "struck text": "del s strike",
    "quotation": "q",
    "ruby": "ruby",
    "formula": "math",
    "picture": "img picture svg",
    "control": "button input meter progress select textarea",
    "nothing": (
        "area audio base canvas col colgroup datalist embed frame frameset head iframe link map meta nav noembed "
        "noframes noscript object param script style template title video"
    ),
}

ELEMENTS: Mapping[str, Shows] = {tag: shows for shows, tags in _TAGS.items() for tag in tags.split()}
"""What each element shows, by tag."""


def tags_that_show(*kinds: Shows) -> frozenset[str]:
    """Return the tags of all elements that show one of some kinds."""
    return frozenset(tag for tag, shows in ELEMENTS.items() if shows in kinds)


HEADING_TAGS = {f"h{level}": level for level in range(1, 7)}

CONTAINER_TAGS = tags_that_show("blocks")
"""Elements whose ID stands for all their content; an ID on another element stands for the block around it."""

BLOCK_TAGS = tags_that_show("blocks", "block")

FURNITURE_TAGS = tags_that_show("nothing", "control", "picture", "formula") - {"img", "picture"}
"""Elements whose content is not text; `rendered_text` replaces those that stand for a text."""
