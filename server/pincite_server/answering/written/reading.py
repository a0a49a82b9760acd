"""What a language model reads for a question: the plan of its searches, made while the reader's own words are searched.

Reader's words ─┬─> search ──────────────┬─> fuse ─> refuse what is foreign, or write
                └─> plan ─> three queries ┘
"""

import asyncio
from collections.abc import AsyncGenerator, Callable
from dataclasses import dataclass, replace

from pincite_server.answerer import Answerer
from pincite_server.answering.material import Prepared, QuerySearch
from pincite_server.answering.question import MAX_QUERY, Question
from pincite_server.answering.scope import scope_of_question
from pincite_server.answering.written.planning import Plan, PlanTask, plan_search
from pincite_server.answering.written.writing import Offload
from pincite_server.guards.boundaries import crossed_boundary
from pincite_server.llm.reply_model import ReplyModel
from pincite_server.reply.records import Progress

__all__ = ("Planner", "Prepare", "ReadQuestion", "read_question")

Prepare = Callable[[Answerer, Question], Prepared]
_LONGEST_ABOUT = 300  # characters of a home page's description


@dataclass(frozen=True, slots=True)
class ReadQuestion:
    """A question that was searched for. Its `material` is None where the model is not to be asked.

    Attributes:
        prepared: The quoted reply, and what a model may write from.
        queries: What was searched for.
    """

    prepared: Prepared
    queries: tuple[str, ...] = ()


class Planner:
    """Plans one question, once for each language of the docs that are asked.

    Args:
        model: The language model, on behalf of one reply.
    """

    def __init__(self, model: ReplyModel) -> None:
        self._model = model
        self._plans: dict[str, Plan | None] = {}

    @property
    def writes(self) -> bool:
        """Whether the model writes answers, which search queries help; a judge sees what is quoted anyway."""
        return self._model.settings.role == "write"

    async def plan(self, task: PlanTask, on_query: Callable[[str], None]) -> Plan | None:
        """Return the plan; None when the model failed. `on_query` is called with each query as it comes."""
        if task.language in self._plans:
            known = self._plans[task.language]
            for query in known.queries if known else ():
                on_query(query)
            return known
        plan = self._plans[task.language] = await plan_search(self._model, task, on_query)
        return plan


async def read_question(
    answerer: Answerer, question: Question, how: Prepare, planner: Planner, offload: Offload
) -> AsyncGenerator[Progress | ReadQuestion]:
    """Yield what is searched for as it becomes known, and at last the question with all that was found.

    Args:
        answerer: The index to search.
        question: What is asked.
        how: The pipeline's entry, which searches for the reader's own words and quotes.
        planner: Asks the model what else to search for.
        offload: Runs what computes.
    """
    searches = planner.writes and question.mode == "corpus"
    task = await offload(_plan_task, answerer, question, searches)
    if task is None:
        yield ReadQuestion(await offload(how, answerer, question))
        return
    if searches:
        yield Progress("searching", queries=(task.question,))
    search = _Search(answerer, question, how, offload)
    try:
        plan = await planner.plan(task, search.add_query if searches else _ignore)
        if searches and plan is not None and plan.queries:
            yield Progress("searching", queries=plan.queries)
        read = await search.read(plan)
        yield read if planner.writes else replace(read, prepared=_unread(read.prepared))
    finally:
        search.cancel()


class _Search:
    """The searches for one question, which run while its plan is written."""

    def __init__(self, answerer: Answerer, question: Question, how: Prepare, offload: Offload) -> None:
        self._answerer, self._question, self._how, self._offload = answerer, question, how, offload
        self._own = asyncio.ensure_future(offload(how, answerer, question))
        self.searches: list[asyncio.Task[QuerySearch | None]] = []

    def add_query(self, query: str) -> None:
        """Begin to search for a query of the plan."""
        self.searches.append(asyncio.create_task(self._searched(query)))

    async def read(self, plan: Plan | None) -> ReadQuestion:
        """Return what all searches found, once they are done."""
        prepared = await self._own
        if plan is not None and plan.question:
            prepared = await self._offload(self._how, self._answerer, _restated(self._question, plan))
        searches = [search for search in await asyncio.gather(*self.searches) if search is not None]
        material = prepared.searchable
        if material is None:
            return ReadQuestion(prepared)
        if plan is None:
            return ReadQuestion(prepared if material.is_sufficient else _unread(prepared), material.queries)
        material = material.with_searches(searches)
        if material.may_answer(is_foreign=plan.is_foreign):
            return ReadQuestion(replace(prepared, material=material), material.queries)
        refusal = prepared.outcome if plan.is_foreign else await self._offload(material.decline)
        return ReadQuestion(Prepared(refusal), material.queries)

    def cancel(self) -> None:
        """End what is still under way."""
        for task in (self._own, *self.searches):
            task.cancel()

    async def _searched(self, query: str) -> QuerySearch | None:
        material = (await self._own).searchable
        return None if material is None else await self._offload(material.search, query)


def _restated(question: Question, plan: Plan) -> Question:
    """Return a question as the plan restates it: whole, and in the language of the docs."""
    return replace(
        question,
        query=plan.question,
        asked=question.asked or question.query,
        spoken=plan.language or None,
        embedding=None,
        embedding_tokens=(),
    )


def _ignore(_query: str) -> None: ...


def _unread(prepared: Prepared) -> Prepared:
    """Return a reply that the model is not to write anew."""
    return replace(prepared, material=None)


def _plan_task(answerer: Answerer, question: Question, searches: bool) -> PlanTask | None:
    """Return what to plan for; None where nothing is to be planned.

    That is for a question out of bounds, which is refused, and for one that only needs to be understood and is: a
    passage is not searched for, and a judge does not search.
    """
    query = question.query[:MAX_QUERY]
    if crossed_boundary(query, answerer.policy.blocked_topics) is not None:
        return None
    scope, _ = scope_of_question(answerer.index, question)
    turns = question.turns if question.mode == "corpus" else ()
    if not (searches or turns or scope.foreign):
        return None
    home = answerer.index.page_at(answerer.index.info.base_url)
    about = home.description[:_LONGEST_ABOUT] if home is not None and home.scope_id in scope.scope_ids else ""
    return PlanTask(query, turns, answerer.corpus_name or "a product", about, scope.locale)
