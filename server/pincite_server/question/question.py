"""What is asked, and how much of it is read; nothing is cut silently."""

import dataclasses
from dataclasses import dataclass

from pincite_core.units import truncate_to_tokens
from pincite_core.visible_text import visible
from pincite_core.wording import say
from pincite_server.reply.records import Mode, Notice

__all__ = ("MAX_QUERY", "MAX_SELECTION", "Question", "Selection", "Turn", "as_seen", "limit_question")

MAX_QUERY = 2_000  # characters
MAX_SELECTION = 10_000  # characters; selected-text validation, edge case 1


@dataclass(frozen=True, slots=True)
class Selection:
    """A passage the reader highlighted. `captured_at` is seconds since the epoch, None when not said."""

    text: str
    page_url: str | None = None
    captured_at: float | None = None


@dataclass(frozen=True, slots=True)
class Turn:
    """An earlier question of the conversation and the answer the reader still sees."""

    query: str
    answer: str


@dataclass(frozen=True, slots=True)
class Question:
    """What a reader asks, and where from. `embedding` is the client's own vector for `query`, when it sent one.

    `embedding_tokens` are the vectors of its content tokens beside it, each of TOKEN_DIMENSION numbers. `query` is
    empty where a reader keeps the words and sends the embedding alone.

    `locale_chosen` says that who asks has chosen `locale`, which otherwise is the page's. `elsewhere` says that the
    reader is on a page of another site, where URLs need their host. `message_id` and `session_id` come back in the
    reply.
    """

    query: str
    mode: Mode = "corpus"
    selection: Selection | None = None
    version: str | None = None
    locale: str | None = None
    page_url: str | None = None
    turns: tuple[Turn, ...] = ()
    embedding: tuple[float, ...] | None = None
    embedding_tokens: tuple[tuple[float, ...], ...] = ()
    locale_chosen: bool = False
    elsewhere: bool = False
    message_id: str = ""
    session_id: str = ""


def as_seen(question: Question) -> Question:
    """Return the question without characters that show nothing, which a reply would repeat."""
    selection = question.selection
    return dataclasses.replace(
        question,
        query=visible(question.query),
        selection=selection and dataclasses.replace(selection, text=visible(selection.text)),
        turns=tuple(Turn(visible(turn.query), visible(turn.answer)) for turn in question.turns),
    )


def limit_question(question: Question, max_tokens: int, language: str) -> tuple[Question, tuple[Notice, ...]]:
    """Return the question with its query and selection cut to what is read of them, and notices that say so.

    Args:
        question: The question as asked.
        max_tokens: How many tokens the embedding model reads.
        language: The notices' language.
    """
    notices: list[Notice] = []
    query = truncate_to_tokens(question.query[:MAX_QUERY], max_tokens)
    if len(question.query) > MAX_QUERY:
        notices.append(Notice("query_truncated", say("query_truncated", language)))
    elif query != question.query:
        message = say("query_truncated_to_tokens", language, limit=str(max_tokens))
        notices.append(Notice("query_truncated", message))
    selection = question.selection
    if selection and len(selection.text) > MAX_SELECTION:
        selection = dataclasses.replace(selection, text=selection.text[:MAX_SELECTION])
        notices.append(Notice("selection_truncated", say("selection_truncated", language)))
    return dataclasses.replace(question, query=query, selection=selection), tuple(notices)
