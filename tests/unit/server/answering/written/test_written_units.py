from hypothesis import given
from hypothesis import strategies as st

from pincite_server.answering.written.units import WrittenUnit, WrittenUnits

TEXT = """The lease lasts 30 seconds. [kvtmq-1] It can be renewed, e.g. by the worker [kvtmq-2].
See items[0] and `x[1]. y`.  A third.[kvtmq-1][kvtmq-3] And v1.2 works [1].

## Steps
First:
- Run it. Twice. [kvtmq-2]
- Stop [9]

```sh
npm i [1]
a. b.
```
[kvtmq-3]

1. One thing. [kvtmq-1]
The end without a full stop [kvtmq-2]"""


def units_of(*pieces: str) -> list[WrittenUnit]:
    units = WrittenUnits()
    found = [unit for piece in pieces for unit in units.feed(piece)]
    return [*found, *units.finish()]


def readable(units: list[WrittenUnit]) -> list[tuple[str, str, bool]]:
    return [(unit.kind, " ".join(unit.text.replace("][", "] [").split()), unit.opens) for unit in units]


WHOLE = readable(units_of(TEXT))


def test_sentences_items_and_code_come_with_the_markers_after_them():
    assert WHOLE == [
        ("prose", "The lease lasts 30 seconds. [kvtmq-1]", True),
        ("prose", "It can be renewed, e.g. by the worker [kvtmq-2].", False),
        ("prose", "See items[0] and `x[1]. y`.", False),
        ("prose", "A third. [kvtmq-1] [kvtmq-3]", False),
        ("prose", "And v1.2 works [1].", False),
        ("prose", "First:", True),
        ("item", "- Run it. Twice. [kvtmq-2]", False),
        ("item", "- Stop [9]", False),
        ("code", "```sh npm i [1] a. b. ``` [kvtmq-3]", True),
        ("item", "1. One thing. [kvtmq-1]", True),
        ("prose", "The end without a full stop [kvtmq-2]", False),
    ]


@given(st.lists(st.integers(1, 12), min_size=1, max_size=400))
def test_how_the_text_is_cut_on_its_way_changes_nothing(lengths: list[int]):
    pieces, start = [], 0
    for length in lengths:
        pieces.append(TEXT[start : start + length])
        start += length
    assert [unit[:2] for unit in readable(units_of(*pieces, TEXT[start:]))] == [unit[:2] for unit in WHOLE]


def test_a_sentence_comes_as_soon_as_the_next_one_begins():
    units = WrittenUnits()
    assert units.feed("One. [kvtmq-1]") == []
    assert [unit.text for unit in units.feed(" T")] == ["One. [kvtmq-1]"]


def test_a_code_block_comes_whole_or_not_at_all():
    units = WrittenUnits()
    assert units.feed("```sh\nrm -rf build\n") == []
    assert [unit.text for unit in units.feed("```\n[kvtmq-1]\n\nN")] == ["```sh\nrm -rf build\n``` [kvtmq-1]"]
    assert units_of("```sh\nrm -rf build\n") == []


def test_chinese_sentences_end_without_blanks():
    assert [unit.text for unit in units_of("租约为30秒。[kvtmq-1]可以续订。[kvtmq-2]")] == [
        "租约为30秒。 [kvtmq-1]",
        "可以续订。 [kvtmq-2]",
    ]


@given(st.text(alphabet="ab. \n`#-[]1k~", max_size=80))
def test_no_text_breaks_it(text: str):
    units_of(*text)


def test_a_bare_yes_and_a_bold_label_come_with_what_they_introduce():
    assert texts("Yes. The lease is extended. [kvtmq-1] No more.") == [
        "Yes. The lease is extended. [kvtmq-1]",
        "No more.",
    ]
    assert texts("**Cache.** It is kept for a day. [kvtmq-1] Then it goes.") == [
        "**Cache.** It is kept for a day. [kvtmq-1]",
        "Then it goes.",
    ]


def texts(written: str) -> list[str]:
    units = WrittenUnits()
    return [unit.text for unit in (*units.feed(written), *units.finish())]
