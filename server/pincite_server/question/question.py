"""The reader's question, and its length limits. A notice reports each cut."""

import dataclasses
from dataclasses import dataclass

from pincite_core.rules import QUESTION, SELECTION
from pincite_core.strip_invisible import strip_invisible
from pincite_core.units import truncate_to_tokens
from pincite_core.wording import say
from pincite_server.reply.records import Mode, Notice

__all__ = ("MAX_QUERY", "MAX_SELECTION", "Question", "Selection", "Turn", "limit_question", "without_invisible")

MAX_QUERY = QUESTION.max_query
MAX_SELECTION = SELECTION.max_length


@dataclass(frozen=True, slots=True)
class Selection:
    """A passage that the reader selected. `captured_at` is in seconds since the epoch; None if unknown."""

    text: str
    page_url: str | None = None
    captured_at: float | None = None


@dataclass(frozen=True, slots=True)
class Turn:
    """An earlier question of the conversation, and the answer that the reader still sees."""

    query: str
    answer: str


@dataclass(frozen=True, slots=True)
class Question:
    """A reader's question with its context."""

    query: str  # the question; empty if the client withholds the words and sends only the embedding
    mode: Mode = "corpus"  # whether to answer from the site or from the selection
    selection: Selection | None = None  # the selected passage
    version: str | None = None  # the requested version
    locale: str | None = None  # the locale of the page, or the locale that the reader chose
    page_url: str | None = None  # the page of the reader
    turns: tuple[Turn, ...] = ()  # the earlier questions and answers, the oldest first
    embedding: tuple[float, ...] | None = None  # the client's own vector of `query`; None to compute the vector here
    embedding_tokens: tuple[tuple[float, ...], ...] = ()  # vectors of its content tokens (TOKEN_DIMENSION numbers)
    locale_chosen: bool = False  # whether the reader or client chose `locale`
    elsewhere: bool = False  # whether the reader is on a page of another site, so that URLs need a host
    message_id: str = ""  # the reply repeats it
    session_id: str = ""  # the reply repeats it


def without_invisible(question: Question) -> Question:
    """Return the question without invisible characters, because the reply may repeat it."""
    selection = question.selection
    return dataclasses.replace(
        question,
        query=strip_invisible(question.query),
        selection=selection and dataclasses.replace(selection, text=strip_invisible(selection.text)),
        turns=tuple(Turn(strip_invisible(turn.query), strip_invisible(turn.answer)) for turn in question.turns),
    )


def limit_question(question: Question, max_tokens: int, language: str) -> tuple[Question, tuple[Notice, ...]]:
    """Return the question, cut to the model's `max_tokens` and the other limits, and a notice for each cut."""
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
