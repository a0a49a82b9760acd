"""Write `llms.txt`, `llms-full.txt` and each page as Markdown into a built site, for agents.

The page `docs/leases/index.html` or `docs/leases.html` gets the Markdown file `docs/leases.md`. Files that an author
put there are kept. A list in the index folder names the files of an earlier run, which are removed first.
"""

import hashlib
import os
from collections.abc import Iterable, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context
from pathlib import Path

import msgspec

from pincite_core.errors import OutputError
from pincite_core.index.write import write_atomically
from pincite_core.strip_invisible import strip_invisible
from pincite_indexer.markdown.page_text import PageText, page_text
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
    listed = [page for page in site_pages if page.url in texts and _is_default(page, site)]
    files = {markdown_file(page.draft.file): texts[page.url] for page in site_pages if page.url in texts}
    files[LIST_NAME] = _list(site, listed)
    files[FULL_NAME] = "\n".join(f"Source: {_whole(site, page)}\n\n{texts[page.url]}" for page in listed)
    kept = tuple(sorted(name for name in files if (folder / name).exists()))
    mine = {name: text.encode() for name, text in files.items() if name not in kept}
    try:
        _record(out, mine)
        for name, data in mine.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            write_atomically(folder / name, data)
    except OSError as error:
        message = f"{folder} cannot take the files for agents ({error.strerror}). Make room, or leave --llms out."
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
        for name, digest in _recorded(out).items():
            file = folder / name
            if file.resolve().is_relative_to(folder.resolve()) and file.is_file() and _digest(file) == digest:
                file.unlink()
        (out / WRITTEN_NAME).unlink(missing_ok=True)
    except OSError as error:
        message = f"{error.filename} cannot be removed ({error.strerror}). Give the build the right to, or remove it."
        raise OutputError(message) from error


def _texts(site: Site, folder: Path, pages: Iterable[SitePage]) -> dict[str, str]:
    """Return the Markdown of each page by URL, without empty pages."""
    asked = [_asked(site, page) for page in pages]
    read = partial(page_text, folder)
    workers = os.cpu_count() or 1
    if len(asked) < _FEW_PAGES or workers == 1:
        results = list(map(read, asked))
    else:
        with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
            results = list(pool.map(read, asked, chunksize=_BATCH))
    return {one.path: text for one, text in zip(asked, results, strict=True) if text}


def _asked(site: Site, page: SitePage) -> PageText:
    """Return the request for a page's Markdown; a page with removed traces is written from its pieces."""
    is_trimmed = bool(site.withheld) and page.draft.cut is None
    return PageText(page.draft.file, page.url, _whole(site, page), page.title, page.draft.pieces if is_trimmed else ())


def _whole(site: Site, page: SitePage) -> str:
    return f"{site.urls.site_url}{page.url}"


def _is_default(page: SitePage, site: Site) -> bool:
    """Return whether a page belongs to the last version and the default language."""
    return page.scope.locale == site.locales[0] and page.translated and (page.scope.is_last or not page.scope.version)


def _list(site: Site, pages: Iterable[SitePage]) -> str:
    """Return `llms.txt`: the site's name and description, and its pages by section."""
    home = next((page for page in site.pages if page.url == site.urls.base_url), None)
    sections: dict[str, list[str]] = {}
    for page in pages:
        sections.setdefault(_section(page), []).append(_line(site, page))
    order = sorted(sections, key=lambda name: (name == _OPTIONAL, name != _DOCS))
    parts = [f"# {_one_line(site.title) or _one_line(home.title if home else '') or 'Documentation'}"]
    if home and home.description:
        parts.append(f"> {_one_line(home.description)}")
    parts += [f"## {name}\n\n" + "\n".join(sections[name]) for name in order]
    return "\n\n".join(parts) + "\n"


def _section(page: SitePage) -> str:
    """Return the llms.txt section of a page: its first breadcrumb, or `Docs`, or `Optional`.

    Posts and pages outside the docs are optional.
    """
    if page.source_type in {"blog", "page"} and page.scope.plugin:
        return _OPTIONAL
    above = [name for name in map(_one_line, page.draft.facts.breadcrumbs[:-1]) if name]
    return above[0] if above else _DOCS


def _line(site: Site, page: SitePage) -> str:
    path = page.url.removesuffix(".html")
    path = f"{path}index" if path == site.urls.base_url else path.removesuffix("/index").rstrip("/")
    title = _one_line(page.title).replace("[", "\\[").replace("]", "\\]")
    note = f": {_one_line(page.description)}" if page.description else ""
    return f"- [{title}]({site.urls.site_url}{path}.md){note}"


def _one_line(text: str) -> str:
    return " ".join(strip_invisible(text).split())


def _record(out: Path, files: Mapping[str, bytes]) -> None:
    digests = {name: hashlib.sha256(data).hexdigest() for name, data in sorted(files.items())}
    write_atomically(out / WRITTEN_NAME, msgspec.json.format(msgspec.json.encode(digests), indent=1) + b"\n")


def _recorded(out: Path) -> dict[str, str]:
    try:
        return msgspec.json.decode((out / WRITTEN_NAME).read_bytes(), type=dict[str, str])
    except (FileNotFoundError, msgspec.MsgspecError):  # missing or invalid, so nothing is removed
        return {}


def _digest(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()
