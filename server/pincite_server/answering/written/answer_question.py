"""Answer a question with a reply that a language model writes or judges if one is configured, else a quoted one.

The model plans search queries while the reader's own words are searched:

Reader's words ─┬─> search ──────────────┬─> fuse ─> refuse what is foreign, or write
                └─> plan ─> three queries ┘
"""

import asyncio
from collections.abc import Callable
from dataclasses import replace

from pincite_server.answerer import Answerer
from pincite_server.answering.generation import Offload, Prepare, PreparedAnswer, QuerySearch
from pincite_server.answering.outcome import Outcome, ReadingTrace
from pincite_server.answering.reply_broadcast import Publish, StatusEvent
from pincite_server.answering.written.judging import judged_reply
from pincite_server.answering.written.planning import Plan, PlanTask, plan_search
from pincite_server.answering.written.writing import write_answer
from pincite_server.llm.model import LanguageModel
from pincite_server.llm.reply_model import ReplyModel
from pincite_server.question.question import MAX_QUERY, Question
from pincite_server.question.resolve import ResolvedQuestion, resolve
from pincite_server.reply.records import Progress, Refusal

__all__ = ("Planner", "answer_question", "read_question", "written_reply")

_LONGEST_ABOUT = 300  # characters of the home page's description


async def answer_question(
    answerer: Answerer,
    question: Question,
    how: Prepare,
    offload: Offload,
    publish: Publish,
    model: LanguageModel | None = None,
) -> Outcome:
    """Return the reply to a question, and publish its events on the way.

    A model plans the search queries, reads the sections found, and decides whether they answer the question. The model
    does not write if search found nothing near, or if the client withholds the question's words.

    Without a model the docs are quoted. `how` prepares the quoted answer, and `offload` runs computations off the event
    loop.
    """
    reply_model = ReplyModel(model) if model is not None else None
    planner = Planner(reply_model) if reply_model is not None else None
    prepared = await read_question(answerer, question, how, planner, offload, publish)
    return await written_reply(prepared, reply_model, offload, publish)


async def written_reply(
    prepared: PreparedAnswer, model: ReplyModel | None, offload: Offload, publish: Publish
) -> Outcome:
    """Return the reply that the model writes or judges, or the quoted reply if it does neither.

    The outcome includes the trace of the model's work.
    """
    outcome = prepared.outcome
    if model is None:
        return outcome
    if model.settings.role == "judge":
        if prepared.quotation is not None and not isinstance(outcome.reply, Refusal):
            outcome = await judged_reply(outcome, prepared.quotation, model, offload)
    elif prepared.context is not None:
        outcome = await write_answer(outcome, prepared.context, model, offload, publish)
    if not model.requests:
        return outcome
    sections = outcome.trace.read if outcome.trace else ()
    return replace(outcome, trace=ReadingTrace(prepared.queries, sections, tuple(model.requests)))


class Planner:
    """Plans the searches for one question, once for each language of the docs."""

    def __init__(self, model: ReplyModel) -> None:
        self._model = model
        self._plans: dict[str, Plan | None] = {}

    @property
    def writes(self) -> bool:
        """Whether the model writes answers. Further search queries help only if it does."""
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

    Its `context` is None if the model should not write. The planner is not used if the client withholds the question's
    words.
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

    A question outside the limits of the chat, such as a request to act, needs no plan. If `searches` is False, only a
    follow-up or a question in another language needs a plan.
    """
    resolved = resolve(answerer, question)
    asked, scope = resolved.asked, resolved.asked_scope
    turns = asked.turns if asked.mode == "corpus" else ()
    if resolved.asked_boundary is not None or not (searches or turns or scope.foreign):
        return resolved, None
    home = answerer.index.page_at(answerer.index.info.base_url)
    about = home.description[:_LONGEST_ABOUT] if home is not None and home.scope_id in scope.scope_ids else ""
    return resolved, PlanTask(asked.query[:MAX_QUERY], turns, answerer.corpus_name or "a product", about, scope.locale)
