"""Define the command `pincite push`, which loads an index into PostgreSQL."""

import click

from pincite_core.deployed.fetch import local_copy
from pincite_core.postgres.address import DatabaseAddress
from pincite_core.postgres.opening import needs_postgresql

__all__ = ("push_command",)


@click.command("push")
@click.argument("place", metavar="INDEX")
@click.argument("database", metavar="DATABASE")
@click.option(
    "--site", default="", metavar="NAME", help="Name of the site; default: from DATABASE, else the index's title."
)
@click.pass_context
def push_command(ctx: click.Context, place: str, database: str, site: str) -> None:
    """Load INDEX (a file, a folder or a URL) into DATABASE, where it replaces the site's earlier build.

    DATABASE is postgresql://USER@HOST/DATABASE or postgresql://USER@HOST/DATABASE/SITE. The indexes of the site's other
    languages and the encoder are loaded too, so that the sidecar needs only the database.
    """
    with needs_postgresql():
        from pincite_core.postgres.push import push
    address = DatabaseAddress.parse(database)
    pushed = push(ctx.with_resource(local_copy(place)), address, site)
    place_shown = f"{address.shown}/{pushed.site}"
    if not pushed.is_new:
        click.echo(f"{place_shown} has this build already.")
        return
    counts = ", ".join(f"{pushed.counts[name]:,} {name}" for name in ("pages", "chunks", "units"))
    click.echo(f"{place_shown} is answered from this build now: {counts}.")
