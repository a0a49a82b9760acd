"""Two or three tiny sites that are asked at once, for tests that do not care what they say."""

import asyncio
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from tests.factories import make_answerer

from pincite_server.answering.outcome import Outcome
from pincite_server.answering.reply_broadcast import ReplyBroadcast
from pincite_server.federation.federated_reply import FederatedQuestion, federated_reply
from pincite_server.federation.federated_site import FederatedSite
from pincite_server.question.question import Question

__all__ = ("asked_site", "inline", "replied")


def asked_site(
    folder: Path, name: str, text: str, query: str, *, home: bool = False, title: str | None = None
) -> FederatedSite:
    """Return a site of one page that says one thing, and a question to it."""
    pages = {"/guide": f"# Guide\n## Docker {{#docker}}\n{text}\n[image](/guide#docker)\n"} if text else {}
    shown = name.capitalize() if title is None else title
    answerer = make_answerer(folder / name, pages, title=shown, site_url=f"https://{name}.example")
    return FederatedSite(name, answerer, Question(query, elsewhere=not home))


async def inline(function: Callable[..., Any], *arguments: Any, **named: Any) -> Any:
    """Run what computes where it is asked for."""
    return function(*arguments, **named)


def replied(sites: Sequence[FederatedSite], left_out: tuple[str, ...] = (), offload: Any = inline) -> Outcome:
    """Return the whole reply of some sites."""

    async def last() -> Outcome:
        asked = FederatedQuestion(tuple(sites), left_out)
        return await ReplyBroadcast(partial(federated_reply, asked, offload)).outcome()

    return asyncio.run(last())
