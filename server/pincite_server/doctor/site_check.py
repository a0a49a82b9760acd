"""Checks the site as a reader gets it: its build, citations, CORS and content security policy."""

import re
from collections.abc import Iterable, Iterator
from html import unescape

import httpx

from pincite_core.deployed.build_facts import BuildFacts, parse_facts
from pincite_core.deployed.guarded_client import RefusedError
from pincite_core.errors import IndexCorruptError
from pincite_core.index.schema import INDEX_FOLDER, INFO_NAME
from pincite_core.urls import join_url, origin_of, parse_url, split_fragment
from pincite_server.doctor.diagnosis import Diagnosis, fail, ok, warn
from pincite_server.http.admission.session_tokens import READER_HEADER
from pincite_server.http.routes.status import Readiness

__all__ = (
    "allows",
    "examine_build",
    "examine_cors",
    "examine_landing",
    "examine_policy",
    "is_address",
    "needed_policy",
    "policies_of",
)

_META = re.compile(r"<meta[^>]+http-equiv=[\"']?content-security-policy[\"']?[^>]*>", re.IGNORECASE)
_CONTENT = re.compile(r"content=(\"[^\"]*\"|'[^']*')", re.IGNORECASE)
_ANY_PORT = re.compile(r":\*(?=/|$)")  # policies allow this, URLs do not
_PORT = re.compile(r":(\d+|\*)(?:/|$)")
_ID = re.compile(r"<[^>]*?\s(?:id|name)\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s\"'>]+))")
_SENT = ["content-type", READER_HEADER.lower()]
_SITE_FIX = "Name the site with --site if this is not its address."


def needed_policy(site_origin: str, api_origin: str) -> str:
    """Return the CSP directives that the chat needs, to be merged into the site's own policy."""
    connect = "'self'" if site_origin == api_origin else f"'self' {api_origin}"  # 'self' is for the search files
    return f"script-src 'self'; connect-src {connect}"


def policies_of(headers: Iterable[str], page: str) -> Iterator[dict[str, list[str]]]:
    """Yield the content security policies of a page's headers and meta tags: the sources of each directive."""
    in_page = (_CONTENT.search(tag) for tag in _META.findall(page))
    texts = [*headers, *(unescape(found[1][1:-1]) for found in in_page if found)]
    for text in texts:
        for policy in text.split(","):  # several policies in one header
            words = (directive.split() for directive in policy.split(";"))
            yield {name.lower(): sources for name, *sources in filter(None, words)}


def allows(policy: dict[str, list[str]], directive: str, origin: str, own_origin: str) -> bool:
    """Return whether a policy lets a page of `own_origin` use `origin` for a directive such as `connect-src`."""
    sources = policy.get(directive, policy.get("default-src"))
    return sources is None or any(_matches(source.lower(), origin, own_origin) for source in sources)


def _matches(source: str, origin: str, own_origin: str) -> bool:
    if source == "'self'":
        return origin == own_origin
    wanted = parse_url(origin)
    if wanted is None or source in {"*", f"{wanted.scheme}:"}:
        return wanted is not None
    given = parse_url(_ANY_PORT.sub("", source if "://" in source else f"{wanted.scheme}://{source}"))
    if given is None:
        return False
    written = _PORT.search(source.partition("://")[2] or source)
    host, port = given.hostname or "", written[1] if written else "80" if source.startswith("http://") else "443"
    same_host = wanted.hostname == host or (host.startswith("*.") and str(wanted.hostname).endswith(host[1:]))
    default = {"https": "443", "http": "80"}.get(wanted.scheme, "")
    return given.scheme == wanted.scheme and same_host and port in {"*", str(wanted.port or default)}


def is_address(url: str) -> bool:
    """Return whether a URL is a valid web address with a host."""
    try:
        return bool(origin_of(url) and httpx.URL(url).host)
    except httpx.InvalidURL:
        return False


def examine_build(client: httpx.Client, site: str, readiness: Readiness) -> Diagnosis:
    """Check whether the sidecar serves the site's build."""
    address = f"{site}{INDEX_FOLDER}/{INFO_NAME}"
    try:
        reply = client.get(address)
        deployed = parse_facts(reply.content, address)
    except httpx.HTTPError as error:
        return warn("build", f"{address} cannot be read ({_failure(error)}).", _SITE_FIX)
    except IndexCorruptError:
        deployed = BuildFacts()
    if not deployed.index_id:
        fix = f"Deploy the folder `{INDEX_FOLDER}` with the site, or name the site with --site."
        return warn("build", f"{address} (status {reply.status_code}) is no index.json.", fix)
    when = deployed.built_at if deployed.built else "an unknown time"  # shown only if it is a valid timestamp
    if deployed.index_id in {index.index_id for index in readiness.indexes}:
        return ok("build", f"The sidecar serves the site's build, built {when}.")
    fix = "The sidecar checks for builds every minute. If this stays, read `problem` in /ready and the sidecar's log."
    return warn("build", f"The site has another build than the sidecar serves (of {when}).", fix)


def _failure(error: httpx.HTTPError) -> str:
    return str(error).rstrip(".") if isinstance(error, RefusedError) else type(error).__name__


def examine_landing(client: httpx.Client, site: str, url: str) -> Diagnosis:
    """Check whether a citation's page and anchor exist on the site."""
    address = join_url(site, url)
    if address is None or not is_address(address):
        return fail("citation", f"{url!r} is no URL.", "Build the index again; `pincite check` finds dead links.")
    try:
        reply = client.get(address)
    except httpx.HTTPError as error:
        return warn("citation", f"{address} cannot be read ({_failure(error)}).", _SITE_FIX)
    anchor = split_fragment(address)[1]
    if not reply.is_success:
        fix = "Deploy the site and its index together; `pincite check` finds dead links."
        return fail("citation", f"{address} has status {reply.status_code}.", fix)
    if anchor and anchor not in {unescape("".join(found)) for found in _ID.findall(reply.text)}:
        return fail("citation", f"{address} has no such anchor.", "Deploy the site and its index together.")
    return ok("citation", f"{address} exists.")


def examine_cors(client: httpx.Client, origin: str) -> Diagnosis:
    """Check whether browsers let the site's pages send requests to the sidecar."""
    if origin == origin_of(str(client.base_url)):
        return ok("CORS", "The site and the sidecar share an origin.")
    fix = f"Start the sidecar with --cors-origin {origin}."
    sent = [*_SENT, "authorization"] if "Authorization" in client.headers else _SENT
    headers = {
        "Origin": origin,
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": ", ".join(sent),
    }
    try:
        reply = client.options("/api/chat", headers=headers)
    except httpx.HTTPError as error:
        return fail("CORS", f"The browser's preflight request fails ({type(error).__name__}).", fix)
    if reply.headers.get("access-control-allow-origin") not in {origin, "*"}:
        message = f"Browsers block requests from {origin}: the sidecar does not allow it, or a proxy drops its headers."
        return fail("CORS", message, fix)
    allowed = {name.strip().lower() for name in reply.headers.get("access-control-allow-headers", "").split(",")}
    if missing := set(sent) - allowed - {"content-type"}:
        message = f"Pages may not send {', '.join(sorted(missing))}."
        return fail("CORS", message, "Let the sidecar, not the proxy, send the CORS headers.")
    return ok("CORS", f"Pages of {origin} may send requests.")


def examine_policy(client: httpx.Client, site: str, api: str) -> Iterator[Diagnosis]:
    """Yield the CSP directives that the site needs, and whether its present policy allows the chat."""
    own = origin_of(site)
    needed = needed_policy(own, api)
    try:
        reply = client.get(site)
    except httpx.HTTPError:
        yield ok("CSP", f"The site cannot be read. If it has a policy, it needs: {needed}")
        return
    policies = list(policies_of(reply.headers.get_list("content-security-policy"), reply.text))
    if not policies:
        yield ok("CSP", f"The site has no policy. A policy needs: {needed}")
        return
    wanted = (("script-src", own), ("connect-src", api))
    missing = [name for name, origin in wanted if not all(allows(policy, name, origin, own) for policy in policies)]
    if missing:
        yield fail("CSP", f"The site's policy forbids the chat ({', '.join(missing)}).", f"It needs: {needed}")
    else:
        yield ok("CSP", f"The site's policy lets the chat work; it needs: {needed}")
