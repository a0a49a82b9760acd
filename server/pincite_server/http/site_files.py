"""Sends the files of a site: content types, ETags, byte ranges and gzip compression in memory.

Starlette's `FileResponse` handles `Range` requests, which browsers send for media. The libraries at hand compress a
file at every request or write into the site's folder. Neither suits a site that is rebuilt while it is served.
"""

import asyncio
import gzip
import mimetypes
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from zlib import crc32

from litestar import Request
from starlette.responses import FileResponse, Response

from pincite_server.http.transport.connections import PIECE_BYTES

__all__ = ("CompressedTexts", "SiteFiles", "accepts_gzip")

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
_KEPT_BYTES = 32 * 1024 * 1024  # memory for compressed texts: some thousand pages with their scripts


@dataclass(frozen=True, slots=True)
class _Copy:
    version: str
    body: bytes
    """The compressed content; empty if the file is sent uncompressed."""


class CompressedTexts:
    """In-memory cache of a site's compressed text files.

    A thread compresses each version of a file at most once, one file at a time. So the site's size and `most_bytes`
    bound the work and the memory. When the cache is full, entries of deleted files are dropped. If the cache is still
    full, the file is sent uncompressed.
    """

    def __init__(self, most_bytes: int = _KEPT_BYTES) -> None:
        self._most_bytes = most_bytes
        self._copies: dict[Path, _Copy] = {}
        self._at_work = asyncio.Lock()

    async def of(self, file: Path, version: str, read: Callable[[], bytes]) -> bytes:
        """Return a version of a file compressed with gzip, or empty bytes if the file is to be sent uncompressed.

        Args:
            file: The file's path.
            version: A key that changes with the file's content.
            read: Returns the file's content.

        Raises:
            OSError: The file cannot be read.
        """
        copy = self._copies.get(file)
        if copy is None or copy.version != version:
            async with self._at_work:
                copy = self._copies.get(file)
                if copy is None or copy.version != version:
                    copy = await asyncio.to_thread(self._compress, file, version, read)
        return copy.body

    def _compress(self, file: Path, version: str, read: Callable[[], bytes]) -> _Copy:
        self._copies.pop(file, None)
        body = b""
        if self._has_room():
            content = read()
            compressed = gzip.compress(content, compresslevel=6, mtime=0)
            body = compressed if len(compressed) < len(content) else b""
        self._copies[file] = copy = _Copy(version, body)
        return copy

    def _has_room(self) -> bool:
        if self._used() >= self._most_bytes:
            for file in [file for file in self._copies if not file.exists()]:
                del self._copies[file]
        return self._used() < self._most_bytes

    def _used(self) -> int:
        return sum(len(copy.body) for copy in self._copies.values())


class _File(FileResponse):
    """File response that reads the file only as fast as the client takes the data."""

    chunk_size = PIECE_BYTES


class SiteFiles:
    """Sends files of a site.

    Args:
        edit: Changes a page before it is sent.
        edit_mark: Identifies the edit in ETags; empty if pages are not changed.
    """

    def __init__(self, edit: Callable[[bytes], bytes], edit_mark: bytes) -> None:
        self._edit = edit
        self._mark = f"-{crc32(edit_mark):x}" if edit_mark else ""
        self._compressed = CompressedTexts()

    async def reply(self, request: Request[Any, Any, Any], file: Path, status: int) -> Response:
        """Return the response for a file: the whole file, a byte range of it, or 304 if it has not changed."""
        state, is_edited = file.stat(), bool(self._mark) and file.suffix == ".html"
        version = f"{state.st_mtime_ns:x}-{state.st_size:x}{self._mark if is_edited else ''}"
        content_type, body = _content_type(file), b""
        headers = {"Cache-Control": "no-cache"}
        if is_text := _is_compressed(content_type) and _LEAST_BYTES <= state.st_size <= _MOST_BYTES:
            headers["Vary"] = "Accept-Encoding"
        if is_text and "range" not in request.headers and accepts_gzip(request.headers.get("accept-encoding", "")):
            body = await self._compressed.of(file, version, lambda: self._read(file, is_edited))
        headers["ETag"] = f'"{version}-gzip"' if body else f'"{version}"'  # compressed bytes need another ETag
        if status == 200 and _is_known(headers["ETag"], request.headers.get("if-none-match", "")):
            return Response(None, 304, headers)
        if body:
            return Response(body, status, {**headers, "Content-Encoding": "gzip"}, content_type)
        if is_edited:
            return Response(await asyncio.to_thread(self._read, file, is_edited), status, headers, content_type)
        return _File(file, status, headers, content_type, stat_result=state)

    def _read(self, file: Path, is_edited: bool) -> bytes:
        content = file.read_bytes()
        return self._edit(content) if is_edited else content


def _content_type(path: Path) -> str:
    content_type, encoding = _TYPES.guess_type(path.name)
    if content_type is None or encoding is not None:
        return "application/octet-stream"
    needs_charset = content_type in {"application/json", "application/xml"}  # Starlette adds it to text/*
    return f"{content_type}; charset=utf-8" if needs_charset else content_type


def _is_compressed(content_type: str) -> bool:
    """Return whether files of a type are worth compressing. Most other types are compressed already."""
    name = content_type.partition(";")[0]
    return name.startswith("text/") or name in _COMPRESSED


_NEVER = re.compile(r"q=0(\.0*)?")


def accepts_gzip(accept_encoding: str) -> bool:
    """Return whether `Accept-Encoding` names gzip, or `*`, with a weight above 0."""
    weights = {}
    for item in accept_encoding.lower().split(","):
        name, _, weight = item.partition(";")
        weights[name.strip()] = _NEVER.fullmatch(weight.replace(" ", "")) is None
    return weights.get("gzip", weights.get("*", False))


def _is_known(etag: str, if_none_match: str) -> bool:
    known = {item.strip().removeprefix("W/") for item in if_none_match.split(",")}
    return etag in known or "*" in known
