"""Passages that are no running text: code, tables, several paragraphs, half a code block."""

import pytest
from tests.factories import make_answerer

from pincite_server.answerer import Answerer
from pincite_server.answering.outcome import Outcome
from pincite_server.answering.pipeline import prepare_selection
from pincite_server.question.question import Question, Selection
from pincite_server.question.resolve import resolve
from pincite_server.reply.records import Answer, Refusal

PAGES = {
    "/docs/queue": """# Queue
## Retries {#retries}
A failed job is tried again after a pause. The pause doubles with every attempt.

A job that fails five times goes to the graveyard, where an operator looks at it.

```python
def retry(job):
    pause = backoff(job.attempts)
    if job.attempts >= 5:
        return graveyard.bury(job)
    return schedule(job, after=pause)
```

## Options {#options}
| Option: pause; Type: seconds; Default: 10 | {#opt-pause}
| Option: attempts; Type: number; Default: 5 | {#opt-attempts}
""",
}
CODE = """def retry(job):
    pause = backoff(job.attempts)
    if job.attempts >= 5:
        return graveyard.bury(job)
    return schedule(job, after=pause)"""
HALF_CODE = "return graveyard.bury(job)\n    return schedule(job, after="
TABLE = "pause\tseconds\t10\nattempts\tnumber\t5"
PARAGRAPHS = """A failed job is tried again after a pause. The pause doubles with every attempt.

A job that fails five times goes to the graveyard, where an operator looks at it."""


@pytest.fixture(scope="module")
def answerer(tmp_path_factory: pytest.TempPathFactory) -> Answerer:
    return make_answerer(tmp_path_factory.mktemp("shapes"), PAGES)


def ask(answerer: Answerer, query: str, text: str) -> Outcome:
    question = Question(query, mode="selection", selection=Selection(text, "/docs/queue"))
    return prepare_selection(resolve(answerer, question)).outcome


def quoted(outcome: Outcome) -> list[str]:
    assert isinstance(outcome.reply, Answer), outcome.reply
    return [delta.strip().removesuffix("[1]").strip().replace("\\", "") for delta in outcome.pieces]


@pytest.mark.parametrize(
    ("query", "text", "expected", "anchor"),
    [
        ("What does graveyard bury?", CODE, "return graveyard.bury(job)", "retries"),
        ("What does graveyard bury?", HALF_CODE, "return graveyard.bury(job)", "retries"),
        ("How many attempts?", TABLE, "attempts\tnumber\t5", "options"),
        (
            "Where does a job that fails five times go?",
            PARAGRAPHS,
            "A job that fails five times goes to the graveyard, where an operator looks at it.",
            "retries",
        ),
    ],
    ids=["code", "half a code block", "table", "paragraphs"],
)
def test_a_line_row_or_sentence_is_quoted_and_its_place_cited(
    answerer: Answerer, query: str, text: str, expected: str, anchor: str
) -> None:
    outcome = ask(answerer, query, text)
    assert expected in quoted(outcome)
    assert all(line in text for line in quoted(outcome))
    assert isinstance(outcome.reply, Answer)
    assert outcome.reply.citations[0].url == f"/docs/queue#{anchor}"
    assert outcome.grounding is not None


@pytest.mark.parametrize("text", [CODE, HALF_CODE, TABLE, PARAGRAPHS])
def test_what_none_of_them_says_falls_back_with_the_exact_sentence(answerer: Answerer, text: str) -> None:
    reply = ask(answerer, "Which licence does Kubernetes have?", text).reply
    assert isinstance(reply, Refusal)
    assert reply.message == "The selected text does not contain the answer."
    assert reply.reasons


def test_a_fenced_block_in_a_passage_is_quoted_whole(answerer: Answerer) -> None:
    fenced = f"This is how:\n```python\n{CODE}\n```"
    outcome = ask(answerer, "What does the graveyard bury for a job?", fenced)
    assert f"```python\n{CODE}\n```" in quoted(outcome)
