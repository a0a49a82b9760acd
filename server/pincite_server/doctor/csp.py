"""Content-Security-Policy, as far as the chat needs it: where a page may take scripts from and connect to."""

import re
from collections.abc import Iterable, Iterator
from html import unescape
from urllib.parse import urlsplit

__all__ = ("allows", "needed_policy", "policies_of")

_META = re.compile(r"<meta[^>]+http-equiv=[\"']?content-security-policy[\"']?[^>]*>", re.IGNORECASE)
_CONTENT = re.compile(r"content=(\"[^\"]*\"|'[^']*')", re.IGNORECASE)


def needed_policy(site_origin: str, api_origin: str) -> str:
    """Return the directives that a site needs for the chat, to be merged into its own policy."""
    connect = "'self'" if site_origin == api_origin else api_origin
    return f"script-src 'self'; connect-src {connect}"


def policies_of(headers: Iterable[str], page: str) -> Iterator[dict[str, list[str]]]:
    """Yield the policies of a page, from its headers and its meta tags: the sources of each directive."""
    in_page = (_CONTENT.search(tag) for tag in _META.findall(page))
    texts = [*headers, *(unescape(found[1][1:-1]) for found in in_page if found)]
    for text in texts:
        for policy in text.split(","):  # several policies in one header
            words = (directive.split() for directive in policy.split(";"))
            yield {name.lower(): sources for name, *sources in filter(None, words)}


def allows(policy: dict[str, list[str]], directive: str, origin: str, own_origin: str) -> bool:
    """Return whether a policy lets a page of `own_origin` use `origin` for a directive (`connect-src`)."""
    sources = policy.get(directive, policy.get("default-src"))
    return sources is None or any(_matches(source.lower(), origin, own_origin) for source in sources)


def _matches(source: str, origin: str, own_origin: str) -> bool:
    if source == "'self'":
        return origin == own_origin
    wanted = urlsplit(origin)
    if source in {"*", f"{wanted.scheme}:"}:
        return True
    given = urlsplit(source if "://" in source else f"{wanted.scheme}://{source}")
    host, port = given.hostname or "", _port_of(source)
    same_host = wanted.hostname == host or (host.startswith("*.") and str(wanted.hostname).endswith(host[1:]))
    default = {"https": "443", "http": "80"}.get(wanted.scheme, "")
    return given.scheme == wanted.scheme and same_host and port in {"*", str(wanted.port or default)}


def _port_of(source: str) -> str:
    """Return a source's port as written; the scheme's own when there is none."""
    found = re.search(r":(\d+|\*)(?:/|$)", source.partition("://")[2] or source)
    if found:
        return found[1]
    return "80" if source.startswith("http://") else "443"
