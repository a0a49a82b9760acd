"""Where builds are in PostgreSQL: `postgresql://USER@HOST/DATABASE/SITE`, with parameters of libpq after a `?`."""

import re
from dataclasses import dataclass
from typing import Self

from pincite_core.errors import InputError

__all__ = ("DatabaseAddress", "checked_site", "is_database", "site_name")

_URL = re.compile(r"(postgres(?:ql)?://)([^/?#]*)/([^/?#]*)(?:/([^/?#]*))?/?(\?[^#]*)?")
_SITE = re.compile(r"[a-z0-9][a-z0-9._-]*")
_NO_NAME = re.compile(r"[^a-z0-9]+")
_MOST_NAME = 60  # characters


def is_database(place: str) -> bool:
    """Tell whether a place is in a database."""
    return place.startswith(("postgresql://", "postgres://"))


@dataclass(frozen=True, slots=True)
class DatabaseAddress:
    """A database, and the site in it that is meant.

    Attributes:
        conninfo: What libpq connects by; it may hold a password.
        shown: The address as it may be told: without name, password and parameters.
        site: The site's name; "" when none is named.
    """

    conninfo: str
    shown: str
    site: str = ""

    @classmethod
    def parse(cls, place: str) -> Self:
        """Read an address.

        Raises:
            InputError: It is none.
        """
        found = _URL.fullmatch(place)
        if found is None or not found[3]:
            message = "That is no address of a database. Write postgresql://USER@HOST/DATABASE/SITE."
            raise InputError(message)
        scheme, login, database, site, parameters = found.groups(default="")
        host = login.rpartition("@")[2]
        name = checked_site(site) if site else ""
        return cls(f"{scheme}{login}/{database}{parameters}", f"{scheme}{host}/{database}", name)


def checked_site(name: str) -> str:
    """Return the name of a site as it is.

    Raises:
        InputError: It is none.
    """
    if not _SITE.fullmatch(name):
        message = f"{name!r} is no name of a site. Use small letters, digits, `.`, `_` and `-`."
        raise InputError(message)
    return name


def site_name(title: str) -> str:
    """Return the name of a site by its title; "" when the title has no letter that a name may have."""
    return _NO_NAME.sub("-", title.lower()).strip("-")[:_MOST_NAME].strip("-")
