"""Passages that are no running text: code, tables, several paragraphs, half a code block."""

import pytest
from tests.factories import make_engine

from pincite_server.answering.pipeline import answer_selection
from pincite_server.engine import Engine
from pincite_server.model import Answer, Question, Refusal, Selection

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
def engine(tmp_path_factory: pytest.TempPathFactory) -> Engine:
    return make_engine(tmp_path_factory.mktemp("shapes"), PAGES)


def ask(engine: Engine, query: str, text: str) -> Answer | Refusal:
    return answer_selection(engine, Question(query, mode="selection", selection=Selection(text, "/docs/queue")))


def quoted(reply: Answer | Refusal) -> list[str]:
    assert isinstance(reply, Answer), reply
    return [delta.strip().removesuffix("[1]").strip().replace("\\", "") for delta in reply.deltas]


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
    engine: Engine, query: str, text: str, expected: str, anchor: str
) -> None:
    reply = ask(engine, query, text)
    assert expected in quoted(reply)
    assert all(line in text for line in quoted(reply))
    assert isinstance(reply, Answer)
    assert reply.citations[0].url == f"/docs/queue#{anchor}"
    assert reply.grounding is not None


@pytest.mark.parametrize("text", [CODE, HALF_CODE, TABLE, PARAGRAPHS])
def test_what_none_of_them_says_falls_back_with_the_exact_sentence(engine: Engine, text: str) -> None:
    reply = ask(engine, "Which licence does Kubernetes have?", text)
    assert isinstance(reply, Refusal)
    assert reply.message == "The selected text does not contain the answer."
    assert reply.reasons


def test_a_fenced_block_in_a_passage_is_quoted_whole(engine: Engine) -> None:
    fenced = f"This is how:\n```python\n{CODE}\n```"
    reply = ask(engine, "What does the graveyard bury for a job?", fenced)
    assert f"```python\n{CODE}\n```" in quoted(reply)
