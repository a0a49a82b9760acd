"""Compute the signals of a quoted answer, and the probability that readers find it useful.

`pincite_core.quoting.likelihood` turns the signals into a probability.
"""

import math
from collections.abc import Sequence

from pincite_core.quoting.likelihood import AnswerSignals
from pincite_core.rules import SCORING
from pincite_core.search.ranking import SearchResult
from pincite_server.answering.corpus.compose import Passage
from pincite_server.answering.generation import PassageVerdict

__all__ = ("VERDICT_WEIGHTS", "answer_signals", "judged_likelihood")

# Logistic regression over 162 answers from seven sites, with readers' verdicts in place of a model's (decision 042;
# `python -m bench.confidence --fit`). Features: the log odds by the signals alone, and the best of the verdicts.
VERDICT_WEIGHTS = {"signals": 0.23, "yes": 2.92, "partly": -0.38, "no": -2.24}


def answer_signals(result: SearchResult, passages: Sequence[Passage]) -> AnswerSignals:
    """Return the signals of an answer of at least one passage."""
    shown = [statement for passage in passages for statement in passage.statements]
    return AnswerSignals(
        margin=result.sections[0].score - result.sections[-1].score,
        nearest=max(statement.score for statement in shown),
        z_score=result.z_score,
        code=float(any(statement.kind == "code" for statement in passages[0].statements)),
        shown=sum(len(statement.text.split()) for statement in shown) / SCORING.hundred,
    )


def judged_likelihood(likelihood: float, verdicts: Sequence[PassageVerdict | None]) -> float:
    """Return the probability, 0 to 1, that a reader finds a quoted answer useful, after a model's verdicts.

    Args:
        likelihood: The probability by the signals alone.
        verdicts: The verdicts on the passages, at least one not None; the best one counts.
    """
    best = next(verdict for verdict in ("yes", "partly", "no") if verdict in verdicts)
    total = VERDICT_WEIGHTS["signals"] * math.log(likelihood / (1 - likelihood)) + VERDICT_WEIGHTS[best]
    return 1.0 / (1.0 + math.exp(-total))
