"""The cache of vectors is a help, never a hindrance."""

import os
from pathlib import Path

import numpy as np
import pytest
from tests.disk import full_disk

from pincite_core.index.quantise import StoredText
from pincite_indexer.vectors.vector_cache import VectorCache

VECTORS = {
    bytes([number] * 16): StoredText(np.full(64, number, dtype=np.int8), [None, b"", b"tokens"][number % 3])
    for number in range(100)
}


def fill(folder: Path) -> Path:
    """Keep all vectors and return the cache's file."""
    with VectorCache("model", folder) as cache:
        cache.put(VECTORS)
    (file,) = folder.iterdir()
    return file


def known(folder: Path, model: str = "model") -> int:
    with VectorCache(model, folder) as cache:
        found = cache.get(list(VECTORS))
    for digest, text in found.items():
        assert np.array_equal(text.vector, VECTORS[digest].vector)
        assert text.tokens == VECTORS[digest].tokens
    return len(found)


def test_stored_vectors_are_found_by_the_next_build_with_the_same_model(tmp_path: Path) -> None:
    fill(tmp_path)
    assert known(tmp_path) == len(VECTORS)
    assert known(tmp_path, "another") == 0


def garbage(file: Path) -> None:
    file.write_bytes(b"<!doctype html>" * 1000)


def half(file: Path) -> None:
    os.truncate(file, file.stat().st_size // 2)


def scrambled(file: Path) -> None:
    data = file.read_bytes()
    file.write_bytes(data[:100] + bytes(len(data) - 100))


@pytest.mark.parametrize("damage", [garbage, half, scrambled])
def test_a_damaged_cache_is_empty_once_and_a_cache_again_afterwards(tmp_path: Path, damage: object) -> None:
    assert callable(damage)
    damage(fill(tmp_path))
    assert known(tmp_path) < len(VECTORS)
    fill(tmp_path)
    fill(tmp_path)
    assert known(tmp_path) == len(VECTORS)


def test_on_a_full_disk_nothing_is_cached_and_nothing_fails(tmp_path: Path) -> None:
    fill(tmp_path)
    with full_disk(), VectorCache("new model", tmp_path) as cache:
        cache.put(VECTORS)
        assert cache.get(list(VECTORS)) == {}
    assert known(tmp_path) == len(VECTORS)


def test_an_unwritable_cache_is_empty(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with VectorCache("model", tmp_path / "file") as cache:
        cache.put(VECTORS)
        assert cache.get(list(VECTORS)) == {}
