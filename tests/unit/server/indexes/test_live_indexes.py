import asyncio
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from tests.factories import build_index

from pincite_core.deployed.build_facts import BuildFacts, EncoderEntry
from pincite_core.embedders import FakeEmbedder
from pincite_core.errors import IndexAwaitedError, IndexCorruptError, IndexFetchError, PinciteError
from pincite_server.indexes.live_indexes import LiveIndexes
from pincite_server.indexes.registry import IndexSet
from pincite_server.indexes.shared_models import _model_key
from pincite_server.indexes.source import IndexSource


class ScriptedSource(IndexSource):
    """A source whose checks end with given outcomes."""

    def __init__(self, *outcomes: PinciteError | IndexSet | None) -> None:
        self._outcomes: Iterator[PinciteError | IndexSet | None] = iter(outcomes)

    def refresh(self) -> IndexSet | None:
        outcome = next(self._outcomes)
        if isinstance(outcome, PinciteError):
            raise outcome
        return outcome


@pytest.fixture
def indexes(tmp_path: Path) -> IndexSet:
    build_index(tmp_path / "site", {"/a": "# A\nText."})
    return IndexSource(tmp_path / "site", cache=tmp_path / "cache").open()


def pauses(live: LiveIndexes, count: int) -> list[float]:
    """Return the pauses before some further checks, for an interval of a minute without jitter."""
    waits = []
    for _ in range(count):
        live.refresh()
        waits.append(live._pause(60.0))
    return waits


def test_temporary_failures_are_retried_with_exponential_backoff(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("random.uniform", lambda *_: 1.0)
    live = LiveIndexes(None, ScriptedSource(*[IndexFetchError("The host is down.")] * 40))
    assert pauses(live, 8) == [1, 2, 4, 8, 16, 32, 60, 60]
    assert pauses(live, 32)[-1] == 60


def test_permanent_failures_wait_for_the_usual_interval(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("random.uniform", lambda *_: 1.0)
    live = LiveIndexes(None, ScriptedSource(*[IndexCorruptError("It holds a trigger.")] * 3))
    assert pauses(live, 3) == [60, 60, 60]


def test_a_repeated_problem_is_logged_and_counted_once(indexes: IndexSet, caplog: pytest.LogCaptureFixture):
    down = IndexFetchError("The host is down.")
    live = LiveIndexes(indexes, ScriptedSource(down, down, down, None))
    for _ in range(3):
        live.refresh()
    assert (live.refusals, live.problem, caplog.text.count("The host is down.")) == (1, "The host is down.", 1)
    live.refresh()
    assert (live.problem, live.swaps) == (None, 0)
    assert live.looked_at is not None


def test_the_first_index_replaces_the_error_that_there_is_none(indexes: IndexSet):
    live = LiveIndexes(None, ScriptedSource(indexes))
    assert live.served == ()
    with pytest.raises(IndexAwaitedError, match="does not exist yet"):
        _ = live.current
    assert live.refresh()
    assert live.current is indexes


def test_an_unexpected_failure_leaves_the_index_in_place(indexes: IndexSet):
    live = LiveIndexes(indexes, ScriptedSource())  # its next check fails with StopIteration
    assert not live.refresh()
    assert live.current is indexes
    assert "StopIteration" in str(live.problem)


class RemoteSource(ScriptedSource):
    is_remote = True


@pytest.mark.parametrize("seconds", [0, 3600])
def test_a_sidecar_without_an_index_checks_the_host_at_once(indexes: IndexSet, seconds: float):
    live = LiveIndexes(None, RemoteSource(indexes))

    async def until_served() -> None:
        following = asyncio.create_task(live.follow(seconds))
        while not live.served:
            await asyncio.sleep(0.01)
        following.cancel()

    asyncio.run(asyncio.wait_for(until_served(), 20))
    assert live.current is indexes


def test_a_models_key_is_its_encoder_or_else_its_name(tmp_path: Path):
    class Shipped(FakeEmbedder):
        info = replace(FakeEmbedder.info, encoder="e" * 64)

    pages = {"/a": "# A\nText."}
    shipped = BuildFacts(encoder=EncoderEntry("e.onnx", "e" * 64, "t.json", "d" * 64, 128, "mean"))
    assert _model_key(build_index(tmp_path / "named", pages), BuildFacts()) == "fake"
    assert _model_key(build_index(tmp_path / "shipped", pages, embedder=Shipped()), shipped).startswith("e" * 64)
