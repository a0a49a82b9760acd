"""What a page says of itself: plugin, version, locale, titles, redirects. Read from `<html>`, `<head>` and menus."""

import re
from collections.abc import Iterable, Sequence
from urllib.parse import unquote, urlsplit

from lxml import etree

from pincite_core.urls import lookup_key
from pincite_indexer.pages.markup import Landmarks, classes, plain_text
from pincite_indexer.pages.records import Facts

__all__ = ("SPHINX", "read_facts")

SPHINX = "Sphinx"  # the only one of the generators known here that does not name itself

_WEB_SCHEMES = frozenset({"http", "https"})
_REFRESH = re.compile(r"^\s*\d+\s*[;,]\s*url\s*=\s*['\"]?(.*?)['\"]?\s*$", re.IGNORECASE)
_TITLE_MARKS = (" | ", " · ", " — ", " – ", " - ")  # between a page's title and its site's
_TAGS = etree.XPath('.//a[@rel="tag"] | .//*[contains(@class, "theme-doc-footer-tags-row")]//a')

_BADGE = re.compile(r"^[^:：]*[:：]\s*")  # the word for "version" in front of a version's label
_SPHINX_TITLE = re.compile(r"(?: v?\d[\w.+-]*)? documentation$")  # what Sphinx adds to a project's name


def read_facts(tree: etree._Element, marks: Landmarks, file: str) -> Facts:
    """Return the facts of a parsed page with these landmarks; `file` is relative to the site's folder."""
    names = classes(tree)
    head = tree.find("head")
    head = tree if head is None else head
    metas = _metas(head)
    canonical = _canonical(head)
    plugin, plugin_id = _plugin(names)
    is_sphinx = _is_sphinx(marks.scripts)
    title, site_title = _titles(head, metas)
    if is_sphinx:
        site_title = _SPHINX_TITLE.sub("", site_title)
    return Facts(
        locale=metas.get("docusaurus_locale") or metas.get("docsearch:language") or tree.get("lang") or "",
        plugin=plugin,
        plugin_id=plugin_id,
        version=_version(names, metas, plugin),
        version_label=_version_label(marks.articles) if plugin == "docs" else "",
        doc_id=_with_prefix(names, "docs-doc-id-"),
        page_kind=_page_kind(names),
        title=title,
        site_title=site_title,
        description=metas.get("description", ""),
        canonical=canonical,
        own_link="" if canonical else _own_link(tree, file),
        base=_base(head),
        noindex="noindex" in metas.get("robots", "").lower(),
        forwards_to=_forwards_to(head),
        generator=SPHINX if is_sphinx else metas.get("generator", ""),
        breadcrumbs=_breadcrumbs(marks.navs),
        tags=_tags(marks),
    )


def _metas(head: etree._Element) -> dict[str, str]:
    found: dict[str, str] = {}
    for meta in head.iter("meta"):
        key = meta.get("name") or meta.get("property") or ""
        found.setdefault(key, meta.get("content") or "")
    return found


def _plugin(names: list[str]) -> tuple[str, str]:
    plugin = next((name[7:] for name in names if name.startswith("plugin-") and not name.startswith("plugin-id-")), "")
    return plugin, _with_prefix(names, "plugin-id-")


def _with_prefix(names: list[str], prefix: str) -> str:
    return next((name[len(prefix) :] for name in names if name.startswith(prefix)), "")


def _version(names: list[str], metas: dict[str, str], plugin: str) -> str | None:
    if plugin in {"blog", "pages"}:
        return None
    return (
        metas.get("docusaurus_version")
        or metas.get("docsearch:version")
        or _with_prefix(names, "docs-version-")
        or None
    )


def _page_kind(names: list[str]) -> str:
    kinds = [name for name in names if name.endswith("-page") and not name.startswith("docs-doc-id-")]
    return kinds[-1] if kinds else ""


def _titles(head: etree._Element, metas: dict[str, str]) -> tuple[str, str]:
    """Return the page's and the site's title, told apart at the last separator of `<title>`."""
    element = next(head.iter("title"), None)
    full = " ".join(((element.text if element is not None else "") or metas.get("og:title", "")).split())
    site = metas.get("og:site_name", "")
    for mark in _TITLE_MARKS:
        name, found, tail = full.rpartition(mark)
        if found and (not site or tail == site):
            return name, tail
    return full, site


def _is_sphinx(scripts: Iterable[etree._Element]) -> bool:
    return any("documentation_options.js" in (script.get("src") or "") for script in scripts)


def _canonical(head: etree._Element) -> str:
    """Return the page's canonical link; empty when there is none or it does not say where the page is.

    A relative one does not: it starts from wherever the page is. Tools that make a built site's links relative leave
    such as `../../https://docs.example.com/page/`.
    """
    href = next((link.get("href") or "" for link in head.iter("link") if link.get("rel") == "canonical"), "")
    try:
        parts = urlsplit(href)
    except ValueError:
        return ""
    is_absolute = parts.scheme in _WEB_SCHEMES and bool(parts.netloc)
    return href if is_absolute or href.startswith("/") else ""


def _base(head: etree._Element) -> str:
    return next((base.get("href") or "" for base in head.iter("base") if base.get("href") is not None), "")


def _own_link(tree: etree._Element, file: str) -> str:
    """Return the link in a page that leads to the page itself, as menus have one; the shortest that may.

    Any link may lead to the home page, whose path is the base that is looked for.
    """
    route = lookup_key(f"/{file}")
    if route == "/":
        return ""
    hrefs = {(link.get("href") or "").partition("#")[0] for link in tree.iter("a")}
    rooted = (href for href in hrefs if href.startswith("/") and not href.startswith("//"))
    own = (href for href in rooted if route in unquote(href) and lookup_key(href).endswith(route))
    return min(own, key=lambda href: (len(href), href), default="")


def _forwards_to(head: etree._Element) -> str:
    for meta in head.iter("meta"):
        if (meta.get("http-equiv") or "").lower() == "refresh" and (match := _REFRESH.match(meta.get("content") or "")):
            return match.group(1)
    return ""


def _breadcrumbs(navs: Iterable[etree._Element]) -> tuple[str, ...]:
    trails = (nav for nav in navs if "theme-doc-breadcrumbs" in (nav.get("class") or ""))
    return _texts(item for nav in trails for item in nav.iter("li"))


def _version_label(articles: Sequence[etree._Element]) -> str:
    """Return what Docusaurus calls the page's version, from its badge (`Version: Next`, `版本：Next`)."""
    spans = articles[0].iterfind("span") if articles else ()
    badge = next((span for span in spans if "theme-doc-version-badge" in classes(span)), None)
    return "" if badge is None else _BADGE.sub("", " ".join((badge.text or "").split()))


def _tags(marks: Landmarks) -> tuple[str, ...]:
    found = (_TAGS(footer) for footer in marks.footers)
    tags = _texts(link for links in found if isinstance(links, list) for link in links)
    return tags or _texts(tag for nav in marks.navs if nav.get("class") == "md-tags" for tag in nav)


def _texts(elements: Iterable[object]) -> tuple[str, ...]:
    texts = (plain_text(element) for element in elements if isinstance(element, etree._Element))
    return tuple(text for text in texts if text)
