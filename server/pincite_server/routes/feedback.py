"""`POST /api/feedback`: a vote is counted, and nothing else is kept."""

from litestar import post
from litestar.di import NamedDependency
from litestar.params import JSONBody

from pincite_server import wire
from pincite_server.body import StrictJson
from pincite_server.sidecar import Sidecar

__all__ = ("feedback",)


@post(
    "/api/feedback",
    dto=StrictJson[wire.FeedbackRequest],
    return_dto=None,
    status_code=204,
    summary="Vote on an answer",
    sync_to_thread=False,
)
def feedback(data: JSONBody[wire.FeedbackRequest], sidecar: NamedDependency[Sidecar]) -> None:
    """Count a vote."""
    sidecar.counters.add(f"feedback_{data.vote}")
