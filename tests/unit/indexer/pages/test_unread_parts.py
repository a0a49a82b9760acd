"""Parts of pages whose text cannot be read."""

import pytest
from lxml import etree

from pincite_indexer.pages.parsing import parse
from pincite_indexer.pages.unread_parts import unread_parts


def parts(content: str) -> dict[str, int]:
    tree = parse(f"<!doctype html><body><main>{content}</main>".encode())
    assert tree is not None
    root = tree.find(".//main")
    assert isinstance(root, etree._Element)
    return dict(unread_parts(root))


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        ("<img src=wiring.png>", "image without alt"),
        ("<a href=/big.png><img src=wiring.png></a>", "image without alt"),
        ("<svg role=img><text>Volts</text></svg>", "drawing without title"),
        ("<canvas id=chart></canvas>", "canvas without text"),
        ("<x-lamp><template shadowrootmode=closed><p>Nine days.</p></template></x-lamp>", "closed shadow root"),
        ("<iframe src=demo.html title=Demo></iframe>", "iframe"),
        ("<object data=manual.pdf></object>", "object"),
        ("<embed src=manual.pdf>", "embed"),
        ("<div class='openapi-skeleton sm'></div>", "part that a script fills"),
        ("<div data-section-id='/lamps/on'></div>", "part that a script fills"),
    ],
)
def test_a_part_without_readable_text_is_counted(content: str, kind: str) -> None:
    assert parts(f"<p>Text.</p>{content}") == {kind: 1}


@pytest.mark.parametrize(
    "content",
    [
        "<img src=wiring.png alt='Wiring of the lamp'>",
        "<img src=line.png alt=''>",
        "<img src=line.png role=presentation>",
        "<img src=count.gif width=1 height=1>",
        "<svg><path/></svg>",
        "<svg role=img><title>Volts</title></svg>",
        "<svg role=img aria-label=Volts></svg>",
        "<canvas>Volts by hour: nine.</canvas>",
        "<template shadowrootmode=open><p>Nine days.</p></template>",
        "<nav><img src=logo.png></nav>",
        "<div hidden>More<img src=logo.png></div>",
        "<iframe></iframe>",
        "<div></div>",
    ],
)
def test_decorative_readable_and_hidden_parts_are_not_counted(content: str) -> None:
    assert parts(f"<p>Text.</p>{content}") == {}


def test_parts_of_the_same_kind_are_counted_together() -> None:
    assert parts("<img src=a.png><img src=b.png><embed src=c.pdf>") == {"image without alt": 2, "embed": 1}
