"""How a reader gets from one place of the docs to another."""

from collections import deque
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.factories import GUIDE_SCOPE, PageSource, build_index

from pincite_core.index.read import Index
from pincite_core.types import Scope
from pincite_indexer.reference_path import Step, reference_path

OLDER = Scope(2, "docs", "default", "1.0", "1.0", False, "en")
PAGES = {
    "/install": PageSource("# Install\nFirst of all.\n[fill the lamp](/lamp#oil)\n## Docker {#docker}\nRun it."),
    "/lamp": PageSource("# Lamp\nIt gives light.\n## Oil {#oil}\nFill it.\n## Wick {#wick}\nTrim it.\n[Care](/care)"),
    "/care": PageSource("# Care\nClean the glass."),
    "/alone": PageSource("# Alone\nNothing leads here."),
    "/1.0/lamp": PageSource("# Lamp\nIt gives light.\n[Care](/care)", scope_id=2),
}


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Index:
    return build_index(tmp_path_factory.mktemp("index"), PAGES, scopes=(GUIDE_SCOPE, OLDER))


def way(index: Index, start: str, goal: str, **options: int) -> list[tuple[str, str]] | None:
    """Return (relation, title) of each step between two URLs."""
    ends = [index.target_at(url) for url in (start, goal)]
    assert all(ends)
    path = reference_path(index, *ends, **options)  # type: ignore[arg-type]
    return None if path is None else [(step.relation, step.target.title) for step in path]


def test_a_path_uses_links_and_headings(index: Index) -> None:
    assert way(index, "/install#docker", "/care") == [
        ("start", "Docker"),
        ("up", "Install"),
        ("link", "Oil"),
        ("up", "Lamp"),
        ("down", "Wick"),
        ("link", "Care"),
    ]


def test_a_link_is_called_what_it_is_called_where_it_stands(index: Index) -> None:
    start, goal = index.target_at("/install"), index.target_at("/lamp#oil")
    assert start is not None
    assert goal is not None
    assert reference_path(index, start, goal) == (Step("start", start), Step("link", goal, "fill the lamp"))
    assert reference_path(index, start, start) == (Step("start", start),)


def test_unreachable_and_too_distant_targets_have_no_path(index: Index) -> None:
    assert way(index, "/install", "/alone") is None
    assert way(index, "/install#docker", "/care", longest=4) is None
    assert way(index, "/install#docker", "/care", longest=5) is not None


def test_a_path_does_not_lead_through_another_version(index: Index) -> None:
    assert way(index, "/1.0/lamp", "/care") == [("start", "Lamp"), ("link", "Care")]
    around = {
        "/care": PageSource("# Care\nClean it.\n[as before](/1.0/lamp)"),
        "/1.0/lamp": PageSource("# Lamp\nIt gives light.\n[go](/alone)", scope_id=2),
    }
    with TemporaryDirectory() as folder:
        linked = build_index(Path(folder), {**PAGES, **around}, scopes=(GUIDE_SCOPE, OLDER))
        assert way(linked, "/care", "/alone") is None


@settings(max_examples=30, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), max_size=14))
def test_the_path_is_a_shortest_path(links: list[tuple[int, int]]) -> None:
    texts = {number: f"# P{number}\nText." for number in range(7)}
    for here, there in links:
        texts[here] += f"\n[to {there}](/p{there})"
    with TemporaryDirectory() as folder:
        index = build_index(Path(folder), {f"/p{number}": text for number, text in texts.items()})
        for goal, steps in _distances(0, links).items():
            path = way(index, "/p0", f"/p{goal}")
            assert (None if path is None else len(path) - 1) == steps


def _distances(start: int, links: list[tuple[int, int]]) -> dict[int, int | None]:
    found: dict[int, int | None] = dict.fromkeys(range(7))
    found[start], waiting = 0, deque([start])
    while waiting:
        here = waiting.popleft()
        for there in (goal for source, goal in links if source == here and found[goal] is None):
            found[there] = (found[here] or 0) + 1
            waiting.append(there)
    return found
