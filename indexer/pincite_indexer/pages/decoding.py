"""Decode the bytes of a page as browsers do, and return them as UTF-8.

The rules and the names of charsets are those of the HTML and Encoding standards
(https://html.spec.whatwg.org/multipage/parsing.html#prescan-a-byte-stream-to-determine-its-encoding).
"""

import codecs
import re
from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE, CodecInfo
from typing import NamedTuple

import webencodings

__all__ = ("Decoded", "decoded")

_START = 1024  # bytes in which a declaration counts
_UTF8 = "utf-8"
_OTHERWISE = "windows-1252"  # of pages without a declaration that are not UTF-8
_BOMS = ((BOM_UTF8, "utf-8"), (BOM_UTF16_LE, "utf-16le"), (BOM_UTF16_BE, "utf-16be"))
_XML_IN_UTF16 = ((b"<\0?\0x\0", "utf-16le"), (b"\0<\0?\0x", "utf-16be"))
_XML = re.compile(rb"""<\?xml[^>]*?\sencoding\s*=\s*["']([^"'>]+)["']""", re.IGNORECASE)
_COMMENT = re.compile(rb"<!--.*?(?:-->|$)", re.DOTALL)
_META = re.compile(rb"""<meta[\s/]((?:[^>"']|"[^"]*"|'[^']*')*)""", re.IGNORECASE)
_ATTRIBUTE = re.compile(rb"""([^\s/>"'=]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"']+))""")
_IN_CONTENT = re.compile(rb"""charset\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s;"']+))""", re.IGNORECASE)
_GBK = "gb18030"  # the standard decodes both alike, and Python's codec `gbk` knows fewer characters

_PROOF = 3  # invalid bytes that one valid character outweighs
_REPLACED = "\ufffd"


class Decoded(NamedTuple):
    """A page in UTF-8, without null bytes, and what is wrong with its characters (empty if nothing is)."""

    data: bytes
    problem: str = ""


def decoded(data: bytes) -> Decoded:
    """Return a page in UTF-8; characters that cannot be decoded are replaced.

    A null byte would end the C string, and so the page.
    """
    charset, declared = _charset(data)
    data = data.removeprefix(BOM_UTF8)
    if charset == _UTF8 and _is_utf8(data):
        return Decoded(data.replace(b"\0", b""))
    if not declared:
        charset = _likely(data)
    text = _codec(charset).decode(data, "replace")[0].removeprefix("\ufeff").replace("\0", "")
    result = text.encode("utf-8", "replace")
    if not declared:
        return Decoded(result, f"declares no charset and is not valid UTF-8; it is read as {charset}")
    count = text.count(_REPLACED)
    return Decoded(result, f"contains {count:,} bytes or characters that are not valid {charset}" if count else "")


def _charset(data: bytes) -> tuple[str, bool]:
    """Return a page's charset, by its name in the standard, and whether the page declares it."""
    for mark, name in (*_BOMS, *_XML_IN_UTF16):
        if data.startswith(mark):
            return name, True
    start = data[:_START]
    label = _meta_label(start) if b"charset" in start.lower() else b""
    if not label and start.startswith(b"<?xml") and (found := _XML.match(start)):
        label = found[1]
    encoding = webencodings.lookup(label.decode("ascii", "replace")) if label else None
    if encoding is None:
        return _UTF8, False
    # A declaration that can be read as ASCII is not written in UTF-16.
    return _UTF8 if encoding.name.startswith("utf-16") else encoding.name, True


def _codec(charset: str) -> CodecInfo:
    found = webencodings.lookup(_GBK if charset == "gbk" else charset)
    return codecs.lookup(_UTF8) if found is None else found.codec_info


def _meta_label(start: bytes) -> bytes:
    """Return the label of the first `meta` element that declares a charset; empty without one."""
    for meta in _META.finditer(_COMMENT.sub(b"", start)):
        attributes: dict[bytes, bytes] = {}
        for name, *values in _ATTRIBUTE.findall(meta[1]):
            attributes.setdefault(name.lower(), b"".join(values))
        if label := attributes.get(b"charset"):
            return label.strip()
        if attributes.get(b"http-equiv", b"").strip().lower() == b"content-type" and (
            found := _IN_CONTENT.search(attributes.get(b"content", b""))
        ):
            return (found[1] or found[2] or found[3] or b"").strip()
    return b""


def _is_utf8(data: bytes) -> bool:
    try:
        return data.isascii() or bool(data.decode())
    except UnicodeDecodeError:
        return False


def _likely(data: bytes) -> str:
    """Return the charset of a page that declares none: UTF-8 if enough characters beyond ASCII are valid in it.

    Such characters are at least two bytes that fit each other, which other charsets rarely contain.
    """
    text = data.decode(_UTF8, "replace")
    replaced = text.count(_REPLACED)
    valid = sum(not character.isascii() for character in text) - replaced
    return _UTF8 if valid * _PROOF >= replaced else _OTHERWISE
