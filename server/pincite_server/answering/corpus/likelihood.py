"""What speaks for an answer of passages, of which `pincite_core.quoting.likelihood` makes a probability."""

from collections.abc import Sequence

from pincite_core.quoting.likelihood import AnswerSignals
from pincite_core.search.ranking import SearchResult
from pincite_server.answering.corpus.compose import Passage

__all__ = ("answer_signals",)

_USUAL_WORDS = 0.71  # the mean of the answers that the weights were fitted on, for an index without tokens


def answer_signals(result: SearchResult, passages: Sequence[Passage]) -> AnswerSignals:
    """Return the signals of an answer of at least one passage."""
    words = [passage.section.words for passage in passages if passage.section.words is not None]
    return AnswerSignals(
        margin=result.sections[0].score - result.sections[-1].score,
        words=max(words, default=_USUAL_WORDS),
        standing_out=result.standing_out,
        code=float(any(statement.kind == "code" for statement in passages[0].statements)),
    )
