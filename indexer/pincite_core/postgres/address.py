"""Parse addresses of builds in PostgreSQL: `postgresql://USER@HOST/DATABASE/SITE?PARAMETERS`, with libpq parameters."""

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
    """Return whether a place is a PostgreSQL address."""
    return place.startswith(("postgresql://", "postgres://"))


@dataclass(frozen=True, slots=True)
class DatabaseAddress:
    """The address of a database and, optionally, of a site in this database.

    Attributes:
        conninfo: The libpq connection string. It may contain a password.
        shown: The address for messages, without login and parameters.
        site: The site's name, or "" if the address has none.
    """

    conninfo: str
    shown: str
    site: str = ""

    @classmethod
    def parse(cls, place: str) -> Self:
        """Parse an address.

        Raises:
            InputError: The address or the site's name is invalid.
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
    """Return the name of a site unchanged, after validating it.

    Raises:
        InputError: The name is invalid.
    """
    if not _SITE.fullmatch(name):
        message = f"{name!r} is no name of a site. Use small letters, digits, `.`, `_` and `-`."
        raise InputError(message)
    return name


def site_name(title: str) -> str:
    """Derive a site's name from its title. Return "" if the title has no character that a name may contain."""
    return _NO_NAME.sub("-", title.lower()).strip("-")[:_MOST_NAME].strip("-")
