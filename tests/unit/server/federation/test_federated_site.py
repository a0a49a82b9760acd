"""A place of one site as a reply of several sites shows it."""

from pathlib import Path

from msgspec.structs import replace
from tests.unit.server.federation.sites import asked_site
from tests.unit.server.http.records import CITATION


def test_a_place_says_its_site_in_every_way(tmp_path: Path):
    sites = {name: asked_site(tmp_path, name, "Text.", "?", home=name == "home") for name in ("a", "home")}
    away, home = (sites[name].labelled(CITATION) for name in ("a", "home"))
    assert (away.site, away.heading_path) == ("A", ("A", "Install", "Docker"))
    assert (away.url, home.url) == ("https://a.example/kit/install#docker", "/kit/install#docker")
    assert away.stable_id == "a:guides/install#docker"
    assert asked_site(tmp_path, "untitled", "Text.", "?", title="").labelled(CITATION).site == "untitled"
    assert sites["a"].labelled(replace(CITATION, url=None)).url is None
