"""Which sites a bench measures: those of a folder, or the project's own example."""

from pathlib import Path

__all__ = ("EXAMPLE", "sites_of")

EXAMPLE = Path(__file__).parents[1] / "examples" / "site" / "build"


def sites_of(data: Path | None) -> dict[str, Path]:
    """Return built sites by name: the folders SITE/build of `data`, the example site (`make site`) without it."""
    if data is None:
        return {"example": EXAMPLE}
    return {folder.parent.name: folder for folder in sorted(data.glob("*/build"))}
