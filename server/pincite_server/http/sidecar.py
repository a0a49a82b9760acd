"""Holds the objects that all routes share. Litestar passes them to each handler as the dependency `sidecar`."""

import dataclasses
import hashlib
import os
import threading
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Self

from litestar import Request

from pincite_core.errors import InputError
from pincite_server.answerer import Answerer
from pincite_server.federation.choose_site import SITE_KEY, SiteRouter
from pincite_server.http.admission.fair_worker import Worker
from pincite_server.http.admission.rate_limits import Limits
from pincite_server.http.replying.ledger import AnswerLedger
from pincite_server.http.replying.shared_replies import SharedReplies
from pincite_server.indexes.live_indexes import LiveIndexes
from pincite_server.indexes.registry import IndexSet
from pincite_server.llm.daily_budget import DailyBudget
from pincite_server.llm.llm_settings import LlmSettings
from pincite_server.llm.model import LanguageModel
from pincite_server.observe.metrics import Metrics, StateCollector
from pincite_server.observe.question_log import QuestionLog
from pincite_server.observe.rates import EvaluatedRates
from pincite_server.policy import POLICY_VARIABLES, Policy
from pincite_server.settings import Settings
from pincite_server.state.link import StateLink
from pincite_server.state.once import Once

__all__ = ("Comparison", "Counters", "Sidecar")

AnyRequest = Request[Any, Any, Any]


@dataclass(frozen=True, slots=True)
class Comparison:
    """A/B comparison of policies: arm `a` is the operator's; half of the readers get `other`, if set, as arm `b`."""

    other: Policy | None = None

    @classmethod
    def from_assignments(cls, assignments: Sequence[str], environment: Mapping[str, str]) -> Self:
        """Return the comparison of the policy of `environment` with the policy after some `NAME=VALUE` assignments.

        Raises:
            InputError: An item is no assignment, names no policy setting, or has an invalid value.
        """
        if not assignments:
            return cls()
        changes: dict[str, str] = {}
        for assignment in assignments:
            name, mark, value = assignment.partition("=")
            if not mark or name not in POLICY_VARIABLES:
                message = f"{assignment!r} sets no policy variable. Write an assignment such as PINCITE_GUARDS=strict."
                raise InputError(message)
            changes[name] = value
        return cls(Policy.from_environment({**environment, **changes}))

    def answerer_for(self, answerer: Answerer, reader: str) -> tuple[Answerer, str]:
        """Return the answerer with the policy of a reader's arm, and the arm: `a` for readers without a name."""
        if self.other is None or not reader or hashlib.sha256(reader.encode()).digest()[0] % 2 == 0:
            return answerer, "a"
        return dataclasses.replace(answerer, policy=self.other), "b"


class Counters:
    """Thread-safe named counters that only grow."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._values: Counter[str] = Counter()

    def add(self, name: str, amount: int = 1) -> None:
        """Add `amount` to the counter `name`; adding 0 creates no counter."""
        if amount:
            with self._lock:
                self._values[name] += amount

    def snapshot(self) -> dict[str, int]:
        """Return all counts by name."""
        with self._lock:
            return dict(sorted(self._values.items()))


@dataclass(frozen=True, slots=True)
class Sidecar:
    """The shared parts of a running sidecar, for one site or for a group of sites."""

    settings: Settings
    live: LiveIndexes
    worker: Worker
    limits: Limits
    replies: SharedReplies
    votes: Once
    counters: Counters
    comparison: Comparison
    questions: QuestionLog | None
    model: LanguageModel | None
    state: StateLink | None
    router: SiteRouter | None  # all sites; None if only one is served
    ledger: AnswerLedger = field(default_factory=AnswerLedger)
    metrics: Metrics = field(default_factory=Metrics)
    site: str = ""  # the site or group that is asked; "" if only one site is served or none is chosen
    members: tuple[str, ...] = ()  # the sites of the group `site`

    @classmethod
    def build(cls, settings: Settings, live: LiveIndexes, llm: LlmSettings | None, router: SiteRouter | None) -> Self:
        """Return a sidecar for the served indexes; with several sites, `live` holds the indexes of the first.

        Raises:
            InputError: The setting `compare` or `evaluation` is invalid.
        """
        counters = Counters()
        state = StateLink(settings.state) if settings.state else None
        sidecar = cls(
            settings,
            live,
            Worker(settings.threads, settings.work_seconds),
            Limits.of(settings, state, router.rate_limits if router else {}),
            replies=SharedReplies(state),
            votes=Once("vote", state),
            counters=counters,
            comparison=Comparison.from_assignments(settings.compare, os.environ),
            questions=QuestionLog(settings.log_questions) if settings.log_questions else None,
            model=_model(llm, counters, state) if llm else None,
            state=state,
            router=router,
        )
        sidecar.metrics.registry.register(StateCollector(sidecar.lives, counters.snapshot, state))
        if settings.evaluation is not None:
            sidecar.metrics.registry.register(EvaluatedRates(settings.evaluation))
        return sidecar

    @property
    def lives(self) -> tuple[LiveIndexes, ...]:
        """The indexes of the chosen site or group; of all sites if none is chosen."""
        return tuple(self.named_lives.values())

    @property
    def is_one_site(self) -> bool:
        """Whether this sidecar answers for one site: only one is served, or one is chosen."""
        return self.router is None or bool(self.site and not self.members)

    @property
    def named_lives(self) -> Mapping[str, LiveIndexes]:
        """The served indexes by site name: of the chosen site or group, or of all sites if none is chosen."""
        if self.router is None or self.is_one_site:
            return {self.site: self.live}
        return {name: self.router.sites[name] for name in self.members or self.router.sites}

    def of_request(self, scope: Mapping[str, Any]) -> "Sidecar":
        """Return the sidecar of the site that a request's path names, or this one if the path names none."""
        name = scope.get(SITE_KEY)
        return self._of_site(name) if name else self

    def of_page(self, request: AnyRequest, page_url: str | None = None, build_id: str | None = None) -> "Sidecar":
        """Return the sidecar of the site that a page belongs to, or this one if it answers for one site already."""
        if self.router is None or self.is_one_site:
            return self
        origin = request.headers.get("origin", "")
        return self._of_site(self.router.site_of(page_url, build_id, origin, self.members))

    async def limited_of_page(
        self, request: AnyRequest, page_url: str | None, build_id: str | None = None
    ) -> "Sidecar":
        """Return the sidecar of a page's site, after counting a question for that site's own rate limit.

        The middleware has counted the question already if the path names the site.

        Raises:
            TooManyRequestsException: The site's own limit is reached.
        """
        sidecar = self.of_page(request, page_url, build_id)
        if sidecar.limits is not self.limits:
            await sidecar.limits.admit(request, is_question=True, by_address=False)
        return sidecar

    def home_of(self, request: AnyRequest, page_url: str | None = None, build_id: str | None = None) -> str | None:
        """Return the name of the member site that a page belongs to; None if there is no such member."""
        if self.router is None:
            return None
        return self.router.home_of(page_url, build_id, request.headers.get("origin", ""), self.members)

    def _of_site(self, name: str) -> "Sidecar":
        """Return the sidecar of a site or of a group. A group's queue is separate from its members' queues."""
        assert self.router is not None
        members = self.router.groups.get(name, ())
        live = self.router.sites[members[0] if members else name]
        worker, limits = self.worker.of_site(name), self.limits.of_site(name)
        return dataclasses.replace(self, live=live, worker=worker, limits=limits, site=name, members=members)

    @property
    def indexes(self) -> IndexSet:
        """The current indexes of the site, or of all members of a group. Read this once a request.

        Raises:
            IndexAwaitedError: No index is available yet.
        """
        served = [item for live in self.lives for item in live.served] if self.members else []
        return IndexSet(served) if served else self.live.current


def _model(llm: LlmSettings, counters: Counters, state: StateLink | None) -> LanguageModel:
    budget = DailyBudget(llm.daily_calls, llm.daily_tokens, state)
    return LanguageModel(llm, counters.add, budget=budget)
