"""Define the indexer's sub-commands of `pincite`."""

import os
import sys
from dataclasses import asdict, fields
from pathlib import Path
from typing import BinaryIO

import click
import msgspec
from rich.console import Console
from rich.table import Table

from pincite_core.deployed.fetch import local_copy
from pincite_core.embedders import DEFAULT_MODEL, GivenPrompts
from pincite_core.github_run import add_summary, annotation_lines
from pincite_core.index.read import Index
from pincite_core.postgres.address import is_database
from pincite_core.postgres.opening import opened_index
from pincite_indexer.build import BuildOptions, OnLostId, build_index
from pincite_indexer.build_progress import ConsoleProgress
from pincite_indexer.build_report import left_out_lines, report_lines
from pincite_indexer.checking.check import CheckOptions
from pincite_indexer.checking.check import check as run_check
from pincite_indexer.checking.check_report import check_annotations, check_summary, show_report
from pincite_indexer.reference_path import show_path
from pincite_indexer.site.manifest import parse_manifest
from pincite_indexer.site.versions.version_pattern import VersionPattern
from pincite_indexer.vectors.endpoint import Endpoint

__all__ = ("check", "index", "inspect")

_EMBEDDINGS_KEY = "PINCITE_EMBEDDINGS_KEY"  # a secret has no flag, because other users of the machine can see arguments
_DOCS = click.option(
    "--docs", type=click.Path(path_type=Path, exists=True, file_okay=False), help="Folder of Markdown sources."
)
_SITE_URL = click.option("--site-url", help="Public address of the site, if its pages do not declare it.")
_VERSIONS = click.option(
    "--versions",
    metavar="PATTERN",
    help="Path from SITE_DIR to the folder of a version, such as '{version}/' or '{locale}/{version}/'; default: found "
    "by the site's list of versions or by the folders' names.",
)
_PREVIOUS = click.option(
    "--previous", metavar="INDEX", help="Index of the last deploy: a file, a folder or a URL; default: none."
)
_ON_LOST_ID = click.option(
    "--on-lost-id",
    type=click.Choice(["ignore", "warn", "fail"]),
    default="warn",
    show_default=True,
    help="How to report stable IDs of --previous that have no target any more.",
)


@click.command()
@click.argument("site_dir", type=click.Path(path_type=Path))
@click.option("--out", type=click.Path(path_type=Path), help="Folder to write to.  [default: SITE_DIR/pincite]")
@_DOCS
@click.option(
    "--manifest",
    type=click.File("rb"),
    help="JSON of the site generator's plugin; - reads standard input; default: none.",
)
@click.option("--model", default=DEFAULT_MODEL, show_default=True, help="Embedding model: a hub name or a folder.")
@click.option("--query-prompt", metavar="TEXT", help="Prefix of questions, if the model's files define none.")
@click.option("--passage-prompt", metavar="TEXT", help="Prefix of passages, if the model's files define none.")
@click.option(
    "--embeddings-url",
    envvar="PINCITE_EMBEDDINGS_URL",
    show_envvar=True,
    metavar="URL",
    help="Endpoint with OpenAI's API (http://gpu:8080/v1) that embeds the site's texts; default: none. Its key is in "
    f"{_EMBEDDINGS_KEY}.",
)
@click.option(
    "--embeddings-model",
    envvar="PINCITE_EMBEDDINGS_MODEL",
    show_envvar=True,
    metavar="NAME",
    help="The endpoint's name for the model, if it differs from --model.",
)
@click.option("--no-token-vectors", is_flag=True, help="Store no vectors of single words.")
@_SITE_URL
@_VERSIONS
@click.option(
    "--noindex",
    type=click.Choice(["exclude", "include"]),
    default="exclude",
    show_default=True,
    help="Whether pages are indexed whose authors keep them out of search engines.",
)
@click.option("--allow-empty", is_flag=True, help="Write an index even if the site has no pages to index.")
@_PREVIOUS
@_ON_LOST_ID
@click.option("--llms", is_flag=True, help="Write llms.txt, llms-full.txt and each page as Markdown into SITE_DIR.")
@click.option("--no-search", is_flag=True, help="Do not write the files for search in the browser.")
@click.option("--browser-encoder", is_flag=True, help="Write the files with which browsers embed questions.")
@click.option("--browser-answers", is_flag=True, help="Write files for answering in the browser, without a sidecar.")
@click.option("--no-cache", is_flag=True, help="Do not use the vectors in the user's cache folder.")
@click.option("--no-encoder", is_flag=True, help="Do not deploy an encoder; the sidecar then needs the model.")
@click.option("--json", "as_json", is_flag=True, help="Print the index's facts and the report as one JSON object.")
@click.option("--verbose", is_flag=True, help="List the pages that are left out, by reason.")
def index(
    site_dir: Path,
    out: Path | None,
    docs: Path | None,
    manifest: BinaryIO | None,
    model: str,
    query_prompt: str | None,
    passage_prompt: str | None,
    embeddings_url: str | None,
    embeddings_model: str | None,
    no_token_vectors: bool,
    site_url: str | None,
    versions: str | None,
    noindex: str,
    allow_empty: bool,
    previous: str | None,
    on_lost_id: OnLostId,
    llms: bool,
    no_search: bool,
    browser_encoder: bool,
    browser_answers: bool,
    no_cache: bool,
    no_encoder: bool,
    as_json: bool,
    verbose: bool,
) -> None:
    """Index the built site in SITE_DIR, for search and answers.

    SITE_DIR is the folder that the site's build wrote. The index is written to its folder `pincite`, which is deployed
    with the site.
    """
    if browser_answers and no_search:
        message = "--browser-answers needs the files of the search: leave out --no-search."
        raise click.UsageError(message)
    if versions and manifest:
        message = "--versions cannot be used with --manifest, which names the version of each page: leave out one."
        raise click.UsageError(message)
    key = os.environ.get(_EMBEDDINGS_KEY, "").strip()
    endpoint = Endpoint(embeddings_url, embeddings_model or "", key) if embeddings_url else None
    options = BuildOptions(
        site_dir,
        out,
        docs,
        model,
        site_url,
        keep_noindex=noindex == "include",
        allow_empty=allow_empty,
        cache=not no_cache,
        encoder=not no_encoder,
        previous=previous,
        on_lost_id=on_lost_id,
        llms=llms,
        search=not no_search,
        browser_encoder=browser_encoder,
        browser_answers=browser_answers,
        prompts=GivenPrompts(query_prompt, passage_prompt),
        endpoint=endpoint,
        token_vectors=not no_token_vectors,
        versions=VersionPattern.parse(versions) if versions else None,
    )
    with ConsoleProgress(Console(stderr=True)) as progress:
        report = build_index(options, parse_manifest(manifest.read()) if manifest else None, progress)
    if as_json:
        facts = msgspec.to_builtins(report.facts)
        report_fields = {field.name: getattr(report, field.name) for field in fields(report) if field.name != "facts"}
        click.echo(msgspec.json.encode({**facts, "report": report_fields}))
    else:
        _print(report_lines(report), "Pincite index")
        if verbose:
            _print(left_out_lines(report), "Pages left out")


@click.command()
@click.argument("place", metavar="SITE_DIR|INDEX")
@_DOCS
@_SITE_URL
@_VERSIONS
@_PREVIOUS
@_ON_LOST_ID
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.option("--github", "on_github", is_flag=True, help="Write annotations and the summary of a GitHub Actions run.")
def check(
    place: str,
    docs: Path | None,
    site_url: str | None,
    versions: str | None,
    previous: str | None,
    on_lost_id: OnLostId,
    as_json: bool,
    on_github: bool,
) -> None:
    """Find dead links, dead fragments and duplicate ids in a built site, and changes since the last deploy.

    The command needs no model. The exit code is 1 if there are errors, and 0 if there are only warnings.
    """
    with ConsoleProgress(Console(stderr=True)) as progress:
        pattern = VersionPattern.parse(versions) if versions else None
        report = run_check(CheckOptions(place, docs, site_url, previous, on_lost_id, pattern), progress)
    if on_github:
        add_summary(check_summary(report))
        click.echo("\n".join(annotation_lines(check_annotations(report))))
    elif as_json:
        counts = {"errors": report.count("error"), "warnings": report.count("warning")}
        click.echo(msgspec.json.encode({**asdict(report), **counts}))
    else:
        show_report(report, Console(file=sys.stdout))
    if report.count("error"):
        sys.exit(1)


@click.command()
@click.argument("index")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object, or one for each step of --path.")
@click.option(
    "--path",
    "ends",
    nargs=2,
    metavar="FROM TO",
    help="Show the shortest path between two places by links and headings; each is a stable ID or a URL of the site.",
)
@click.pass_context
def inspect(ctx: click.Context, index: str, as_json: bool, ends: tuple[str, str] | None) -> None:
    """Show the contents of the index at INDEX (a file, a folder, a URL or a database)."""
    if is_database(index):
        opened = ctx.with_resource(opened_index(index))
    else:
        opened = Index.open(ctx.with_resource(local_copy(index)))
    if ends:
        show_path(opened, *ends, as_json=as_json)
        return
    facts = {**msgspec.to_builtins(opened.info), "counts": opened.counts(), "file": opened.name}
    if as_json:
        click.echo(msgspec.json.encode(facts))
        return
    rows = [(key, str(value)) for key, value in facts.items() if key != "counts"]
    rows += [(name, f"{count:,}") for name, count in opened.counts().items()]
    _print(rows, "Index")


def _print(rows: list[tuple[str, str]], title: str) -> None:
    table = Table(show_header=False, box=None, title=title, title_justify="left", pad_edge=False)
    table.add_column(style="bold")
    table.add_column(overflow="fold")
    for name, text in rows:
        table.add_row(name, text)
    Console(file=sys.stdout).print(table)
