"""Build an index: site -> pages -> targets -> chunks -> vectors -> index, with a timer for each step."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from pincite_core.embedders import DEFAULT_MODEL, Embedder, GivenPrompts, load_embedder
from pincite_core.embedders.base import NO_GIVEN
from pincite_core.errors import EmptyIndexError, LostIdError, PrivateSourceError
from pincite_core.index.schema import FORMAT, INDEX_FOLDER, VERSION_FOLDERS
from pincite_core.index.shown_text import shown_facts
from pincite_core.index.write import IndexContent, content_hash
from pincite_core.types import IndexInfo, Unit
from pincite_core.user_cache import cache_folder
from pincite_indexer.browser_encoder import require_encoder
from pincite_indexer.build_progress import Progress
from pincite_indexer.build_report import BuildReport, fill_report, first_names
from pincite_indexer.calibration import calibration_facts
from pincite_indexer.markdown.llms import remove_earlier, write_for_agents
from pincite_indexer.moves.moved_ids import IdChanges, changed_ids
from pincite_indexer.moves.previous import Previous, open_previous
from pincite_indexer.page_questions import authored_questions, page_questions
from pincite_indexer.publish import Placing, encoder_facts, publish
from pincite_indexer.rows.assemble import Rows, assemble, withheld_places
from pincite_indexer.rows.injections import with_injections
from pincite_indexer.rows.link_graph import SiteLinks, links_of, with_links
from pincite_indexer.rows.passages import with_passages
from pincite_indexer.rows.search_terms import add_titles, chunk_terms
from pincite_indexer.site.manifest import Manifest, default_folder, other_folders, siblings
from pincite_indexer.site.resolved_site import Site, resolve_site
from pincite_indexer.site.scan import find_html, scan_site
from pincite_indexer.site.sources import read_sources
from pincite_indexer.site.versions.version_lists import ToldVersions, VersionLists, read_version_lists
from pincite_indexer.site.versions.version_pattern import VersionPattern
from pincite_indexer.vectors.embedding import Embedded, embed_texts, truncated_share
from pincite_indexer.vectors.encoder_choice import Choice, choose_encoder
from pincite_indexer.vectors.endpoint import Endpoint, PassageEmbedder, passage_embedder
from pincite_indexer.vectors.vector_cache import VectorCache
from pincite_indexer.words_calibration import words_calibration_facts

__all__ = ("BuildOptions", "OnLostId", "build_index", "without_collecting")

OnLostId = Literal["ignore", "warn", "fail"]


@dataclass(frozen=True, slots=True)
class BuildOptions:
    """Options of one build.

    Attributes:
        site: Folder of the built site.
        out: Index folder; None means `SITE_DIR/pincite`.
        docs: Folder of the Markdown sources.
        previous: Index of the last deploy: a file, a folder or a web address.
        llms: Whether to write the Markdown files for agents.
        search: Whether to write the files for search in the browser.
        browser_answers: Whether to write the files for answering in the browser.
        browser_encoder: Whether to write the files that run the encoder in the browser.
        prompts: Prefixes for texts; each replaces the prefix from the model's own files.
        endpoint: Embedding service that embeds passages instead of this machine.
        versions: Where the folders of versions are.
        token_vectors: Whether to store token vectors for late interaction.
    """

    site: Path
    out: Path | None = None
    docs: Path | None = None
    model: str = DEFAULT_MODEL
    site_url: str | None = None
    keep_noindex: bool = False
    allow_empty: bool = False
    cache: bool = True
    encoder: bool = True
    previous: str | None = None
    on_lost_id: OnLostId = "warn"
    llms: bool = False
    search: bool = True
    browser_encoder: bool = False
    browser_answers: bool = False
    prompts: GivenPrompts = NO_GIVEN
    endpoint: Endpoint | None = None
    token_vectors: bool = True
    versions: VersionPattern | None = None

    @property
    def folder(self) -> Path:
        """The index folder."""
        return self.out or self.site / INDEX_FOLDER


def build_index(options: BuildOptions, manifest: Manifest | None, progress: Progress) -> BuildReport:
    """Index a built site and write the index folder.

    Raises:
        SiteError: The folder holds no built site.
        InputError: The site's URL is invalid, or the pattern of versions matches no folder.
        FrontMatterError: A page's `pincite_questions` is not a valid list of questions.
        DuplicateIdError: Two pages have the same explicit stable ID.
        PrivateSourceError: A source excludes its page from the index, but no page can be matched to this source.
        EmptyIndexError: The site has nothing to index, and `allow_empty` is off.
        ModelError: The embedding model cannot be loaded, the requested browser encoder cannot be made, or the
            endpoint's vectors differ from the model's.
        IndexFileError: The earlier index is missing or cannot be read.
        LostIdError: Stable IDs of the earlier index have no target any more, and `on_lost_id` is "fail".
        OutputError: The index or a file for agents cannot be written.
    """
    with open_previous(options.previous) if options.previous else nullcontext() as previous:
        return _build(options, manifest, previous, progress)


def _build(
    options: BuildOptions, manifest: Manifest | None, previous: Previous | None, progress: Progress
) -> BuildReport:
    report = BuildReport(folder=str(options.folder))
    with report.timed("read"), without_collecting():
        site = _read(options, manifest, progress)
    authored = authored_questions(site.pages)
    with report.timed("cut"), without_collecting():
        rows = assemble(site)
        add_titles(rows)
        links = links_of(site, rows)
        terms = chunk_terms(rows, links.inside)
    if not rows.chunks and not options.allow_empty:
        raise _empty_index(site, options)
    with report.timed("compare"):
        changes = _compare(site, rows, options, previous)
    with report.timed("load model"):
        progress.start("Loading the model", 0)
        choice = _choose(rows, options, manifest, previous)
        if options.browser_encoder:
            require_encoder(choice.encoder, choice.why_none)
    with report.timed("embed"):
        progress.start("Embedding", len(rows.texts))
        with passage_embedder(options.endpoint, choice.embedder, _chunk_texts(rows)) as passages:
            embedded = _embed(rows, passages, options, previous, progress)
        report.endpoint = passages.parity
        report.reads, report.cut = choice.embedder.info.max_tokens, truncated_share(_chunk_texts(rows), choice.embedder)
    content = IndexContent(
        _info(site, rows, changes, embedded, choice.embedder),
        rows.scopes,
        rows.pages,
        rows.targets,
        rows.chunks,
        _finished(rows, links),
        embedded.vectors,
        embedded.hashes,
        terms,
        links.inside,
        site.redirects,
        changes.aliases,
        shown_facts(rows.shown) | ({"encoder": encoder_facts(choice.encoder)} if choice.encoder else {}),
        embedded.tokens,
    )
    content.meta.update(_version_folders(site, rows))
    with report.timed("calibrate"):
        progress.start("Calibrating", 0)
        content.meta.update(calibration_facts(content, choice.embedder, previous))
        if options.browser_answers:
            content.meta.update(words_calibration_facts(content, previous))
    with report.timed("suggest"):
        progress.start("Asking the pages' questions", 0)
        content.meta.update(page_questions(content, choice.embedder, previous, authored))
    with report.timed("write"):
        progress.start("Writing", 0)
        remove_earlier(options.site, options.folder)
        placing = Placing(manifest.build_id if manifest else "", siblings(manifest), default_folder(manifest))
        report.facts = publish(
            content,
            options.folder,
            placing,
            choice.encoder,
            search=options.search,
            browser_encoder=options.browser_encoder,
            answers=options.browser_answers,
        )
        report.why_no_encoder = choice.why_none
    if options.llms:
        with report.timed("markdown"):
            progress.start("Writing Markdown", 0)
            written = write_for_agents(site, options.site, options.folder)
            report.markdown_pages, report.markdown_kept = written.pages, written.kept
    fill_report(report, site, content, rows, embedded, changes)
    report.became_empty = _became_empty(site, rows, previous)
    report.previous = options.previous or ""
    if options.previous and not previous:
        report.previous = f"none yet at {options.previous}"
    return report


@contextmanager
def without_collecting() -> Iterator[None]:
    """Pause Python's garbage collector.

    A site's rows have no reference cycles. The collector would scan a million of them repeatedly, which takes a third
    of the time needed to build them.
    """
    running = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if running:
            gc.enable()


def _read(options: BuildOptions, manifest: Manifest | None, progress: Progress) -> Site:
    files = find_html(options.site)
    if manifest:
        files = _files_of_locale(files, manifest)
    progress.start("Reading pages", len(files))
    sources = read_sources(options.docs) if options.docs else ()
    scan = scan_site(
        options.site,
        files,
        keep_noindex=options.keep_noindex,
        advance=progress.advance,
        with_edit_links=bool(sources),
    )
    lists = VersionLists() if manifest else read_version_lists(options.site, files)
    site = resolve_site(scan, manifest, sources, options.site_url, ToldVersions(options.versions, lists))
    if unmatched := site.unmatched_sources:
        message = (
            f"Some sources in {options.docs} have `pincite: false`, but their pages in {options.site} cannot be "
            f"identified ({len(unmatched)}): {first_names(unmatched)}. Add `draft: true` to a source that is not "
            'published. For others, put <meta name="pincite" content="false"> into the page instead of the key.'
        )
        raise PrivateSourceError(message)
    return site


def _files_of_locale(files: list[str], manifest: Manifest) -> list[str]:
    """Return the manifest's pages and the other files of this locale's folder, which may be redirect stubs."""
    named = {page.html for page in manifest.pages if not page.unlisted and page.kind != "not_found"}
    others = other_folders(manifest)
    known = {page.html for page in manifest.pages}
    return [file for file in files if file in named or (file not in known and not file.startswith(others))]


def _compare(site: Site, rows: Rows, options: BuildOptions, previous: Previous | None) -> IdChanges:
    if previous is None:
        return IdChanges([], [], [])
    changes = changed_ids(previous.index, rows, site.redirects, withheld_places(site))
    if changes.lost and options.on_lost_id == "fail":
        message = (
            f"Stable IDs of {options.previous} lead nowhere any more ({len(changes.lost):,}): "
            f"{first_names(changes.lost)}. Bring their text back, or accept the loss with --on-lost-id warn."
        )
        raise LostIdError(message)
    return changes if options.on_lost_id != "ignore" else IdChanges(changes.aliases, changes.moved, [])


def _became_empty(site: Site, rows: Rows, previous: Previous | None) -> list[str]:
    """Return the URLs of pages without text that had text in the last build."""
    if previous is None:
        return []
    with_text = {chunk.page_id for chunk in rows.chunks}
    lists = {page.url for page in site.pages if page.listing}
    empty = [page.url for page in rows.pages if page.page_id not in with_text and page.url not in lists]
    before = ((url, previous.index.page_at(url)) for url in empty)
    return [url for url, page in before if page and previous.index.chunks_of_page(page.page_id)]


def _choose(rows: Rows, options: BuildOptions, manifest: Manifest | None, previous: Previous | None) -> Choice:
    if not options.encoder:
        return Choice(load_embedder(options.model, options.prompts))
    shared = default_folder(manifest)
    deployed = [options.folder / shared] if shared else []
    if previous:
        deployed.append(previous.index.file.parent)
    cache = cache_folder() if options.cache else None
    return choose_encoder(options.model, _chunk_texts(rows), cache_root=cache, deployed=deployed, given=options.prompts)


def _finished(rows: Rows, links: SiteLinks) -> list[Unit]:
    """Return the units with all that depends on their whole section: links, passages, and text for assistants."""
    linked = with_links(rows.units, rows.chunks, links)
    return with_injections(with_passages(linked, rows.chunks), rows.chunks, rows.targets, rows.pages)


def _version_folders(site: Site, rows: Rows) -> dict[str, object]:
    """Return the URLs of the folders of each version, by the scope's row ID."""
    urls = site.version_urls()
    found = {str(row.scope_id): urls[scope] for row in rows.scopes if (scope := replace(row, scope_id=0)) in urls}
    return {VERSION_FOLDERS: found} if found else {}


def _chunk_texts(rows: Rows) -> list[str]:
    return [rows.texts[chunk.vector_id - 1] for chunk in rows.chunks]


def _embed(
    rows: Rows, passages: PassageEmbedder, options: BuildOptions, previous: Previous | None, progress: Progress
) -> Embedded:
    folder = cache_folder() if options.cache else None
    deployed = previous.texts(passages.embedder.info) if previous else {}
    with_tokens = {chunk.vector_id for chunk in rows.chunks} if options.token_vectors else set()
    with VectorCache(passages.key, folder) as cache:
        advance, at_once = progress.advance, passages.at_once
        return embed_texts(rows.texts, with_tokens, passages.embedder, cache, advance, deployed, at_once)


def _info(site: Site, rows: Rows, changes: IdChanges, embedded: Embedded, embedder: Embedder) -> IndexInfo:
    model = embedder.info
    identity = content_hash(
        [
            str(FORMAT).encode(),
            model.vectors_key.encode(),
            *(repr(row).encode() for row in (*rows.scopes, *rows.pages, *rows.targets, *rows.chunks, *changes.aliases)),
            *embedded.hashes,
        ]
    )
    return IndexInfo(
        format=FORMAT,
        index_id=identity[:16],
        title=site.title,
        site_url=site.urls.site_url,
        base_url=site.urls.base_url,
        default_locale=site.default_locale,
        locales=site.locales,
        model=model.name,
        weights_sha256=model.weights_sha256,
        dimension=model.dimension,
        max_tokens=model.max_tokens,
        generator=next((page.draft.facts.generator for page in site.pages if page.draft.facts.generator), ""),
        encoder=model.encoder,
        prompts=model.prompts,
    )


def _empty_index(site: Site, options: BuildOptions) -> EmptyIndexError:
    noindex = sum(item.reason.startswith("noindex") for item in site.skipped)
    message = f"Nothing in {options.site} could be indexed ({len(site.skipped)} files left out)."
    if noindex:
        return EmptyIndexError(f"{message} {noindex} pages have noindex: pass --noindex include to index them.")
    return EmptyIndexError(f"{message} Check that the folder is the built site, or pass --allow-empty.")
