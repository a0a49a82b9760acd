"""Opens a single index for a command, and chooses the index source of a site."""

from collections.abc import Collection, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from pincite_core.deployed.fetch import local_copy
from pincite_core.embedders import GivenPrompts, load_embedder
from pincite_core.postgres.address import is_database
from pincite_core.postgres.opening import open_catalog
from pincite_server.answerer import Answerer
from pincite_server.indexes.database_source import DatabaseSource
from pincite_server.indexes.shared_models import LoadedModels
from pincite_server.indexes.source import IndexSource
from pincite_server.policy import Policy

__all__ = ("opened_answerer", "source_of")


@contextmanager
def opened_answerer(place: str, model: str | None, policy: Policy) -> Iterator[Answerer]:
    """Yield an answerer for the index at `place`.

    Args:
        place: A file, a folder, a URL, or a site in a database.
        model: A model's name or folder that replaces the index's own model; None for the index's own.
        policy: The operator's policy for answers.

    Raises:
        IndexFileError: There is no index, or it cannot be read.
        ModelError: The model cannot be loaded, or is not the model of the index.
    """
    if not is_database(place):
        with local_copy(place) as file:
            yield Answerer.open(file, model, policy)
        return
    with closing(open_catalog(place)) as catalog:
        pushed = catalog.indexes(catalog.builds()[0])[0]
        index = catalog.open(pushed)
        prompts = GivenPrompts(index.info.prompts.query, index.info.prompts.passage)
        embedder = load_embedder(model, prompts) if model else catalog.load_embedder(index, pushed)
        yield Answerer.with_embedder(index, embedder, policy, pushed.facts)


def source_of(
    place: Path | str,
    policy: Policy,
    cache: Path | None = None,
    redirect_hosts: Collection[str] | None = None,
    loaded: LoadedModels | None = None,
) -> IndexSource | DatabaseSource:
    """Return the index source of a site; the arguments are those of `IndexSource`.

    Raises:
        InputError: `place` is an invalid address.
    """
    if isinstance(place, str) and is_database(place):
        return DatabaseSource(place, policy, loaded)
    return IndexSource(place, policy, cache, redirect_hosts, loaded)
