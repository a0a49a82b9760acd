"""The MCP server on the official SDK. It is stateless, so it survives restarts and works with several processes."""

import logging
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, NamedTuple, TypeVar

import msgspec
from litestar import Request
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.server.transport_security import TransportSecuritySettings
from mcp.shared.exceptions import MCPError
from mcp_types import (
    INTERNAL_ERROR,
    INVALID_PARAMS,
    CallToolRequestParams,
    CallToolResult,
    ListResourcesResult,
    ListResourceTemplatesResult,
    ListToolsResult,
    PaginatedRequestParams,
    ReadResourceRequestParams,
    ReadResourceResult,
    TextContent,
    Tool,
    ToolAnnotations,
)

from pincite_core.errors import IndexUnavailableError, InputError
from pincite_core.version import __version__
from pincite_server.http.admission.security import THIS_MACHINE
from pincite_server.http.mcp import contract, tools
from pincite_server.http.sidecar import Sidecar
from pincite_server.http.transport.body import MAX_BODY_BYTES
from pincite_server.http.transport.disconnection import unless_disconnected
from pincite_server.http.transport.problems import PROBLEMS, ClientDisconnected, Problem
from pincite_server.indexes.registry import IndexSet

__all__ = ("session_manager",)

logger = logging.getLogger("pincite")

_SHOWN_OF_NAME = 64  # characters
_READ_ONLY = ToolAnnotations(read_only_hint=True, idempotent_hint=True, open_world_hint=False)
_INSTRUCTIONS = (
    "The documentation of {title}. `search` finds sections, `read_section` returns a whole section, and `ask` answers "
    "from the docs only, or refuses if they do not hold the answer. Each URL leads to the exact heading; cite it "
    "unchanged."
)

Context = ServerRequestContext[Any, Any]
A = TypeVar("A")
T = TypeVar("T")


class _Tool(NamedTuple):
    """A tool: its description for agents, the types of its arguments and result, its function and its text form."""

    name: str
    title: str
    description: str
    arguments: type[msgspec.Struct]
    result: type[msgspec.Struct]
    call: Callable[[Sidecar, Any], Awaitable[Any]]
    text: Callable[[Any], str]


_TOOLS = (
    _Tool(
        "search",
        "Search the docs",
        "Find the sections of the docs that match a query, best first. Each result has the URL of the exact place and "
        "a `stable_id` for `read_section`.",
        contract.SearchArguments,
        contract.SearchResults,
        tools.search_sections,
        contract.search_text,
    ),
    _Tool(
        "read_section",
        "Read a section",
        "Return a section and its subsections as Markdown, by its `stable_id` or URL. The result also names the "
        "sections around it, and the sections that are left out of a long text.",
        contract.ReadArguments,
        contract.ReadResult,
        tools.read_place,
        contract.section_text,
    ),
    _Tool(
        "ask",
        "Ask the docs",
        "Answer a question from the docs only, with a source for each claim; refuse if the docs do not answer it.",
        contract.AskArguments,
        contract.AskResult,
        tools.ask_question,
        contract.answer_text,
    ),
)


def session_manager(sidecar: Sidecar) -> StreamableHTTPSessionManager:
    """Return the MCP session manager for HTTP. Enter its `run()` before it handles requests."""

    async def call_tool(ctx: Context, params: CallToolRequestParams) -> CallToolResult:
        tool = next((tool for tool in _TOOLS if tool.name == params.name), None)
        if tool is None:
            names = ", ".join(tool.name for tool in _TOOLS)
            message = f"There is no tool {params.name[:_SHOWN_OF_NAME]!r}. The tools are: {names}."
            raise MCPError(INVALID_PARAMS, message)
        if tool.name == "ask" and ctx.request is not None:
            wait = await sidecar.limits.seconds_to_wait(Request(ctx.request.scope))
            if wait:
                return _failed(f"Too many questions in a short time. Wait {wait} seconds, or use `search` meanwhile.")
        return await _while_connected(ctx, _call(sidecar, tool, params.arguments or {}))

    async def list_tools(_: Context, __: PaginatedRequestParams | None) -> ListToolsResult:
        listed = [
            Tool(
                name=tool.name,
                title=tool.title,
                description=tool.description,
                input_schema=contract.json_schema(tool.arguments),
                output_schema=contract.json_schema(tool.result),
                annotations=_READ_ONLY,
            )
            for tool in _TOOLS
        ]
        return ListToolsResult(tools=listed)

    async def list_resources(ctx: Context, params: PaginatedRequestParams | None) -> ListResourcesResult:
        return await _while_connected(ctx, _resource(sidecar, tools.list_pages, params.cursor if params else None))

    async def list_templates(_: Context, __: PaginatedRequestParams | None) -> ListResourceTemplatesResult:
        return ListResourceTemplatesResult(resource_templates=[tools.PAGE_TEMPLATE])

    async def read_resource(ctx: Context, params: ReadResourceRequestParams) -> ReadResourceResult:
        return await _while_connected(ctx, _resource(sidecar, tools.read_page, str(params.uri)))

    titles = (served.answerer.corpus_name for served in sidecar.indexes.served)
    title = ", ".join(dict.fromkeys(filter(None, titles)))
    server = Server(
        "pincite",
        version=__version__,
        title=title or None,
        instructions=_INSTRUCTIONS.format(title=title or "this site"),
        on_list_tools=list_tools,
        on_call_tool=call_tool,
        on_list_resources=list_resources,
        on_list_resource_templates=list_templates,
        on_read_resource=read_resource,
    )
    # Allow-lists against DNS rebinding: the host names, their own pages, and `cors_origins`.
    names = sidecar.settings.host_names or THIS_MACHINE
    hosts = [host for name in names for host in (name, f"{name}:*")]  # with the default port, and with any other
    own_pages = [f"{scheme}://{host}" for host in hosts for scheme in ("http", "https")]
    security = TransportSecuritySettings(
        enable_dns_rebinding_protection="*" not in names,
        allowed_hosts=hosts,
        allowed_origins=[*own_pages, *sidecar.settings.cors_origins],
    )
    return StreamableHTTPSessionManager(
        server, json_response=True, stateless=True, security_settings=security, max_request_body_size=MAX_BODY_BYTES
    )


async def _while_connected(ctx: Context, work: Coroutine[Any, Any, T]) -> T:
    """Return the result of `work`; cancel it when the agent disconnects, which the SDK does not do."""
    if ctx.request is None:
        return await work
    try:
        return await unless_disconnected(Request(ctx.request.scope, ctx.request.receive), work)
    except ClientDisconnected as error:
        raise MCPError(INTERNAL_ERROR, error.detail) from error  # nobody receives this


async def _call(sidecar: Sidecar, tool: _Tool, arguments: dict[str, Any]) -> CallToolResult:
    """Call a tool. Errors that the agent can correct are returned as the tool's result, in words."""
    try:
        result = await tool.call(sidecar, msgspec.convert(arguments, tool.arguments))
    except msgspec.ValidationError as error:
        return _failed(f"The arguments of `{tool.name}` are wrong: {error}.")
    except InputError as error:
        return _failed(str(error))
    except IndexUnavailableError:
        return _failed(PROBLEMS["index_awaited"][1])
    except Problem as error:
        return _failed(error.detail)
    except Exception:  # the SDK would show the agent the exception's text
        logger.exception("The MCP tool %s failed.", tool.name)
        return _failed(PROBLEMS["internal_error"][1])
    text = TextContent(type="text", text=tool.text(result))
    return CallToolResult(content=[text], structured_content=msgspec.to_builtins(result))


def _failed(why: str) -> CallToolResult:
    return CallToolResult(content=[TextContent(type="text", text=why)], is_error=True)


async def _resource(sidecar: Sidecar, work: Callable[[IndexSet, A], T], argument: A) -> T:
    """Run a lookup among the pages on the worker, and convert its errors to MCP errors."""
    try:
        return await sidecar.worker.run(work, sidecar.indexes, argument)
    except InputError as error:
        raise MCPError(INVALID_PARAMS, str(error)) from error
    except Problem as error:
        raise MCPError(INTERNAL_ERROR, error.detail) from error
    except Exception as error:
        logger.exception("An MCP resource could not be read.")
        raise MCPError(INTERNAL_ERROR, PROBLEMS["internal_error"][1]) from error
