"""The one index that a command asks, wherever it is, and where the indexes of a site come from."""

from collections.abc import Collection, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from pincite_core.deployed.copy import local_copy
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
    """Yield what answers from the index at `place`: a file, a folder, a URL or a site in a database.

    Args:
        place: Where it is.
        model: A model's name or folder, where it is not to be the one that the index names.
        policy: What the operator decided about answers.

    Raises:
        IndexFileError: There is no index, or it cannot be read.
        ModelError: The model cannot be loaded or is not the one that made it.
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
    """Return where the indexes of a site come from; the arguments are those of `IndexSource`.

    Raises:
        InputError: `place` is an address that cannot be read.
    """
    if isinstance(place, str) and is_database(place):
        return DatabaseSource(place, policy, loaded)
    return IndexSource(place, policy, cache, redirect_hosts, loaded)
