"""What a page shows is told by the letters of its chunks and those that stand in none, and read back as it was."""

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from pincite_core.index.schema import MOST_TEXT
from pincite_core.index.shown_text import ShownPart, letters, read_shown, shown_facts, tell_shown

PROSE = st.lists(st.sampled_from(["queue", "worker", "lease", "a", "retries", "é", "日本", "42"]), max_size=60).map(
    "".join
)
BODY = "theworkertakesajobfromthequeueandholdsitslease"


def told_back(parts: list[ShownPart], body: str) -> str:
    stored = msgspec.json.decode(msgspec.json.encode(parts))
    read = read_shown(stored, len(body))
    return "".join(part if isinstance(part, str) else body[part[0] : part[1]] for part in read)


@given(PROSE, PROSE, PROSE, st.integers(0, 200))
def test_what_is_told_reads_back_letter_by_letter(before: str, body: str, after: str, cut: int) -> None:
    for shown in (before + body + after, body[cut:] + before + body[:cut], after):
        assert told_back(tell_shown(shown, body), body) == shown


def test_a_page_that_shows_its_chunks_and_a_label_is_told_in_three_parts() -> None:
    assert tell_shown(f"note{BODY}editthispage", BODY) == ["note", (0, len(BODY)), "editthispage"]


def test_what_chunks_repeat_before_each_row_is_left_out() -> None:
    body = "optionholdsthebestoneofthemoptionletsanothertakeitsplace"
    shown = body.replace("option", "")
    assert all(not isinstance(part, str) for part in tell_shown(shown, body))
    assert told_back(tell_shown(shown, body), body) == shown


def test_letters_are_the_same_however_a_page_is_laid_out() -> None:
    assert letters("  NOTE:\n\tUse `--no-cache` …") == letters("note Use\u200b --no-cache") == "noteusenocache"


def test_what_cannot_be_is_read_as_nothing() -> None:
    hostile = ([[0, 5], [3, 99]], [[-1, 4]], [[5, 2]], [[0, 10]] * 1_000_000, ["a", 3], {"a": 1}, "text", None)
    assert [read_shown(stored, 10) for stored in hostile] == [()] * len(hostile)


def test_a_page_that_takes_more_than_a_value_may_is_not_told() -> None:
    facts = shown_facts({"/a": ["x" * MOST_TEXT], "/b": ["note", (0, 12)]})
    assert facts == {"shown on /b": ["note", (0, 12)]}
