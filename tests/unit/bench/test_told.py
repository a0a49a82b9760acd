"""What the bench of replicas takes for a right answer, and what not."""

import asyncio

import httpx
import msgspec
import pytest
from bench.told import BrokenOffError, Told, difference, is_right, read_told


def events(*sent: tuple[str, dict[str, object]]) -> httpx.Response:
    text = "".join(f"event: {name}\r\ndata: {msgspec.json.encode(data).decode()}\r\n\r\n" for name, data in sent)
    return httpx.Response(200, text=f": still here\r\n\r\n{text}", headers={"content-type": "text/event-stream"})


def answer(index_id: str, *pieces: str, cited: str = "", took: int = 1) -> httpx.Response:
    return events(
        ("answer_start", {"index_id": index_id, "message_id": str(took)}),
        *(("answer_delta", {"text": piece}) for piece in pieces),
        ("sources", {"citations": [cited or index_id]}),
        ("answer_end", {"timings_ms": {"search": took}}),
    )


def told(response: httpx.Response) -> Told:
    return asyncio.run(read_told(response))


EXPECTED = {build: told(answer(build, f"From {build}.")).says for build in ("one", "two")}


@pytest.mark.parametrize("build", ["one", "two"])
def test_what_a_build_says_is_right_however_it_is_cut_and_long_it_takes(build: str):
    assert is_right(told(answer(build, "From ", f"{build}.", took=7)), EXPECTED)


def test_an_answer_of_both_builds_is_wrong():
    assert not is_right(told(answer("one", "From two.")), EXPECTED)
    assert not is_right(told(answer("one", "From one.", cited="two")), EXPECTED)
    assert not is_right(told(answer("three", "From one.")), EXPECTED)


def test_where_an_answer_parts_from_what_is_expected_is_shown():
    shown = difference(told(answer("one", "From two.")), EXPECTED)
    assert shown.startswith("one: 'two.")
    assert "instead of 'one." in shown
    assert "instead of ''" in difference(told(answer("three", "From one.")), EXPECTED)
    cut = Told("one", EXPECTED["one"][:-9], b"", 0.0)
    assert difference(cut, EXPECTED).startswith("one: '' instead of ")


def test_replies_with_other_times_are_not_one_and_the_same():
    assert told(answer("one", "From one.", took=1)).whole != told(answer("one", "From one.", took=2)).whole


def test_a_refusal_is_held_against_what_is_expected_too():
    refused = told(httpx.Response(200, json={"index_id": "one", "message": "No.", "message_id": "m"}))
    assert is_right(refused, {"one": refused.says})
    assert not is_right(refused, EXPECTED)


def test_a_stream_without_its_end_is_broken_off():
    for reply in (events(), events(("answer_start", {"index_id": "one"})), events(("error", {"code": "internal"}))):
        with pytest.raises(BrokenOffError):
            told(reply)
