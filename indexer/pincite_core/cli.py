"""The command `pincite`. Sub-commands live with what they command and are imported only when called."""

import importlib
import sys

import click

from pincite_core.errors import PinciteError
from pincite_core.version import __version__

__all__ = ("COMMANDS", "main", "root")

COMMANDS = {
    "index": ("pincite_indexer.commands:index", "Index a built site."),
    "check": (
        "pincite_indexer.checking.check_command:check_command",
        "Find dead links, duplicate ids, what moved.",
    ),
    "inspect": ("pincite_indexer.commands:inspect", "Show what an index holds."),
    "ask": ("pincite_server.cli.ask_commands:ask", "Answer a question from an index, with citations."),
    "search": ("pincite_server.cli.ask_commands:search", "Rank an index's sections for a query."),
    "eval": (
        "pincite_server.cli.eval_command:eval_command",
        "Ask a file of questions and say how good the answers are.",
    ),
    "serve": ("pincite_server.cli.serve_command:serve", "Serve an index (and, if asked, its site) over HTTP."),
    "doctor": (
        "pincite_server.cli.doctor_command:doctor",
        "Check a running sidecar, or an index, and say how to mend it.",
    ),
    "report": ("pincite_server.cli.report_command:report", "Show what readers asked that the docs did not answer."),
    "demo": ("pincite_core.demo:demo", "Index any built site and serve it with the chat on its pages."),
    "ground": ("pincite_server.cli.ask_commands:ground", "Check whether answers are grounded in passages."),
}
"""Name -> (where it lives, one line of help); the line is here so that `--help` imports nothing."""

_EXTRAS = {"pincite_core": "index,serve", "pincite_indexer": "index", "pincite_server": "serve"}


class LazyGroup(click.Group):
    """A click group whose commands are imported when they are called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the commands in the order of a day's work."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import and return a command; None for an unknown name."""
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
        """Write the list of commands without importing any."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, text) in COMMANDS.items()])


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="pincite")
def root() -> None:
    """Chat for documentation sites in which every claim cites the exact place it came from."""


def main() -> None:
    """Run the command; every deliberate error becomes one sentence and its exit code."""
    try:
        root()
    except PinciteError as error:
        click.echo(f"pincite: {error}", err=True)
        sys.exit(error.exit_code)
