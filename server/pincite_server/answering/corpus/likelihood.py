"""What speaks for an answer of passages, of which `pincite_core.quoting.likelihood` makes a probability."""

import math
from collections.abc import Sequence

from pincite_core.index.read import Index
from pincite_core.quoting.likelihood import USUAL_WORDS, AnswerSignals
from pincite_core.search.late_interaction import TokenVectors
from pincite_core.search.ranking import SearchResult
from pincite_server.answering.corpus.compose import Passage

__all__ = ("answer_signals",)

_HUNDRED = 100


def answer_signals(
    index: Index, tokens: TokenVectors | None, result: SearchResult, passages: Sequence[Passage]
) -> AnswerSignals:
    """Return the signals of an answer of at least one passage.

    Args:
        index: The index.
        tokens: The vectors of the question's tokens; None where only its vector is known.
        result: The search that found the sections.
        passages: What is shown of them.
    """
    shown = [statement for passage in passages for statement in passage.statements]
    return AnswerSignals(
        margin=result.sections[0].score - result.sections[-1].score,
        nearest=max(statement.score for statement in shown),
        standing_out=result.standing_out,
        code=float(any(statement.kind == "code" for statement in passages[0].statements)),
        shown=sum(len(statement.text.split()) for statement in shown) / _HUNDRED,
        words=_words(index, tokens, passages),
        length=math.log(len(result.query.text) or 1),
    )


def _words(index: Index, tokens: TokenVectors | None, passages: Sequence[Passage]) -> float:
    if tokens is None:
        return USUAL_WORDS
    near = index.joint_similarity(tokens, [passage.section.chunk for passage in passages])
    return USUAL_WORDS if math.isnan(near) else near
