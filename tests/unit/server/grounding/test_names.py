"""Code in a sentence against the text that should have it."""

import pytest

from pincite_server.grounding.evidence import plain_text
from pincite_server.grounding.names import code_spans, missing_code, missing_literals

TEXT = plain_text(
    "Run `npx lantern --port 80`. failover:\n  application: `client.renew(id)`, css-loader and `maxSize`."
)


@pytest.mark.parametrize(
    "span", ["npx lantern", "--port", "client.renew()", "failover.application", "css-loader", "MaxSize", "renew(id)"]
)
def test_code_that_stands_there_in_one_piece_or_in_parts_is_held(span: str):
    assert missing_code(span, TEXT) == []


@pytest.mark.parametrize(
    ("span", "missing"),
    [
        ("--host", ["--host"]),
        ("-p", ["-p"]),
        ("client.revoke()", ["revoke"]),
        ("loader-css", ["loader-css"]),
        ("maxSizes", ["maxsizes"]),
    ],
)
def test_what_is_missing_of_code_is_named(span: str, missing: list[str]):
    assert missing_code(span, TEXT) == missing


def test_versions_and_urls_count_as_code():
    assert missing_literals("Since v9 see https://lantern.example/x.", TEXT) == ["v9", "https://lantern.example/x"]


def test_spans_are_read_without_their_backticks():
    assert code_spans("Set `a` and ``b c``.") == ["a", "b c"]
