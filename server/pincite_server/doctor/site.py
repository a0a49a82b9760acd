"""The site and the sidecar together: the same build, citations that land, and a browser that lets them talk."""

import re
from collections.abc import Iterator
from html import unescape
from urllib.parse import unquote, urljoin, urlsplit

import httpx

from pincite_core.deployed.build_facts import parse_facts
from pincite_core.errors import IndexCorruptError
from pincite_core.index.schema import INDEX_FOLDER, INFO_NAME
from pincite_server.doctor.csp import allows, needed_policy, policies_of
from pincite_server.doctor.findings import Finding, fail, ok, warn
from pincite_server.http.readers import READER_HEADER
from pincite_server.http.routes.status import Readiness

__all__ = ("examine_build", "examine_cors", "examine_landing", "examine_policy", "origin_of")

_ID = re.compile(r"<[^>]*?\s(?:id|name)\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s\"'>]+))")
_SENT = ["content-type", READER_HEADER.lower()]


def origin_of(url: str) -> str:
    """Return a URL's scheme and host."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"


def examine_build(client: httpx.Client, site: str, readiness: Readiness) -> Finding:
    """Say whether the sidecar serves the build that the site has."""
    address = urljoin(site, f"{INDEX_FOLDER}/{INFO_NAME}")
    try:
        reply = client.get(address)
        deployed = parse_facts(reply.content, address)
    except httpx.HTTPError as error:
        fix = "Name the site with --site if this is not its address."
        return warn("build", f"The site's {address} cannot be read ({type(error).__name__}).", fix)
    except IndexCorruptError:
        return _no_index(address, reply)
    if not deployed.index_id:
        return _no_index(address, reply)
    when = deployed.built_at or "an unknown time"
    if deployed.index_id in {index.index_id for index in readiness.indexes}:
        return ok("build", f"The sidecar serves what the site has, built {when}.")
    fix = "It is looked for every minute or so. If this stays, see `problem` in /ready and the sidecar's log."
    return warn("build", f"The site has another build than the sidecar serves (of {when}).", fix)


def _no_index(address: str, reply: httpx.Response) -> Finding:
    fix = f"Deploy the folder `{INDEX_FOLDER}` with the site, or name the site with --site."
    return warn("build", f"{address} (status {reply.status_code}) is no index.json.", fix)


def examine_landing(client: httpx.Client, site: str, url: str) -> Finding:
    """Say whether a citation's page and anchor are on the site."""
    address = urljoin(site, url)
    try:
        reply = client.get(address)
    except httpx.HTTPError as error:
        fix = "Name the site with --site if this is not its address."
        return warn("citation", f"{address} cannot be read ({type(error).__name__}).", fix)
    anchor = unquote(urlsplit(address).fragment)
    if not reply.is_success:
        fix = "Deploy the site and its index together; `pincite check` finds dead links."
        return fail("citation", f"{address} has status {reply.status_code}.", fix)
    if anchor and anchor not in {unescape("".join(found)) for found in _ID.findall(reply.text)}:
        return fail("citation", f"{address} has no such anchor.", "Deploy the site and its index together.")
    return ok("citation", f"{address} is there.")


def examine_cors(client: httpx.Client, origin: str) -> Finding:
    """Say whether a browser lets the site's pages ask the sidecar."""
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
        return fail("CORS", f"The browser's question before the question fails ({type(error).__name__}).", fix)
    if reply.headers.get("access-control-allow-origin") not in {origin, "*"}:
        return fail("CORS", f"Pages of {origin} may not ask.", fix)
    allowed = {name.strip().lower() for name in reply.headers.get("access-control-allow-headers", "").split(",")}
    if missing := set(sent) - allowed - {"content-type"}:
        return fail(
            "CORS", f"Pages may not send {', '.join(sorted(missing))}.", "Let the proxy leave CORS to the sidecar."
        )
    return ok("CORS", f"Pages of {origin} may ask.")


def examine_policy(client: httpx.Client, site: str) -> Iterator[Finding]:
    """Yield the exact line that the site needs, and whether the policy that it has lets the chat work."""
    own, api = origin_of(site), origin_of(str(client.base_url))
    needed = needed_policy(own, api)
    try:
        reply = client.get(site)
    except httpx.HTTPError:
        yield ok("CSP", f"If the site has a policy, it needs: {needed}")
        return
    policies = list(policies_of(reply.headers.get_list("content-security-policy"), reply.text))
    if not policies:
        yield ok("CSP", f"The site has no policy. With one, it would need: {needed}")
        return
    wanted = (("script-src", own), ("connect-src", api))
    missing = [name for name, origin in wanted if not all(allows(policy, name, origin, own) for policy in policies)]
    if missing:
        yield fail("CSP", f"The site's policy forbids the chat ({', '.join(missing)}).", f"It needs: {needed}")
    else:
        yield ok("CSP", f"The site's policy lets the chat work; it needs: {needed}")
