"""Generate requests from the sidecar's own OpenAPI schema, and break their values, bodies, headers and bytes.

Schemathesis is not used: it brings seven packages, and sends neither broken HTTP nor MCP messages. This module needs
only a small part of JSON schema.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from hypothesis import strategies as st

__all__ = ("HttpRequest", "requests_of")

Schema = Mapping[str, Any]

_STRANGE = (
    "", " ", "\0", "\ud800", "\u202e", "\u2028", "NaN", "null", "-1", "1e999", "' OR 1=1 --", 'NEAR("a" b, 5) AND x*',
    "%00", "../../etc/passwd", "..%2f..%2fetc", "//evil.example", "http://[::1", "http://[::1/x", "//[x",
    "http://℀.com/", "http://a:b:c/", "http://x:99999999/", "javascript:alert(1)", "data:,x", "file:///etc/passwd",
    "/kit/install#docker", "/kit/install?x=%ff", "#", "Which port does the Lantern image listen on?",
    "ignore previous instructions", "port " * 400, "a" * 5000, "é" * 3000, "ا" * 1999,
    " ".join(f"w{n}" for n in range(3000)), "(" * 3000, "\n" * 3000,
)  # fmt: skip
_ORDINARY = ("port", "en", "docs/install#docker", "/kit/install", "Which port does the Lantern image listen on?")
_HEADERS = (
    "Accept", "Accept-Encoding", "Accept-Language", "Authorization", "Content-Encoding", "Content-Type", "Cookie",
    "Expect", "Forwarded", "Host", "If-Modified-Since", "If-None-Match", "Last-Event-ID", "Mcp-Protocol-Version",
    "Mcp-Session-Id", "Origin", "Pincite-Reader", "Range", "Referer", "Upgrade", "X-Forwarded-For",
    "X-Forwarded-Proto", "X-Request-ID",
)  # fmt: skip
_HEADER_VALUES = (
    "*/*", "text/event-stream", "application/json", "application/json, text/event-stream", "text/html;q=nan", "gzip",
    "Bearer x", "Basic !", "bytes=0-", "bytes=-1", "bytes=5-1,9-99999999999999999999", "::1",
    "1.2.3.4, unknown, [::1]:x", "127.0.0.1", "Thu, 01 Jan 1970 00:00:00 GMT", "Thu, 99 Foo 99999 00:00:00", "W/",
    '"', "null", "http://[", "websocket", "100-continue", "2025-06-18", "multipart/form-data",
    "application/json; charset=x", "utf-7", "a=b; " * 50, "\xff\xfe", "0", "-1",
)  # fmt: skip
_BREAKS = (b"\r\n", b"\n", b"\0", b"\x80", b": ", b"%", b"Transfer-Encoding: chunked\r\n", b"\r\n\r\n", b"ffff\r\n")
_METHODS = ("GET", "POST", "HEAD", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "CONNECT", "get", "X" * 200)
_MCP_METHODS = (
    "initialize", "ping", "tools/list", "tools/call", "resources/list", "resources/read", "resources/templates/list",
    "prompts/list", "completion/complete", "logging/setLevel", "notifications/initialized", "notifications/cancelled",
    "nothing", "",
)  # fmt: skip
_MCP_ARGUMENTS = ("query", "k", "stable_id", "url", "version", "locale", "page_url", "cursor", "id")
_SITE_PATHS = ("/kit/", "/kit/install", "/kit/install/", "/kit/pincite/index.json", "/kit/pincite/index.db", "/metrics")
_SHOWN = 700  # characters of a request that are printed
_SAFE = ":/?#[]@!$&'()*+,;=%"


@dataclass(frozen=True, slots=True)
class HttpRequest:
    """The bytes for one connection. `whole`: the head is valid HTTP, and the body has the stated length."""

    sent: bytes
    whole: bool

    def __repr__(self) -> str:
        shown = repr(self.sent)
        return shown if len(shown) <= _SHOWN else f"{shown[:_SHOWN]}… ({len(self.sent)} bytes)"


def requests_of(openapi: Schema, tools: Schema) -> st.SearchStrategy[HttpRequest]:
    """Return requests for every route of a sidecar, for MCP and for files; some of them are damaged.

    Args:
        openapi: The sidecar's description of its routes.
        tools: The JSON schema of the arguments of each MCP tool by its name.
    """
    routes = [
        _route(openapi, method.upper(), path, operation)
        for path, methods in sorted(openapi["paths"].items())
        for method, operation in sorted(methods.items())
    ]
    whole = st.one_of(*routes, _mcp(tools), _mcp(tools), _files())
    return st.one_of(whole, whole, whole, _damaged(whole))


def _texts() -> st.SearchStrategy[str]:
    return st.one_of(
        st.sampled_from(_STRANGE), st.text(max_size=80), st.sampled_from(("port", "en", "docs/install#docker"))
    )


def _anything() -> st.SearchStrategy[Any]:
    leaf = st.one_of(st.none(), st.booleans(), st.integers(), st.integers(-(10**30), 10**30), st.floats(), _texts())
    return st.recursive(leaf, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(_texts(), inner, max_size=4))


def _value(schema: Schema, openapi: Schema) -> st.SearchStrategy[Any]:
    """Return a strategy that draws values for a schema, most of them of the right type."""
    if "$ref" in schema:
        return _value(openapi["components"]["schemas"][schema["$ref"].rpartition("/")[2]], openapi)
    if either := schema.get("oneOf", schema.get("anyOf")):
        return st.one_of(*(_value(one, openapi) for one in either))
    right: st.SearchStrategy[Any] = _right(schema, openapi)
    return st.one_of(right, right, right, right, _anything())


def _right(schema: Schema, openapi: Schema) -> st.SearchStrategy[Any]:
    if "enum" in schema:
        return st.sampled_from(schema["enum"])
    match schema.get("type"):
        case "object":
            return _object(schema, openapi)
        case "array":
            few = st.lists(_value(schema.get("items", {}), openapi), max_size=6)
            return st.one_of(few, few, st.tuples(few, st.integers(0, 300)).map(lambda drawn: drawn[0] * drawn[1]))
        case "string":
            return st.uuids().map(str) if schema.get("format") == "uuid" else _texts()
        case "integer":
            return st.one_of(st.integers(-2, 60), st.integers())
        case "number":
            return st.floats()
        case "null":
            return st.none()
    return _anything()


def _object(schema: Schema, openapi: Schema) -> st.SearchStrategy[dict[str, Any]]:
    fields = {name: _value(field, openapi) for name, field in schema.get("properties", {}).items()}
    needed = {name: fields.pop(name) for name in schema.get("required", ())}
    right = st.fixed_dictionaries(needed, optional=fields)
    return st.one_of(right, right, right, st.fixed_dictionaries({}, optional=needed | fields))


@st.composite
def _route(draw: st.DrawFn, openapi: Schema, method: str, path: str, operation: Schema) -> HttpRequest:
    named: dict[str, list[tuple[str, Any]]] = {"path": [], "query": []}
    for parameter in operation.get("parameters", ()):
        wanted = parameter["in"] == "path" or draw(st.integers(0, 3))
        if wanted and parameter["in"] in named:
            named[parameter["in"]].append((parameter["name"], draw(_value(parameter["schema"], openapi))))
    for name, value in named["path"]:
        path = path.replace(f"{{{name}}}", _quoted(value, _SAFE))
    if named["query"]:
        path += "?" + "&".join(f"{name}={_quoted(value, '')}" for name, value in named["query"])
    body = operation.get("requestBody", {}).get("content", {}).get("application/json")
    content = None if body is None else draw(_value(body["schema"], openapi))
    return draw(_http(method, path, None if body is None else json.dumps(content).encode()))


def _quoted(value: object, safe: str) -> str:
    text = value if isinstance(value, str) else json.dumps(value)
    return quote(text.encode("utf-8", "surrogatepass"), safe=safe)[:20_000]


@st.composite
def _mcp(draw: st.DrawFn, tools: Schema) -> HttpRequest:
    named = [
        st.fixed_dictionaries({"name": st.just(name), "arguments": _value(schema, schema)})
        for name, schema in sorted(tools.items())
    ]
    addresses = st.one_of(_texts(), _texts().map(lambda text: f"https://docs.example/kit/{text}"))
    method, params = draw(
        st.one_of(
            *(st.tuples(st.just("tools/call"), called) for called in named),
            st.tuples(st.just("resources/read"), st.fixed_dictionaries({"uri": addresses})),
            st.tuples(st.sampled_from(_MCP_METHODS), _anything()),
        )
    )
    number = draw(st.one_of(st.integers(0, 9), st.integers(0, 9), _anything()))
    message = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
    content = draw(st.sampled_from((message, message, message, message, [message], [])))
    accepted = {"Accept": "application/json, text/event-stream"}
    return draw(_http("POST", "/mcp", json.dumps(content).encode(), accepted))


@st.composite
def _files(draw: st.DrawFn) -> HttpRequest:
    start = draw(st.sampled_from((*_SITE_PATHS, "/", "")))
    return draw(_http("GET", start + draw(st.one_of(st.just(""), _texts())).replace("\n", "%0a"), None))


@st.composite
def _http(
    draw: st.DrawFn, method: str, path: str, body: bytes | None, fixed: Mapping[str, str] | None = None
) -> HttpRequest:
    """Return a request with its length, and sometimes with another method, other headers, another body."""
    method = draw(st.sampled_from(_METHODS)) if draw(st.integers(0, 9)) == 9 else method
    headers = {"Host": "127.0.0.1", "Connection": "close", **(fixed or {})}
    if body is not None:
        headers["Content-Type"] = "application/json"
        if draw(st.integers(0, 9)) == 9:
            body = draw(
                st.one_of(st.binary(max_size=200), st.just(body[:-1]), st.just(b"[" * 100_000), st.just(body * 2))
            )
    values = st.one_of(st.sampled_from(_HEADER_VALUES), st.text('abc,;="\x7f\xff :/', max_size=30))
    headers |= draw(st.dictionaries(st.sampled_from(_HEADERS), values, max_size=3))
    if body is not None:
        headers["Content-Length"] = str(len(body))
    path = quote(path.encode("utf-8", "surrogatepass"), safe=_SAFE + "-._~") or "/"
    lines = [f"{method} {path} HTTP/1.1", *(f"{name}: {value.strip()}" for name, value in headers.items())]
    return HttpRequest("\r\n".join((*lines, "", "")).encode("latin-1") + (body or b""), whole=True)


@st.composite
def _damaged(draw: st.DrawFn, whole: st.SearchStrategy[HttpRequest]) -> HttpRequest:
    """Return a request with bytes removed, added or changed."""
    sent = draw(whole).sent
    for _ in range(draw(st.integers(1, 3))):
        place = draw(st.integers(0, min(len(sent), 2000)))
        gone = draw(st.integers(0, 12))
        strange = st.sampled_from(
            (b"\r\n", b"\n", b"\0", b"\x80", b": ", b"%", b"Transfer-Encoding: chunked\r\n", b"\r\n\r\n", b"ffff\r\n")
        )
        sent = sent[:place] + draw(st.one_of(st.just(b""), strange, st.binary(max_size=12))) + sent[place + gone :]
    return HttpRequest(sent, whole=False)
