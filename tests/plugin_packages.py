"""A package with an entry point, as pip would install it, for tests of plugins."""

from pathlib import Path

__all__ = ("install_plugin",)


def install_plugin(folder: Path, group: str, entry: str, source: str) -> None:
    """Write a package of one module `acme_docs`, version 1.2, into a folder that is to be on `sys.path`.

    Args:
        folder: The folder.
        group: The entry point's group.
        entry: The entry point, `name = acme_docs:ATTRIBUTE`.
        source: The module.
    """
    metadata = folder / "acme_docs-1.2.dist-info"
    metadata.mkdir(parents=True)
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: acme-docs\nVersion: 1.2\n", encoding="utf-8")
    (metadata / "entry_points.txt").write_text(f"[{group}]\n{entry}\n", encoding="utf-8")
    (folder / "acme_docs.py").write_text(source, encoding="utf-8")
