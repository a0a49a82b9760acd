"""Records for tests that need an answer and do not care which."""

from dataclasses import replace

from pincite_core.types import Landing
from pincite_server.http.convert import Head
from pincite_server.model import Answer, ChosenScope, Citation, Notice, Refusal, ValidationInfo

HEAD = Head("0b9f1c9e-0000-4000-8000-000000000001", "session-1", "index-1", "2026-02-13T10:00:00Z")
SCOPE = ChosenScope((1, 2), "en", "2.0", "2.0 (latest)", "default")
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
    landing=(Landing("tab", "Linux"),),
)
ANSWER = Answer(
    mode="corpus",
    scope=SCOPE,
    notices=(Notice("widened", "Answered from version 2.0."),),
    evidence=0.91,
    learning_suggestions=("Volumes",),
    timings_ms={"retrieve": 3.5},
    composer="extractive",
    deltas=("Run the image. [1]", "\n\n```sh\ndocker run kit\n```\n[1]"),
    citations=(CITATION, replace(CITATION, n=0, used=False, landing=())),
    validation=ValidationInfo(True, (), False, 0.86, 2),
)
REFUSAL = Refusal(
    mode="corpus",
    scope=SCOPE,
    notices=(),
    evidence=0.08,
    learning_suggestions=(),
    code="no_evidence",
    message="I don't have enough information to answer that question.",
    suggestions=("Rephrase your question",),
    nearest=(replace(CITATION, n=0, used=False),),
)
