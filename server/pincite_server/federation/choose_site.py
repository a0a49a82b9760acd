"""Choose the site of a request by the name in its path, or by the page that sent it."""

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field

from litestar.types import ASGIApp, Receive, Scope, Send

from pincite_core.errors import InputError
from pincite_core.urls import decoded_path, origin_of
from pincite_server.indexes.live_indexes import LiveIndexes

__all__ = ("SITE_KEY", "SiteNames", "SiteRouter", "parse_groups", "parse_rate_limits", "parse_sites")

SITE_KEY = "pincite_site"
"""The key of the site's name in the ASGI scope of a request whose path names a site."""

_PREFIX = "/sites/"
_NUMBER = re.compile(r"[0-9]{1,9}")
_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,62}")  # the characters of a host name, which need no encoding in a URL


def parse_sites(assignments: Iterable[str]) -> dict[str, str]:
    """Return the index location of each site by the site's name.

    Each assignment is `NAME=INDEX`.

    Raises:
        InputError: An assignment has another form, or two sites have the same name.
    """
    places: dict[str, str] = {}
    for assignment in assignments:
        name, mark, place = assignment.partition("=")
        if not mark or not place or not _NAME.fullmatch(name):
            message = (
                f"--site-index {name!r} names no site. Write NAME=INDEX, the name in small letters, digits and hyphens."
            )
            raise InputError(message)
        if name in places:
            message = f"--site-index has two sites of the name {name!r}. Give each one of its own."
            raise InputError(message)
        places[name] = place
    return places


def parse_groups(assignments: Iterable[str], sites: Collection[str]) -> dict[str, tuple[str, ...]]:
    """Return the sites of each group by the group's name.

    Each assignment is `NAME=SITE,SITE`; `sites` are the names of all sites.

    Raises:
        InputError: A group has no valid name, a name that is taken, an unknown site, or fewer than two sites.
    """
    groups: dict[str, tuple[str, ...]] = {}
    for assignment in assignments:
        name, _, listed = assignment.partition("=")
        members = tuple(dict.fromkeys(filter(None, listed.split(","))))
        listed_sites = f"those of --site-index: {', '.join(sites)}."
        wrong = ""
        if not _NAME.fullmatch(name):
            wrong = "names no group. Write NAME=SITE,SITE, the name in small letters, digits and hyphens."
        elif name in sites or name in groups:
            wrong = "has a name that is taken. Give it one that no site and no other group has."
        elif unknown := [member for member in members if member not in sites]:
            wrong = f"names {unknown[0]!r}, which is no site. Choose among {listed_sites}"
        elif len(members) < 2:
            wrong = f"has fewer than two sites. Name more of {listed_sites}"
        if wrong:
            message = f"--site-group {name!r} {wrong}"
            raise InputError(message)
        groups[name] = members
    return groups


def parse_rate_limits(assignments: Iterable[str], names: Collection[str]) -> dict[str, int]:
    """Return the rate limit of each site or group that has its own, in questions a minute; 0 is no limit.

    Each assignment is `NAME=N`; `names` are the names of all sites and groups.

    Raises:
        InputError: An assignment has an unknown name, the name of another assignment, or no whole number.
    """
    limits: dict[str, int] = {}
    for assignment in assignments:
        name, _, number = assignment.partition("=")
        if name not in names:
            message = f"--site-rate-limit {name!r} names no site and no group. Choose among: {', '.join(names)}."
            raise InputError(message)
        if not _NUMBER.fullmatch(number):
            message = f"--site-rate-limit {name!r} has no number. Write NAME=N, the questions a minute; 0 is no limit."
            raise InputError(message)
        if name in limits:
            message = f"--site-rate-limit has two limits for {name!r}. Leave one out."
            raise InputError(message)
        limits[name] = int(number)
    return limits


@dataclass(frozen=True, slots=True)
class SiteRouter:
    """Finds the site of a page.

    Attributes:
        sites: The sites of a sidecar by name; the first is the default.
        groups: The names of the sites in each group, by the group's name.
        rate_limits: Questions a minute, by the name of each site or group that has its own limit.
    """

    sites: Mapping[str, LiveIndexes]
    groups: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    rate_limits: Mapping[str, int] = field(default_factory=dict)

    def site_of(self, page_url: str | None, build_id: str | None, origin: str, among: Collection[str] = ()) -> str:
        """Return the name of the site that a page belongs to, else of the most likely site.

        Args:
            page_url: The page's URL or path.
            build_id: The ID of the build that contains the page.
            origin: The request's `Origin`; "" without one.
            among: The sites to choose from; all when empty.
        """
        near = self._near(page_url, origin, among)
        return self.home_of(page_url, build_id, origin, among) or near[0]

    def home_of(
        self, page_url: str | None, build_id: str | None, origin: str, among: Collection[str] = ()
    ) -> str | None:
        """Return the name of the site that a page certainly belongs to; None if unknown or not in `among`.

        The arguments are those of `site_of`.
        """
        names = among or self.sites
        for name in names if build_id else ():
            live = self.sites[name]
            if any(item.build_id == build_id for item in (*live.served, *live.earlier)):
                return name
        if not self._there(page_url, origin, names) and self._there(page_url, origin, self.sites):
            return None
        near = self._near(page_url, origin, among)
        for name in near if page_url else ():
            if any(item.answerer.index.page_at(page_url or "") for item in self.sites[name].served):
                return name
        is_below = self._base_length(near[0], page_url or "") > 1
        return near[0] if is_below or self._there(page_url, origin, names) else None

    def _near(self, page_url: str | None, origin: str, among: Collection[str]) -> list[str]:
        """Return the sites on the page's host, or all sites if there are none, the longest matching base path first."""
        names = among or self.sites
        there = self._there(page_url, origin, names)
        return sorted(there or names, key=lambda name: -self._base_length(name, page_url or ""))

    def _there(self, page_url: str | None, origin: str, names: Iterable[str]) -> list[str]:
        asked_from = origin_of(page_url or "") or origin
        return [
            name
            for name in (names if asked_from else ())
            if any(origin_of(one.answerer.index.info.site_url) == asked_from for one in self.sites[name].served)
        ]

    def _base_length(self, name: str, page_url: str) -> int:
        """Return the length of a site's base path if the page is below it, else 0. One site may lie below another."""
        path = decoded_path(page_url)
        bases = (item.answerer.index.info.base_url for item in self.sites[name].served)
        return max((len(base) for base in bases if f"{path}/".startswith(base)), default=0)


class SiteNames:
    """ASGI middleware that moves the site's name from the path to the scope, so that every site has every route.

    A path with another name than those of sites and groups stays unchanged.
    """

    def __init__(self, app: ASGIApp, names: Iterable[str]) -> None:
        self._app = app
        self._names = frozenset(names)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Forward a request to the application."""
        path = scope.get("path", "")
        name, slash, rest = path.removeprefix(_PREFIX).partition("/")
        if path.startswith(_PREFIX) and slash and name in self._names:
            raw = scope["raw_path"].removeprefix(f"{_PREFIX}{name}".encode())
            scope = {**scope, "path": f"/{rest}", "raw_path": raw, SITE_KEY: name}  # type: ignore[assignment]
        await self._app(scope, receive, send)
