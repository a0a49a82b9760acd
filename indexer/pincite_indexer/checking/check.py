"""Check a built site or an index without a model, for `pincite check`.

A site is checked by its pages. An index lists no missing pages, so only its link table is checked.
"""

import re
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from time import perf_counter

from pincite_core.deployed.origin import is_url
from pincite_core.errors import DuplicateIdError, IndexNotFoundError
from pincite_core.index.read import Index
from pincite_core.index.schema import DATABASE_NAME
from pincite_core.types import Redirect
from pincite_core.urls import join_fragment
from pincite_indexer.build import OnLostId
from pincite_indexer.build_progress import Progress
from pincite_indexer.checking.check_report import Changes, CheckReport, Finding, Moved
from pincite_indexer.checking.dead_links import LinkTargets, dead_links, dead_redirects
from pincite_indexer.moves.build_places import BuildPlace, PlaceKey, places_of, rows_of
from pincite_indexer.moves.moved_ids import IdChanges, compare_ids
from pincite_indexer.moves.previous import Previous, open_previous
from pincite_indexer.rows.assemble import NONE_WITHHELD, Rows, Withheld, assemble, page_identity, withheld_places
from pincite_indexer.site.resolved_site import Site, resolve_site
from pincite_indexer.site.scan import find_html, scan_site
from pincite_indexer.site.sources import read_sources
from pincite_indexer.site.stable_ids import assign_prefixes
from pincite_indexer.site.versions.version_lists import ToldVersions, read_version_lists
from pincite_indexer.site.versions.version_pattern import VersionPattern

__all__ = ("CheckOptions", "changes_since", "check")

_UNREAD = "parts whose text is not in the index"
_QUOTED = re.compile(r"'([^']+)'")  # the ID in a message about a duplicate ID


@dataclass(frozen=True, slots=True)
class CheckOptions:
    """Options of a check. `place` is a site's folder, or an index: a file, its folder or a web address."""

    place: str
    docs: Path | None = None
    site_url: str | None = None
    previous: str | None = None
    on_lost_id: OnLostId = "warn"
    versions: VersionPattern | None = None


def check(options: CheckOptions, progress: Progress) -> CheckReport:
    """Check a site or an index.

    Raises:
        InputError: The place is neither a built site nor an index.
        IndexFileError: An index cannot be read.
    """
    start = perf_counter()
    report = CheckReport(options.place)
    with open_previous(options.previous) if options.previous else nullcontext() as previous:
        place = Path(options.place)
        if is_url(options.place) or place.is_file() or (place / DATABASE_NAME).is_file():
            _check_index(report, options, previous)
        else:
            _check_site(report, options, previous, progress)
    if report.changes:
        report.findings += _lost(report.changes, options)
    report.seconds = round(perf_counter() - start, 2)
    return report


def _check_site(report: CheckReport, options: CheckOptions, previous: Previous | None, progress: Progress) -> None:
    folder = Path(options.place)
    files = find_html(folder)
    progress.start("Reading pages", len(files))
    sources = read_sources(options.docs) if options.docs else ()
    scan = scan_site(
        folder, files, keep_noindex=True, advance=progress.advance, with_edit_links=bool(sources), with_unread=True
    )
    told = ToldVersions(options.versions, read_version_lists(folder, files))
    site = resolve_site(scan, None, sources, options.site_url, told)
    targets = LinkTargets(folder, site, scan.pages)
    progress.start("Checking links", 0)
    report.pages = len(site.pages)
    report.links = sum(len(page.draft.links) for page in site.pages)
    unreadable = [item for item in scan.skipped if item.reason.startswith("unreadable")]
    report.findings += [Finding("error", "unreadable_page", item.reason, file=item.file) for item in unreadable]
    report.findings += [*dead_redirects(site, targets), *dead_links(site, targets)]
    report.findings += [*_page_problems(site), *_ids_of_pages(site)]
    if options.docs:
        report.findings = _with_source_lines(report.findings, site, options.docs)
    if previous and not any(finding.code == "duplicate_stable_id" for finding in report.findings):
        progress.start("Comparing", 0)
        # A noindex page would be indexed only if the earlier index contains it.
        pages = [page for page in site.pages if not page.draft.facts.noindex or previous.index.page_at(page.url)]
        rows = assemble(replace(site, pages=pages))
        report.changes = changes_since(previous.index, rows, site.redirects, withheld_places(site))


def _check_index(report: CheckReport, options: CheckOptions, previous: Previous | None) -> None:
    with open_previous(options.place) as opened:
        if opened is None:
            message = f"There is no index at {options.place}. Give the address of the deployed folder."
            raise IndexNotFoundError(message)
        index = opened.index
        counts = index.counts()
        report.pages, report.links = counts["pages"], counts["links"]
        report.findings += _dead_fragments_of(index)
        if previous:
            report.changes = changes_since(previous.index, rows_of(index), index.redirects())


def _page_problems(site: Site) -> Iterator[Finding]:
    for path in site.unmatched_sources:
        message = f"{path} says `pincite: false`, and it is not known which page is made from it"
        yield Finding("error", "private_source", message, file=path)
    for page in site.pages:
        if page.draft.garbled:
            yield Finding("warning", "bad_characters", f"it {page.draft.garbled}", page.url, page.draft.file)
        if page.draft.unread and not page.listing:
            parts = ", ".join(f"{kind} ({number:,})" for kind, number in page.draft.unread)
            yield Finding("info", "unread_parts", f"{_UNREAD}: {parts}", page.url, page.draft.file)
        for name in page.draft.repeated_ids:
            message = f"more than one element has the id {name!r}; links lead to the first"
            yield Finding("warning", "duplicate_id", message, page.url, page.draft.file)


def _ids_of_pages(site: Site) -> Iterator[Finding]:
    """Yield duplicate stable IDs, and pages with a generated ID."""
    try:
        prefixes = assign_prefixes([page_identity(page, site) for page in site.pages])
    except DuplicateIdError as error:
        yield Finding("error", "duplicate_stable_id", str(error))
        return
    for page, prefix in zip(site.pages, prefixes, strict=True):
        if prefix.kind == "auto" and not page.listing:
            message = f"its ID {prefix.text} is generated and changes with its file's name; set `id` or `chapter_id`"
            yield Finding("info", "no_author_id", message, page.url, page.draft.file)


def _dead_fragments_of(index: Index) -> Iterator[Finding]:
    targets = {target.target_id: target for target in index.targets()}
    pages = {page.page_id: page for page in index.pages()}
    for link in index.links_from(targets):
        if link.to_anchor_found:
            continue
        source, goal = targets[link.from_target_id], targets[link.to_target_id]
        page, url = pages[source.page_id], join_fragment(pages[goal.page_id].url, goal.anchor)
        message = f"{url} lacks the fragment that the link names"
        path = source.heading_path
        yield Finding("error", "dead_fragment", message, page.url, page.source, path, "", link.text, url)


def _with_source_lines(findings: Sequence[Finding], site: Site, docs: Path) -> list[Finding]:
    """Return the findings, with the source file and line if the page's source is known.

    The file is `docs` joined with the source's path. The line is the first with the link as written. If there is none,
    it is the first line with the link's fragment, its text, or its heading.
    """
    sources = {page.url: docs / page.source for page in site.pages if page.source}
    found = []
    for finding in findings:
        source = sources.get(finding.page)
        if source is None or not source.is_file():
            found.append(finding)
        else:
            lines = source.read_text(encoding="utf-8", errors="replace").splitlines()
            found.append(replace(finding, source=source.as_posix(), line=_line(finding, lines)))
    return found


def _line(finding: Finding, lines: Sequence[str]) -> int:
    """Return the number of the first line with the most reliable text of a finding, or 1 if no line has any."""
    path, mark, fragment = finding.href.partition("#")
    name = path.rstrip("/").rpartition("/")[2]
    texts = (
        f"({finding.href})" if finding.href else "",
        finding.href,
        f"#{fragment})" if mark else "",
        f"{name}.md" if name else "",
        f"[{finding.text}]" if finding.text else "",
        *_QUOTED.findall(finding.message),
        *finding.heading_path[:0:-1],
    )
    for text in filter(None, texts):
        for number, line in enumerate(lines, 1):
            if text in line:
                return number
    return 1


def _lost(changes: Changes, options: CheckOptions) -> Iterator[Finding]:
    if options.on_lost_id != "ignore":
        for stable_id in changes.lost:
            message = f"{stable_id} of {options.previous} leads nowhere any more"
            yield Finding("error" if options.on_lost_id == "fail" else "warning", "lost_id", message)


def changes_since(
    previous: Index, rows: Rows, redirects: Sequence[Redirect], withheld: Withheld = NONE_WITHHELD
) -> Changes:
    """Return the changes between an earlier index and a build's rows."""
    old, new = places_of(rows_of(previous)), places_of(rows)
    ids = compare_ids(previous, old, new, redirects, withheld)
    before = {place.key: place for place in old}
    moved = set(ids.moved)
    successors = {alias.successor for alias in ids.aliases if alias.stable_id in moved}
    known = {place.stable_id for place in old}
    return Changes(
        sorted({place.stable_id for place in new} - known - successors),
        _changed(new, before),
        _moved(new, before, ids),
        ids.lost,
    )


def _changed(new: Sequence[BuildPlace], before: dict[PlaceKey, BuildPlace]) -> list[str]:
    """Return the IDs whose words changed; a page's ID only if no section of the page changed."""
    changed = [place for place in new if place.key in before and before[place.key].words != place.words]
    pages = {place.page_key for place in changed if place.anchor}
    return sorted({place.stable_id for place in changed if place.anchor or place.key not in pages})


def _moved(new: Sequence[BuildPlace], before: dict[PlaceKey, BuildPlace], ids: IdChanges) -> list[Moved]:
    urls: dict[str, str] = {}
    for place in sorted(new, key=lambda place: not place.leading):
        urls.setdefault(place.stable_id, _url(place))
    renamed = set(ids.moved)
    moved = [
        Moved(place.stable_id, place.stable_id, _url(place))
        for place in new
        if place.key in before and _url(before[place.key]) != _url(place)
    ]
    moved += [
        Moved(alias.stable_id, alias.successor, urls[alias.successor])
        for alias in ids.aliases
        if alias.successor and alias.stable_id in renamed
    ]
    return sorted(moved, key=lambda item: (item.stable_id, item.url))


def _url(place: BuildPlace) -> str:
    return join_fragment(place.page_url, place.anchor)
