"""URLs as a browser writes them, and their mapping to the files of a built site.

Inside Pincite a page's URL is root-relative, with the site's base path, percent-encoded as the URL Standard does
for paths, and has no fragment; an anchor is the raw `id`. The two are joined only when a link is made.
"""

from urllib.parse import quote, unquote, urljoin, urlsplit, urlunsplit

__all__ = (
    "candidate_files",
    "encode_path",
    "file_to_url",
    "join_fragment",
    "lookup_key",
    "normalise_base_url",
    "resolve",
    "split_fragment",
)

# Left alone by browsers in paths and fragments (URL Standard, path and fragment percent-encode sets).
_SAFE_PATH = "/!$&'()*+,-.:;=@_~[]|"
_SAFE_FRAGMENT = "/!$&'()*+,-.:;=?@_~[]{}|^\\#"
_NO_ORIGIN = "http://site.invalid"  # stands for the origin of a site that does not say its own (RFC 6761)
_WEB = frozenset({"http", "https"})


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
    return quote(path, safe=_SAFE_PATH)


def candidate_files(url: str, base_url: str) -> tuple[str, ...]:
    """Return the files, best first, that a static host could serve for `url`; empty when outside `base_url`."""
    path = unquote(urlsplit(url).path)
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


def join_fragment(url: str, anchor: str) -> str:
    """Return `url` with `anchor` (a raw id) as its fragment, encoded; without one when it is empty."""
    return f"{url}#{quote(anchor, safe=_SAFE_FRAGMENT)}" if anchor else url


def split_fragment(url: str) -> tuple[str, str]:
    """Return the URL before `#` and the decoded fragment after it."""
    head, _, fragment = url.partition("#")
    return head, unquote(fragment)


def lookup_key(url: str) -> str:
    """Return the form by which two spellings of one page's URL are equal: decoded, no query, slash or `.html`."""
    path = unquote(urlsplit(url.partition("#")[0]).path) or "/"
    path = path.removesuffix("index.html") if path.endswith("/index.html") else path.removesuffix(".html")
    return path.rstrip("/") or "/"


def resolve(href: str, page_url: str, site_url: str) -> str | None:
    """Return `href`, found on the page `page_url`, as a root-relative URL of this site; None when it leads outside."""
    origin = site_url or _NO_ORIGIN
    try:
        parts = urlsplit(urljoin(origin + page_url, href.strip()))
    except ValueError:  # `http://[` and the like
        return None
    if parts.scheme not in _WEB or parts.netloc != urlsplit(origin).netloc:
        return None
    return urlunsplit(("", "", parts.path or "/", parts.query, parts.fragment))
