import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite_server.answering.written.markers import MARKER_GROUPS, Markers

MARKERS = Markers("kvtmq", 3)


@pytest.mark.parametrize(
    ("written", "text", "excerpts"),
    [
        ("A lease lasts 30 s. [kvtmq-1]", "A lease lasts 30 s.", (1,)),
        ("A lease lasts 30 s [kvtmq-1].", "A lease lasts 30 s.", (1,)),
        ("A lease lasts 30 s.[kvtmq-3][kvtmq-1]", "A lease lasts 30 s.", (3, 1)),
        ("A lease lasts 30 s. [kvtmq-2, kvtmq-2; kvtmq-3]", "A lease lasts 30 s.", (2, 3)),
        ("A lease[kvtmq-2] lasts 30 s.", "A lease lasts 30 s.", (2,)),
        ("A lease lasts 30 s. `[kvtmq-1]`", "A lease lasts 30 s.", (1,)),
        ("A lease lasts 30 s (kvtmq-1).", "A lease lasts 30 s.", (1,)),
    ],
)
def test_markers_are_taken_out_and_read(written: str, text: str, excerpts: tuple[int, ...]):
    read = MARKERS.read(written)
    assert (read.text, read.excerpts, read.unknown) == (text, excerpts, 0)


@pytest.mark.parametrize(
    ("written", "unknown"),
    [
        ("Leases last. [1]", 1),
        ("Leases last [1, 2].", 2),
        ("Leases last. [^3]", 1),
        ("Leases last.【4】", 1),
        ("Leases last. [kvtmq-4]", 1),
        ("Leases last. [zzzzz-1]", 1),
        ("Leases last. [kvtmq-99][9]", 2),
    ],
)
def test_markers_that_name_nothing_are_dropped_and_counted(written: str, unknown: int):
    read = MARKERS.read(written)
    assert (read.text, read.excerpts, read.unknown) == ("Leases last.", (), unknown)


@pytest.mark.parametrize("text", ["Use items[0] and rows[1][2].", "Set `list[1]` first.", "See [the guide] now."])
def test_brackets_that_cite_nothing_stay(text: str):
    assert MARKERS.read(text).text == text


def test_the_marker_zero_says_that_there_is_no_answer():
    assert MARKERS.read("[kvtmq-0]").declines
    assert MARKERS.read("The excerpts do not say. [kvtmq-0]").declines
    assert not MARKERS.read("A lease lasts. [kvtmq-1]").declines
    assert not MARKERS.read("A lease lasts. [0]").declines


def test_each_turn_draws_letters_of_its_own_that_no_text_holds():
    drawn = {Markers.draw(2).nonce for _ in range(20)}
    assert len(drawn) == 20
    nonce = Markers.draw(1).nonce
    assert nonce not in (Markers.draw(1, [nonce]).nonce for _ in range(50))


@given(st.text(max_size=200), st.lists(st.integers(1, 3), max_size=4))
def test_no_marker_of_the_turn_survives_in_prose(text: str, numbers: list[int]):
    written = text.replace("`", "") + "".join(f" {MARKERS.marker(number)} word" for number in numbers)
    read = MARKERS.read(written)
    assert MARKERS.nonce not in read.text
    assert set(read.excerpts) == set(numbers)


def test_a_run_of_markers_is_one_group():
    match = MARKER_GROUPS.match(" [kvtmq-1] [2, 3]【4】 and more")
    assert match is not None
    assert match.group() == " [kvtmq-1] [2, 3]【4】"
