"""Adds problem responses, the token scheme and examples to the OpenAPI schema."""

from litestar.openapi import OpenAPIConfig, ResponseSpec
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.openapi.spec import Components, Example, SecurityScheme

from pincite_core.version import __version__
from pincite_server.http.transport.problems import PROBLEMS
from pincite_server.http.wire import ProblemObject

__all__ = (
    "CHAT_EXAMPLE",
    "FEEDBACK_EXAMPLE",
    "RESOLVE_EXAMPLE",
    "SELECTED_TEXT_EXAMPLE",
    "openapi_config",
    "problem_responses",
)

_EVERYWHERE = ("unauthorized", "rate_limited", "overloaded", "index_awaited", "internal_error")
_MESSAGE_ID = "7f1d3a52-9be0-4ce9-8a4e-1f1f1b1b1b1b"
_PASSAGE = "Run the image with docker run lantern. The image listens on port 8080."

CHAT_EXAMPLE = Example(
    summary="A question from a page",
    value={
        "message_id": _MESSAGE_ID,
        "session_id": "0e4c2a9e-6f0b-4c52-9a3c-5d9d3a1f6b11",
        "query": "Which port does the image listen on?",
        "mode": "corpus",
        "scope": {"version": "2.0", "locale": "en"},
        "page_url": "/kit/install",
    },
)
SELECTED_TEXT_EXAMPLE = Example(
    summary="A question about a passage",
    value={"query": "Which port?", "selected_text": _PASSAGE, "page_url": "/kit/install"},
)
RESOLVE_EXAMPLE = Example(summary="IDs of an old conversation", value={"ids": ["default/install#docker"]})
FEEDBACK_EXAMPLE = Example(summary="A good answer", value={"message_id": _MESSAGE_ID, "vote": "up"})


def openapi_config() -> OpenAPIConfig:
    """Return the configuration of `/schema`."""
    token = SecurityScheme(type="http", scheme="bearer", description="Only for sites whose docs are private.")
    return OpenAPIConfig(
        title="Pincite",
        version=__version__,
        path="/schema",
        description="Answers about a documentation site, each claim with a citation of the exact place.",
        render_plugins=[JsonRenderPlugin(path="/openapi.json")],  # the other plugins load scripts from third parties
        components=Components(security_schemes={"token": token}),
    )


def problem_responses(*codes: str) -> dict[int, ResponseSpec]:
    """Return the OpenAPI responses for these problem codes, together with the codes that every route can return."""
    by_status: dict[int, list[str]] = {}
    for code in (*codes, *_EVERYWHERE):
        by_status.setdefault(PROBLEMS[code][0], []).append(code)
    return {
        status: ResponseSpec(
            ProblemObject,
            description=" ".join(f"`{code}`: {PROBLEMS[code][1]}" for code in codes),
            media_type="application/problem+json",
            generate_examples=False,
        )
        for status, codes in by_status.items()
    }
