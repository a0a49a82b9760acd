"""A changed or damaged index is served, or refused in one sentence."""

import os
import re
import tempfile
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.hostile_indexes import DAMAGES, HARMLESS, good_index, seal

from pincite_core.cli import root
from pincite_core.errors import PinciteError
from pincite_server.answering.pipeline import answer
from pincite_server.indexes.registry import IndexSet
from pincite_server.indexes.source import IndexSource
from pincite_server.question.question import Question

# What hangs inside SQLite or a model cannot be interrupted: the run ends then, and says where.
pytestmark = pytest.mark.timeout(300, method="thread")

QUESTIONS = '- question: "What is the second part?"\n  refuse: true\n'
COMMANDS = (
    ("ask", "What is the second part?"),
    ("search", "second part"),
    ("inspect",),
    ("inspect", "--path", "m/a#x", "/kit/%C3%A9"),
    ("eval", "QUESTIONS"),
    ("doctor",),
)
MOST_MEMORY = 300  # MB more than before
RESET_PEAK = Path("/proc/self/clear_refs")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return good_index(tmp_path / "kit" / "pincite")


def open_as_a_sidecar(folder: Path, cache: Path | None = None) -> IndexSet:
    """Open an index as a sidecar does, with an empty cache by default, and ask it a question."""
    indexes = IndexSource(folder, cache=cache or Path(tempfile.mkdtemp(dir=folder.parents[1]))).open()
    answer(indexes.default.answerer, Question("What is the second part?"))
    return indexes


def refusal(folder: Path) -> str | None:
    """Return why an index is refused; None if it is served."""
    try:
        open_as_a_sidecar(folder)
    except PinciteError as error:
        return str(error)
    return None


def is_one_sentence_or_two(message: str) -> bool:
    """Return whether a message is short, on one line, printable, and ends with a full stop."""
    return len(message) < 600 and message.isprintable() and message.endswith(".")


def megabytes(name: str) -> int:
    found = re.search(rf"{name}:\s+(\d+) kB", Path("/proc/self/status").read_text())
    assert found
    return int(found[1]) // 1024


@pytest.mark.parametrize("name", DAMAGES)
def test_a_damaged_index_is_refused_in_one_sentence(folder: Path, name: str) -> None:
    DAMAGES[name](folder)
    with pytest.raises(PinciteError) as refused:
        open_as_a_sidecar(folder)
    assert is_one_sentence_or_two(str(refused.value)), str(refused.value)
    assert "evil" not in str(refused.value)


@pytest.mark.parametrize("name", HARMLESS)
def test_a_harmless_index_is_served(folder: Path, name: str) -> None:
    HARMLESS[name](folder)
    assert open_as_a_sidecar(folder).default.counts["pages"] == 2


@pytest.mark.slow
@pytest.mark.parametrize("name", {**DAMAGES, **HARMLESS})
def test_every_command_works_or_ends_with_one_sentence(folder: Path, name: str) -> None:
    {**DAMAGES, **HARMLESS}[name](folder)
    questions = folder.parent / "questions.yml"
    questions.write_text(QUESTIONS)
    for command, *arguments in COMMANDS:
        given = [str(questions) if argument == "QUESTIONS" else argument for argument in arguments]
        ended = CliRunner().invoke(root, [command, str(folder), *given])
        if isinstance(ended.exception, PinciteError):
            assert is_one_sentence_or_two(str(ended.exception)), (command, str(ended.exception))
        elif not isinstance(ended.exception, SystemExit | None):
            raise AssertionError(command) from ended.exception


@pytest.mark.slow
@pytest.mark.skipif(not RESET_PEAK.exists(), reason="Linux alone tells the peak of memory since a moment")
@pytest.mark.parametrize(
    "name", [name for name in DAMAGES if re.search(r"MB|long|huge|million|end|device|disks", name)]
)
def test_a_refusal_takes_little_memory(folder: Path, name: str) -> None:
    DAMAGES[name](folder)
    RESET_PEAK.write_text("5")
    before = megabytes("VmHWM")
    with pytest.raises(PinciteError):
        open_as_a_sidecar(folder)
    assert megabytes("VmHWM") - before < MOST_MEMORY


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(flips=st.lists(st.tuples(st.integers(0, 1 << 30), st.integers(0, 7)), min_size=1, max_size=8))
def test_flipped_bits_are_refused_or_harmless(folder: Path, flips: list[tuple[int, int]]) -> None:
    file = folder / "index.db"
    kept = file.read_bytes()
    data = bytearray(kept)
    for place, bit in flips:
        data[place % len(data)] ^= 1 << bit
    file.write_bytes(bytes(data))
    seal(folder)
    try:
        said = refusal(folder)
    finally:
        file.write_bytes(kept)
    assert said is None or is_one_sentence_or_two(said), said


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(share=st.floats(0, 1, exclude_max=True))
def test_a_truncated_index_is_refused(folder: Path, share: float) -> None:
    file = folder / "index.db"
    kept = file.read_bytes()
    os.truncate(file, int(len(kept) * share))
    seal(folder)
    try:
        with pytest.raises(PinciteError):
            open_as_a_sidecar(folder)
    finally:
        file.write_bytes(kept)


def open_from_the_cache(cache: Path, folder: Path) -> IndexSet | None:
    return IndexSource(folder, cache=cache).open_stored()


def test_a_checked_copy_is_checked_again_only_by_another_release(folder: Path) -> None:
    cache = folder.parents[1] / "cache"
    open_as_a_sidecar(folder, cache)
    (copy,) = cache.glob("sites/*/*/builds/*/kit/pincite")
    assert open_from_the_cache(cache, folder) is not None
    DAMAGES["three targets in a ring"](copy)  # with an index.json that fits, by somebody who may write to the cache
    assert open_from_the_cache(cache, folder) is not None
    for mark in copy.parents[1].glob("checked-by-*"):
        mark.rename(mark.with_name("checked-by-0.0.0"))
    assert open_from_the_cache(cache, folder) is None
