"""How likely an answer is said to be of use."""

import math
from dataclasses import fields, replace
from pathlib import Path

import pytest
from tests.factories import make_answerer

from pincite_core.quoting.likelihood import LIKELIHOOD_WEIGHTS, AnswerSignals, answer_likelihood
from pincite_core.search.query import parse_query
from pincite_server.answering.corpus.compose import Passage, compose_extractive
from pincite_server.answering.corpus.likelihood import answer_signals, judged_likelihood
from pincite_server.answering.pipeline import answer
from pincite_server.answering.retrieve import retrieve_distinct
from pincite_server.question.question import Question
from pincite_server.question.scope import choose_scope
from pincite_server.reply.records import Answer

SURE = AnswerSignals(margin=0.4, nearest=1.0, z_score=4.0, code=1.0, shown=6.0)
UNSURE = AnswerSignals(margin=0.05, nearest=0.55, z_score=1.5, code=0.0, shown=1.5)
PAGES = {
    "/docs/cache": "# Cache\n## Cache size {#size}\nThe cache size is 64 megabytes. Set it with this:\n\n"
    "```sh\nkit cache --size 64\n```\n",
    "/docs/queue": "# Queue\n## Queue order {#order}\nJobs leave a queue in the order in which they came.\n",
    "/docs/node": "# Node\n## Node names {#names}\nEvery node has a name of its own.\n",
}


def test_answers_of_all_three_colours_occur() -> None:
    between = AnswerSignals(margin=0.12, nearest=0.75, z_score=2.6, code=0.0, shown=4.5)
    assert answer_likelihood(UNSURE) < 0.4 <= answer_likelihood(between) < 0.7 <= answer_likelihood(SURE)


@pytest.mark.parametrize("name", [field.name for field in fields(AnswerSignals)])
def test_each_signal_speaks_for_an_answer_by_its_weight(name: str) -> None:
    odds = [likely / (1 - likely) for likely in map(answer_likelihood, (UNSURE, raised(UNSURE, name)))]
    assert math.log(odds[1] / odds[0]) == pytest.approx(getattr(LIKELIHOOD_WEIGHTS, name))
    assert getattr(LIKELIHOOD_WEIGHTS, name) >= 0


def raised(signals: AnswerSignals, name: str) -> AnswerSignals:
    return replace(signals, **{name: getattr(signals, name) + 1})


@pytest.mark.parametrize("likelihood", [0.1, 0.5, 0.9])
def test_the_best_verdict_counts_beside_the_signals(likelihood: float) -> None:
    yes, partly, no = (judged_likelihood(likelihood, ["no", best, None]) for best in ("yes", "partly", "no"))
    assert no < partly < yes
    assert judged_likelihood(likelihood, ["partly", "yes"]) == yes
    assert judged_likelihood(likelihood - 0.05, ["yes"]) < yes < judged_likelihood(likelihood + 0.05, ["yes"])


def test_what_is_shown_is_read_off_the_answer(tmp_path: Path) -> None:
    answerer = make_answerer(tmp_path, PAGES)

    def signals(question: str) -> tuple[AnswerSignals, tuple[Passage, ...]]:
        query = parse_query(question)
        encoded = answerer.encode(query.text)
        result = retrieve_distinct(answerer, encoded, query, choose_scope(answerer.index)[0])
        passages = compose_extractive(answerer.index, encoded.vector, question, result)
        return answer_signals(result, passages), passages

    (size, quoted), (order, _) = signals("cache size"), signals("In which order do jobs leave a queue?")
    assert (size.code, order.code) == (1, 0)
    assert size.nearest == max(statement.score for passage in quoted for statement in passage.statements)
    words = " ".join(statement.text for passage in quoted for statement in passage.statements).split()
    assert size.shown == pytest.approx(len(words) / 100)
    assert size.z_score > 0
    assert 0 <= size.margin <= 1


def test_the_confidence_of_a_quoted_answer_is_its_likelihood(tmp_path: Path) -> None:
    answerer = make_answerer(tmp_path, PAGES)
    scores = set()
    for question in ("cache size", "In which order do jobs leave a queue?"):
        reply = answer(answerer, Question(question))
        assert isinstance(reply, Answer)
        assert 0 < reply.confidence_score < 1
        scores.add(reply.confidence_score)
    assert len(scores) == 2
