"""`pincite demo`: `pincite index` and `pincite serve --widget` in one go, for anybody's built site."""

from pathlib import Path

import click

from pincite_core.index.schema import INDEX_FOLDER

__all__ = ("demo",)


@click.command()
@click.argument("site_dir", type=click.Path(path_type=Path))
@click.option("--port", default=8000, show_default=True, help="Port to listen on.")
@click.option("--model", help="Embedding model: a hub name or a folder.")
@click.pass_context
def demo(ctx: click.Context, site_dir: Path, port: int, model: str | None) -> None:
    """Index the built site in SITE_DIR and serve it with the chat on its pages.

    The index goes to SITE_DIR/pincite; no other file of the site is touched.
    """
    root = ctx.find_root().command
    chosen = ["--model", model] if model else []
    _run(root, ["index", str(site_dir), *chosen])
    _run(root, ["serve", str(site_dir / INDEX_FOLDER), "--site", str(site_dir), "--widget", "--port", str(port)])


def _run(root: click.Command, arguments: list[str]) -> None:
    root.main(arguments, standalone_mode=False)
