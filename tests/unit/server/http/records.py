"""Records for tests that need any answer."""

from msgspec.structs import replace

from pincite_server.answering.outcome import Outcome
from pincite_server.reply.records import (
    Answer,
    AnsweredScope,
    Citation,
    Notice,
    Opening,
    Refusal,
    ShownClaim,
    Suggestion,
    ValidationInfo,
)

SCOPE = AnsweredScope("en", "2.0", "2.0 (latest)", "default")
HEAD = {
    "message_id": "0b9f1c9e-0000-4000-8000-000000000001",
    "session_id": "session-1",
    "index_id": "index-1",
    "built_at": "2026-02-13T10:00:00Z",
    "mode": "corpus",
    "scope": SCOPE,
}
CITATION = Citation(
    n=1,
    used=True,
    stable_id="guides/install#docker",
    title="Docker",
    heading_path=("Install", "Docker"),
    section="Docker",
    page="Install",
    url="/kit/install#docker",
    anchor="docker",
    chunk_id=7,
    source_type="guide",
    excerpt="Run the image.",
    verified=True,
)
PIECES = ("Run the image. [1]", "\n\n```sh\ndocker run kit\n```\n[1]")
ANSWER = Answer(
    **HEAD,
    notices=(Notice("widened", "Answered from version 2.0."),),
    evidence=0.91,
    learning_suggestions=("Volumes",),
    timings_ms={"retrieve": 3.5},
    composer="extractive",
    text="".join(PIECES),
    citations=(CITATION, replace(CITATION, n=None, used=False)),
    claims=(ShownClaim("Run the image.", "quoted", (1,), "Run the image."),),
    confidence_score=0.86,
    validation=ValidationInfo(True, (), False, 0.86, 2),
)
OPENING = Opening(**HEAD, notices=ANSWER.notices, composer=ANSWER.composer)
ANSWERED = Outcome(ANSWER, PIECES, ANSWER.validation)
REFUSAL = Refusal(
    **HEAD,
    notices=(),
    evidence=0.08,
    validation=ValidationInfo(False, ("no_evidence",), False, 0.0, 0),
    learning_suggestions=(),
    code="no_evidence",
    message="I don't have enough information to answer that question.",
    reasons=(),
    timings_ms={},
    suggestions=(Suggestion("rephrase", "Rephrase your question"),),
    nearest=(replace(CITATION, n=None, used=False),),
)
REFUSED = Outcome(REFUSAL)
