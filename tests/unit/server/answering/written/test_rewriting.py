"""A rewritten follow-up chooses what is searched for, so a model may bring nothing into it that was not there."""

import asyncio
from typing import Any

import pytest

from pincite_server.answering.question import Turn
from pincite_server.answering.written.rewriting import rewrite_follow_up
from pincite_server.llm.exchanged import LlmError

QUERY = "And which port does it listen on?"
TURNS = (Turn("How do I run the image?", "Run it with docker. See https://docs.example/run."),)
LONG = "Which port does the image listen on? " * 9


class Model:
    """Writes one text, or fails; counts what it is told to."""

    def __init__(self, text: str | None) -> None:
        self.text = text
        self.counted: list[str] = []

    async def complete(self, messages: object) -> str:
        if self.text is None:
            raise LlmError("timeout", "It took too long.")
        return self.text

    def count(self, name: str, amount: int) -> None:
        self.counted += [name] * amount


def rewritten(model: Any, query: str = QUERY) -> str:
    return asyncio.run(rewrite_follow_up(model, query, TURNS))


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("Which port does the image listen on?", "Which port does the image listen on?"),
        ('  "Which port does\n docker listen on?" ', "Which port does docker listen on?"),
        ("On what does the image listen?", "On what does the image listen?"),
    ],
    ids=["words of the conversation", "in quotation marks", "stop words of its own"],
)
def test_a_rewriting_in_words_that_were_there_is_taken(text: str, asked: str) -> None:
    model = Model(text)
    assert rewritten(model) == asked
    assert model.counted == []


@pytest.mark.parametrize(
    "text",
    [
        "Which port does the database listen on?",
        "How do I run docker?",
        "Which port does docs.example/run listen on, https://docs.example/run?",
        LONG,
        "",
    ],
    ids=["a word from nowhere", "another question", "an address", "too long", "nothing"],
)
def test_a_rewriting_that_is_not_faithful_is_void_and_counted(text: str) -> None:
    model = Model(text)
    assert rewritten(model) == QUERY
    assert model.counted == ["llm_rewritings_dropped"]


def test_a_model_that_fails_leaves_the_question_as_it_was_asked() -> None:
    assert rewritten(Model(None)) == QUERY
