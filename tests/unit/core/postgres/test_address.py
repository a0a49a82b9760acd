"""An address names a database and a site, and tells nobody a password."""

import pytest

from pincite_core.errors import InputError
from pincite_core.postgres.address import DatabaseAddress, is_database, site_name


@pytest.mark.parametrize(
    ("place", "conninfo", "shown", "site"),
    [
        ("postgresql://db/docs/kit", "postgresql://db/docs", "postgresql://db/docs", "kit"),
        ("postgresql://db/docs", "postgresql://db/docs", "postgresql://db/docs", ""),
        ("postgresql://db/docs/", "postgresql://db/docs", "postgresql://db/docs", ""),
        (
            "postgres://me:secret@db:5433/docs/kit?sslmode=verify-full",
            "postgres://me:secret@db:5433/docs?sslmode=verify-full",
            "postgres://db:5433/docs",
            "kit",
        ),
        (
            "postgresql://me:p%40ss@a:1,b:2/docs/kit-2.0?target_session_attrs=any",
            "postgresql://me:p%40ss@a:1,b:2/docs?target_session_attrs=any",
            "postgresql://a:1,b:2/docs",
            "kit-2.0",
        ),
        ("postgresql:///docs/kit?host=/run", "postgresql:///docs?host=/run", "postgresql:///docs", "kit"),
    ],
)
def test_an_address_is_read(place: str, conninfo: str, shown: str, site: str):
    assert is_database(place)
    assert DatabaseAddress.parse(place) == DatabaseAddress(conninfo, shown, site)


@pytest.mark.parametrize(
    "place",
    ["postgresql://", "postgresql://db", "postgresql://db/", "postgresql://db/docs/kit/more", "postgresql://db/d/K I"],
)
def test_what_is_no_address_is_refused_in_one_sentence_without_its_password(place: str):
    with pytest.raises(InputError, match=r"no address of a database|no name of a site"):
        DatabaseAddress.parse(place.replace("db", "me:secret@db"))
    assert not is_database("https://docs.example/")


@pytest.mark.parametrize(
    ("title", "name"), [("Lantern Docs", "lantern-docs"), ("  C++ & Co. ", "c-co"), ("漢字", ""), ("a" * 99, "a" * 60)]
)
def test_a_site_is_called_by_its_title(title: str, name: str):
    assert site_name(title) == name
