"""The table of elements covers HTML, and what readers see of each element is its text."""

from tests.unit.indexer.one_page import read

from pincite_indexer.pages.elements import ELEMENTS

STANDARD = (
    "a abbr address area article aside audio b base bdi bdo blockquote body br button canvas caption cite code col "
    "colgroup data datalist dd del details dfn dialog div dl dt em embed fieldset figcaption figure footer form h1 h2 "
    "h3 h4 h5 h6 head header hgroup hr html i iframe img input ins kbd label legend li link main map mark menu meta "
    "meter nav noscript object ol optgroup option output p picture pre progress q rp rt ruby s samp script search "
    "section select slot small source span strong style sub summary sup table tbody td template textarea tfoot th "
    "thead time title tr track u ul var video wbr"
).split()
"""All elements of the HTML standard except foreign ones (SVG and MathML)."""


def test_every_element_of_html_is_in_the_table() -> None:
    assert [tag for tag in STANDARD if tag not in ELEMENTS] == []


def test_elements_within_a_sentence_show_their_content() -> None:
    for tag, shows in ELEMENTS.items():
        if shows == "text" and tag not in {"rt", "rtc", "rp", "rb"}:
            (unit,) = read(f"<p>Open <{tag}>the valve</{tag}> slowly.</p>").units
            assert unit.text == "Open the valve slowly.", tag


VOID = frozenset("area base col embed frame link meta param source track".split())  # they have no content
OF_HEAD = frozenset("frameset head noframes title".split())  # a parser moves them, or reads their content as a page


def test_elements_without_text_show_nothing() -> None:
    for tag, shows in ELEMENTS.items():
        if shows == "nothing" and tag not in VOID | OF_HEAD | {"map"}:
            found = read(f"<p>Open the valve.</p><{tag}>Unseen</{tag}>").units
            assert [unit.text for unit in found] == ["Open the valve."], tag


def test_an_unknown_element_shows_its_content() -> None:
    assert [unit.text for unit in read("<p>Open <x-part>the valve</x-part>.</p>").units] == ["Open the valve."]
