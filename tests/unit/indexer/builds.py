"""Builds in a row, each of a site from a few lines and given the one before, with the deterministic embedder."""

from collections.abc import Mapping
from pathlib import Path

from tests.unit.indexer.sites import docs_page

from pincite_core.embedders import FAKE_MODEL
from pincite_core.index.read import Index
from pincite_core.urls import join_fragment
from pincite_indexer.build import BuildOptions, OnLostId, build_index
from pincite_indexer.build_report import BuildReport

__all__ = ("LEASE", "RETRY", "Builds", "Silence", "guide", "section", "stub")

LEASE = "A lease lasts thirty seconds unless the worker extends it before the time is up."
RETRY = "A failed job is tried again after one second, then two, then four, up to ten times."


def section(anchor: str, title: str, text: str) -> str:
    return f'<h2 id="{anchor}">{title}</h2><p>{text}</p>'


def guide(title: str, *sections: str, doc_id: str = "", **facts: str) -> str:
    """Return a page of the docs plugin; its ID is `default/` and the doc id, by default the title in lower case."""
    return docs_page(f"<h1>{title}</h1>{''.join(sections)}", doc_id or title.lower(), **facts)


def stub(to: str) -> str:
    """Return a page that only forwards."""
    return f'<!doctype html><html><head><meta http-equiv="refresh" content="0; url={to}"></head></html>'


class Silence:
    """Shows no progress."""

    def start(self, phase: str, total: int) -> None: ...

    def advance(self, steps: int = 1) -> None: ...


class Builds:
    """Builds below one folder. `previous` is the folder of the last one."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.count = 0
        self.report = BuildReport()

    @property
    def previous(self) -> Path:
        return self.folder / f"index-{self.count}"

    def add(
        self,
        files: Mapping[str, str],
        *,
        on_lost_id: OnLostId = "warn",
        cache: bool = False,
        sources: Mapping[str, str] | None = None,
    ) -> Index:
        """Build the site that `files` are (name -> HTML), made from `sources` if these are given; open its index."""
        previous = str(self.previous) if self.count else None
        site, out = self.folder / f"site-{self.count + 1}", self.folder / f"index-{self.count + 1}"
        docs = self.folder / f"sources-{self.count + 1}" if sources is not None else None
        if docs:
            docs.mkdir()
        for folder, texts in ((site, files), (docs, sources or {})):
            for name, text in texts.items() if folder else ():
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                (folder / name).write_text(text, encoding="utf-8")
        options = BuildOptions(
            site,
            out,
            docs,
            model=FAKE_MODEL,
            cache=cache,
            previous=previous,
            on_lost_id=on_lost_id,
            allow_empty=True,
        )
        self.report = build_index(options, None, Silence())
        self.count += 1
        return Index.open(out)

    def aliases(self) -> dict[str, str | None]:
        """Return what the last index says of IDs that are no longer current."""
        return {alias.stable_id: alias.successor for alias in Index.open(self.previous).aliases()}

    def where(self, stable_id: str) -> str | None:
        """Return the URL that an ID leads to in the last index."""
        index = Index.open(self.previous)
        targets = index.targets_by_stable_id(self.aliases().get(stable_id) or stable_id)
        return join_fragment(index.page(targets[0].page_id).url, targets[0].anchor) if targets else None
