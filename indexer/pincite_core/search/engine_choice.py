"""Selects the search engine of an index: the default of its storage, or a plugin."""

import os
from collections.abc import Callable

from pincite_core.errors import PinciteError, PluginError
from pincite_core.index.sql import Sql
from pincite_core.plugins import load_plugins
from pincite_core.search.engine import SearchEngine

__all__ = ("ENGINE_VARIABLE", "GROUP", "make_engine")

ENGINE_VARIABLE = "PINCITE_ENGINE"
GROUP = "pincite.engines"


def make_engine(default: Callable[[Sql, int], SearchEngine], sql: Sql, dimension: int) -> SearchEngine:
    """Create the search engine of an index: the plugin that `PINCITE_ENGINE` names, or the default.

    Args:
        default: Factory of the storage's default engine.
        sql: The connection to the index.
        dimension: The number of components of a vector.

    Raises:
        PluginError: No installed package registers the engine, or the engine cannot be loaded or created.
    """
    name = os.environ.get(ENGINE_VARIABLE, "").strip()
    if not name:
        return default(sql, dimension)
    for plugin, factory in load_plugins(GROUP, name):
        try:
            engine: SearchEngine = factory(sql, dimension)
        except PinciteError:
            raise
        except Exception as error:
            message = f"{plugin} cannot make an engine: {type(error).__name__}: {error}."
            raise PluginError(message) from error
        return engine
    message = (
        f"{ENGINE_VARIABLE} names {name!r}, which no installed package registers. Install one that does, or unset it."
    )
    raise PluginError(message)
