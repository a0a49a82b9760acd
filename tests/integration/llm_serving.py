"""A sidecar in this process whose answers a scripted language model writes."""

from collections.abc import Iterator
from contextlib import contextmanager

import httpx
from tests.integration.scripted_llm import ScriptedModel
from tests.integration.serving import serve_app

from pincite_server.answerer import Answerer
from pincite_server.http.app import create_app
from pincite_server.indexes.registry import IndexSet, ServedIndex
from pincite_server.settings import Settings

__all__ = ("served",)


@contextmanager
def served(answerer: Answerer, endpoint: ScriptedModel, **llm: object) -> Iterator[httpx.Client]:
    """Serve an index whose answers the model writes; `llm` are settings of it in place of the usual ones."""
    app = create_app(
        Settings(threads=2, rate_limit=0, address_limit=0, heartbeat_seconds=0.05),
        IndexSet([ServedIndex(answerer, {})]),
        llm=endpoint.settings(**{"retries": 0, **llm}),
    )
    with serve_app(app) as client:
        yield client
