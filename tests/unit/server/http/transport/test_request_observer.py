"""What becomes a metric is never what a client made up."""

import asyncio
from typing import Any

import pytest

from pincite_server.http.transport.request_observer import RequestObserver
from pincite_server.observe.metrics import Metrics


async def application(scope: Any, receive: Any, send: Any) -> None:
    scope["path_template"] = "/c/{stable_id}"
    await send({"type": "http.response.start", "status": 200, "headers": []})


async def vanished(scope: Any, receive: Any, send: Any) -> None:
    raise ConnectionResetError


def observe(app: Any, method: str = "GET", path: str = "/c/x") -> dict[str, str]:
    """Send a request through the observer; return the labels under which it was counted."""
    metrics = Metrics()

    async def nothing(*_: Any) -> None:
        return None

    scope: Any = {"type": "http", "method": method, "path": path, "headers": []}
    asyncio.run(RequestObserver(app, metrics)(scope, nothing, nothing))
    return labels_of(metrics)


def labels_of(metrics: Metrics) -> dict[str, str]:
    (labels,) = (
        sample.labels
        for family in metrics.registry.collect()
        for sample in family.samples
        if sample.name == "pincite_http_requests_total"
    )
    return labels


def test_a_request_is_counted_by_its_routes_pattern():
    assert observe(application) == {"method": "GET", "route": "/c/{stable_id}", "status": "200"}


@pytest.mark.parametrize("method", ["X-MADE-UP-1", "get", ""])
def test_a_method_that_does_not_exist_is_no_label(method: str):
    assert observe(application, method)["method"] == "other"


def test_a_request_that_got_no_reply_is_counted_as_such():
    metrics = Metrics()

    async def run() -> None:
        await RequestObserver(vanished, metrics)({"type": "http", "method": "GET", "headers": []}, None, None)  # type: ignore[typeddict-item, arg-type]

    with pytest.raises(ConnectionResetError):
        asyncio.run(run())
    assert labels_of(metrics) == {"method": "GET", "route": "none", "status": "499"}
