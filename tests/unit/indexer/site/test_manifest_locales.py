"""Where the index folders of a site's locales lie to each other."""

from pathlib import Path

from tests.unit.indexer.builds import Silence
from tests.unit.indexer.sites import docs_page

from pincite_core.embedders import FAKE_MODEL
from pincite_core.index.read import Index
from pincite_indexer.build import BuildOptions, build_index
from pincite_indexer.site.manifest import (
    MANIFEST_VERSION,
    Manifest,
    ManifestPage,
    default_folder,
    other_folders,
    siblings,
)

ORIGIN = "https://kit.example"


def manifest(locale: str, base_url: str, url: str = ORIGIN, **locale_urls: str) -> Manifest:
    return Manifest(
        manifest_version=MANIFEST_VERSION,
        url=url,
        base_url=base_url,
        locale=locale,
        default_locale="en",
        locales=("en", "fr", "de"),
        locale_urls=locale_urls,
    )


CUSTOM = {"en": f"{ORIGIN}/kit/", "fr": f"{ORIGIN}/kit/fran%C3%A7ais/", "de": "https://kit.example.de/"}


def test_locales_have_docusaurus_paths_unless_the_manifest_overrides_them() -> None:
    assert siblings(manifest("en", "/kit/")) == ["/kit/fr/pincite/", "/kit/de/pincite/"]
    assert siblings(manifest("fr", "/kit/fr/")) == ["/kit/pincite/", "/kit/de/pincite/"]
    assert default_folder(manifest("fr", "/kit/fr/")) == "../../pincite"


def test_a_locale_with_a_base_path_of_its_own_is_named_by_it() -> None:
    assert siblings(manifest("en", "/kit/", **CUSTOM)) == ["/kit/français/pincite/"]
    french = manifest("fr", "/kit/français/", **CUSTOM)
    assert siblings(french) == ["/kit/pincite/"]
    assert default_folder(french) == "../../pincite"


def test_a_locale_on_another_origin_has_no_siblings_here() -> None:
    german = manifest("de", "/", "https://kit.example.de", **CUSTOM)
    assert siblings(german) == []
    assert default_folder(german) is None


def test_a_locale_built_alone_at_the_sites_own_path_is_no_sibling_of_itself() -> None:
    alone = dict.fromkeys(("en", "fr", "de"), f"{ORIGIN}/kit/")
    assert siblings(manifest("fr", "/kit/", **alone)) == []
    assert default_folder(manifest("fr", "/kit/", **alone)) is None


def test_one_locale_needs_no_folders() -> None:
    single = Manifest(manifest_version=MANIFEST_VERSION, locale="en", default_locale="en", locales=("en",))
    assert (siblings(single), default_folder(single), other_folders(single)) == ([], None, ())
    assert (siblings(None), default_folder(None)) == ([], None)


def test_only_folders_below_a_locale_can_hold_another_ones_pages() -> None:
    assert other_folders(manifest("en", "/kit/", **CUSTOM)) == ("français/",)
    assert other_folders(manifest("en", "/kit/")) == ("fr/", "de/")
    assert other_folders(manifest("fr", "/kit/fr/", en=f"{ORIGIN}/kit/", de=f"{ORIGIN}/kit/fr/de/")) == ("de/",)


def test_another_locales_pages_in_a_folder_of_any_name_stay_out(tmp_path: Path) -> None:
    for name, locale in (("docs/a/index.html", "en"), ("français/docs/a/index.html", "fr")):
        (tmp_path / name).parent.mkdir(parents=True)
        (tmp_path / name).write_text(docs_page(f"<p>Some text in {locale}.</p>", "a", locale=locale), encoding="utf-8")
    pages = (ManifestPage(route="/kit/docs/a", html="docs/a/index.html"),)
    told = Manifest(
        manifest_version=MANIFEST_VERSION,
        url=ORIGIN,
        base_url="/kit/",
        locale="en",
        default_locale="en",
        locales=("en", "fr"),
        locale_urls=CUSTOM,
        pages=pages,
    )
    report = build_index(BuildOptions(tmp_path, model=FAKE_MODEL, cache=False), told, Silence())
    assert [page.url for page in Index.open(tmp_path).pages()] == ["/kit/docs/a"]
    assert report.facts.siblings == ("/kit/français/pincite/",)
