"""Serves a built site like a static host (the rules of GitHub Pages), for the demo and for local use.

`x/` serves `x/index.html`. `x` serves the file `x`, else `x.html`, else a redirect to `x/`. A missing page serves
`404.html` with status 404. Files outside the site's folder are never read.
"""

import logging
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast
from urllib.parse import unquote

from litestar import HttpMethod, Litestar, Request, route
from litestar.exceptions import HTTPException
from litestar.handlers import HTTPRouteHandler
from litestar.types import ASGIApp
from starlette.responses import RedirectResponse, Response

from pincite_core.urls import encode_path, normalise_base_url
from pincite_server.http.site_files import SiteFiles
from pincite_server.http.transport.problems import Problem
from pincite_server.indexes.registry import ServedIndex

__all__ = ("SiteFile", "SiteRedirect", "StaticSite", "site_handler", "warn_of_hidden_pages")

logger = logging.getLogger("pincite")

_SITE_ROUTE = "site"  # the name of the route that serves pages
_LISTED_PAGES = 5  # hidden pages that the warning lists; with more, the operator checks all of them anyway


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

    def __init__(self, folder: Path, base_url: str) -> None:
        self._folder = folder.resolve()
        self._base_url = normalise_base_url(base_url)

    def find(self, raw_path: str) -> SiteFile | SiteRedirect | None:
        """Return the file or redirect that a static host would send; None if there is not even a 404 page.

        The path is percent-encoded and without the query.
        """
        if raw_path in {"/", self._base_url[:-1]} and self._base_url != "/":
            return SiteRedirect(self._base_url)
        path = unquote(raw_path)
        if path.startswith(self._base_url):
            relative = path[len(self._base_url) :]
            if not relative or relative.endswith("/"):
                file = self._file(f"{relative}index.html")
            else:
                file = self._file(relative) or self._file(f"{relative}.html")
            if file:
                return SiteFile(file)
            if self._file(f"{relative}/index.html"):
                return SiteRedirect(encode_path(f"{path}/"))
        page = self._file("404.html")
        return SiteFile(page, status=404) if page else None

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


def site_handler(site: StaticSite, widget: bytes) -> HTTPRouteHandler:
    """Return the catch-all route that serves the site, with the HTML `widget` added to pages without the chat."""
    files = SiteFiles(widget)

    @route(
        ["/", "/{path:path}"],
        http_method=[HttpMethod.GET, HttpMethod.HEAD],
        name=_SITE_ROUTE,
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


def warn_of_hidden_pages(app: Litestar, served: Iterable[ServedIndex]) -> None:
    """Log a warning that names indexed pages hidden by the sidecar's own routes, so that readers cannot see them."""
    urls = (page.url for item in served for page in item.answerer.index.pages())
    hidden = [url for url in urls if _route_name(app, url) != _SITE_ROUTE]
    if hidden:
        logger.warning(
            "The sidecar's own routes hide %d of the site's pages: %s. "
            "Serve the site elsewhere, and start the sidecar without --site.",
            len(hidden),
            ", ".join(hidden[:_LISTED_PAGES]) + (", ..." if len(hidden) > _LISTED_PAGES else ""),
        )


def _route_name(app: Litestar, url: str) -> str | None:
    """Return the name of the route that answers GET for a URL; None if it has no name or there is none."""
    try:
        return app.asgi_router.handle_routing(path=unquote(url).rstrip("/") or "/", method="GET")[1].name
    except HTTPException:  # the route does not accept GET
        return None
