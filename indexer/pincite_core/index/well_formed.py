"""Whether an index holds what an index holds: asked once, when it is opened, since a file may come from anybody.

Every row is looked at, in SQL: what it refers to is there, its values are of their types and sizes, what encloses it
comes before it, and its URLs lead into this site. What is read afterwards needs no further care.
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

_NUMBERED = ("scopes", "pages", "targets", "chunks", "sentences", "vectors", "postings")
_OTHERS = ("meta", "tokens", "links", "redirects", "ids")
_LARGEST = 2**31 - 1  # row ids and places in texts are kept as 32 bits
_VEC_ROWS = 16  # of a chunk of sqlite-vec, as the schema says

_TEXTS = msgspec.json.Decoder(tuple[str, ...])
_LANDING = msgspec.json.Decoder(tuple[tuple[Literal["tab", "details"], str], ...])
_LENGTHS = msgspec.json.Decoder(tuple[Annotated[int, msgspec.Meta(ge=0, le=_LARGEST)], ...])
_ANY_JSON = msgspec.json.Decoder()


class _Rule(NamedTuple):
    """What holds of every row of a table, in SQL, and what is wrong with the index where it does not."""

    table: str
    holds: str
    why: str


def check_tree(sql: SqlFile) -> None:
    """Look at how the file hangs together, before it is read: a walk through a page that is its own child never ends.

    SQLite's indexes are held against their tables: a query may be answered by either.

    Raises:
        IndexCorruptError: It does not.
    """
    found = str(sql.row("PRAGMA integrity_check(1)")[0])
    if found != "ok":
        raise corrupt(sql.file, found.splitlines()[-1])


def check_well_formed(sql: SqlFile, info: IndexInfo) -> None:
    """Look at the whole index.

    Raises:
        IndexCorruptError: Something in it is as no index has it; the message says what.
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
    """Return the number of rows of a table that has one for each number from 1 on."""
    key = sql.row("SELECT name FROM pragma_table_info(?) WHERE cid = 0", (table,))[0]
    count, first, last = sql.row(
        f"SELECT (SELECT count(*) FROM {table}), (SELECT min({key}) FROM {table}), (SELECT max({key}) FROM {table})"
    )
    if count and (first, last) != (1, count):
        raise corrupt(sql.file, f"some of its {table} are missing")
    return int(count)


def _typed(sql: SqlFile) -> Iterator[_Rule]:
    """Yield that each value is of its column's type, and of a size that can be."""
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
    """Yield that what a row refers to is there."""
    for table in (*_NUMBERED, *_OTHERS):
        found = sql.rows('SELECT "from", "table" FROM pragma_foreign_key_list(?)', (table,))
        for column, other in found:
            holds = f"{column} IS NULL OR {column} BETWEEN 1 AND {counts[other]}"
            yield _Rule(table, holds, f"some of its {table} name {other} that are not there")


def _particular(counts: Mapping[str, int], dimension: int) -> Iterator[_Rule]:
    """Yield what holds of single tables."""
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
    yield _Rule("sentences", f"vector_id <= {vectors}", "some of its sentences have vectors that are not there")
    yield _Rule("sentences", 'start <= "end"', "some of its sentences end before they start")
    yield _Rule("sentences", f"kind IN {_any_of(UnitKind)}", "some of its sentences are of no kind")
    yield _Rule("sentences", f"role IN {_any_of(UnitRole)}", "some of its sentences have no role")
    yield _Rule("vectors", f"octet_length(int8) = {dimension}", "some of its vectors are of another length")
    yield _Rule("tokens", f"octet_length(packed) % {TOKEN_BYTES} = 0", "some of its texts' tokens are cut off")
    yield _Rule("postings", f"chunks BETWEEN 1 AND {counts['chunks']}", "some of its words stand in no chunk")
    yield _Rule("postings", "octet_length(chunk_ids) = 4 * chunks", "some of its words are cut off")
    for column in COLUMNS:
        yield _Rule(
            "postings", f"{column} IS NULL OR octet_length({column}) = 2 * chunks", "its words' counts are cut off"
        )


def _vec(dimension: int) -> Iterator[_Rule]:
    """Yield what holds of the tables in which sqlite-vec keeps its own: it is C, and reads them as they are."""
    for rows in ("chunk", "sentence"):
        why = f"what finds its {rows}s is damaged"
        whole = f"typeof(validity) = 'blob' AND octet_length(validity) = {_VEC_ROWS // 8}"
        yield _Rule(f"{rows}_bits_chunks", f"size = {_VEC_ROWS} AND {whole}", why)
        yield _Rule(f"{rows}_bits_chunks", f"typeof(rowids) = 'blob' AND octet_length(rowids) = {8 * _VEC_ROWS}", why)
        bits = f"typeof(vectors) = 'blob' AND octet_length(vectors) = {_VEC_ROWS * _bytes(dimension)}"
        yield _Rule(f"{rows}_bits_vector_chunks00", bits, why)
        place = f"typeof(chunk_id) = 'integer' AND chunk_offset BETWEEN 0 AND {_VEC_ROWS - 1}"
        yield _Rule(f"{rows}_bits_rowids", place, why)


def _bytes(dimension: int) -> int:
    """Return how many bytes the bits of a vector take."""
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
        "SELECT 1 FROM sqlite_schema WHERE name IN ('chunk_bits', 'sentence_bits') AND sql NOT LIKE ?", (declared,)
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
        for labels, cells in sql.each("SELECT labels, cells FROM sentences WHERE labels != '[]' OR cells != '[]'"):
            _TEXTS.decode(labels)
            _LENGTHS.decode(cells)
        for (value,) in sql.each("SELECT value FROM meta"):
            _ANY_JSON.decode(value)
    except (msgspec.MsgspecError, RecursionError) as error:
        raise corrupt(sql.file, "some of its lists and facts cannot be read") from error
