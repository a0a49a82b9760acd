"""Read a page's facts from `<html>`, `<head>` and menus: plugin, version, locale, titles and redirects."""

import re
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from urllib.parse import unquote

from lxml import etree

from pincite_core.strip_invisible import strip_invisible
from pincite_core.urls import decoded_path, lookup_key, parse_url
from pincite_indexer.generators.generator import PageMarkup
from pincite_indexer.generators.known_generators import GENERATORS, MERGED, generator_named, name_of_generator
from pincite_indexer.pages.markup import has_class, one_line, plain_text
from pincite_indexer.pages.records import Facts

__all__ = ("has_search_controls", "is_no", "is_search_file", "read_facts")

_REFRESH = re.compile(r"^\s*\d+\s*[;,]\s*url\s*=\s*['\"]?(.*?)['\"]?\s*$", re.IGNORECASE)
_LINK_TARGETS = etree.XPath("descendant::a/@href", smart_strings=False)
_MOST_EDIT_LINKS = 8  # a page has one or two; text about editing may contain more
_COPIES = frozenset(generator.source_copies for generator in GENERATORS) - {""}
_EDIT_PATHS = ("/edit/", "/_edit/", *sorted(_COPIES))
_ROBOTS = ("robots", "x-robots-tag")
_NO_INDEX = frozenset({"noindex", "none"})  # `none` means `noindex, nofollow`
_EXPIRY = re.compile(r"unavailable_after\s*:\s*((?:[a-z]+,)?[^,]+)")
_SEARCH_FILE = re.compile(r"(?:^|/)search(?:\.html|/index\.html)$")
_SEARCH_ROLES = frozenset({"search", "searchbox"})
_RESULTS = re.compile(
    r"\b(?:search|pagefind|gcse)[-_]?(?:page|ui)?[-_]?(?:results?|container|app|only)\b|^search$|searchresults",
    re.IGNORECASE,
)
_TITLE_MARKS = (" | ", " · ", " — ", " – ", " - ")  # separators between a page's title and its site's title


def read_facts(tree: etree._Element, page: PageMarkup, file: str, *, with_edit_links: bool = False) -> Facts:
    """Return the facts of a parsed page; `file` is relative to the site's folder.

    The search for edit links takes a fifth of the parsing time. It is only useful if sources must be matched.
    """
    head = tree.find("head")
    head = tree if head is None else head
    found = [generator.read_metadata(page) for generator in GENERATORS if generator.read_metadata]
    generator = name_of_generator(page)
    canonical = _canonical(head)
    title, site_title = _titles(head, page.metas)
    tail = generator_named(generator).title_tail
    refreshes = (meta for meta in head.iter("meta") if (meta.get("http-equiv") or "").lower() == "refresh")
    redirects = (_REFRESH.match(meta.get("content") or "") for meta in refreshes)
    return Facts(
        locale=_first(item.locale for item in found) or tree.get("lang") or "",
        plugin=_first(item.plugin for item in found),
        plugin_id=_first(item.plugin_id for item in found),
        version=_first(item.version or "" for item in found) or None,
        version_label=_first(item.version_label for item in found),
        doc_id=_first(item.doc_id for item in found),
        page_kind=_first(item.page_kind for item in found),
        title=title,
        site_title=tail.sub("", site_title) if tail else site_title,
        description=strip_invisible(page.metas.get("description", "")),
        canonical=canonical,
        own_link="" if canonical else _own_link(tree, file),
        base=next((base.get("href") or "" for base in head.iter("base") if base.get("href") is not None), ""),
        edit_links=_edit_links(tree) if with_edit_links else (),
        noindex="noindex" if _is_kept_out(page.metas) else "",
        private=any(map(is_no, page.metas.get("pincite", "").split(","))),
        forwards_to=next((match[1] for match in redirects if match), ""),
        generator=generator,
        breadcrumbs=_texts(element for item in found for element in item.breadcrumbs),
        tags=next((tags for item in found if (tags := _texts(item.tags))), ()),
    )


def is_no(value: object) -> bool:
    """Return whether a value of a meta tag or front matter means no; dialects of YAML differ in the words for it."""
    return value is False or (isinstance(value, str) and value.strip().lower() in {"false", "no", "off"})


def _is_kept_out(metas: Mapping[str, str]) -> bool:
    """Return whether the page asks all search engines not to index it; names of single engines do not count.

    The values are those of https://developers.google.com/search/docs/crawling-indexing/robots-meta-tag. `X-Robots-Tag`
    is a header; some pages have it in `http-equiv`, with the same intention.
    """
    values = ",".join(filter(None, map(metas.get, _ROBOTS))).lower()
    if not values:
        return False
    if not _NO_INDEX.isdisjoint(value.strip() for value in re.split(r"[,;]", values)):
        return True
    expiry = _EXPIRY.search(values)
    return expiry is not None and _is_past(expiry[1].strip())


def _is_past(date: str) -> bool:
    """Return whether a date (RFC 822, RFC 850 or ISO 8601) is in the past; False if it cannot be read."""
    for read in (datetime.fromisoformat, parsedate_to_datetime):
        try:
            found = read(date.upper())
        except (ValueError, TypeError):
            continue
        return (found if found.tzinfo else found.replace(tzinfo=UTC)) < datetime.now(UTC)
    return False


def is_search_file(file: str) -> bool:
    """Return whether a file has the name that generators give their search page."""
    return _SEARCH_FILE.search(file) is not None


def has_search_controls(root: etree._Element) -> bool:
    """Return whether a content has a search field, or an empty element that a script fills with results."""
    for element in root.iter("*"):
        if element.get("role") in _SEARCH_ROLES or (element.tag == "input" and element.get("type") == "search"):
            return True
        names = (element.get("id"), element.get("class"))
        if any(name and _RESULTS.search(name) for name in names) and not "".join(element.itertext()).strip():
            return True
    return False


def _first(texts: Iterable[str]) -> str:
    return next(filter(None, texts), "")


def _titles(head: etree._Element, metas: Mapping[str, str]) -> tuple[str, str]:
    """Return the page's title and the site's title, split at the last separator of `<title>`."""
    element = next(head.iter("title"), None)
    full = one_line((element.text if element is not None else "") or metas.get("og:title", ""))
    site = strip_invisible(metas.get("og:site_name", ""))
    for mark in _TITLE_MARKS:
        name, found, tail = full.rpartition(mark)
        if found and (not site or tail == site):
            return name, tail
    return full, site


def _canonical(head: etree._Element) -> str:
    """Return the page's canonical link; empty if it is missing or relative.

    A relative link does not tell where the page is, because it is relative to the page itself. Tools that make a built
    site's links relative leave links such as `../../https://docs.example.com/page/`.
    """
    href = next((link.get("href") or "" for link in head.iter("link") if link.get("rel") == "canonical"), "")
    parts = parse_url(href)
    is_absolute = parts and (href.startswith("/") or (parts.scheme in {"http", "https"} and parts.netloc))
    return href if is_absolute else ""


def _own_link(tree: etree._Element, file: str) -> str:
    """Return the shortest link on a page that may lead to the page itself, as in menus.

    The result for the home page is empty, because its path is the unknown base path.
    """
    route = lookup_key(f"/{file}")
    if route == "/":
        return ""
    hrefs = {href.partition("#")[0] for href in _LINK_TARGETS(tree)}
    rooted = (href for href in hrefs if href.startswith("/") and not href.startswith("//"))
    own = (href for href in rooted if route in unquote(href) and lookup_key(href).endswith(route))
    return min(own, key=lambda href: (len(href), href), default="")


def _edit_links(tree: etree._Element) -> tuple[str, ...]:
    """Return the paths in a page's edit links; for published source copies, the path below their folder."""
    paths: dict[str, None] = {}
    for link in tree.iter("a"):
        href = link.get("href") or ""
        if any(part in href for part in _EDIT_PATHS) or link.get("rel") == "edit" or has_class(link, MERGED.edit_links):
            path = decoded_path(href)
            for folder in _COPIES:
                path = path.rpartition(folder)[2]
            if path := path.strip("/"):
                paths[path] = None
    return tuple(paths)[:_MOST_EDIT_LINKS]


def _texts(elements: Iterable[etree._Element]) -> tuple[str, ...]:
    return tuple(text for text in map(plain_text, elements) if text)
