"""What is too long is cut, with a notice; nothing is cut silently."""

import dataclasses

from pincite_core.units import truncate_to_tokens
from pincite_server.model import Notice, Question
from pincite_server.wording import say

__all__ = ("MAX_QUERY", "MAX_SELECTION", "limit_question")

MAX_QUERY = 2_000  # characters
MAX_SELECTION = 10_000  # characters; selected-text validation, edge case 1


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
