"""What a page shows by its looks, read back from the texts of chunks."""

from pincite_core.quoting.layout import Layout, continues_code, layouts
from pincite_core.types import Chunk, Sentence


def read(text: str, *units: str) -> list[Layout]:
    """Return the layouts of some units of a chunk, given in order."""
    sentences: list[Sentence] = []
    end = 0
    for number, unit in enumerate(units, start=1):
        start = text.index(unit, end)
        end = start + len(unit)
        sentences.append(Sentence(number, 1, 1, 1, start, end, "prose", 0))
    return [layout for _, layout in layouts([Chunk(1, 1, 1, 1, 0, text, 1)], {1: sentences})]


def test_sentences_of_a_paragraph_are_one_block() -> None:
    assert [layout.block for layout in read("One. Two.\n\nThree.", "One.", "Two.", "Three.")] == [1, 1, 2]


def test_a_label_belongs_to_what_follows() -> None:
    assert [layout.labels for layout in read("One.\n\n**app.js**\n\nTwo.", "One.", "Two.")] == [(), ("app.js",)]


def test_an_item_keeps_its_mark_and_indent() -> None:
    assert [layout.mark for layout in read("- One.\n\n  2. Two.", "One.", "Two.")] == ["- ", "  2. "]


def test_what_stands_in_an_admonition_is_a_note() -> None:
    label, inside, after = read("> **tip**\n\n> - One.\n\n> Two.\n\nThree.", "One.", "Two.", "Three.")
    assert (label.labels, label.mark, label.note) == (("tip",), "- ", True)
    assert (inside.note, after.note) == (True, False)


def test_each_tab_knows_the_first_of_its_group() -> None:
    text = "=== npm\n\nOne.\n\n=== Yarn\n\nTwo.\n\n===\n\nThree.\n\n=== npm\n\nFour."
    tabs = [(layout.tab, layout.first_tab) for layout in read(text, "One.", "Two.", "Three.", "Four.")]
    assert tabs == [("npm", "npm"), ("Yarn", "npm"), ("", ""), ("npm", "npm")]


def test_two_groups_of_the_same_tabs_are_told_apart() -> None:
    text = "=== npm\n\nOne.\n\n=== Yarn\n\nTwo.\n\n=== npm\n\nThree."
    assert [layout.first_tab == layout.tab for layout in read(text, "One.", "Two.", "Three.")] == [True, False, True]


def test_code_that_goes_on_from_the_part_before_says_so() -> None:
    assert continues_code("```js …\nrun()\n```")
    assert not continues_code("```js\n…\n```")
