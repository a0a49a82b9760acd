"""URLs as a browser writes them, and their mapping to the files of a built site.

This module alone takes URLs apart: they come from readers, from pages and from indexes, and whatever they hold,
nothing here raises.

Inside Pincite a page's URL is root-relative, with the site's base path, percent-encoded as the URL Standard does
for paths, and has no fragment; an anchor is the raw `id`. The two are joined only when a link is made.
"""

import re
from urllib.parse import SplitResult, quote, unquote, urljoin, urlsplit, urlunsplit

__all__ = (
    "candidate_files",
    "decoded_path",
    "encode_path",
    "encode_url",
    "file_to_url",
    "is_base_url",
    "is_origin",
    "is_site_url",
    "is_web_url",
    "join_fragment",
    "join_url",
    "lies_below",
    "lookup_key",
    "normalise_base_url",
    "origin_of",
    "parse_url",
    "resolve",
    "resolve_outside",
    "split_fragment",
)

# Left alone by browsers in paths and fragments (URL Standard, path and fragment percent-encode sets).
_SAFE_PATH = "/!$&'()*+,-.:;=@_~[]|"
_URL_MARKS = ":/?#[]@!$&'()*+,;=%~"
_SAFE_FRAGMENT = "/!$&'()*+,-.:;=?@_~[]{}|^\\#"
_NO_ORIGIN = "http://site.invalid"  # stands for the origin of a site that does not say its own (RFC 6761)
_WEB = frozenset({"http", "https"})
_NO_HOST = re.compile(r'[\s"<>\\^`{|}]')  # what no host's name has
_BLANK = re.compile(r"\s")
_CONTROLS = re.compile(r"[\x00-\x1f\x7f]")
_HALF_PAIRS = re.compile(r"[\ud800-\udfff]")  # halves of surrogate pairs, which UTF-8 does not have


def parse_url(url: str) -> SplitResult | None:
    """Return a URL's parts; None for what is none: half a bracket, no port, a host with blanks or of ligatures."""
    try:
        parts = urlsplit(url)
        _ = parts.port  # raises when it is first read
    except ValueError:
        return None
    return None if _NO_HOST.search(parts.netloc) else parts


def join_url(base: str, href: str) -> str | None:
    """Return what `href` means on the page `base`; None when either is no URL."""
    try:
        joined = urljoin(base, href)
    except ValueError:
        return None
    return joined if parse_url(base) and parse_url(joined) else None


def origin_of(url: str) -> str:
    """Return a URL's scheme and host, as a browser sends them in `Origin`; empty when it does not have both."""
    parts = parse_url(url)
    return f"{parts.scheme}://{parts.netloc}" if parts and parts.scheme and parts.netloc else ""


def decoded_path(url: str) -> str:
    """Return a URL's path, decoded; empty when it has none or is no URL."""
    parts = parse_url(url)
    return unquote(parts.path) if parts else ""


_SITE_URL = re.compile(r"/(?!/)[A-Za-z0-9!$&'()*+,\-./:;=?@_~\[\]|%]*")  # what `encode_path` leaves, and a query's mark
_DOTS = re.compile(r"/(?:\.|%2e){1,2}(?:/|$)", re.IGNORECASE)
_ORIGIN = re.compile(r"https?://[\w.:\[\]-]+")
_MOST_URL = 1 << 16  # characters; the longest path of a file takes 12,288


def normalise_base_url(base_url: str) -> str:
    """Return `base_url` as a path with a slash at both ends (`/` for an empty one)."""
    inner = base_url.strip("/")
    return f"/{inner}/" if inner else "/"


def file_to_url(relative: str, base_url: str, *, bare: bool) -> str:
    """Return the URL that serves a file of the site.

    Args:
        relative: POSIX path below the site's folder, e.g. `docs/api/index.html`.
        base_url: The site's base path, e.g. `/kit/`.
        bare: Whether pages' URLs have neither `.html` nor a slash at their end, as Docusaurus's do unless
            `trailingSlash` is true. Otherwise files keep their `.html` and folders their slash.
    """
    route = relative.removesuffix("index.html") if f"/{relative}".endswith("/index.html") else relative
    if bare:
        route = route.removesuffix(".html").rstrip("/")
    return encode_path(normalise_base_url(base_url) + route)


def encode_path(path: str) -> str:
    """Return a decoded path percent-encoded as browsers do."""
    return quote(_whole(path), safe=_SAFE_PATH)


def encode_url(url: str) -> str:
    """Return a URL with everything percent-encoded that is no mark of one: what a log or a terminal would obey."""
    return quote(_whole(url), safe=_URL_MARKS)


def candidate_files(url: str, base_url: str) -> tuple[str, ...]:
    """Return the files, best first, that a static host could serve for `url`; empty when outside `base_url`."""
    path = decoded_path(url)
    base = normalise_base_url(base_url)
    if path + "/" == base:
        path = base
    if not path.startswith(base):
        return ()
    route = path[len(base) :]
    if not route or route.endswith("/"):
        return (f"{route}index.html",)
    if route.endswith(".html"):
        return (route, f"{route}/index.html")
    return (f"{route}/index.html", f"{route}.html")


def is_site_url(url: str) -> bool:
    """Tell whether a URL leads to a place of the site it stands on, wherever that is: a path from the root, encoded."""
    return len(url) <= _MOST_URL and bool(_SITE_URL.fullmatch(url)) and not _DOTS.search(url)


def is_web_url(url: str) -> bool:
    """Return whether a URL is absolute, of the web, and without blanks."""
    parts = parse_url(url)
    return parts is not None and parts.scheme in _WEB and bool(parts.hostname) and not _BLANK.search(url)


def is_base_url(base_url: str) -> bool:
    """Tell whether it is a base path: a slash at both ends, encoded or not, and nothing that leads elsewhere."""
    ends, says_more = base_url[:1] == base_url[-1:] == "/", "\\" in base_url or not base_url.isprintable()
    return ends and not says_more and is_site_url(encode_path(base_url))


def is_origin(url: str) -> bool:
    """Tell whether it is the origin of a site on the web: scheme and host, neither a name nor a path."""
    return len(url) <= _MOST_URL and bool(_ORIGIN.fullmatch(url))


def lies_below(url: str, base_url: str) -> bool:
    """Tell whether a root-relative URL lies below a base path, or is the base itself without its slash."""
    return f"{unquote(url)}/".startswith(base_url)


def join_fragment(url: str, anchor: str) -> str:
    """Return `url` with `anchor` (a raw id) as its fragment, encoded; without one when it is empty."""
    return f"{url}#{quote(_whole(anchor), safe=_SAFE_FRAGMENT)}" if anchor else url


def split_fragment(url: str) -> tuple[str, str]:
    """Return the URL before `#` and the decoded fragment after it."""
    head, _, fragment = url.partition("#")
    return head, _whole(unquote(fragment))


def lookup_key(url: str) -> str:
    """Return the form by which two spellings of one page's URL are equal: decoded, no query, slash or `.html`.

    It is empty, as no page's is, for what names no page: no URL, or one without host and path.
    """
    parts = None if _CONTROLS.search(url) else parse_url(url.partition("#")[0])
    if parts is None or not (parts.netloc or parts.path):
        return ""
    path = unquote(parts.path) or "/"
    path = path.removesuffix("index.html") if path.endswith("/index.html") else path.removesuffix(".html")
    return path.rstrip("/") or "/"


def resolve(href: str, page_url: str, site_url: str) -> str | None:
    """Return `href`, found on the page `page_url`, as a root-relative URL of this site; None when it leads outside."""
    origin = site_url or _NO_ORIGIN
    own, goal = parse_url(origin), join_url(origin + page_url, _CONTROLS.sub("", href).strip())
    parts = parse_url(goal) if goal is not None else None
    if parts is None or own is None or parts.scheme not in _WEB or parts.netloc != own.netloc:
        return None
    return urlunsplit(("", "", parts.path or "/", parts.query, parts.fragment))


def resolve_outside(href: str, page_url: str, site_url: str) -> str | None:
    """Return `href`, found on the page `page_url`, as an absolute URL of another site; None when it leads to none."""
    origin = site_url or _NO_ORIGIN
    goal = join_url(origin + page_url, _CONTROLS.sub("", href).strip())
    url = encode_url(goal) if goal is not None else ""
    return url if is_web_url(url) and origin_of(url) != origin_of(origin) else None


def _whole(text: str) -> str:
    """Return a text with the sign for what cannot be read in place of half surrogate pairs, as browsers send them."""
    return _HALF_PAIRS.sub("\ufffd", text)
