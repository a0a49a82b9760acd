"""Checks a running sidecar over HTTP: health, index, access, answers, streaming and MCP."""

import ipaddress
import time
from collections.abc import Iterator
from uuid import uuid4

import httpx
import msgspec

from pincite_server.doctor.diagnosis import Diagnosis, fail, ok, warn
from pincite_server.http.routes.status import Health, Readiness

__all__ = (
    "ask_end_to_end",
    "examine_access",
    "examine_health",
    "examine_index",
    "examine_mcp",
    "examine_shared_state",
    "examine_stream",
    "examine_transport",
    "is_local",
    "read_readiness",
)

_ADDRESS_FIX = "Check the address, that `pincite serve` runs, and that the proxy in front forwards every path to it."
_PROXY_FIX = (
    "Turn off buffering in the proxy: `proxy_buffering off` (nginx), `flush_interval -1` (Caddy), and no compression "
    "of text/event-stream. See docs/deploy.md."
)
_LEAST_SPREAD = 0.4  # seconds; half of the time over which the sidecar sends its events
_SEARCH = "/api/search?q=a&k=1"


class _Place(msgspec.Struct):
    url: str | None = None


class _Answered(msgspec.Struct, tag_field="type", tag="answer"):
    citations: tuple[_Place, ...]


class _Refused(msgspec.Struct, tag_field="type", tag="refusal"):
    code: str
    nearest: tuple[_Place, ...]


class _Tools(msgspec.Struct):
    tools: list[object]


class _ToolsReply(msgspec.Struct):
    result: _Tools


def examine_health(client: httpx.Client) -> Diagnosis:
    """Check whether a sidecar answers at all. The other checks need a running sidecar."""
    started = time.perf_counter()
    try:
        reply = client.get("/health")
        if reply.status_code == httpx.codes.MISDIRECTED_REQUEST:
            name = client.base_url.host
            return fail("reachable", f"The sidecar does not answer to {name}.", f"Start it with --host-name {name}.")
        health = msgspec.json.decode(reply.content, type=Health)
    except httpx.HTTPError as error:
        return fail("reachable", f"{client.base_url} does not answer ({type(error).__name__}).", _ADDRESS_FIX)
    except msgspec.MsgspecError:
        message = f"The server at {client.base_url} (status {reply.status_code}) is no sidecar."
        return fail("reachable", message, _ADDRESS_FIX)
    return ok("reachable", f"Pincite {health.version} answers in {_milliseconds(started)} ms.")


def examine_transport(client: httpx.Client) -> Diagnosis:
    """Check whether questions and tokens are sent unencrypted."""
    if client.base_url.scheme == "https":
        return ok("transport", "Questions are sent encrypted.")
    if is_local(client.base_url.host):
        return ok("transport", "Questions are sent unencrypted, but within a private network.")
    return warn(
        "transport",
        "Questions and tokens are sent unencrypted, and browsers block http from https pages.",
        "Put a proxy with a certificate in front; see docs/deploy.md.",
    )


def read_readiness(client: httpx.Client) -> Readiness | None:
    """Return the reply of `/ready`; None if it is missing or invalid."""
    try:
        return msgspec.json.decode(client.get("/ready").content, type=Readiness)
    except (httpx.HTTPError, msgspec.MsgspecError):
        return None


def examine_index(readiness: Readiness | None) -> Diagnosis:
    """Check whether an index is served, and whether it is the newest build."""
    if readiness is None:
        return fail("index", "The reply of /ready is invalid.", "Update the sidecar, or read its log.")
    if not readiness.indexes:
        fix = readiness.problem or "Read the sidecar's log."
        return fail("index", "No index is served yet, so no question is answered.", fix)
    if readiness.newest_refused:
        fix = readiness.problem or "The sidecar's log says why. Build and deploy the site again."
        return fail("index", "The newest build was refused; an earlier build is served.", fix)
    served = []
    for index in readiness.indexes:
        when = f", built {index.built_at}" if index.built_at else ""
        title, locales = index.title or "untitled", ", ".join(index.locales)
        served.append(f"{title} ({locales}): {index.counts['pages']} pages{when}")
    return ok("index", "; ".join(served))


def examine_shared_state(readiness: Readiness | None) -> Iterator[Diagnosis]:
    """Check whether the shared state of several sidecars is reachable; yield nothing without a shared state."""
    shared = readiness.shared_state if readiness else None
    if shared is not None and shared.up:
        yield ok("shared state", "All sidecars share limits, budgets and the detection of repeated messages.")
    elif shared is not None:
        yield warn("shared state", "The sidecar counts alone.", shared.problem or "Read its log.")


def examine_access(client: httpx.Client) -> Iterator[Diagnosis]:
    """Yield findings about the access token, the metrics and the rate limits."""
    with httpx.Client(base_url=client.base_url, timeout=client.timeout) as anonymous:
        without_token = anonymous.get(_SEARCH)
        metrics = anonymous.get("/metrics")
    reply = client.get(_SEARCH)
    if without_token.status_code != httpx.codes.UNAUTHORIZED:
        yield ok("token", "No token is needed; set PINCITE_TOKEN if the docs are private.")
    elif "Authorization" not in client.headers:
        yield fail("token", "The sidecar requires a token.", "Set PINCITE_TOKEN in this shell to the sidecar's value.")
    elif reply.status_code == httpx.codes.UNAUTHORIZED:
        fix = "Set PINCITE_TOKEN to the same value in both."
        yield fail("token", "The token of this shell is not the sidecar's token.", fix)
    else:
        yield ok("token", "Only requests with the token are answered.")
    if metrics.is_success and "pincite_" in metrics.text:
        fix = "Set PINCITE_METRICS_PORT, or block /metrics in the proxy."
        yield fail("metrics", "Everyone can read /metrics.", fix)
    else:
        yield ok("metrics", "The public cannot read /metrics.")
    if "ratelimit-limit" in reply.headers:
        yield ok("limits", f"{reply.headers['ratelimit-limit']} requests a minute from one address.")
    else:
        fix = "Set PINCITE_ADDRESS_LIMIT and PINCITE_RATE_LIMIT, unless the proxy in front has limits."
        yield warn("limits", "The number of requests from one address is unlimited.", fix)


def ask_end_to_end(client: httpx.Client, question: str) -> tuple[Diagnosis, str | None]:
    """Ask a question as a reader would; a refusal counts as a valid reply.

    Returns:
        The finding, and the first URL in the reply, root-relative.
    """
    started = time.perf_counter()
    try:
        reply = client.post("/api/chat", json={"message_id": str(uuid4()), "query": question})
        if not reply.is_success:
            detail = msgspec.json.decode(reply.content, type=dict[str, object]).get("detail")
            return fail("question", f"A question got status {reply.status_code}.", str(detail)), None
        body = msgspec.json.decode(reply.content, type=_Answered | _Refused)
    except (httpx.HTTPError, msgspec.MsgspecError, UnicodeDecodeError) as error:
        return fail("question", f"No reply to a question ({type(error).__name__}).", _ADDRESS_FIX), None
    if isinstance(body, _Answered):
        places, outcome = body.citations, f"answered with {len(body.citations)} citations"
    else:
        places, outcome = body.nearest, f"refused ({body.code})"
    url = next((place.url for place in places if place.url), None)
    return ok("question", f"{question!r} was {outcome} in {_milliseconds(started)} ms."), url


def examine_stream(client: httpx.Client) -> Diagnosis:
    """Check whether events arrive as they are sent, or together at the end."""
    arrivals: list[float] = []
    try:
        with client.stream("GET", "/api/stream-check", headers={"Accept": "text/event-stream"}) as reply:
            if not reply.is_success:
                return warn("stream", f"/api/stream-check has status {reply.status_code}.", _ADDRESS_FIX)
            encoding = reply.headers.get("content-encoding")
            arrivals.extend(time.perf_counter() for line in reply.iter_lines() if line.startswith("data:"))
    except httpx.HTTPError as error:
        return fail("stream", f"The stream broke off ({type(error).__name__}).", _PROXY_FIX)
    spread = arrivals[-1] - arrivals[0] if arrivals else 0.0
    if spread < _LEAST_SPREAD:
        return fail("stream", "A proxy buffers the event stream: its events arrive all at once.", _PROXY_FIX)
    if encoding:
        return warn("stream", f"A proxy compresses the event stream ({encoding}).", _PROXY_FIX)
    return ok("stream", f"{len(arrivals)} events arrived over {spread:.1f} s, as they were sent.")


def examine_mcp(client: httpx.Client) -> Diagnosis:
    """Check whether `/mcp` accepts agents under the sidecar's host name."""
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    try:
        reply = client.post("/mcp", json=body, headers={"Accept": "application/json, text/event-stream"})
    except httpx.HTTPError as error:
        return warn("agents", f"/mcp does not answer ({type(error).__name__}).", _ADDRESS_FIX)
    if reply.status_code == httpx.codes.MISDIRECTED_REQUEST:
        fix = f"For agents, add --host-name {client.base_url.host}."
        return warn("agents", f"/mcp accepts no requests to {client.base_url.netloc.decode()}.", fix)
    if not reply.is_success:
        return warn("agents", f"/mcp has status {reply.status_code}.", _ADDRESS_FIX)
    try:
        offered = msgspec.json.decode(reply.content, type=_ToolsReply).result.tools
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return warn("agents", "/mcp does not reply with its tools.", _ADDRESS_FIX)
    return ok("agents", f"/mcp offers {len(offered)} tools.")


def is_local(host: str) -> bool:
    """Return whether a host belongs to a private network, judged by its name or address."""
    try:
        return ipaddress.ip_address(host.strip("[]")).is_private
    except ValueError:
        return host == "localhost" or "." not in host


def _milliseconds(started: float) -> int:
    return round((time.perf_counter() - started) * 1000)
