"""Every format that was ever written is read, or refused with what to do."""

import gzip
import hashlib
import json
import shutil
from pathlib import Path

import apsw
import pytest
from tests.integration.indexing import FIXTURES, assert_refused, run_index, run_pincite

from pincite_core.embedders import FakeEmbedder
from pincite_core.errors import IndexFormatError
from pincite_core.index.read import Index
from pincite_core.index.schema import FORMAT
from pincite_core.search.query import parse_query
from pincite_core.search.ranking import search

FORMATS = FIXTURES / "index-formats"
WRITTEN = sorted(int(folder.name) for folder in FORMATS.iterdir() if folder.name.isdigit())


def unpacked(number: int, folder: Path) -> Path:
    """Return an index folder of a format, as it was deployed."""
    shutil.copytree(FORMATS / str(number), folder, dirs_exist_ok=True)
    (folder / "index.db").write_bytes(gzip.decompress((folder / "index.db.gz").read_bytes()))
    return folder


def schema(file: Path) -> set[tuple[str, str]]:
    return set(apsw.Connection(str(file)).execute("SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL"))


def test_todays_format_has_a_fixture() -> None:
    assert FORMAT in WRITTEN, f"add tests/fixtures/index-formats/{FORMAT} as its README says"
    assert max(WRITTEN) == FORMAT


@pytest.mark.parametrize("number", WRITTEN)
def test_an_index_of_a_released_format_is_read_or_says_how_to_rebuild_it(number: int, tmp_path: Path) -> None:
    folder = unpacked(number, tmp_path)
    facts = json.loads((folder / "index.json").read_bytes())
    assert facts["sha256"] == hashlib.sha256((folder / "index.db").read_bytes()).hexdigest()
    if number != FORMAT:
        with pytest.raises(IndexFormatError, match=f"index format {number}; .* Rebuild"):
            Index.open(folder)
        return
    index = Index.open(folder)
    question = "trim the wick"
    found = search(index, FakeEmbedder().encode([question])[0], parse_query(question), [1], 3).sections[0]
    assert index.target(found.target_id).anchor == "trim"
    assert "Cut it square with scissors" in found.chunk.text
    ids = {entry["id"] for entry in json.loads((folder / "ids.json").read_bytes())["ids"]}
    assert ids == {target.stable_id for target in index.targets()}


def test_todays_fixture_has_todays_schema_and_rows(tmp_path: Path) -> None:
    assert run_index(FORMATS / "site", "--out", tmp_path / "new").returncode == 0
    kept, new = unpacked(FORMAT, tmp_path / "kept") / "index.db", tmp_path / "new/index.db"
    assert schema(kept) == schema(new), "the schema has changed: raise FORMAT if it is released, else renew the fixture"
    old, now = Index.open(kept), Index.open(new)
    assert [target.stable_id for target in old.targets()] == [target.stable_id for target in now.targets()]


@pytest.mark.parametrize("number", [FORMAT - 1, FORMAT + 1])
def test_the_format_before_and_the_one_after_are_refused_with_what_to_do(number: int, tmp_path: Path) -> None:
    folder = unpacked(FORMAT, tmp_path)
    connection = apsw.Connection(str(folder / "index.db"))
    connection.pragma("user_version", number)
    connection.close()
    message = (f"index format {number}", f"reads format {FORMAT}", "Rebuild the site's index")
    assert_refused(run_pincite("inspect", folder), *message, code=1)
