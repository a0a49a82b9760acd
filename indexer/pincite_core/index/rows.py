"""Read the rows of an index with SQL. Other modules read through `Index`, which also applies the view.

Invisible characters are removed from the rows or replaced, since another indexer may have written them.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple, Self, TypeVar

import msgspec
import numpy as np

from pincite_core.index.database import locate_database
from pincite_core.index.quantise import StoredText
from pincite_core.index.row_cache import RowCache
from pincite_core.index.sql import ANY_ID, Sql, SqlFile, id_list
from pincite_core.index.url_index import UrlIndex
from pincite_core.index.well_formed import check_tree, check_well_formed
from pincite_core.strip_invisible import mask_invisible, strip_invisible
from pincite_core.types import (
    Alias,
    Chunk,
    IndexInfo,
    Landing,
    Link,
    Page,
    Redirect,
    Scope,
    TabPassage,
    Target,
    TextLink,
    Title,
    Unit,
)
from pincite_core.urls import encode_url, is_web_url, lookup_key, split_fragment

__all__ = ("IndexRows", "Place")

_PAGE = (
    "page_id, scope_id, url, title, description, source_type, doc_id, breadcrumbs, tags, translated, source, "
    "content_hash"
)
_TARGET = (
    "target_id, page_id, parent_id, position, anchor, kind, level, title, heading_path, stable_id, id_kind, landing"
)
_CHUNK = "chunk_id, target_id, page_id, scope_id, ordinal, text, vector_id"
_UNIT = (
    'unit_id, chunk_id, target_id, scope_id, start, "end", kind, vector_id, block, mark, labels, admonition, tab, '
    "first_tab, role, facts, cells, passage, tab_passages, links"
)
_LINK = "from_target_id, to_target_id, text, to_anchor_found"
_MOST_KEPT = 1024  # pages, targets and chunks, 1 to 2 kB each; answers use the same rows many times
_MOST_UNITS = 256  # chunks whose units are cached, about 200 bytes per unit
_MOST_TITLES = 4096  # about 100 bytes each; a search reads the titles of all its candidates

_NONE = "[]"
_LABELS = msgspec.json.Decoder(tuple[str, ...])
_NUMBERS = msgspec.json.Decoder(tuple[int, ...])
_TAB_PASSAGES = msgspec.json.Decoder(tuple[TabPassage, ...])
_LINKS = msgspec.json.Decoder(tuple[TextLink, ...])

_Row = TypeVar("_Row")


class Place(NamedTuple):
    """The position of a target: the row ids of the target, its page and its parent target, and its raw HTML id."""

    target_id: int
    page_id: int
    parent_id: int | None
    anchor: str


class IndexRows:
    """All rows of one index. Lists are in document order."""

    def __init__(self, sql: Sql) -> None:
        self.sql = sql
        self.info = self._read_info()
        rows = sql.rows(
            "SELECT scope_id, plugin, plugin_id, version, version_label, is_last, locale FROM scopes ORDER BY 1"
        )
        self.scopes = tuple(Scope(*(*row[:5], bool(row[5]), row[6])) for row in rows)
        self._kept_pages = RowCache[Page](_MOST_KEPT)
        self._kept_targets = RowCache[Target](_MOST_KEPT)
        self._kept_titles = RowCache[Title](_MOST_TITLES)
        self._kept_chunks = RowCache[Chunk](_MOST_KEPT)
        self._kept_parts = RowCache[tuple[int, ...]](_MOST_TITLES)
        self._kept_units = RowCache[tuple[Unit, ...]](_MOST_UNITS)
        self._kept_links = RowCache[tuple[Link, ...]](_MOST_KEPT)

    @classmethod
    def open(cls, place: Path | str, *, checked: bool = False) -> Self:
        """Open the index at `place`: an index file, a folder that contains an index file, or a built site.

        Args:
            place: The path of the file, folder or site.
            checked: Whether to skip validation, since the same unchanged file was opened before.

        Raises:
            IndexFileError: There is no index, or the index cannot be read or is invalid.
        """
        sql = SqlFile(locate_database(Path(place)))
        if checked:
            return cls(sql)
        check_tree(sql)
        rows = cls(sql)
        check_well_formed(sql, rows.info)
        return rows

    def retire(self) -> None:
        """Close idle connections and clear the caches. Reads still work after this call (`Sql.retire`)."""
        self.sql.retire()
        for kept in (self._kept_pages, self._kept_targets, self._kept_titles, self._kept_chunks, self._kept_parts):
            kept.forget()
        for others in (self._kept_units, self._kept_links):
            others.forget()

    def meta(self, key: str) -> object | None:
        """Return the value that the builder stored under `key`, or None if there is no value."""
        rows = self.sql.rows("SELECT value FROM meta WHERE key = ?", (key,))
        value: object = msgspec.json.decode(rows[0][0]) if rows else None
        return value

    def count(self, table: str) -> int:
        """Return the number of rows of a table."""
        return int(self.sql.rows(f"SELECT count(*) FROM {table}")[0][0])

    # -- pages --------------------------------------------------------------------------------------------------

    def pages(self) -> list[Page]:
        """Return every page."""
        return [_page(row) for row in self.sql.rows(f"SELECT {_PAGE} FROM pages ORDER BY page_id")]

    def pages_by_id(self, page_ids: Iterable[int]) -> list[Page]:
        """Return the pages with the given row ids."""
        return list(self._kept_pages.of(page_ids, self._read_pages).values())

    def page_urls(self) -> dict[int, str]:
        """Return every page's URL by its row id."""
        return dict(self.sql.rows("SELECT page_id, url FROM pages ORDER BY 1"))

    def page_id_at(self, url: str) -> int | None:
        """Return the row id of the page at a URL, or None. The URL is normalised, and redirects are followed.

        If several pages have the same normalised URL, the page with exactly this URL wins.
        """
        key = lookup_key(url)
        found = self._page_keys.page_ids(key) or self._page_keys.page_ids(self._redirect_keys.get(key, ""))
        if len(found) < 2:
            return found[0] if found else None
        exact = split_fragment(url)[0]
        return next((page.page_id for page in self.pages_by_id(found) if exact.endswith(page.url)), found[0])

    def redirects(self) -> list[Redirect]:
        """Return every redirect, sorted by URL."""
        return [Redirect(*row) for row in self.sql.rows("SELECT url, to_url FROM redirects ORDER BY url")]

    # -- targets ------------------------------------------------------------------------------------------------

    def targets(self) -> list[Target]:
        """Return every target."""
        return [_target(row) for row in self.sql.rows(f"SELECT {_TARGET} FROM targets ORDER BY target_id")]

    def places(self) -> list[Place]:
        """Return the position of every target. This takes much less memory than `targets`."""
        return [
            Place(*row) for row in self.sql.rows("SELECT target_id, page_id, parent_id, anchor FROM targets ORDER BY 1")
        ]

    def targets_by_id(self, target_ids: Iterable[int]) -> list[Target]:
        """Return the targets with the given row ids."""
        return list(self._kept_targets.of(target_ids, self._read_targets).values())

    def targets_of_page(self, page_id: int) -> list[Target]:
        """Return a page's targets."""
        return self._targets("page_id = ? ORDER BY position", page_id)

    def targets_by_stable_id(self, stable_id: str) -> list[Target]:
        """Return the targets with a stable ID, at most one per locale and version."""
        return self._targets("stable_id = ? ORDER BY target_id", stable_id)

    def target_anchored(self, page_id: int, anchor: str) -> Target | None:
        """Return the target of a page with an anchor, or the target of the page itself if no target has the anchor."""
        found = self._targets("page_id = ? AND anchor IN (?, '') ORDER BY anchor DESC", page_id, anchor)
        return found[0] if found else None

    def titles_by_id(self, target_ids: Iterable[int]) -> dict[int, Title]:
        """Return the titles of targets by target row id."""
        return self._kept_titles.of(target_ids, self._read_titles)

    def children_of(self, target_ids: Iterable[int]) -> list[tuple[int, int]]:
        """Return (target_id, parent_id) of each child of the given targets."""
        sql = f"SELECT target_id, parent_id FROM targets WHERE parent_id {ANY_ID} ORDER BY 1"
        return [(int(row[0]), int(row[1])) for row in self.sql.rows(sql, (id_list(target_ids),))]

    # -- chunks and units -----------------------------------------------------------------------------------

    def chunks(self) -> list[Chunk]:
        """Return every chunk."""
        return self._chunks("TRUE")

    def chunks_by_id(self, chunk_ids: Iterable[int]) -> list[Chunk]:
        """Return the chunks with the given row ids."""
        return list(self._kept_chunks.of(chunk_ids, self._read_chunks).values())

    def chunks_of_page(self, page_id: int) -> list[Chunk]:
        """Return the chunks of a page."""
        return self._chunks("page_id = ?", page_id)

    def chunks_of_targets(self, target_ids: Iterable[int]) -> list[Chunk]:
        """Return the chunks of the given sections."""
        parts = self._kept_parts.of(target_ids, self._read_parts)
        return self.chunks_by_id(chunk_id for ids in parts.values() for chunk_id in ids)

    def chunk_ids_of_pages(self, page_ids: Iterable[int]) -> list[int]:
        """Return the chunk row ids of the given pages."""
        sql = f"SELECT chunk_id FROM chunks WHERE page_id {ANY_ID} ORDER BY chunk_id"
        return [int(row[0]) for row in self.sql.rows(sql, (id_list(page_ids),))]

    def chunks_of_units(self, unit_ids: Iterable[int]) -> dict[int, int]:
        """Return the chunk row id of each given unit, by unit row id."""
        sql = f"SELECT unit_id, chunk_id FROM units WHERE unit_id {ANY_ID}"
        return dict(self.sql.rows(sql, (id_list(unit_ids),)))

    def units(self) -> list[Unit]:
        """Return every unit."""
        return self._units("TRUE")

    def units_by_id(self, unit_ids: Iterable[int]) -> list[Unit]:
        """Return the units with the given row ids."""
        return self._units(f"unit_id {ANY_ID}", id_list(unit_ids))

    def units_of_chunks(self, chunk_ids: Iterable[int]) -> list[Unit]:
        """Return the units of the given chunks."""
        found = self._kept_units.of(chunk_ids, self._read_units)
        return [unit for units in found.values() for unit in units]

    # -- links and IDs ------------------------------------------------------------------------------------------

    def links_from(self, target_ids: Iterable[int]) -> list[Link]:
        """Return the links from the given targets."""
        found = self._kept_links.of(target_ids, self._read_links)
        return [link for links in found.values() for link in links]

    def links_to(self, target_ids: Iterable[int]) -> list[Link]:
        """Return the links to the given targets."""
        return self._links("to_target_id", target_ids)

    def aliases(self) -> list[Alias]:
        """Return the alias of every stable ID that is no longer current, sorted by ID."""
        return [Alias(*row) for row in self.sql.rows("SELECT stable_id, successor FROM ids ORDER BY stable_id")]

    def alias(self, stable_id: str) -> Alias | None:
        """Return the alias of a stable ID that is no longer current, or None if the ID is unknown."""
        rows = self.sql.rows("SELECT stable_id, successor FROM ids WHERE stable_id = ?", (stable_id,))
        return Alias(*rows[0]) if rows else None

    # -- reused by a later build --------------------------------------------------------------------------------

    def texts_by_hash(self) -> dict[bytes, StoredText]:
        """Return the vector and the tokens of every embedded text, by text hash."""
        rows = self.sql.rows("SELECT text_hash, int8, packed FROM vectors LEFT JOIN tokens USING (vector_id)")
        return {bytes(digest): StoredText(np.frombuffer(stored, np.int8), packed) for digest, stored, packed in rows}

    def packed_tokens(self) -> dict[int, bytes]:
        """Return the packed token vectors (`late_interaction`) by vector id. Texts without tokens are left out."""
        return dict(self.sql.rows("SELECT vector_id, packed FROM tokens ORDER BY vector_id"))

    # -- plumbing -----------------------------------------------------------------------------------------------

    def _read_pages(self, page_ids: list[int]) -> dict[int, Page]:
        rows = self.sql.rows(f"SELECT {_PAGE} FROM pages WHERE page_id {ANY_ID}", (id_list(page_ids),))
        return {row[0]: _page(row) for row in rows}

    def _read_targets(self, target_ids: list[int]) -> dict[int, Target]:
        return {row.target_id: row for row in self._targets(f"target_id {ANY_ID}", id_list(target_ids))}

    def _read_titles(self, target_ids: list[int]) -> dict[int, Title]:
        sql = f"SELECT target_id, title, kind FROM targets WHERE target_id {ANY_ID}"
        rows = self.sql.rows(sql, (id_list(target_ids),))
        return {row_id: Title(strip_invisible(title), kind) for row_id, title, kind in rows}

    def _read_chunks(self, chunk_ids: list[int]) -> dict[int, Chunk]:
        return {row.chunk_id: row for row in self._chunks(f"chunk_id {ANY_ID}", id_list(chunk_ids))}

    def _read_parts(self, target_ids: list[int]) -> dict[int, tuple[int, ...]]:
        sql = f"SELECT target_id, chunk_id FROM chunks WHERE target_id {ANY_ID} ORDER BY chunk_id"
        return _grouped(target_ids, self.sql.rows(sql, (id_list(target_ids),)))

    def _read_units(self, chunk_ids: list[int]) -> dict[int, tuple[Unit, ...]]:
        rows = self._units(f"chunk_id {ANY_ID}", id_list(chunk_ids))
        return _grouped(chunk_ids, [(row.chunk_id, row) for row in rows])

    def _read_links(self, target_ids: list[int]) -> dict[int, tuple[Link, ...]]:
        rows = self._links("from_target_id", target_ids)
        return _grouped(target_ids, [(row.from_target_id, row) for row in rows])

    def _targets(self, where: str, *values: object) -> list[Target]:
        return [_target(row) for row in self.sql.rows(f"SELECT {_TARGET} FROM targets WHERE {where}", values)]

    def _chunks(self, where: str, *values: object) -> list[Chunk]:
        return [_chunk(row) for row in self.sql.rows(f"SELECT {_CHUNK} FROM chunks WHERE {where} ORDER BY 1", values)]

    def _units(self, where: str, *values: object) -> list[Unit]:
        sql = f"SELECT {_UNIT} FROM units WHERE {where} ORDER BY 1"
        return [_unit(row) for row in self.sql.rows(sql, values)]

    def _links(self, column: str, target_ids: Iterable[int]) -> list[Link]:
        sql = f"SELECT {_LINK} FROM links WHERE {column} {ANY_ID} ORDER BY rowid"
        rows = self.sql.rows(sql, (id_list(target_ids),))
        return [Link(*(*row[:2], mask_invisible(row[2]), bool(row[3]))) for row in rows]

    @cached_property
    def _page_keys(self) -> UrlIndex:
        return UrlIndex(self.sql)

    @cached_property
    def _redirect_keys(self) -> dict[str, str]:
        return {lookup_key(item.url): lookup_key(item.to_url) for item in self.redirects()}

    def _read_info(self) -> IndexInfo:
        try:
            info = msgspec.convert(self.meta("info"), IndexInfo)
        except (msgspec.MsgspecError, RecursionError, TypeError) as error:  # TypeError if the JSON is a number
            raise self.sql.corrupt(f"what it says of itself cannot be read: {error}") from error
        return replace(info, title=strip_invisible(info.title))


def _grouped(row_ids: Iterable[int], rows: Iterable[tuple[int, _Row]]) -> dict[int, tuple[_Row, ...]]:
    """Group rows by the row id they belong to. An id without rows gets an empty tuple."""
    found: dict[int, list[_Row]] = {row_id: [] for row_id in row_ids}
    for row_id, row in rows:
        found[row_id].append(row)
    return {row_id: tuple(items) for row_id, items in found.items()}


def _page(row: tuple[Any, ...]) -> Page:
    breadcrumbs, tags = (tuple(map(strip_invisible, msgspec.json.decode(value))) for value in row[7:9])
    title, description = map(strip_invisible, row[3:5])
    return Page(*(*row[:3], title, description, *row[5:7], breadcrumbs, tags, bool(row[9]), *row[10:]))


def _target(row: tuple[Any, ...]) -> Target:
    landing = tuple(Landing(*item) for item in msgspec.json.decode(row[11]))
    heading_path = tuple(map(strip_invisible, msgspec.json.decode(row[8])))
    return Target(*(*row[:7], strip_invisible(row[7]), heading_path, *row[9:11], landing))


def _chunk(row: tuple[Any, ...]) -> Chunk:
    """Return a chunk from a database row. The text keeps its length, since units are stored as offsets into it."""
    return Chunk(*(*row[:5], mask_invisible(row[5]), *row[6:]))


def _unit(row: tuple[Any, ...]) -> Unit:
    labels = tuple(map(mask_invisible, _LABELS.decode(row[10]))) if row[10] != _NONE else ()
    mark, tab, first_tab = (mask_invisible(text) if text else "" for text in (row[9], row[12], row[13]))
    cells, passage = (_NUMBERS.decode(numbers) if numbers != _NONE else () for numbers in row[16:18])
    of_tabs = _TAB_PASSAGES.decode(row[18]) if row[18] != _NONE else ()
    links = tuple(_links(row[19])) if row[19] != _NONE else ()
    return Unit(*(*row[:9], mark, labels, bool(row[11]), tab, first_tab, *row[14:16], cells, passage, of_tabs, links))


def _links(stored: str) -> Iterator[TextLink]:
    """Yield the links of a unit. A URL that leads nowhere on the web is dropped, since the index file is untrusted."""
    for link in _LINKS.decode(stored):
        if isinstance(link.to, int):
            yield link
        elif is_web_url(url := encode_url(link.to)):
            yield link._replace(to=url)
