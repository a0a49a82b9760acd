"""Sends the files of a site: the added chat, content types, ETags, byte ranges and gzip compression in memory.

Starlette's `FileResponse` handles `Range` requests, which browsers send for media. The libraries at hand compress a
file at every request or write into the site's folder. Neither suits a site that is rebuilt while it is served.
"""

import asyncio
import gzip
import mimetypes
import re
from collections.abc import Callable
from html import escape
from pathlib import Path
from typing import Any
from zlib import crc32

from litestar import Request
from starlette.responses import FileResponse, Response

from pincite_core.index.schema import INDEX_FOLDER
from pincite_core.urls import normalise_base_url
from pincite_server.http.transport.connections import PIECE_BYTES

__all__ = ("CompressedTexts", "SiteFiles", "accepts_gzip", "widget_tag", "with_widget")

_TYPES = mimetypes.MimeTypes()
for _extension, _type in {  # some platforms' tables lack these types or have wrong ones
    ".js": "text/javascript",
    ".mjs": "text/javascript",
    ".json": "application/json",
    ".svg": "image/svg+xml",
    ".wasm": "application/wasm",
    ".webmanifest": "application/manifest+json",
    ".woff2": "font/woff2",
    ".avif": "image/avif",
    ".webp": "image/webp",
    ".xml": "application/xml",
}.items():
    _TYPES.add_type(_type, _extension)

_COMPRESSED = {"application/json", "application/manifest+json", "application/wasm", "application/xml", "image/svg+xml"}
_LEAST_BYTES = 1024  # a smaller file fits into one packet anyway
_MOST_BYTES = 16 * 1024 * 1024  # the size of a large site's search index
_MOST_COMPRESSED_BYTES = 32 * 1024 * 1024  # memory for compressed texts: some thousand pages with their scripts
_BODY_END = re.compile(rb"</body\s*>", re.IGNORECASE)
_WEIGHT_ZERO = re.compile(r"q=0(\.0*)?")


class CompressedTexts:
    """In-memory cache of a site's compressed text files.

    A thread compresses each version of a file at most once, one file at a time. So the site's size and `most_bytes`
    bound the work and the memory. When the cache is full, entries of deleted files are dropped. If the cache is still
    full, the file is sent uncompressed.
    """

    def __init__(self, most_bytes: int = _MOST_COMPRESSED_BYTES) -> None:
        self._most_bytes = most_bytes
        self._bodies: dict[Path, dict[str, bytes]] = {}  # by file, of its last version
        self._compressing = asyncio.Lock()

    async def of(self, file: Path, version: str, read: Callable[[], bytes]) -> bytes:
        """Return a version of a file compressed with gzip, or empty bytes if the file is to be sent uncompressed.

        The version changes with the file's content, which `read` returns.

        Raises:
            OSError: The file cannot be read.
        """
        body = self._bodies.get(file, {}).get(version)
        if body is None:
            async with self._compressing:
                body = self._bodies.get(file, {}).get(version)
                if body is None:
                    body = await asyncio.to_thread(self._compress, file, version, read)
        return body

    def _compress(self, file: Path, version: str, read: Callable[[], bytes]) -> bytes:
        self._bodies.pop(file, None)
        if self._used() >= self._most_bytes:
            for deleted in [other for other in self._bodies if not other.exists()]:
                del self._bodies[deleted]
        body = b""
        if self._used() < self._most_bytes:
            content = read()
            compressed = gzip.compress(content, compresslevel=6, mtime=0)
            body = compressed if len(compressed) < len(content) else b""
        self._bodies[file] = {version: body}
        return body

    def _used(self) -> int:
        return sum(len(body) for versions in self._bodies.values() for body in versions.values())


class _File(FileResponse):
    """File response that reads the file only as fast as the client takes the data."""

    chunk_size = PIECE_BYTES


class SiteFiles:
    """Sends files of a site, with the HTML `widget` added to pages without the chat; an empty `widget` adds nothing."""

    def __init__(self, widget: bytes) -> None:
        self._widget = widget
        self._mark = f"-{crc32(widget):x}" if widget else ""  # changes the ETags of edited pages
        self._compressed = CompressedTexts()

    async def reply(self, request: Request[Any, Any, Any], file: Path, status: int) -> Response:
        """Return the response for a file: the whole file, a byte range of it, or 304 if it has not changed."""
        state, is_edited = file.stat(), bool(self._mark) and file.suffix == ".html"
        version = f"{state.st_mtime_ns:x}-{state.st_size:x}{self._mark if is_edited else ''}"
        content_type, body = _content_type(file), b""
        headers = {"Cache-Control": "no-cache"}
        media_type = content_type.partition(";")[0]
        is_text = media_type.startswith("text/") or media_type in _COMPRESSED  # most other types are compressed already
        if is_text := is_text and _LEAST_BYTES <= state.st_size <= _MOST_BYTES:
            headers["Vary"] = "Accept-Encoding"
        if is_text and "range" not in request.headers and accepts_gzip(request.headers.get("accept-encoding", "")):
            body = await self._compressed.of(file, version, lambda: self._read(file, is_edited))
        headers["ETag"] = f'"{version}-gzip"' if body else f'"{version}"'  # compressed bytes need another ETag
        known = {item.strip().removeprefix("W/") for item in request.headers.get("if-none-match", "").split(",")}
        if status == 200 and known & {headers["ETag"], "*"}:
            return Response(None, 304, headers)
        if body:
            return Response(body, status, {**headers, "Content-Encoding": "gzip"}, content_type)
        if is_edited:
            return Response(await asyncio.to_thread(self._read, file, is_edited), status, headers, content_type)
        return _File(file, status, headers, content_type, stat_result=state)

    def _read(self, file: Path, is_edited: bool) -> bytes:
        content = file.read_bytes()
        return with_widget(content, self._widget) if is_edited else content


def _content_type(path: Path) -> str:
    content_type, encoding = _TYPES.guess_type(path.name)
    if content_type is None or encoding is not None:
        return "application/octet-stream"
    needs_charset = content_type in {"application/json", "application/xml"}  # Starlette adds it to text/*
    return f"{content_type}; charset=utf-8" if needs_charset else content_type


def accepts_gzip(accept_encoding: str) -> bool:
    """Return whether `Accept-Encoding` names gzip, or `*`, with a weight above 0."""
    weights = {}
    for item in accept_encoding.lower().split(","):
        name, _, weight = item.partition(";")
        weights[name.strip()] = _WEIGHT_ZERO.fullmatch(weight.replace(" ", "")) is None
    return weights.get("gzip", weights.get("*", False))


def widget_tag(base_url: str, title: str, *, search: bool = False) -> bytes:
    """Return the two lines of HTML that add the chat, with search if enabled, to a page of the site."""
    base = escape(normalise_base_url(base_url))
    return (
        f'<script type="module" src="{base}{INDEX_FOLDER}/pincite.js"></script>\n'
        f'<pincite-chat base-url="{base}" site-title="{escape(title)}"{" search" * search}></pincite-chat>\n'
    ).encode()


def with_widget(html: bytes, tag: bytes) -> bytes:
    """Return a page with `tag` before `</body>`, or at the end without one; unchanged if it has the chat already."""
    if b"<pincite-chat" in html:
        return html
    ends = list(_BODY_END.finditer(html))
    place = ends[-1].start() if ends else len(html)
    return html[:place] + tag + html[place:]
