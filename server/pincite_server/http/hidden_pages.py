"""Pages of a site that the sidecar's own addresses hide, when it serves the site from the same origin."""

import logging
from collections.abc import Iterable
from urllib.parse import unquote

from litestar import Litestar
from litestar.exceptions import HTTPException

from pincite_server.indexes.registry import ServedIndex

__all__ = ("hidden_pages", "warn_of_hidden_pages")

logger = logging.getLogger("pincite")

_NAMED = 5  # of the hidden pages; whoever has more will look at all of them anyway


def hidden_pages(app: Litestar, site_route: str, urls: Iterable[str]) -> list[str]:
    """Return the URLs that another route than `site_route` answers: those whose page a reader cannot see."""
    return [url for url in urls if _route_of(app, url) != site_route]


def warn_of_hidden_pages(app: Litestar, site_route: str, served: Iterable[ServedIndex]) -> None:
    """Name the indexed pages that are hidden in the server's log."""
    hidden = hidden_pages(app, site_route, (page.url for item in served for page in item.engine.index.pages()))
    if hidden:
        named = ", ".join(hidden[:_NAMED]) + (", ..." if len(hidden) > _NAMED else "")
        logger.warning(
            "%d of the site's pages are hidden behind the sidecar's own addresses: %s. "
            "Serve the site elsewhere, and the sidecar without --site.",
            len(hidden),
            named,
        )


def _route_of(app: Litestar, url: str) -> str | None:
    """Return the name of the route that answers a GET of a URL; None for one without a name."""
    path = unquote(url).rstrip("/") or "/"
    try:
        handler = app.asgi_router.handle_routing(path=path, method="GET")[1]
    except HTTPException:  # the address answers to other methods alone
        return None
    return handler.name
