"""Write `llms.txt`, `llms-full.txt` and each page as Markdown into a built site, for agents.

The page `docs/leases/index.html` or `docs/leases.html` gets the Markdown file `docs/leases.md`. Files that an author
put there are kept. A list in the index folder names the files of an earlier run, which are removed first.
"""

import hashlib
import os
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context
from pathlib import Path

import msgspec

from pincite_core.errors import OutputError
from pincite_core.index.write import write_atomically
from pincite_indexer.markdown.page_text import PageText, page_text
from pincite_indexer.pages.markup import one_line
from pincite_indexer.site.repeated_text import repeated_texts
from pincite_indexer.site.resolved_site import Site
from pincite_indexer.site.site_page import SitePage

__all__ = ("FULL_NAME", "LIST_NAME", "WRITTEN_NAME", "Written", "markdown_file", "remove_earlier", "write_for_agents")

LIST_NAME, FULL_NAME = "llms.txt", "llms-full.txt"
WRITTEN_NAME = "llms.json"
"""File in the index folder with the digest of each file for agents, by its path below the site's folder."""

_FEW_PAGES = 40  # with fewer pages, starting worker processes costs more than it saves
_BATCH = 16  # pages in a batch of one process
_DOCS, _OPTIONAL = "Docs", "Optional"  # the llms.txt format's name for a section that an agent may skip


@dataclass(frozen=True, slots=True)
class Written:
    """Result of a run: the number of pages, and existing files that were not overwritten."""

    pages: int
    kept: tuple[str, ...]


def markdown_file(file: str) -> str:
    """Return the Markdown file of a page; both paths are relative to the site's folder."""
    stem = file.removesuffix(".html").removesuffix(".htm")
    return f"{stem.removesuffix('/index')}.md"


def write_for_agents(site: Site, folder: Path, out: Path) -> Written:
    """Write the files for agents into a built site's folder; `out` is its index folder.

    Raises:
        OutputError: A file cannot be written.
    """
    site_pages = [page for page in site.pages if not page.listing]
    texts = _texts(site, folder, site_pages)
    default = [page for page in site_pages if page.scope.locale == site.locales[0] and page.translated]
    listed = [page for page in default if page.url in texts and (page.scope.is_last or not page.scope.version)]
    files = {markdown_file(page.draft.file): texts[page.url] for page in site_pages if page.url in texts}
    files[LIST_NAME] = _list(site, listed)
    files[FULL_NAME] = "\n".join(f"Source: {site.urls.site_url}{page.url}\n\n{texts[page.url]}" for page in listed)
    kept = tuple(sorted(name for name in files if (folder / name).exists()))
    mine = {name: text.encode() for name, text in files.items() if name not in kept}
    try:
        digests = {name: _digest(mine[name]) for name in sorted(mine)}
        write_atomically(out / WRITTEN_NAME, msgspec.json.format(msgspec.json.encode(digests), indent=1) + b"\n")
        for name, data in mine.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            write_atomically(folder / name, data)
    except OSError as error:
        message = f"{folder} cannot take the files for agents ({error.strerror}). Free some space, or omit --llms."
        raise OutputError(message) from error
    return Written(len(texts), kept)


def remove_earlier(folder: Path, out: Path) -> None:
    """Remove the files of an earlier run, unless somebody has changed them since.

    Raises:
        OutputError: A file cannot be removed.
    """
    if not out.is_dir():  # no earlier run, or a file, which `publish` reports
        return
    try:
        try:
            digests = msgspec.json.decode((out / WRITTEN_NAME).read_bytes(), type=dict[str, str])
        except (FileNotFoundError, msgspec.MsgspecError):  # missing or invalid, so nothing is removed
            digests = {}
        for name, digest in digests.items():
            file = folder / name
            is_inside = file.resolve().is_relative_to(folder.resolve())
            if is_inside and file.is_file() and _digest(file.read_bytes()) == digest:
                file.unlink()
        (out / WRITTEN_NAME).unlink(missing_ok=True)
    except OSError as error:
        message = f"{error.filename} cannot be removed ({error.strerror}). Change its permissions, or remove it."
        raise OutputError(message) from error


def _texts(site: Site, folder: Path, pages: Iterable[SitePage]) -> dict[str, str]:
    """Return the Markdown of each page by URL, without empty pages."""
    requests = []
    repeated = repeated_texts(site.pages)
    for page in pages:
        has_removed_traces = bool(site.withheld) and page.draft.cut is None
        pieces = page.draft.pieces if has_removed_traces else ()
        boilerplate = repeated[page.scope].edge_letters(page.draft) if page.scope in repeated else frozenset()
        full_url = f"{site.urls.site_url}{page.url}"
        requests.append(PageText(page.draft.file, page.url, full_url, page.title, pieces, boilerplate))
    read = partial(page_text, folder)
    workers = os.cpu_count() or 1
    if len(requests) < _FEW_PAGES or workers == 1:
        results = list(map(read, requests))
    else:
        with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
            results = list(pool.map(read, requests, chunksize=_BATCH))
    return {request.path: text for request, text in zip(requests, results, strict=True) if text}


def _list(site: Site, pages: Iterable[SitePage]) -> str:
    """Return `llms.txt`: the site's name and description, and its pages by section."""
    home = next((page for page in site.pages if page.url == site.urls.base_url), None)
    sections: dict[str, list[str]] = {}
    for page in pages:
        path = page.url.removesuffix(".html")
        path = f"{path}index" if path == site.urls.base_url else path.removesuffix("/index").rstrip("/")
        title = one_line(page.title).replace("[", "\\[").replace("]", "\\]")
        note = f": {one_line(page.description)}" if page.description else ""
        sections.setdefault(_section(page), []).append(f"- [{title}]({site.urls.site_url}{path}.md){note}")
    order = sorted(sections, key=lambda name: (name == _OPTIONAL, name != _DOCS))
    parts = [f"# {one_line(site.title) or one_line(home.title if home else '') or 'Documentation'}"]
    if home and home.description:
        parts.append(f"> {one_line(home.description)}")
    parts += [f"## {name}\n\n" + "\n".join(sections[name]) for name in order]
    return "\n\n".join(parts) + "\n"


def _section(page: SitePage) -> str:
    """Return the llms.txt section of a page: its first breadcrumb, or `Docs`, or `Optional`.

    Posts and pages outside the docs are optional.
    """
    if page.source_type in {"blog", "page"} and page.scope.plugin:
        return _OPTIONAL
    return next(filter(None, map(one_line, page.draft.facts.breadcrumbs[:-1])), _DOCS)


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
