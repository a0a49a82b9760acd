"""The page about the index format says what the schema and a fresh build have, no more and no less."""

import json
import re
from fnmatch import fnmatch
from pathlib import Path

import apsw
import pytest
from tests.integration.indexing import FIXTURES, run_index

from pincite_core.embedders import EncoderEntry, Parity
from pincite_core.index.database import open_database
from pincite_core.index.schema import APPLICATION_ID, FORMAT
from pincite_core.types import IndexInfo

PAGE = (Path(__file__).parents[2] / "docs/index-format.md").read_text(encoding="utf-8")
_SHADOW = re.compile(r"(chunk_bits|unit_bits)_\w+|sqlite_\w+")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("index")
    assert run_index(FIXTURES / "harbor", "--out", out).returncode == 0
    return out


@pytest.fixture(scope="module")
def database(folder: Path) -> apsw.Connection:
    return open_database(folder / "index.db")


def section(heading: str) -> str:
    """Return what stands on the page under a heading, up to the next of its level or above."""
    marks = heading.split(" ")[0]
    _, found, rest = PAGE.partition(f"\n{heading}\n")
    assert found, f"no section {heading}"
    return re.split(rf"\n#{{1,{len(marks)}}} ", rest)[0]


def rows(text: str) -> list[str]:
    """Return the first cells of a section's table."""
    return re.findall(r"^\| `([^`]+)`", text, re.MULTILINE)


def columns(database: apsw.Connection, table: str) -> list[str]:
    sql = "SELECT name FROM pragma_table_xinfo(?) WHERE hidden = 0"
    return [name for (name,) in database.execute(sql, (table,))]


def test_every_table_has_a_section(database: apsw.Connection) -> None:
    names = {name for (name,) in database.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}
    described = set(re.findall(r"^### (\w+)$", section("## index.db"), re.MULTILINE))
    assert described == {name for name in names if not _SHADOW.fullmatch(name)}


@pytest.mark.parametrize("table", re.findall(r"^### (\w+)$", PAGE, re.MULTILINE))
def test_every_column_of_a_table_is_described_in_order(database: apsw.Connection, table: str) -> None:
    assert rows(section(f"### {table}")) == columns(database, table)


def test_every_fact_of_the_index_about_itself_is_described() -> None:
    named = set(re.findall(r"`(\w+)`", section("### meta")))
    assert set(IndexInfo.__slots__) <= named


def test_every_field_of_index_json_is_described_in_order(folder: Path) -> None:
    info = json.loads((folder / "index.json").read_text())
    text = section("## index.json")
    assert rows(text) == list(info)
    for inner in (*info["counts"], *info["versions"][0]):
        assert f"`{inner}`" in text


def test_every_field_of_the_encoders_entry_is_described_in_order() -> None:
    text = section("## encoder")
    assert rows(text) == list(EncoderEntry.__struct_fields__)
    for inner in Parity.__struct_fields__:
        assert f"`{inner}`" in text


def test_every_field_of_ids_json_is_described_in_order(folder: Path) -> None:
    ids = json.loads((folder / "ids.json").read_text())
    text = section("## ids.json")
    assert rows(text) == list(ids)
    for inner in (*ids["ids"][0], "from", "to"):
        assert f"`{inner}`" in text


def test_every_file_of_the_folder_is_described(folder: Path) -> None:
    named = re.findall(r"`([\w.*-]+)/?`", PAGE.partition("## index.db")[0])
    assert [path.name for path in folder.iterdir() if not any(fnmatch(path.name, one) for one in named)] == []


def test_the_numbers_on_the_page_are_the_formats() -> None:
    assert f"**format {FORMAT}**" in PAGE
    assert f"0x{APPLICATION_ID:X}" in PAGE
