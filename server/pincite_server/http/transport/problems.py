"""Converts exceptions to `application/problem+json` (RFC 9457) with a stable `code` and one sentence.

No error response contains a stack trace, a path of this machine, or a word of the reader's question.
"""

import logging
from http import HTTPStatus
from typing import Any

from litestar import Request, Response
from litestar.exceptions import HTTPException, ValidationException
from litestar.openapi import ResponseSpec
from litestar.plugins.problem_details import ProblemDetailsException
from msgspec import Struct

from pincite_core.errors import IndexAwaitedError, IndexUnavailableError, WorkLimitError

__all__ = (
    "PROBLEMS",
    "ClientDisconnected",
    "Problem",
    "ProblemObject",
    "exception_handlers",
    "problem",
    "problem_responses",
)

logger = logging.getLogger("pincite")

PROBLEMS = {
    "invalid_request": (
        400,
        "A field is missing or has the wrong type. Compare the request with the documentation of this route.",
    ),
    "invalid_embedding": (
        400,
        "The embedding does not fit this site's index. Leave it out; the server then computes one.",
    ),
    "unauthorized": (401, "This site's chat needs a token. Send it as `Authorization: Bearer ...`."),
    "not_found": (404, "There is nothing at this address."),
    "method_not_allowed": (405, "This address does not accept this method. See the header Allow."),
    "body_too_slow": (408, "The request took too long to arrive. Please send it again."),
    "message_id_conflict": (409, "This message_id was used for another question. Send a new one."),
    "id_lost": (410, "The section of this ID is no longer in the docs."),
    "body_too_large": (413, "The request is larger than 256 KiB. Send a shorter selection or fewer turns."),
    "unknown_host": (
        421,
        "The sidecar does not accept this host name. Start it with --host-name (PINCITE_HOST_NAMES).",
    ),
    "unsupported_media_type": (415, "The request must be JSON. Send `Content-Type: application/json`."),
    "rate_limited": (429, "Too many questions in a short time. Please wait a moment and ask again."),
    "index_awaited": (503, "The index of this site's docs is not there now. Please try again in a minute."),
    "too_costly": (
        422,
        "This takes more work than one request may cause. Ask in fewer words, or about a shorter selection.",
    ),
    "overloaded": (503, "Too many requests are waiting for an answer. Please try again in a few seconds."),
    "internal_error": (
        500,
        "Something went wrong on the server. Please try again. The log of the server has the details.",
    ),
}
"""Maps a code to its HTTP status and its default sentence."""

_EVERYWHERE = ("unauthorized", "rate_limited", "overloaded", "index_awaited", "internal_error")
_CODE_OF_STATUS = {status: code for code, (status, _) in reversed(PROBLEMS.items())}
_RETRY_AFTER_SECONDS = "10"  # an estimate: nobody can tell when the site with the index is up again
CLIENT_CLOSED_REQUEST = 499  # what proxies log for a client that left; no client receives this response


class ProblemObject(Struct, frozen=True):
    """An error (RFC 9457) with a stable `code`; `detail` is a sentence."""

    status: int
    type: str
    title: str
    detail: str
    code: str


class Problem(ProblemDetailsException):
    """An error with its code. Raise it anywhere in a request; it is sent as problem+json."""

    def __init__(self, code: str, detail: str = "", headers: dict[str, str] | None = None, **extra: object) -> None:
        status, sentence = PROBLEMS[code]
        self.code = code
        super().__init__(
            detail=detail or sentence,
            status_code=status,
            title=HTTPStatus(status).phrase,
            type_="about:blank",
            headers={"Cache-Control": "no-store", **(headers or {})},
            extra={"code": code, **extra},
        )


class ClientDisconnected(HTTPException):
    """Raised when the reader disconnects; the work is cancelled."""

    status_code = CLIENT_CLOSED_REQUEST


def problem(request: Request[Any, Any, Any], error: Exception) -> Response[Any]:
    """Convert an exception of a request to its response."""
    if isinstance(error, Problem):
        return error.to_response(request)
    if isinstance(error, ClientDisconnected):
        return Response(None, status_code=CLIENT_CLOSED_REQUEST)
    if isinstance(error, IndexAwaitedError | IndexUnavailableError):
        return Problem("index_awaited", headers={"Retry-After": _RETRY_AFTER_SECONDS}).to_response(request)
    if isinstance(error, WorkLimitError):
        return Problem("too_costly").to_response(request)
    if isinstance(error, HTTPException) and error.status_code < HTTPStatus.INTERNAL_SERVER_ERROR:
        return _from_framework(error).to_response(request)
    logger.error("%s %s failed", request.method, request.url.path, exc_info=error)
    return Problem("internal_error").to_response(request)


exception_handlers: dict[int | type[Exception], Any] = {HTTPException: problem, Exception: problem}


def _from_framework(error: HTTPException) -> Problem:
    """Convert an error that Litestar raises: unknown route, wrong method, bad parameter, large body or rate limit."""
    code = _CODE_OF_STATUS.get(error.status_code, "invalid_request")
    detail, headers = "", dict(error.headers or {})
    if code == "rate_limited":
        seconds = max(1, int(headers.get("RateLimit-Reset", "1")))
        headers["Retry-After"] = str(seconds)
        wait = "1 second" if seconds == 1 else f"{seconds} seconds"
        detail = f"Too many questions in a short time. Please wait {wait} and ask again."
    elif isinstance(error, ValidationException):
        wrong = [item for item in error.extra or () if isinstance(item, dict)]  # Litestar's list of wrong parameters
        named = "; ".join(f"`{item.get('key')}`: {item['message']}" for item in wrong)
        detail = f"The request has missing or mistyped fields ({named})." if named else ""
        if any(item.get("key") == "data" for item in wrong):
            detail = "The request has no body. Send a JSON object."
    return Problem(code, detail, headers)


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
