import pytest

from pincite_server.answering.written.links import plain_emphasis, without_links

KNOWN = "Open http://localhost:8080/admin in a browser."


@pytest.mark.parametrize(
    ("written", "text", "dropped"),
    [
        ("See [the docs](https://evil.example/x).", "See the docs.", 1),
        ("See [the docs](/kit/install#docker).", "See the docs.", 1),
        ("![logo](https://evil.example/x.png) Install it.", "logo Install it.", 1),
        ("Go to https://evil.example/x.", "Go to .", 1),
        ("Go to <https://evil.example/x>.", "Go to .", 1),
        ("Go to www.evil.example, now.", "Go to , now.", 1),
        ("Mail mailto:a@evil.example today.", "Mail  today.", 1),
        ("[1]: https://evil.example/x", "", 1),
        ("[a](javascript:alert(1)) b", "a b", 1),
    ],
)
def test_links_lose_their_targets_and_are_counted(written: str, text: str, dropped: int):
    assert without_links(written, KNOWN) == (text, dropped)


def test_a_url_that_the_evidence_holds_stays_as_text():
    assert without_links("Open http://localhost:8080/admin.", KNOWN) == ("Open http://localhost:8080/admin.", 0)
    assert without_links("Open http://localhost:8080/other.", KNOWN) == ("Open .", 1)


def test_the_marks_of_bold_and_italic_text_go_and_code_stays():
    text = "**Bold** and *it* and __strong__, `**kwargs`, 2 * 3 * 4, snake_case_name"
    assert plain_emphasis(text) == "Bold and it and strong, `**kwargs`, 2 * 3 * 4, snake_case_name"


def test_bold_text_that_holds_code_loses_its_marks_too():
    assert plain_emphasis("**List it in `.ignore`:** create a file") == "List it in `.ignore`: create a file"
    assert plain_emphasis("a `**` b **c** and `x**y`") == "a `**` b c and `x**y`"
