"""Validate the content of an index file. The file is untrusted, so every row is checked once, when the file is opened.

The checks run in SQL. They cover references, types, sizes, the order of nested targets, and URLs, which must stay on
the site. Later reads rely on these checks.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated, Literal, NamedTuple, get_args

import msgspec

from pincite_core.index.database import corrupt
from pincite_core.index.schema import MOST_TEXT
from pincite_core.index.sql import SqlFile
from pincite_core.search.late_interaction import TOKEN_BYTES
from pincite_core.search.postings import COLUMNS
from pincite_core.types import IdKind, IndexInfo, SourceType, TargetKind, UnitKind, UnitRole
from pincite_core.urls import is_base_url, is_origin, is_site_url, lies_below

__all__ = ("check_tree", "check_well_formed")

_NUMBERED = ("scopes", "pages", "targets", "chunks", "units", "vectors", "postings")
_OTHERS = ("meta", "tokens", "links", "redirects", "ids")
_LARGEST = 2**31 - 1  # row ids and text offsets are 32-bit integers
_VEC_ROWS = 16  # rows per sqlite-vec chunk, as declared in the schema

_TEXTS = msgspec.json.Decoder(tuple[str, ...])
_LANDING = msgspec.json.Decoder(tuple[tuple[Literal["tab", "details"], str], ...])
_Length = Annotated[int, msgspec.Meta(ge=0, le=_LARGEST)]
_LENGTHS = msgspec.json.Decoder(tuple[_Length, ...])
_Offset = Annotated[int, msgspec.Meta(ge=-_LARGEST, le=_LARGEST)]
_PASSAGE = msgspec.json.Decoder(tuple[_Offset, ...])
_TAB_PASSAGES = msgspec.json.Decoder(tuple[tuple[str, tuple[_Offset, ...]], ...])
_LINKS = msgspec.json.Decoder(tuple[tuple[_Length, _Length, _Length | str], ...])
_ANY_JSON = msgspec.json.Decoder()


class _Rule(NamedTuple):
    """A SQL condition that every row of a table must satisfy, and the error text for an index that violates it."""

    table: str
    holds: str
    why: str


def check_tree(sql: SqlFile) -> None:
    """Check the structure of the database file with SQLite's `integrity_check`.

    This must run before the first read: if a B-tree page is its own child, a walk through the tree never ends. The
    check also compares SQLite's indexes with their tables, since a query may read either.

    Raises:
        IndexCorruptError: The check reports damage.
    """
    found = str(sql.row("PRAGMA integrity_check(1)")[0])
    if found != "ok":
        raise corrupt(sql.file, found.splitlines()[-1])


def check_well_formed(sql: SqlFile, info: IndexInfo) -> None:
    """Check every row of the index.

    Raises:
        IndexCorruptError: A row is invalid. The message says what is wrong.
    """
    _check_site(sql, info)
    _check_bits(sql, info.dimension)
    counts = {table: _count(sql, table) for table in _NUMBERED}
    rules: dict[str, list[_Rule]] = {}
    for rule in (*_typed(sql), *_referring(sql, counts), *_particular(counts, info.dimension), *_vec(info.dimension)):
        rules.setdefault(rule.table, []).append(rule)
    for table, of_table in rules.items():
        if _breaks(sql, table, of_table):
            broken = (rule.why for rule in of_table if _breaks(sql, table, [rule]))
            raise corrupt(sql.file, next(broken, f"its {table} are damaged"))
    _check_pages(sql, info)
    _check_json(sql)


def _breaks(sql: SqlFile, table: str, rules: Iterable[_Rule]) -> bool:
    all_hold = " AND ".join(f"({rule.holds})" for rule in rules)
    return bool(sql.rows(f"SELECT 1 FROM {table} WHERE ({all_hold}) IS NOT TRUE LIMIT 1"))


def _count(sql: SqlFile, table: str) -> int:
    """Return the number of rows of a table, and check that its row ids run from 1 without gaps."""
    key = sql.row("SELECT name FROM pragma_table_info(?) WHERE cid = 0", (table,))[0]
    count, first, last = sql.row(
        f"SELECT (SELECT count(*) FROM {table}), (SELECT min({key}) FROM {table}), (SELECT max({key}) FROM {table})"
    )
    if count and (first, last) != (1, count):
        raise corrupt(sql.file, f"some of its {table} are missing")
    return int(count)


def _typed(sql: SqlFile) -> Iterator[_Rule]:
    """Yield rules that check the type and the size of each value."""
    for table in (*_NUMBERED, *_OTHERS):
        columns = sql.rows('SELECT name, type, "notnull" OR pk FROM pragma_table_info(?)', (table,))
        for name, kind, needed in columns:
            quoted = f'"{name}"'
            holds = f"typeof({quoted}) = '{kind.lower()}'"
            if kind == "INTEGER":
                holds += f" AND {quoted} BETWEEN 0 AND {_LARGEST}"
            if kind == "TEXT":
                holds += f" AND octet_length({quoted}) <= {MOST_TEXT}"
            holds = holds if needed else f"{quoted} IS NULL OR {holds}"
            yield _Rule(table, holds, f"its {table} have a {name} that cannot be")


def _referring(sql: SqlFile, counts: Mapping[str, int]) -> Iterator[_Rule]:
    """Yield rules that check each foreign key."""
    for table in (*_NUMBERED, *_OTHERS):
        found = sql.rows('SELECT "from", "table" FROM pragma_foreign_key_list(?)', (table,))
        for column, other in found:
            holds = f"{column} IS NULL OR {column} BETWEEN 1 AND {counts[other]}"
            yield _Rule(table, holds, f"some of its {table} name {other} that are not there")


def _particular(counts: Mapping[str, int], dimension: int) -> Iterator[_Rule]:
    """Yield the rules that apply to a single table."""
    yield _Rule("pages", f"source_type IN {_any_of(SourceType)}", "some of its pages are of no type")
    yield _Rule("targets", f"kind IN {_any_of(TargetKind)}", "some of its targets are of no kind")
    yield _Rule("targets", f"id_kind IN {_any_of(IdKind)}", "some of its IDs are of no kind")
    yield _Rule("targets", "parent_id IS NULL OR parent_id < target_id", "some of its targets stand in themselves")
    page = "(SELECT page_id FROM targets AS outer WHERE outer.target_id = targets.parent_id)"
    yield _Rule(
        "targets", f"parent_id IS NULL OR {page} = page_id", "some of its targets stand in other pages' targets"
    )
    vectors = counts["vectors"]
    yield _Rule("chunks", f"vector_id BETWEEN 1 AND {vectors}", "some of its chunks have no vector")
    yield _Rule("units", f"vector_id <= {vectors}", "some of its units have vectors that are not there")
    yield _Rule("units", 'start <= "end"', "some of its units end before they start")
    yield _Rule("units", f"kind IN {_any_of(UnitKind)}", "some of its units are of no kind")
    yield _Rule("units", f"role IN {_any_of(UnitRole)}", "some of its units have no role")
    yield _Rule("vectors", f"octet_length(int8) = {dimension}", "some of its vectors are of another length")
    yield _Rule("tokens", f"octet_length(packed) % {TOKEN_BYTES} = 0", "some of its texts' tokens are cut off")
    yield _Rule("postings", f"chunks BETWEEN 1 AND {counts['chunks']}", "some of its words stand in no chunk")
    yield _Rule("postings", "octet_length(chunk_ids) = 4 * chunks", "some of its words are cut off")
    for column in COLUMNS:
        yield _Rule(
            "postings", f"{column} IS NULL OR octet_length({column}) = 2 * chunks", "its words' counts are cut off"
        )


def _vec(dimension: int) -> Iterator[_Rule]:
    """Yield rules for the internal tables of sqlite-vec, which is C code and reads these tables without checks."""
    for rows in ("chunk", "unit"):
        why = f"what finds its {rows}s is damaged"
        whole = f"typeof(validity) = 'blob' AND octet_length(validity) = {_VEC_ROWS // 8}"
        yield _Rule(f"{rows}_bits_chunks", f"size = {_VEC_ROWS} AND {whole}", why)
        yield _Rule(f"{rows}_bits_chunks", f"typeof(rowids) = 'blob' AND octet_length(rowids) = {8 * _VEC_ROWS}", why)
        bits = f"typeof(vectors) = 'blob' AND octet_length(vectors) = {_VEC_ROWS * _bytes(dimension)}"
        yield _Rule(f"{rows}_bits_vector_chunks00", bits, why)
        place = f"typeof(chunk_id) = 'integer' AND chunk_offset BETWEEN 0 AND {_VEC_ROWS - 1}"
        yield _Rule(f"{rows}_bits_rowids", place, why)


def _bytes(dimension: int) -> int:
    """Return the number of bytes that store the sign bits of a vector."""
    return -(-dimension // 8)


def _any_of(kinds: object) -> str:
    return "({})".format(", ".join(f"'{kind}'" for kind in get_args(kinds)))


def _check_site(sql: SqlFile, info: IndexInfo) -> None:
    if info.site_url and not is_origin(info.site_url):
        raise corrupt(sql.file, "its site's address is none of the web")
    if not is_base_url(info.base_url):
        raise corrupt(sql.file, "its base path is no path")


def _check_bits(sql: SqlFile, dimension: int) -> None:
    declared = f"%bit[{_bytes(dimension) * 8}]%"
    if sql.rows(
        "SELECT 1 FROM sqlite_schema WHERE name IN ('chunk_bits', 'unit_bits') AND sql NOT LIKE ?", (declared,)
    ):
        raise corrupt(sql.file, "its bits are of another dimension than its vectors")


def _check_pages(sql: SqlFile, info: IndexInfo) -> None:
    for (url,) in sql.rows("SELECT url FROM pages"):
        if not is_site_url(url) or not lies_below(url, info.base_url):
            raise corrupt(sql.file, "the URL of one of its pages leads out of the site")
    for url, to_url in sql.rows("SELECT url, to_url FROM redirects"):
        if not is_site_url(url) or not is_site_url(to_url.partition("#")[0]):
            raise corrupt(sql.file, "one of its redirects leads out of the site")


def _check_json(sql: SqlFile) -> None:
    try:
        for breadcrumbs, tags in sql.each("SELECT breadcrumbs, tags FROM pages"):
            _TEXTS.decode(breadcrumbs)
            _TEXTS.decode(tags)
        for heading_path, landing in sql.each("SELECT heading_path, landing FROM targets"):
            _TEXTS.decode(heading_path)
            _LANDING.decode(landing)
        for labels, cells in sql.each("SELECT labels, cells FROM units WHERE labels != '[]' OR cells != '[]'"):
            _TEXTS.decode(labels)
            _LENGTHS.decode(cells)
        for passage, of_tabs, links in sql.each("SELECT passage, tab_passages, links FROM units"):
            _PASSAGE.decode(passage)
            _TAB_PASSAGES.decode(of_tabs)
            _LINKS.decode(links)
        for (value,) in sql.each("SELECT value FROM meta"):
            _ANY_JSON.decode(value)
    except (msgspec.MsgspecError, RecursionError) as error:
        raise corrupt(sql.file, "some of its lists and facts cannot be read") from error
