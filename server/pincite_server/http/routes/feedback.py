"""`POST /api/feedback`: a vote is counted, and nothing else is kept."""

from typing import Annotated

from litestar import post
from litestar.di import NamedDependency
from litestar.params import BodyKwarg

from pincite_server.http import wire
from pincite_server.http.body import StrictJson
from pincite_server.http.openapi import BODY_PROBLEMS, FEEDBACK_EXAMPLE, problem_responses
from pincite_server.http.sidecar import Sidecar

__all__ = ("feedback",)

Body = Annotated[wire.FeedbackRequest, BodyKwarg(examples=[FEEDBACK_EXAMPLE])]


@post(
    "/api/feedback",
    dto=StrictJson[wire.FeedbackRequest],
    return_dto=None,
    status_code=204,
    responses=problem_responses(*BODY_PROBLEMS),
    summary="Vote on an answer",
    sync_to_thread=False,
)
def feedback(data: Body, sidecar: NamedDependency[Sidecar]) -> None:
    """Count a vote."""
    sidecar.counters.add(f"feedback_{data.vote}")
