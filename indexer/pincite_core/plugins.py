"""Load plugins, which are objects that other packages register as entry points.

Built-in generators and engines are not entry points, so that Pincite also runs from a source tree.
"""

from collections.abc import Iterator
from importlib.metadata import entry_points
from typing import Any

from pincite_core.errors import PluginError

__all__ = ("load_plugins",)


def load_plugins(group: str, name: str | None = None) -> Iterator[tuple[str, Any]]:
    """Yield (description, object) for each plugin of an entry point group, sorted by name.

    The description names the plugin in messages. With `name`, only the entry point of this name is loaded.

    Raises:
        PluginError: A plugin cannot be imported.
    """
    for point in sorted(entry_points(group=group), key=lambda point: (point.name, point.value)):
        if name in {None, point.name}:
            package = f" of the package {point.dist.name} {point.dist.version}" if point.dist else ""
            named = f"The plugin {point.name!r} ({group} = {point.value}){package}"
            try:
                loaded = point.load()
            except Exception as error:  # the import of a plugin can raise anything
                message = f"{named} cannot be loaded: {type(error).__name__}: {error}. Update or uninstall it."
                raise PluginError(message) from error
            yield named, loaded
