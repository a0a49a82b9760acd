"""Parse, normalise and resolve URLs, and map them to the files of a built site.

Only this module parses URLs. They are untrusted input from readers, pages and indexes, so no function here raises an
exception for any URL.

Inside Pincite, the URL of a page is root-relative, includes the site's base path, is percent-encoded as in the URL
Standard, and has no fragment. An anchor is the raw HTML `id`. URL and anchor are joined only to make a link.
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

# Characters that browsers do not encode in paths and fragments (URL Standard, path and fragment percent-encode sets).
_SAFE_PATH = "/!$&'()*+,-.:;=@_~[]|"
_URL_MARKS = ":/?#[]@!$&'()*+,;=%~"
_SAFE_FRAGMENT = "/!$&'()*+,-.:;=?@_~[]{}|^\\#"
_NO_ORIGIN = "http://site.invalid"  # placeholder origin for a site without a known URL (RFC 6761)
_WEB = frozenset({"http", "https"})
_NO_HOST = re.compile(r'[\s"<>\\^`{|}]')  # characters that are invalid in host names
_BLANK = re.compile(r"\s")
_CONTROLS = re.compile(r"[\x00-\x1f\x7f]")
_SURROGATES = re.compile(r"[\ud800-\udfff]")  # lone surrogates, which UTF-8 cannot encode


def parse_url(url: str) -> SplitResult | None:
    """Return the parts of a URL, or None if it is invalid: unbalanced brackets, a bad port or a bad host."""
    try:
        parts = urlsplit(url)
        _ = parts.port  # an invalid port raises at the first read
    except ValueError:
        return None
    return None if _NO_HOST.search(parts.netloc) else parts


def join_url(base: str, href: str) -> str | None:
    """Resolve `href` relative to the page `base`, or return None if either is not a valid URL."""
    try:
        joined = urljoin(base, href)
    except ValueError:
        return None
    return joined if parse_url(base) and parse_url(joined) else None


def origin_of(url: str) -> str:
    """Return the origin of a URL (scheme, host and port), as in the header `Origin`, or "" if a part is missing."""
    parts = parse_url(url)
    return f"{parts.scheme}://{parts.netloc}" if parts and parts.scheme and parts.netloc else ""


def decoded_path(url: str) -> str:
    """Return the percent-decoded path of a URL, or "" if the URL has no path or is invalid."""
    parts = parse_url(url)
    return unquote(parts.path) if parts else ""


_SITE_URL = re.compile(r"/(?!/)[A-Za-z0-9!$&'()*+,\-./:;=?@_~\[\]|%]*")  # output of `encode_path`, and `?`
_DOTS = re.compile(r"/(?:\.|%2e){1,2}(?:/|$)", re.IGNORECASE)
_ORIGIN = re.compile(r"https?://[\w.:\[\]-]+")
_MOST_CHARACTERS = 1 << 16  # characters; the longest path of a file takes 12,288


def normalise_base_url(base_url: str) -> str:
    """Return `base_url` with a slash at both ends. An empty path becomes `/`."""
    inner = base_url.strip("/")
    return f"/{inner}/" if inner else "/"


def file_to_url(relative: str, base_url: str, *, bare: bool) -> str:
    """Return the URL that serves a file of the site.

    Args:
        relative: POSIX path below the site's folder, e.g. `docs/api/index.html`.
        base_url: The site's base path, e.g. `/kit/`.
        bare: Whether page URLs end in neither `.html` nor a slash, as in Docusaurus unless `trailingSlash` is true.
            Otherwise files keep their `.html` and folders their slash.
    """
    route = relative.removesuffix("index.html") if f"/{relative}".endswith("/index.html") else relative
    if bare:
        route = route.removesuffix(".html").rstrip("/")
    return encode_path(normalise_base_url(base_url) + route)


def encode_path(path: str) -> str:
    """Percent-encode a decoded path as browsers do."""
    return quote(_without_surrogates(path), safe=_SAFE_PATH)


def encode_url(url: str) -> str:
    """Percent-encode all characters that are not valid in a URL, such as control characters in logs and terminals."""
    return quote(_without_surrogates(url), safe=_URL_MARKS)


def candidate_files(url: str, base_url: str) -> tuple[str, ...]:
    """Return the files that a static host could serve for `url`, best first. Return () if it is outside `base_url`."""
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
    """Return whether a URL is an encoded, root-relative path without `.` and `..` segments, so it stays on its site."""
    return len(url) <= _MOST_CHARACTERS and bool(_SITE_URL.fullmatch(url)) and not _DOTS.search(url)


def is_web_url(url: str) -> bool:
    """Return whether a URL is an absolute HTTP or HTTPS URL without whitespace."""
    parts = parse_url(url)
    return parts is not None and parts.scheme in _WEB and bool(parts.hostname) and not _BLANK.search(url)


def is_base_url(base_url: str) -> bool:
    """Return whether a text is a base path, encoded or not: a slash at both ends, and a path that stays on the site."""
    is_plain = base_url.isprintable() and "\\" not in base_url
    return is_plain and base_url[:1] == base_url[-1:] == "/" and is_site_url(encode_path(base_url))


def is_origin(url: str) -> bool:
    """Return whether a URL is only an HTTP or HTTPS origin: scheme, host and port, without login and path."""
    return len(url) <= _MOST_CHARACTERS and bool(_ORIGIN.fullmatch(url))


def lies_below(url: str, base_url: str) -> bool:
    """Return whether a root-relative URL is below a base path, or is the base path without its trailing slash."""
    return f"{unquote(url)}/".startswith(base_url)


def join_fragment(url: str, anchor: str) -> str:
    """Return `url` with `anchor` (a raw HTML id) as its encoded fragment. An empty anchor adds no fragment."""
    return f"{url}#{quote(_without_surrogates(anchor), safe=_SAFE_FRAGMENT)}" if anchor else url


def split_fragment(url: str) -> tuple[str, str]:
    """Return the URL before `#` and the decoded fragment after it."""
    head, _, fragment = url.partition("#")
    return head, _without_surrogates(unquote(fragment))


def lookup_key(url: str) -> str:
    """Return a normalised form of a page's URL: the decoded path without query, trailing slash and `.html`.

    Different spellings of one page's URL have the same key. The key is "" if the URL is invalid or has neither host nor
    path.
    """
    parts = None if _CONTROLS.search(url) else parse_url(url.partition("#")[0])
    if parts is None or not (parts.netloc or parts.path):
        return ""
    path = unquote(parts.path) or "/"
    path = path.removesuffix("index.html") if path.endswith("/index.html") else path.removesuffix(".html")
    return path.rstrip("/") or "/"


def resolve(href: str, page_url: str, site_url: str) -> str | None:
    """Resolve a link on the page `page_url` to a root-relative URL. Return None if it leads to another site."""
    origin = site_url or _NO_ORIGIN
    own, goal = parse_url(origin), join_url(origin + page_url, _CONTROLS.sub("", href).strip())
    parts = parse_url(goal) if goal is not None else None
    if parts is None or own is None or parts.scheme not in _WEB or parts.netloc != own.netloc:
        return None
    return urlunsplit(("", "", parts.path or "/", parts.query, parts.fragment))


def resolve_outside(href: str, page_url: str, site_url: str) -> str | None:
    """Resolve a link on the page `page_url` to an absolute URL. Return None if it does not lead to another site."""
    origin = site_url or _NO_ORIGIN
    goal = join_url(origin + page_url, _CONTROLS.sub("", href).strip())
    url = encode_url(goal) if goal is not None else ""
    return url if is_web_url(url) and origin_of(url) != origin_of(origin) else None


def _without_surrogates(text: str) -> str:
    """Replace lone surrogates by U+FFFD, the replacement character, as browsers do."""
    return _SURROGATES.sub("\ufffd", text)
