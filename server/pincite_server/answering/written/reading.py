"""Search for a language model: the model plans search queries while the reader's own words are searched.

Reader's words ─┬─> search ──────────────┬─> fuse ─> refuse what is foreign, or write
                └─> plan ─> three queries ┘
"""

import asyncio
from collections.abc import Callable
from dataclasses import replace

from pincite_server.answerer import Answerer
from pincite_server.answering.generation import Offload, Prepare, PreparedAnswer, QuerySearch
from pincite_server.answering.reply_broadcast import Publish, StatusEvent
from pincite_server.answering.written.planning import Plan, PlanTask, plan_search
from pincite_server.llm.reply_model import ReplyModel
from pincite_server.question.question import MAX_QUERY, Question
from pincite_server.question.resolve import ResolvedQuestion, resolve
from pincite_server.reply.records import Progress

__all__ = ("Planner", "read_question")

_LONGEST_ABOUT = 300  # characters of the home page's description


class Planner:
    """Plans the searches for one question, once for each language of the docs.

    Args:
        model: The language model of this reply.
    """

    def __init__(self, model: ReplyModel) -> None:
        self._model = model
        self._plans: dict[str, Plan | None] = {}

    @property
    def writes(self) -> bool:
        """Whether the model writes answers. Only then do further search queries help."""
        return self._model.settings.role == "write"

    async def plan(self, task: PlanTask, on_query: Callable[[str], None]) -> Plan | None:
        """Return the query plan; None if the model failed. `on_query` is called with each query as it arrives."""
        if task.language in self._plans:
            known = self._plans[task.language]
            for query in known.queries if known else ():
                on_query(query)
            return known
        plan = self._plans[task.language] = await plan_search(self._model, task, on_query)
        return plan


async def read_question(
    answerer: Answerer, question: Question, how: Prepare, planner: Planner | None, offload: Offload, publish: Publish
) -> PreparedAnswer:
    """Return the prepared answer with all search results, and publish the search queries as they become known.

    Its `context` is None if the model should not write.

    Args:
        answerer: The index to search.
        question: The question.
        how: Prepares the quoted answer, by a search for the reader's own words.
        planner: Asks the model for search queries. It is not used if the client withholds the question's words.
        offload: Runs computations off the event loop.
        publish: Adds an event to the reply.
    """
    if planner is None or not question.query:
        prepared = await offload(_resolved_and_prepared, answerer, question, how)
        return PreparedAnswer(prepared.resolved, prepared.outcome)
    searches = planner.writes and question.mode == "corpus"
    resolved, task = await offload(_resolved_to_plan, answerer, question, searches)
    if task is None:
        return await offload(how, resolved)
    if searches:
        publish(StatusEvent(Progress("searching", queries=(task.question,))))
    search = _Search(resolved, how, offload)
    try:
        plan = await planner.plan(task, search.add_query if searches else lambda _: None)
        if searches and plan is not None and plan.queries:
            publish(StatusEvent(Progress("searching", queries=plan.queries)))
        prepared = await search.finished(plan)
        return prepared if planner.writes else replace(prepared, context=None)
    finally:
        search.cancel()


class _Search:
    """The searches for one question, which run while the model writes the query plan."""

    def __init__(self, resolved: ResolvedQuestion, how: Prepare, offload: Offload) -> None:
        self._resolved, self._how, self._offload = resolved, how, offload
        self._own = asyncio.ensure_future(offload(how, resolved))
        self._searches: list[asyncio.Task[QuerySearch | None]] = []

    def add_query(self, query: str) -> None:
        """Start the search for a query of the query plan."""
        self._searches.append(asyncio.create_task(self._searched(query)))

    async def finished(self, plan: Plan | None) -> PreparedAnswer:
        """Return the answer to the question, restated by the plan if needed, with the results of all searches."""
        prepared = await self._own
        if plan is not None and plan.question:
            prepared = await self._offload(self._restated, plan)
        searches = [search for search in await asyncio.gather(*self._searches) if search is not None]
        context = prepared.searchable
        if context is None:
            return prepared
        if plan is None:
            return replace(prepared, context=context if context.is_sufficient else None, queries=context.queries)
        context = context.with_searches(searches)
        if context.may_answer(is_foreign=plan.is_foreign):
            return replace(prepared, context=context, queries=context.queries)
        refusal = prepared.outcome if plan.is_foreign else await self._offload(context.decline)
        return PreparedAnswer(prepared.resolved, refusal, queries=context.queries)

    def cancel(self) -> None:
        """Cancel the running searches."""
        for task in (self._own, *self._searches):
            task.cancel()

    def _restated(self, plan: Plan) -> PreparedAnswer:
        return self._how(self._resolved.restated(plan.question, plan.language or None))

    async def _searched(self, query: str) -> QuerySearch | None:
        context = (await self._own).searchable
        return None if context is None else await self._offload(context.search, query)


def _resolved_and_prepared(answerer: Answerer, question: Question, how: Prepare) -> PreparedAnswer:
    return how(resolve(answerer, question))


def _resolved_to_plan(
    answerer: Answerer, question: Question, searches: bool
) -> tuple[ResolvedQuestion, PlanTask | None]:
    """Resolve a question and return it with its plan task; the task is None if the question needs no plan.

    A question that crosses a boundary needs no plan. Without searches, only a follow-up or a question in another
    language needs a plan.
    """
    resolved = resolve(answerer, question)
    asked, scope = resolved.asked, resolved.asked_scope
    turns = asked.turns if asked.mode == "corpus" else ()
    if resolved.asked_boundary is not None or not (searches or turns or scope.foreign):
        return resolved, None
    home = answerer.index.page_at(answerer.index.info.base_url)
    about = home.description[:_LONGEST_ABOUT] if home is not None and home.scope_id in scope.scope_ids else ""
    return resolved, PlanTask(asked.query[:MAX_QUERY], turns, answerer.corpus_name or "a product", about, scope.locale)
