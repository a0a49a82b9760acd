"""What a language model reads for a question: the plan of its searches, made while the reader's own words are searched.

Reader's words ─┬─> search ──────────────┬─> fuse ─> refuse what is foreign, or write
                └─> plan ─> three queries ┘
"""

import asyncio
from collections.abc import AsyncGenerator, Callable
from dataclasses import dataclass, replace

from pincite_server.answerer import Answerer
from pincite_server.answering.material import Prepare, Prepared, QuerySearch
from pincite_server.answering.written.planning import Plan, PlanTask, plan_search
from pincite_server.answering.written.writing import Offload
from pincite_server.llm.reply_model import ReplyModel
from pincite_server.question.question import MAX_QUERY, Question
from pincite_server.question.resolve import ResolvedQuestion, resolve
from pincite_server.reply.records import Progress

__all__ = ("Planner", "ReadQuestion", "read_question")

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
    answerer: Answerer, question: Question, how: Prepare, planner: Planner | None, offload: Offload
) -> AsyncGenerator[Progress | ReadQuestion]:
    """Yield what is searched for as it becomes known, and at last the question with all that was found.

    Args:
        answerer: The index to search.
        question: What is asked.
        how: The pipeline's entry, which searches for the reader's own words and quotes.
        planner: Asks the model what else to search for. It is not asked if the reader keeps the question's words.
        offload: Runs what computes.
    """
    if planner is None or not question.query:
        yield ReadQuestion(await offload(_quoted, answerer, question, how))
        return
    searches = planner.writes and question.mode == "corpus"
    resolved, task = await offload(_resolved_to_plan, answerer, question, searches)
    if task is None:
        yield ReadQuestion(await offload(how, resolved))
        return
    if searches:
        yield Progress("searching", queries=(task.question,))
    search = _Search(resolved, how, offload)
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

    def __init__(self, resolved: ResolvedQuestion, how: Prepare, offload: Offload) -> None:
        self._resolved, self._how, self._offload = resolved, how, offload
        self._own = asyncio.ensure_future(offload(how, resolved))
        self.searches: list[asyncio.Task[QuerySearch | None]] = []

    def add_query(self, query: str) -> None:
        """Begin to search for a query of the plan."""
        self.searches.append(asyncio.create_task(self._searched(query)))

    async def read(self, plan: Plan | None) -> ReadQuestion:
        """Return what all searches found, once they are done."""
        prepared = await self._own
        if plan is not None and plan.question:
            prepared = await self._offload(self._restated, plan)
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
        return ReadQuestion(Prepared(prepared.resolved, refusal), material.queries)

    def cancel(self) -> None:
        """End what is still under way."""
        for task in (self._own, *self.searches):
            task.cancel()

    def _restated(self, plan: Plan) -> Prepared:
        """Return the reply to the question as the plan restates it: whole, and in the language of the docs."""
        return self._how(self._resolved.restated(plan.question, plan.language or None))

    async def _searched(self, query: str) -> QuerySearch | None:
        material = (await self._own).searchable
        return None if material is None else await self._offload(material.search, query)


def _ignore(_query: str) -> None: ...


def _unread(prepared: Prepared) -> Prepared:
    """Return a reply that the model is not to write anew."""
    return replace(prepared, material=None)


def _quoted(answerer: Answerer, question: Question, how: Prepare) -> Prepared:
    """Resolve a question and return its reply alone, without anything for a model."""
    prepared = how(resolve(answerer, question))
    return Prepared(prepared.resolved, prepared.outcome)


def _resolved_to_plan(
    answerer: Answerer, question: Question, searches: bool
) -> tuple[ResolvedQuestion, PlanTask | None]:
    """Resolve a question; return it with the task of its plan, which is None if the question needs no plan.

    A question out of bounds needs none. Without searches, only a follow-up or a question in another language needs one.
    """
    resolved = resolve(answerer, question)
    asked, scope = resolved.asked, resolved.asked_scope
    turns = asked.turns if asked.mode == "corpus" else ()
    if resolved.asked_boundary is not None or not (searches or turns or scope.foreign):
        return resolved, None
    home = answerer.index.page_at(answerer.index.info.base_url)
    about = home.description[:_LONGEST_ABOUT] if home is not None and home.scope_id in scope.scope_ids else ""
    return resolved, PlanTask(asked.query[:MAX_QUERY], turns, answerer.corpus_name or "a product", about, scope.locale)
