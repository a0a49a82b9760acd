"""Where the words of a link are in a unit."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite_core.types import TextLink
from pincite_indexer.rows.link_graph import link_place


@pytest.mark.parametrize(
    ("text", "words", "found"),
    [
        ("Restart before you start.", "start", "start"),
        ("Run `start now` or start.", "start", "start"),
        ("Run `start now`.", "start", None),
        ("Run `start now`.", "start now", "`start now`"),
        ("See the `cache` guide.", "the cache guide", "the `cache` guide"),
        ("先にstartする。", "start", "start"),
        ("A b.", "b", None),
        ("Nothing here.", "start", None),
        ("", "start", None),
    ],
)
def test_the_words_stand_whole_and_cut_no_code(text: str, words: str, found: str | None) -> None:
    place = link_place(text, words, ())
    assert (text[slice(*place)] if place else None) == found


def test_equal_words_get_their_links_in_turn() -> None:
    text = "Look here, or here."
    first = link_place(text, "here", ())
    assert first == (5, 9)
    assert link_place(text, "here", [TextLink(*first, 1)]) == (14, 18)
    assert link_place(text, "here", [TextLink(5, 9, 1), TextLink(14, 18, 2)]) is None


def test_a_link_of_a_table_is_in_a_cell_and_not_in_a_column_name() -> None:
    text = "See: also; More: See: it"
    assert link_place(text, "See", (), (3, 4, 4, 7)) == (17, 20)


@given(st.text("ab `.", max_size=30), st.text("ab .", min_size=1, max_size=4))
def test_a_place_has_the_words_and_whole_code_spans(text: str, words: str) -> None:
    place = link_place(text, words, ())
    if place:
        inside = text[slice(*place)]
        assert inside.replace("`", "") == words
        assert inside.count("`") % 2 == 0
