"""Long work asks for its budget where it goes on, and nothing on the way swallows the answer."""

import math
from collections.abc import Callable
from functools import partial
from itertools import count

import pytest
from tests.factories import make_answerer

from pincite_core.budget import Budget
from pincite_core.errors import WorkLimitError
from pincite_core.search.query import parse_query
from pincite_server.answerer import Answerer
from pincite_server.answering.corpus.compose import compose_extractive
from pincite_server.answering.passage.passage import split_passage
from pincite_server.answering.pipeline import answer, prepare, prepare_selection, search_hits
from pincite_server.answering.retrieve import retrieve
from pincite_server.grounding.verdict import judge_support
from pincite_server.question.question import Question, Selection
from pincite_server.question.resolve import resolve
from pincite_server.question.scope import choose_scope
from pincite_server.reply.records import Answer

PAGES = {
    "/docs/lamps": """# Lamps
A lamp burns oil. Fill the lamp with oil every evening.

## Wicks {#wicks}
Trim the wick of a lamp to three millimetres. A long wick smokes.

## Glass {#glass}
Clean the glass of a lamp with vinegar every week.
""",
}
QUESTION = "How long is the wick of a lamp?"
PASSAGE = "Trim the wick of a lamp to three millimetres. A long wick smokes."


@pytest.fixture(scope="module")
def answerer(tmp_path_factory: pytest.TempPathFactory) -> Answerer:
    return make_answerer(tmp_path_factory.mktemp("lamps"), PAGES)


def times_asked(work: Callable[[], object]) -> int:
    """Return how often work asks for its budget: a clock that goes a second on whenever it is looked at."""
    clock = count(0.0)
    budget = Budget(math.inf, lambda: next(clock), _never_soon_enough)
    budget.run(work)
    return int(budget.used) - 2  # before it begins, and when it has ended


def _never_soon_enough() -> float:
    """Tell the time on the wall such that it never spares the look at the other clock."""
    return math.inf


def works(answerer: Answerer) -> dict[str, Callable[[], object]]:
    selected = Question(QUESTION, "selection", Selection(PASSAGE, "/docs/lamps"))
    return {
        "search": lambda: search_hits(answerer, QUESTION),
        "answer": lambda: prepare(resolve(answerer, Question(QUESTION))),
        "selection": lambda: prepare_selection(resolve(answerer, selected)),
    }


@pytest.mark.parametrize("kind", ["search", "answer", "selection"])
def test_work_can_be_ended_wherever_it_asks(answerer: Answerer, kind: str):
    work = works(answerer)[kind]
    asks = times_asked(work)
    assert asks >= 5
    for seconds in range(1, asks + 1):
        clock = count(0.0)
        with pytest.raises(WorkLimitError):
            Budget(float(seconds), lambda clock=clock: next(clock), _never_soon_enough).run(work)


def test_an_answer_is_the_same_within_a_budget_and_without_one(answerer: Answerer):
    free, bounded = (
        answer(answerer, Question(QUESTION)),
        Budget(60.0).run(answer, answerer, Question(QUESTION)),
    )
    assert isinstance(free, Answer)
    assert isinstance(bounded, Answer)
    assert bounded.text == free.text


def test_search_asks_before_each_misspelled_word_is_looked_for(answerer: Answerer):
    misspelled = [f"lampp{chr(97 + number)}" for number in range(20)]
    few, many = (times_asked(lambda n=n: search_hits(answerer, " ".join(misspelled[:n]))) for n in (1, 20))
    assert many - few == 19


def test_a_passage_asks_before_each_line(answerer: Answerer):
    assert times_asked(lambda: split_passage("Fill the lamp.\n" * 100)) >= 100


def test_grounding_asks_before_each_sentence_of_an_answer():
    answer = " ".join(f"Lamp {number} burns oil." for number in range(30))
    assert times_asked(lambda: judge_support(PASSAGE, QUESTION, answer)) >= 30


def test_composing_asks_before_each_section(answerer: Answerer):
    query = parse_query(QUESTION)
    encoded = answerer.encode(query.text)
    result = retrieve(answerer, encoded, query, choose_scope(answerer.index)[0])
    compose = partial(compose_extractive, answerer.index, encoded.vector, QUESTION, result)
    assert times_asked(compose) >= len(compose()) > 0
