"""What is sent of a reply: exactly what the API promises, by the names it promises."""

import json

import msgspec
from tests.unit.server.http.records import ANSWER, OPENING, REFUSAL

HEAD = ["type", "message_id", "session_id", "index_id", "built_at", "mode", "scope", "notices"]


def sent(record: msgspec.Struct) -> dict[str, object]:
    found: dict[str, object] = json.loads(msgspec.json.encode(record))
    return found


def test_an_answer_is_sent_with_the_fields_of_the_api_and_no_others():
    assert list(sent(ANSWER)) == [
        *HEAD,
        "composer",
        "answer",
        "citations",
        "claims",
        "confidence_score",
        "evidence",
        "validation_info",
        "learning_suggestions",
        "timings_ms",
    ]


def test_a_refusal_is_sent_with_why():
    reasons = ("The passage does not mention *gardens*.",)
    assert sent(msgspec.structs.replace(REFUSAL, reasons=reasons))["reasons"] == list(reasons)
    assert list(sent(REFUSAL)) == [
        *HEAD,
        "code",
        "message",
        "reasons",
        "suggestions",
        "searched",
        "nearest",
        "evidence",
        "validation_info",
        "learning_suggestions",
        "timings_ms",
    ]


def test_the_beginning_of_an_answer_is_sent_as_the_answer_begins():
    assert sent(OPENING) == {name: sent(ANSWER)[name] for name in [*HEAD, "composer"]}


def test_a_scope_is_sent_without_the_rows_that_it_stands_for():
    assert set(sent(ANSWER)["scope"]) == {"locale", "version", "version_label", "plugin_id"}  # type: ignore[call-overload]


def test_a_section_that_only_qualifies_has_no_number():
    assert [citation["n"] for citation in sent(ANSWER)["citations"]] == [1, None]  # type: ignore[attr-defined]
