"""Collect all generators: the built-in ones and those that plugins register."""

from collections.abc import Callable, Iterable

from pincite_core.errors import PluginError
from pincite_core.plugins import load_plugins
from pincite_indexer.generators.docusaurus import DOCUSAURUS
from pincite_indexer.generators.generator import Generator, PageMarkup
from pincite_indexer.generators.mkdocs import MKDOCS
from pincite_indexer.generators.plain import PLAIN
from pincite_indexer.generators.sphinx import SPHINX
from pincite_indexer.generators.typedoc import TYPEDOC
from pincite_indexer.generators.vitepress import VITEPRESS

__all__ = ("GENERATORS", "GROUP", "every", "generator_named", "load_generators", "name_of_generator")

GROUP = "pincite.generators"
"""Name of the entry point group."""


def load_generators() -> tuple[Generator, ...]:
    """Return the generators of installed plugins.

    Raises:
        PluginError: A plugin cannot be imported, or is not a `Generator`.
    """
    loaded: list[Generator] = []
    for plugin, generator in load_plugins(GROUP):
        if not isinstance(generator, Generator):
            message = f"{plugin} is no pincite_indexer.generators.generator.Generator. Update or uninstall it."
            raise PluginError(message)
        loaded.append(generator)
    return tuple(loaded)


GENERATORS = (*load_generators(), DOCUSAURUS, TYPEDOC, VITEPRESS, MKDOCS, PLAIN, SPHINX)
"""All generators, in the order of the content search; plugins come first, as `PLAIN` matches nearly every page."""


def every(names: Callable[[Generator], Iterable[str]]) -> frozenset[str]:
    """Return the union of all generators' values of an attribute, such as classes."""
    return frozenset(name for generator in GENERATORS for name in names(generator))


def name_of_generator(page: PageMarkup) -> str:
    """Return the name of a page's generator; empty if the page does not show it."""
    sources = [script.get("src") or "" for script in page.scripts]
    for generator in GENERATORS:
        if generator.script and any(generator.script in source for source in sources):
            return generator.name
    return page.metas.get("generator", "")


def generator_named(name: str) -> Generator:
    """Return the generator with a name; `PLAIN` if the name is unknown."""
    known = (generator for generator in GENERATORS if generator.name and name.startswith(generator.name))
    return next(known, PLAIN)
