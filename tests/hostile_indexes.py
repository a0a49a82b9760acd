"""Indexes that a hostile or a careless hand has changed: each damage is done by code to a copy of a small good one."""

import hashlib
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import apsw
import msgspec
import sqlite_vec
from tests.unit.core.index.index_content import INFO, make_content

from pincite_core.index.schema import FORMAT
from pincite_core.index.write import write_index

__all__ = ("DAMAGES", "HARMLESS", "Damage", "change", "facts_of", "good_index", "seal")

Damage = Callable[[Path], None]
"""Changes an index folder."""


def good_index(folder: Path) -> Path:
    """Write an index with something in every column, and its `index.json`, and return its folder."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "index.db").write_bytes(_good_database())
    seal(folder)
    return folder


@cache
def _good_database() -> bytes:
    """Return the database of that index, which is written once for the hundreds of copies that are damaged."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "index.db"
        write_index(make_content(), file)
        return file.read_bytes()


def facts_of(folder: Path) -> dict[str, object]:
    """Return what an honest `index.json` says of the database in a folder."""
    data = (folder / "index.db").read_bytes()
    return {
        "index_id": INFO.index_id,
        "sha256": hashlib.sha256(data).hexdigest(),
        "size": len(data),
        "format": FORMAT,
        "base_url": "/kit/",
        "counts": {"pages": 2, "targets": 3, "chunks": 3, "units": 3},
    }


def seal(folder: Path, **changes: object) -> None:
    """Write the `index.json` that fits the database as it is now, as whoever changed it would."""
    (folder / "index.json").write_bytes(msgspec.json.encode(facts_of(folder) | changes))


def change(folder: Path, sql: str) -> None:
    """Run SQL on the database, with neither references nor the schema defended, and write `index.json` anew."""
    connection = apsw.Connection(str(folder / "index.db"))
    connection.enable_load_extension(True)
    connection.load_extension(sqlite_vec.loadable_path())
    connection.execute("PRAGMA foreign_keys=OFF; PRAGMA writable_schema=ON")
    connection.execute(sql)
    connection.close()
    seal(folder)


@dataclass(frozen=True, slots=True)
class _Sql:
    """Runs SQL."""

    sql: str

    def __call__(self, folder: Path) -> None:
        change(folder, self.sql)


@dataclass(frozen=True, slots=True)
class _Facts:
    """Writes other facts into `index.json`."""

    changes: Mapping[str, object]

    def __call__(self, folder: Path) -> None:
        seal(folder, **self.changes)


@dataclass(frozen=True, slots=True)
class _Info:
    """Writes something else into `index.json`: all of it, or all of it but its size."""

    data: bytes

    def __call__(self, folder: Path) -> None:
        (folder / "index.json").write_bytes(self.data)


@dataclass(frozen=True, slots=True)
class _Cut:
    """Cuts the database off after a share of it."""

    share: float

    def __call__(self, folder: Path) -> None:
        file = folder / "index.db"
        os.truncate(file, int(file.stat().st_size * self.share))
        seal(folder)


@dataclass(frozen=True, slots=True)
class _Bytes:
    """Replaces all occurrences of some bytes of the database by as many others."""

    old: bytes
    new: bytes

    def __call__(self, folder: Path) -> None:
        file = folder / "index.db"
        data = file.read_bytes()
        assert self.old in data
        assert len(self.old) == len(self.new)
        file.write_bytes(data.replace(self.old, self.new))
        seal(folder)


def _swap(one: str, other: str) -> Damage:
    """Let two tables stand in each other's place."""
    roots = f"(SELECT rootpage FROM sqlite_schema WHERE name = '{{}}' AND type = 'table' AND {one!r} <> '')"
    return _Sql(
        f"CREATE TEMP TABLE kept AS SELECT {roots.format(one)} AS a, {roots.format(other)} AS b;"
        f"UPDATE sqlite_schema SET rootpage = (SELECT b FROM kept) WHERE name = '{one}';"
        f"UPDATE sqlite_schema SET rootpage = (SELECT a FROM kept) WHERE name = '{other}'"
    )


def _loop(table: str) -> Damage:
    """Make a page of a table's tree its own child, many times over: walking it would never end."""

    def damage(folder: Path) -> None:
        file = folder / "index.db"
        connection = apsw.Connection(str(file))
        found = connection.execute("SELECT rootpage FROM sqlite_schema WHERE name = ?", (table,)).fetchall()
        connection.close()
        data, root = bytearray(file.read_bytes()), int(found[0][0])
        start, cells = (root - 1) * 4096, 600
        page = bytearray(4096)
        page[0] = 5  # an interior page of a table
        page[3:5] = cells.to_bytes(2, "big")
        content = 12 + 2 * cells
        page[5:7] = content.to_bytes(2, "big")
        page[8:12] = root.to_bytes(4, "big")
        for number in range(cells):  # all cells are the same five bytes: a child, then a key
            page[12 + 2 * number : 14 + 2 * number] = content.to_bytes(2, "big")
        page[content : content + 5] = root.to_bytes(4, "big") + b"\x01"
        data[start : start + 4096] = page
        file.write_bytes(bytes(data))
        seal(folder)

    return damage


def _elsewhere(old: str, new: str, index: str) -> Damage:
    """Change a value in one of SQLite's indexes alone; its table says what it said."""

    def damage(folder: Path) -> None:
        file = folder / "index.db"
        connection = apsw.Connection(str(file))
        found = connection.execute("SELECT rootpage FROM sqlite_schema WHERE name = ?", (index,)).fetchall()
        connection.close()
        data, start = file.read_bytes(), (int(found[0][0]) - 1) * 4096
        page = data[start : start + 4096]
        assert old.encode() in page
        file.write_bytes(data[:start] + page.replace(old.encode(), new.encode()) + data[start + 4096 :])
        seal(folder)

    return damage


def _replaced_by(name: str, make: Callable[[Path], None]) -> Damage:
    def damage(folder: Path) -> None:
        (folder / name).unlink()
        make(folder / name)

    return damage


def _info(**changes: object) -> Damage:
    """Write other facts into the index itself."""

    def damage(folder: Path) -> None:
        stored = msgspec.json.encode(msgspec.to_builtins(INFO) | changes).decode().replace("'", "''")
        change(folder, f"UPDATE meta SET value = '{stored}' WHERE key = 'info'")

    return damage


_BAD_URLS = {
    "a script": "javascript:alert(1)",
    "data": "data:text/html,x",
    "another host": "//evil.example/kit/a",
    "another scheme": "https://evil.example/kit/a",
    "a backslash": "/\\evil.example",
    "a tab": "/\t/evil.example",
    "a line break": "/kit/a\r\nLocation: //evil.example",
    "a blank in front": " //evil.example",
    "dots": "/kit/../../admin",
    "encoded dots": "/kit/%2e%2E/admin",
    "no slash": "evil",
    "nothing": "",
    "letters beyond ASCII": "/kit/\u202eevil",
    "a quote": '/kit/"onclick="alert(1)',
}

DAMAGES: dict[str, Damage] = {
    # -- structure ------------------------------------------------------------------------------------------------
    "a target that stands in itself": _Sql("UPDATE targets SET parent_id = 2 WHERE target_id = 2"),
    "two targets that stand in each other": _Sql("UPDATE targets SET parent_id = 3 - target_id WHERE target_id < 3"),
    "three targets in a ring": _Sql("UPDATE targets SET parent_id = target_id % 3 + 1"),
    "a target in one that is not there": _Sql("UPDATE targets SET parent_id = 99 WHERE target_id = 2"),
    "a target in one of another page": _Sql("UPDATE targets SET page_id = 2 WHERE target_id = 2"),
    "a target on no page": _Sql("UPDATE targets SET page_id = 99 WHERE target_id = 2"),
    "a target of page 0": _Sql("UPDATE targets SET page_id = 0 WHERE target_id = 2"),
    "a page in no scope": _Sql("UPDATE pages SET scope_id = -1 WHERE page_id = 1"),
    "a chunk of no target": _Sql("UPDATE chunks SET target_id = 99 WHERE chunk_id = 1"),
    "a chunk of no page": _Sql("UPDATE chunks SET page_id = 99 WHERE chunk_id = 1"),
    "a chunk of no scope": _Sql("UPDATE chunks SET scope_id = 99 WHERE chunk_id = 1"),
    "a chunk without a vector": _Sql("UPDATE chunks SET vector_id = 0 WHERE chunk_id = 1"),
    "a chunk of a vector that is not there": _Sql("UPDATE chunks SET vector_id = 99 WHERE chunk_id = 1"),
    "a chunk of negative length": _Sql("UPDATE chunks SET length = -1 WHERE chunk_id = 1"),
    "a chunk of endless length": _Sql("UPDATE chunks SET length = 9223372036854775807 WHERE chunk_id = 1"),
    "a unit of no chunk": _Sql("UPDATE units SET chunk_id = 99 WHERE unit_id = 1"),
    "a unit in no target": _Sql("UPDATE units SET target_id = 99 WHERE unit_id = 1"),
    "a unit that ends before it starts": _Sql("UPDATE units SET start = 7 WHERE unit_id = 1"),
    "a unit that starts before its text": _Sql("UPDATE units SET start = -3 WHERE unit_id = 1"),
    "a unit of a vector that is not there": _Sql("UPDATE units SET vector_id = 99 WHERE unit_id = 1"),
    "a link from nowhere": _Sql("UPDATE links SET from_target_id = 99"),
    "a link to nowhere": _Sql("UPDATE links SET to_target_id = 99"),
    "a gap in the chunks": _Sql("DELETE FROM chunks WHERE chunk_id = 2"),
    "a gap in the units": _Sql("DELETE FROM units WHERE unit_id = 2"),
    "a gap in the vectors": _Sql("DELETE FROM vectors WHERE vector_id = 2"),
    "a gap in the pages": _Sql("UPDATE pages SET page_id = 9 WHERE page_id = 2"),
    "a huge row id": _Sql("UPDATE targets SET target_id = 9223372036854775807 WHERE target_id = 3"),
    "a negative row id": _Sql("UPDATE scopes SET scope_id = -2 WHERE scope_id = 2"),
    "no pages": _Sql("DELETE FROM pages"),
    "no scopes": _Sql("DELETE FROM scopes"),
    "vectors that are too short": _Sql("UPDATE vectors SET int8 = x'00'"),
    "a vector that is too long": _Sql("UPDATE vectors SET int8 = zeroblob(100000000) WHERE vector_id = 1"),
    "tokens that are cut off": _Sql("UPDATE tokens SET packed = x'00'"),
    "tokens of no vector": _Sql("UPDATE tokens SET vector_id = 99 WHERE vector_id = 1"),
    "words of no chunk": _Sql("UPDATE postings SET chunk_ids = x'e7030000'"),
    "words that are cut off": _Sql("UPDATE postings SET chunk_ids = x'010000'"),
    "words in more chunks than there are": _Sql("UPDATE postings SET chunks = 1000000"),
    "words in fewer chunks than none": _Sql("UPDATE postings SET chunks = -5"),
    "counts of words that are cut off": _Sql("UPDATE postings SET body = x'010001' WHERE body IS NOT NULL"),
    "a kind that no target has": _Sql("UPDATE targets SET kind = '<script>'"),
    "an id of no kind": _Sql("UPDATE targets SET id_kind = 'x'"),
    "a passage that is no list": _Sql("UPDATE units SET passage = '{}' WHERE unit_id = 1"),
    "a passage without an end": _Sql("UPDATE units SET passage = '[0,99999999999]' WHERE unit_id = 1"),
    "passages of tabs that are numbers": _Sql("UPDATE units SET tab_passages = '[1]' WHERE unit_id = 1"),
    "a link that leads to nothing": _Sql("UPDATE units SET links = '[[0,1,null]]' WHERE unit_id = 1"),
    "a kind that no unit has": _Sql("UPDATE units SET kind = 'x'"),
    "a type that no page has": _Sql("UPDATE pages SET source_type = 'x'"),
    # -- what sqlite-vec keeps for itself -------------------------------------------------------------------------
    "bits of another dimension": _Sql(
        "UPDATE sqlite_schema SET sql = replace(sql, 'bit[64]', 'bit[8]') WHERE name = 'chunk_bits'"
    ),
    "bits that are cut off": _Sql("UPDATE chunk_bits_vector_chunks00 SET vectors = x'00'"),
    "bits without their validity": _Sql("UPDATE chunk_bits_chunks SET validity = x''"),
    "bits without their row ids": _Sql("UPDATE unit_bits_chunks SET rowids = x'01'"),
    "bits of a huge chunk": _Sql("UPDATE chunk_bits_chunks SET size = 2147483647"),
    "bits of chunks that are not there": _Sql("UPDATE chunk_bits_chunks SET rowids = zeroblob(128)"),
    "bits of no rows": _Sql("DELETE FROM chunk_bits_vector_chunks00"),
    # -- types ----------------------------------------------------------------------------------------------------
    "a URL that is a blob": _Sql("UPDATE pages SET url = x'ff00' WHERE page_id = 1"),
    "a title that is a blob": _Sql("UPDATE targets SET title = x'ff00'"),
    "a text that is a blob": _Sql("UPDATE chunks SET text = x'ff00'"),
    "a vector that is a text": _Sql("UPDATE vectors SET int8 = 'text'"),
    "a page id that is a text": _Sql("UPDATE chunks SET page_id = 'one' WHERE chunk_id = 1"),
    "a parent that is a number with a fraction": _Sql("UPDATE targets SET parent_id = 1.5 WHERE target_id = 2"),
    "a start that is a text": _Sql("UPDATE units SET start = 'x'"),
    "a successor that is a blob": _Sql("UPDATE ids SET successor = x'ff'"),
    "an anchor that is a blob": _Sql("UPDATE targets SET anchor = x'ff' WHERE target_id = 2"),
    "a text that is no UTF-8": _Bytes(b"Second part.", b"Second\xff\xff\xfert."),
    "a URL that is no UTF-8": _Bytes(b"/kit/old", b"/kit/\xff\xfe\xfd"),
    "a heading path that is no JSON": _Sql("UPDATE targets SET heading_path = '[\"a'"),
    "a heading path that is no list": _Sql("UPDATE targets SET heading_path = '{\"a\": 1}'"),
    "a heading path of numbers": _Sql("UPDATE targets SET heading_path = '[1, 2]'"),
    "a heading path without an end": _Sql("UPDATE targets SET heading_path = replace(hex(zeroblob(50000)), '00', '[')"),
    "a landing that is no pair": _Sql("UPDATE targets SET landing = '[[1]]'"),
    "a landing of no kind": _Sql('UPDATE targets SET landing = \'[["javascript:", "x"]]\''),
    "breadcrumbs that are no JSON": _Sql("UPDATE pages SET breadcrumbs = 'x'"),
    "tags that are no list": _Sql("UPDATE pages SET tags = '1'"),
    "a title of 20 MB": _Sql("UPDATE targets SET title = hex(zeroblob(10000000)) WHERE target_id = 1"),
    "a text of 40 MB": _Sql("UPDATE chunks SET text = hex(zeroblob(20000000)) WHERE chunk_id = 1"),
    "a URL of 20 MB": _Sql("UPDATE pages SET url = '/kit/' || hex(zeroblob(10000000)) WHERE page_id = 1"),
    # -- what the index says of itself ----------------------------------------------------------------------------
    "a calibration that is no JSON": _Sql("UPDATE meta SET value = '{' WHERE key = 'calibration'"),
    "a calibration without an end": _Sql(
        "UPDATE meta SET value = replace(hex(zeroblob(50000)), '00', '[') WHERE key = 'calibration'"
    ),
    "facts that are a blob": _Sql("UPDATE meta SET value = x'ff' WHERE key = 'info'"),
    "no facts": _Sql("DELETE FROM meta WHERE key = 'info'"),
    "a dimension of 0": _info(dimension=0),
    "a dimension below 0": _info(dimension=-64),
    "a dimension of a billion": _info(dimension=1_000_000_000),
    "a dimension of 128": _info(dimension=128),
    "no tokens at most": _info(max_tokens=0),
    "a title that is a number": _info(title=5),
    "a site that is a script": _info(site_url="javascript:alert(1)//"),
    "a site that is data": _info(site_url="data:text/html,"),
    "a site without a host": _info(site_url="https://"),
    "a site with a name and password": _info(site_url="https://docs.example@evil.example"),
    "a site with a path": _info(site_url="https://docs.example/a"),
    "a site with a line break": _info(site_url="https://docs.example\r\nX: y"),
    "a base that is another host": _info(base_url="//evil.example/"),
    "a base that is a script": _info(base_url="javascript:"),
    "a base that its pages do not have": _info(base_url="/other/"),
    # -- schema ---------------------------------------------------------------------------------------------------
    "a trigger": _Sql("CREATE TRIGGER t AFTER INSERT ON pages BEGIN SELECT 1; END"),
    "a view": _Sql("CREATE VIEW v AS SELECT 1"),
    "a view in place of a table": _Sql(
        "DROP TABLE redirects; CREATE VIEW redirects AS SELECT 'x' AS url, 'y' AS to_url"
    ),
    "another table": _Sql("CREATE TABLE notes (text)"),
    "a table that is missing": _Sql("DROP TABLE tokens"),
    "a column that is missing": _Sql("ALTER TABLE links DROP COLUMN text"),
    "a column more": _Sql("ALTER TABLE links ADD COLUMN more"),
    "an index that says something else than its table": _elsewhere("/kit/a", "//evil", "sqlite_autoindex_pages_1"),
    "an index that is missing": _Sql("DROP INDEX chunks_by_scope"),
    "an index on an expression": _Sql("CREATE INDEX x ON pages (abs(page_id))"),
    "tables that are swapped": _swap("pages", "targets"),
    "wide tables that are swapped": _swap("chunks", "vectors"),
    "a tree without an end": _loop("units"),
    "a tree of pages without an end": _loop("pages"),
    "a tree of targets without an end": _loop("targets"),
    # -- files ----------------------------------------------------------------------------------------------------
    **{f"a database cut off at {share:%}": _Cut(share) for share in (0, 0.001, 0.02, 0.1, 0.5, 0.9, 0.999)},
    "a database that is a pipe": _replaced_by("index.db", os.mkfifo),
    "a database that is a device": _replaced_by("index.db", lambda file: file.symlink_to("/dev/zero")),
    "facts that are a pipe": _replaced_by("index.json", os.mkfifo),
    "facts that are a device": _replaced_by("index.json", lambda file: file.symlink_to("/dev/zero")),
    "facts that are a folder": _replaced_by("index.json", Path.mkdir),
    # -- index.json -----------------------------------------------------------------------------------------------
    "facts of 100 MB": _Info(b'{"title": "' + b"x" * 100_000_000 + b'"}'),
    "facts without an end": _Info(b'{"encoder":' + b"[" * 200_000),
    "facts that go down without an end": _Info(b'{"x":' * 100_000 + b"1" + b"}" * 100_000),
    "facts that are a list": _Info(b"[]"),
    "facts that are a number": _Info(b"1e999"),
    "facts with no number": _Info(b'{"size": NaN}'),
    "facts with an endless number": _Info(b'{"size": Infinity}'),
    "facts that are no UTF-8": _Info(b'{"title": "\xff\xfe"}'),
    "facts with a null byte": _Info(b'{"title": "\0"}'),
    "facts of a million versions": _Facts({"versions": [{"plugin_id": "p", "version": "1"}] * 1_000_000}),
    "facts of a million siblings": _Facts({"siblings": ["/kit/fr/pincite/"] * 1_000_000}),
    "facts of another format": _Facts({"format": FORMAT + 1}),
    "facts with a size that is a text": _Facts({"size": "many"}),
    "facts with a size below 0": _Facts({"size": -1}),
    "facts with another size": _Facts({"size": 1}),
    "facts with a size beyond all disks": _Facts({"size": 2**200}),
    "facts with another digest": _Facts({"sha256": "0" * 64}),
    "facts with other counts": _Facts({"counts": {"pages": 5}}),
    "facts with another name": _Facts({"index_id": "another"}),
    "facts with an encoder of the system": _Facts({"encoder": {"file": "/etc/passwd"}}),
    # -- URLs -----------------------------------------------------------------------------------------------------
    **{
        f"a page at {what}": _Sql("UPDATE pages SET url = {} WHERE page_id = 1".format("'" + url + "'"))
        for what, url in _BAD_URLS.items()
    },
    **{f"a redirect to {what}": _Sql(f"UPDATE redirects SET to_url = '{url}'") for what, url in _BAD_URLS.items()},
    **{
        f"a redirect from {what}": _Sql(f"UPDATE redirects SET url = '{url}'")
        for what, url in _BAD_URLS.items()
        if what != "nothing"
    },
    "a page at a URL with a null byte": _Sql("UPDATE pages SET url = '/kit/a' || char(0) || ':' WHERE page_id = 1"),
    "a page with a fragment": _Sql("UPDATE pages SET url = '/kit/a#b' WHERE page_id = 1"),
}

HARMLESS: dict[str, Damage] = {
    "a title that turns the reading direction": _Sql("UPDATE targets SET title = char(8238) || 'evil' || char(8236)"),
    "a title with a null byte": _Sql("UPDATE targets SET title = 'a' || char(0) || 'b'"),
    "a title of markup": _Sql("UPDATE targets SET title = '<img src=x onerror=alert(1)>'"),
    "an anchor of markup": _Sql("UPDATE targets SET anchor = '\"><script>' WHERE target_id = 2"),
    "an anchor that is a URL": _Sql("UPDATE targets SET anchor = 'javascript:alert(1)' WHERE target_id = 2"),
    "IDs that follow each other in a ring": _Sql(
        "DELETE FROM ids; INSERT INTO ids VALUES ('m/x', 'm/y'), ('m/y', 'm/x')"
    ),
    "redirects that follow each other in a ring": _Sql(
        "DELETE FROM redirects; INSERT INTO redirects VALUES ('/kit/x', '/kit/y'), ('/kit/y', '/kit/x')"
    ),
    "a calibration of huge numbers": _Sql(
        'UPDATE meta SET value = \'{"best_chunk":1e308,"best_sentence":-1e308,"top5_mean":1e308,"coverage":1,'
        '"bm25":1,"unknown_name":1,"bias":1}\' WHERE key = \'calibration\''
    ),
    "vectors of zeros": _Sql("UPDATE vectors SET int8 = zeroblob(64)"),
    "bits of nothing": _Sql("UPDATE chunk_bits_vector_chunks00 SET vectors = zeroblob(length(vectors))"),
    "facts that lie about the title": _Facts({"title": "<b>" * 1000}),
}
"""Changed, but nothing that could do harm: such an index may be opened."""
