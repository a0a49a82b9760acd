"""Serves a built site like a static host (the rules of GitHub Pages), for the demo and for local use.

`x/` serves `x/index.html`. `x` serves the file `x`, else `x.html`, else a redirect to `x/`. A missing page serves
`404.html` with status 404. Files outside the site's folder are never read. The chat is added to pages that lack it, to
try Pincite on any built site. A warning lists the pages that the sidecar's own routes hide.
"""

import logging
import re
from collections.abc import Iterable
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any, cast
from urllib.parse import unquote

from litestar import HttpMethod, Litestar, Request, route
from litestar.exceptions import HTTPException
from litestar.handlers import HTTPRouteHandler
from litestar.types import ASGIApp
from starlette.responses import RedirectResponse, Response

from pincite_core.index.schema import INDEX_FOLDER
from pincite_core.urls import encode_path, normalise_base_url
from pincite_server.http.site_files import SiteFiles
from pincite_server.http.transport.problems import Problem
from pincite_server.indexes.registry import ServedIndex

__all__ = (
    "SITE_ROUTE",
    "SiteFile",
    "SiteRedirect",
    "StaticSite",
    "hidden_pages",
    "site_handler",
    "warn_of_hidden_pages",
    "widget_tag",
    "with_widget",
)

SITE_ROUTE = "site"
"""The name of the route that serves pages."""

_NOT_FOUND_PAGE = "404.html"


@dataclass(frozen=True, slots=True)
class SiteFile:
    """A file to send, with the response's status."""

    path: Path
    status: int = 200


@dataclass(frozen=True, slots=True)
class SiteRedirect:
    """A redirect to another path of the site; the path is percent-encoded."""

    location: str


class StaticSite:
    """The folder of a built site, with the base path of its pages."""

    def __init__(self, folder: Path, base_url: str, widget: bytes = b"") -> None:
        """Initialise with the site's folder, its base path, and the HTML that adds the chat to pages without it."""
        self._folder = folder.resolve()
        self.base_url = normalise_base_url(base_url)
        self.widget = widget

    def find(self, raw_path: str) -> SiteFile | SiteRedirect | None:
        """Return the file or redirect that a static host would send for a path; None if there is not even a 404 page.

        Args:
            raw_path: The request's path, percent-encoded and without the query.
        """
        if raw_path in {"/", self.base_url[:-1]} and self.base_url != "/":
            return SiteRedirect(self.base_url)
        found = self._inside_base(raw_path)
        if found is not None:
            return found
        page = self._file(_NOT_FOUND_PAGE)
        return SiteFile(page, status=404) if page else None

    def _inside_base(self, raw_path: str) -> SiteFile | SiteRedirect | None:
        path = unquote(raw_path)
        if not path.startswith(self.base_url):
            return None
        relative = path[len(self.base_url) :]
        if not relative or relative.endswith("/"):
            index = self._file(f"{relative}index.html")
            return SiteFile(index) if index else None
        file = self._file(relative) or self._file(f"{relative}.html")
        if file:
            return SiteFile(file)
        return SiteRedirect(encode_path(f"{path}/")) if self._file(f"{relative}/index.html") else None

    def _file(self, relative: str) -> Path | None:
        """Return an existing file below the folder; None if dots or a symbolic link lead out of the folder."""
        parts = relative.split("/")
        if "\0" in relative or "\\" in relative or not set(parts).isdisjoint({"", ".", ".."}):
            return None
        try:
            file = self._folder.joinpath(*parts).resolve()
            inside = file.is_relative_to(self._folder) and file.is_file()
        except OSError:  # the name is longer than the file system allows
            return None
        return file if inside else None


def site_handler(site: StaticSite) -> HTTPRouteHandler:
    """Return the catch-all route that serves the site."""
    files = SiteFiles(lambda page: with_widget(page, site.widget), site.widget)

    @route(
        ["/", "/{path:path}"],
        http_method=[HttpMethod.GET, HttpMethod.HEAD],
        name=SITE_ROUTE,
        include_in_schema=False,
    )
    async def serve_site(request: Request[Any, Any, Any]) -> ASGIApp:
        found = site.find(request.scope["raw_path"].decode("latin-1").partition("?")[0])
        if found is None:
            raise Problem("not_found")
        if isinstance(found, SiteRedirect):
            query = request.url.query
            reply: Response = RedirectResponse(f"{found.location}?{query}" if query else found.location, 301)
        else:
            reply = await files.reply(request, found.path, found.status)
        return cast("ASGIApp", reply)

    return serve_site


_BODY_END = re.compile(rb"</body\s*>", re.IGNORECASE)
_ELEMENT = b"<pincite-chat"


def widget_tag(base_url: str, title: str, *, search: bool = False) -> bytes:
    """Return the two lines of HTML that add the chat, with search if enabled, to a page of the site."""
    base = escape(normalise_base_url(base_url))
    return (
        f'<script type="module" src="{base}{INDEX_FOLDER}/pincite.js"></script>\n'
        f'<pincite-chat base-url="{base}" site-title="{escape(title)}"{" search" * search}></pincite-chat>\n'
    ).encode()


def with_widget(html: bytes, tag: bytes) -> bytes:
    """Return a page with `tag` before `</body>`, or at the end without one; unchanged if it has the chat already."""
    if _ELEMENT in html:
        return html
    ends = list(_BODY_END.finditer(html))
    place = ends[-1].start() if ends else len(html)
    return html[:place] + tag + html[place:]


logger = logging.getLogger("pincite")

_NAMED = 5  # hidden pages that the warning lists; with more, the operator checks all of them anyway


def hidden_pages(app: Litestar, site_route: str, urls: Iterable[str]) -> list[str]:
    """Return the URLs that a route other than `site_route` answers, so that readers cannot see their pages."""
    return [url for url in urls if _route_of(app, url) != site_route]


def warn_of_hidden_pages(app: Litestar, site_route: str, served: Iterable[ServedIndex]) -> None:
    """Log a warning that names indexed pages hidden by the sidecar's own routes."""
    hidden = hidden_pages(app, site_route, (page.url for item in served for page in item.answerer.index.pages()))
    if hidden:
        named = ", ".join(hidden[:_NAMED]) + (", ..." if len(hidden) > _NAMED else "")
        logger.warning(
            "%d of the site's pages are hidden behind the sidecar's own addresses: %s. "
            "Serve the site elsewhere, and the sidecar without --site.",
            len(hidden),
            named,
        )


def _route_of(app: Litestar, url: str) -> str | None:
    """Return the name of the route that answers GET for a URL; None if it has no name or there is none."""
    path = unquote(url).rstrip("/") or "/"
    try:
        handler = app.asgi_router.handle_routing(path=path, method="GET")[1]
    except HTTPException:  # the route does not accept GET
        return None
    return handler.name
