"""Define the command `pincite`. Each sub-command is imported from its own package when it is called."""

import importlib
import sys
from pathlib import Path

import click

from pincite_core.errors import PinciteError
from pincite_core.index.schema import INDEX_FOLDER
from pincite_core.version import __version__

__all__ = ("COMMANDS", "demo", "main", "root")

COMMANDS = {
    "index": ("pincite_indexer.command_line:index", "Index a built site."),
    "check": ("pincite_indexer.command_line:check", "Find dead links, duplicate ids and moved sections."),
    "inspect": ("pincite_indexer.command_line:inspect", "Show the contents of an index."),
    "ask": ("pincite_server.cli.ask_commands:ask", "Answer a question from an index, with citations."),
    "search": ("pincite_server.cli.ask_commands:search", "Rank an index's sections for a query."),
    "eval": (
        "pincite_server.cli.eval_command:eval_command",
        "Ask the questions of a file and report the quality of the answers.",
    ),
    "serve": ("pincite_server.cli.serve_command:serve", "Serve an index, and optionally its site, over HTTP."),
    "push": ("pincite_core.postgres.push_command:push_command", "Load an index into PostgreSQL."),
    "doctor": (
        "pincite_server.cli.doctor_command:doctor",
        "Check a running sidecar or an index, and suggest fixes.",
    ),
    "report": ("pincite_server.cli.report_command:report", "Show readers' questions that the docs did not answer."),
    "demo": ("pincite_core.cli:demo", "Index any built site and serve it with the chat on its pages."),
    "ground": ("pincite_server.cli.ask_commands:ground", "Check whether answers are grounded in passages."),
}
"""Maps each command to its import path and its line of help. The help is here so that `--help` imports no package."""

_EXTRAS = {"pincite_core": "index,serve", "pincite_indexer": "index", "pincite_server": "serve"}


class LazyGroup(click.Group):
    """Click group that imports a command when the command is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the command names in the order of typical use."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import and return a command, or return None if the name is unknown."""
        if cmd_name not in COMMANDS:
            return None
        module_name, _, attribute = COMMANDS[cmd_name][0].partition(":")
        try:
            command = getattr(importlib.import_module(module_name), attribute)
        except ModuleNotFoundError as error:
            extra = _EXTRAS[module_name.split(".")[0]]
            message = f"`pincite {cmd_name}` needs {error.name}: pip install 'pincite[{extra}]'."
            raise click.ClickException(message) from error
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, text) in COMMANDS.items()])


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="pincite")
def root() -> None:
    """Chat for documentation sites in which every claim cites the exact place it came from."""


def main() -> None:
    """Run the command line. A `PinciteError` is printed as one message and sets the exit code."""
    try:
        root()
    except PinciteError as error:
        click.echo(f"pincite: {error}", err=True)
        sys.exit(error.exit_code)


@click.command()
@click.argument("site_dir", type=click.Path(path_type=Path))
@click.option("--port", default=8000, show_default=True, help="Port to listen on.")
@click.option("--model", help="Embedding model, a hub name or a folder; default: that of `pincite index`.")
@click.pass_context
def demo(ctx: click.Context, site_dir: Path, port: int, model: str | None) -> None:
    """Index the built site in SITE_DIR and serve it with the chat on its pages.

    The index is written to SITE_DIR/pincite. No other file of the site is changed.
    """
    root = ctx.find_root().command
    chosen = ["--model", model] if model else []
    _run(root, ["index", str(site_dir), *chosen])
    _run(root, ["serve", str(site_dir / INDEX_FOLDER), "--site", str(site_dir), "--widget", "--port", str(port)])


def _run(root: click.Command, arguments: list[str]) -> None:
    root.main(arguments, standalone_mode=False)
