"""What speaks for an answer of passages, of which `pincite_core.quoting.likelihood` makes a probability."""

from collections.abc import Sequence

from pincite_core.quoting.likelihood import AnswerSignals
from pincite_core.search.ranking import SearchResult
from pincite_server.answering.corpus.compose import Passage

__all__ = ("answer_signals",)

_HUNDRED = 100


def answer_signals(result: SearchResult, passages: Sequence[Passage]) -> AnswerSignals:
    """Return the signals of an answer of at least one passage."""
    shown = [statement for passage in passages for statement in passage.statements]
    return AnswerSignals(
        margin=result.sections[0].score - result.sections[-1].score,
        nearest=max(statement.score for statement in shown),
        standing_out=result.standing_out,
        code=float(any(statement.kind == "code" for statement in passages[0].statements)),
        shown=sum(len(statement.text.split()) for statement in shown) / _HUNDRED,
    )
