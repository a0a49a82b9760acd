"""Collect the facts of a build, to show them at its end or to write them as JSON."""

from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from time import perf_counter

from pincite_core.deployed.build_facts import BuildFacts, Parity
from pincite_core.index.write import IndexContent
from pincite_core.search.language_profile import LANGUAGES_KEY, LanguageProfile, parse_profiles
from pincite_core.types import Scope
from pincite_indexer.moves.moved_ids import IdChanges
from pincite_indexer.pages.page_draft import has_text
from pincite_indexer.rows.assemble import Rows
from pincite_indexer.site.resolved_site import Site
from pincite_indexer.vectors.embedding import Embedded

__all__ = ("BuildReport", "fill_report", "first_names", "left_out_lines", "report_lines")

_SHOWN = 5  # names of a kind shown before "and N more"
_MEGABYTE = 1_000_000
_WELL_COVERED = 0.5  # dense weight, where English has 1
_CUT_OFTEN = 0.1  # share of cut sections; every site has a few long sections


@dataclass(slots=True)
class BuildReport:
    """Facts of a build: counts, seconds by phase, and warnings for the maintainer."""

    facts: BuildFacts = field(default_factory=BuildFacts)
    folder: str = ""
    pages_by_kind: dict[str, int] = field(default_factory=dict)
    pages_by_scope: dict[str, int] = field(default_factory=dict)
    versions: list[str] = field(default_factory=list)
    versions_by: str = ""
    version_warnings: list[str] = field(default_factory=list)
    targets: int = 0
    chunks: int = 0
    units: int = 0
    links: int = 0
    dead_fragments: int = 0
    redirects: int = 0
    ids: dict[str, int] = field(default_factory=dict)
    vectors_reused: int = 0
    vectors_embedded: int = 0
    endpoint: Parity | None = None
    why_no_encoder: str = ""
    reads: int = 0
    cut: float = 0.0
    repeated_blocks: int = 0
    left_out: dict[str, int] = field(default_factory=dict)
    left_out_files: dict[str, list[str]] = field(default_factory=dict)
    without_text: list[str] = field(default_factory=list)
    became_empty: list[str] = field(default_factory=list)
    unreadable: list[str] = field(default_factory=list)
    private_in_doubt: list[str] = field(default_factory=list)
    collided_pages: list[str] = field(default_factory=list)
    previous: str = ""
    aliases: int = 0
    moved: list[str] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)
    languages: dict[str, LanguageProfile] = field(default_factory=dict)
    pages_without_language: int = 0
    counted_as: str = ""
    language_by_text: bool = False
    markdown_pages: int = 0
    markdown_kept: tuple[str, ...] = ()
    seconds: dict[str, float] = field(default_factory=dict)

    @contextmanager
    def timed(self, phase: str) -> Iterator[None]:
        """Measure the seconds of a phase."""
        start = perf_counter()
        yield
        self.seconds[phase] = round(perf_counter() - start, 3)


def first_names(names: list[str], between: str = ", ") -> str:
    """Return the first few names and the number of the others."""
    more = f" and {len(names) - _SHOWN:,} more" if len(names) > _SHOWN else ""
    return between.join(names[:_SHOWN]) + more


def fill_report(
    report: BuildReport, site: Site, content: IndexContent, rows: Rows, embedded: Embedded, changes: IdChanges
) -> None:
    """Fill the report with counts of pages, targets, chunks, units, links and IDs."""
    scopes = {scope.scope_id: scope for scope in content.scopes}
    report.pages_by_kind = dict(Counter("list" if page.listing else page.source_type for page in site.pages))
    report.pages_by_scope = dict(Counter(_scope_name(scopes[page.scope_id]) for page in content.pages))
    report.versions, report.versions_by = site.folders.described(), site.folders.how
    report.version_warnings = list(site.folders.warnings)
    report.targets, report.chunks = len(content.targets), len(content.chunks)
    report.units, report.links = len(content.units), len(content.links)
    report.dead_fragments = sum(not link.to_anchor_found for link in content.links)
    report.redirects = len(content.redirects)
    report.ids = dict(Counter(target.id_kind for target in content.targets))
    report.vectors_reused, report.vectors_embedded = embedded.reused, embedded.embedded
    report.repeated_blocks, report.collided_pages = rows.repeated_blocks, rows.collided_pages
    report.languages = dict(parse_profiles(content.meta.get(LANGUAGES_KEY)))
    report.pages_without_language, report.counted_as = site.pages_without_language, site.default_locale
    report.language_by_text = bool(site.detected_language)
    report.left_out = dict(Counter(item.reason for item in site.skipped))
    report.left_out_files = _left_out_files(site)
    report.without_text = [page.draft.file for page in site.pages if not page.listing and not has_text(page.draft)]
    report.private_in_doubt = site.uncertain_matches
    report.moved, report.lost = changes.moved, changes.lost
    report.aliases = sum(alias.successor is not None for alias in changes.aliases)
    report.unreadable = [item.file for item in site.skipped if item.reason.startswith("unreadable")]


def report_lines(report: BuildReport) -> list[tuple[str, str]]:
    """Return the report as (name, text) rows for people; rows without text are left out."""
    endpoint, prompts, dead = report.endpoint, report.facts.prompts, report.dead_fragments
    limit = f"only words find the text after the model's limit of {report.reads} tokens"
    rows = [
        ("Pages", f"{sum(report.pages_by_kind.values()):,}  ({_counts(report.pages_by_kind)})"),
        ("", _counts(report.pages_by_scope)),
        ("Versions", report.versions and f"{first_names(report.versions)}  (found by {report.versions_by})"),
        ("", " ".join(report.version_warnings)),
        ("Targets", f"{report.targets:,}  ({_counts(report.ids)} IDs)"),
        ("Chunks", f"{report.chunks:,}, {report.units:,} units"),
        ("Links", f"{report.links:,}" + (f", {dead:,} to a missing anchor" if dead else "")),
        ("Redirects", f"{report.redirects:,}" if report.redirects else ""),
        ("Vectors", f"{report.vectors_embedded:,} embedded, {report.vectors_reused:,} reused"),
        ("Endpoint", endpoint and f"cosine to the encoder {endpoint.mean:.3f} mean, {endpoint.min:.3f} least"),
        ("Encoder", _encoder(report)),
        ("Prompts", prompts and f'before questions "{prompts.query}", before passages "{prompts.passage}"'),
        ("Cut", f"{limit}, {report.cut:.0%} of the sections have more" if report.cut >= _CUT_OFTEN else ""),
        ("Languages", "; ".join(filter(None, (_undeclared(report), *map(_language, report.languages.items()))))),
        ("Left out", _counts(report.left_out)),
        ("Without text", _pages(report.without_text)),
        ("Became empty", report.became_empty and f"had text in the last build: {first_names(report.became_empty)}"),
        ("In doubt", report.private_in_doubt and f"left out as private: {first_names(report.private_in_doubt, '; ')}"),
        ("Repeated text", f"{report.repeated_blocks:,} blocks left out" if report.repeated_blocks else ""),
        ("Unreadable", first_names(report.unreadable)),
        ("Same ID", first_names(report.collided_pages) and f"{first_names(report.collided_pages)}: longer IDs made"),
        ("Previous", report.previous),
        ("Moved IDs", f"{first_names(report.moved)}  ({report.aliases:,} aliases kept)" if report.aliases else ""),
        ("Lost IDs", f"{len(report.lost):,}: {first_names(report.lost)}" if report.lost else ""),
        ("Markdown", _markdown(report)),
        ("Seconds", ", ".join(f"{phase} {seconds:.1f}" for phase, seconds in report.seconds.items())),
        ("Written", f"{report.folder}  ({(report.facts.size or 0) / _MEGABYTE:.1f} MB)"),
    ]
    return [(name, text) for name, text in rows if text]


def left_out_lines(report: BuildReport) -> list[tuple[str, str]]:
    """Return a (reason, file) row for each page that is left out, with the reason in its first row only."""
    rows = []
    for reason, files in sorted(report.left_out_files.items()):
        rows += [(reason if place == 0 else "", file) for place, file in enumerate(files)]
    return rows


def _left_out_files(site: Site) -> dict[str, list[str]]:
    """Return the files that are left out, by reason; lists of other pages are indexed by their titles alone."""
    found: dict[str, list[str]] = defaultdict(list)
    for item in site.skipped:
        found[item.reason].append(f"{item.file} (see {item.detail})" if item.detail else item.file)
    for page in site.pages:
        if page.listing:
            found["list of other pages"].append(page.draft.file)
    return dict(found)


def _pages(files: list[str]) -> str:
    return f"{len(files):,}: {first_names(files)}" if files else ""


def _markdown(report: BuildReport) -> str:
    if not report.markdown_pages:
        return ""
    kept = f"; left as they were: {first_names(list(report.markdown_kept))}" if report.markdown_kept else ""
    return f"{report.markdown_pages:,} pages, llms.txt, llms-full.txt{kept}"


def _encoder(report: BuildReport) -> str:
    entry = report.facts.encoder
    if entry is None or entry.parity is None:
        return report.why_no_encoder and f"none: {report.why_no_encoder} The sidecar loads the model by its name."
    return f"{entry.file}, cosine to the model {entry.parity.mean:.3f} mean, {entry.parity.min:.3f} least"


def _undeclared(report: BuildReport) -> str:
    if not report.pages_without_language:
        return ""
    how = "the language of their text" if report.language_by_text else "the language of the site, or English in doubt"
    pages = f"{report.pages_without_language:,} pages without a `lang` count as {report.counted_as}"
    return f"{pages}, {how}: declare it in <html lang>"


def _language(item: tuple[str, LanguageProfile]) -> str:
    """Return a warning about a language that the model represents badly; empty for other languages."""
    locale, profile = item
    if profile.vectors >= _WELL_COVERED:
        return ""
    unknown = f"{profile.unknown:.0%} of the text is unknown to the model, and " if profile.unknown else ""
    return (
        f"{locale}: {unknown}vectors have a weight of {profile.vectors:.0%}; search relies on words. "
        "A multilingual model gives better results: --model NAME"
    )


def _scope_name(scope: Scope) -> str:
    return " ".join(part for part in (scope.locale, scope.plugin, scope.version) if part)


def _counts(counts: dict[str, int]) -> str:
    return ", ".join(f"{count:,} {name}" for name, count in sorted(counts.items(), key=lambda item: -item[1]))
