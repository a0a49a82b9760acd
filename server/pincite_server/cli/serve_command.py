"""The command `pincite serve`: reads settings, opens the indexes and runs uvicorn."""

import ctypes
import logging
import os
import signal
import socket
import sys
import weakref
from collections.abc import Callable, Mapping
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any, TypeVar, get_args

import click
import uvicorn

from pincite_core.deployed.origin import shown
from pincite_core.embedders import Embedder
from pincite_core.errors import InputError, PinciteError
from pincite_core.index.schema import INDEX_FOLDER
from pincite_core.user_cache import cache_folder
from pincite_server.federation.choose_site import parse_groups, parse_rate_limits, parse_sites
from pincite_server.http.app import create_app, create_federated_app
from pincite_server.http.transport.addresses import TrustedProxies
from pincite_server.http.transport.connections import listen, url_of
from pincite_server.http.transport.protocol import ConnectionLimits, bounded_protocol, most_connections
from pincite_server.indexes.database_source import DatabaseSource
from pincite_server.indexes.live_indexes import LiveIndexes
from pincite_server.indexes.opened import source_of
from pincite_server.indexes.registry import IndexSet
from pincite_server.indexes.source import IndexSource
from pincite_server.llm.llm_settings import LlmSettings
from pincite_server.observe.logs import LogFormat, write_logs
from pincite_server.observe.metrics import metrics_port
from pincite_server.policy import Policy
from pincite_server.settings import Settings, environment_name, secrets_from_environment

__all__ = ("serve",)

FC = TypeVar("FC", bound=Callable[..., Any] | click.Command)  # the name that click uses
Source = IndexSource | DatabaseSource

_DEFAULTS = Settings(reader_secret=b"unused")
_GRACE_SECONDS = 20  # longer than nearly all streams, and shorter than service managers wait before they kill a process
_M_ARENA_MAX = -8  # M_ARENA_MAX of mallopt(3)
_SWITCH_SECONDS = 0.0005  # Python's default is 0.005, which the event loop may wait at each step while threads answer
_PORT = click.IntRange(0, 65535)
_FILE = click.Path(dir_okay=False, path_type=Path)

logger = logging.getLogger("pincite")


class _AnnouncingServer(uvicorn.Server):
    """uvicorn server that prints its URL once it accepts connections."""

    def __init__(self, config: uvicorn.Config, url: str) -> None:
        super().__init__(config)
        self._url = url

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        click.echo(f"Pincite is ready at {self._url}")


def _setting(flag: str, text: str, *, field: str = "", **how: Any) -> Callable[[FC], FC]:
    """Return the click option of a setting. `field` is the setting's name if it is the plural of the flag's name."""
    multiple = {"multiple": True} if field else {}
    field = field or flag.removeprefix("--").replace("-", "_")
    default = getattr(_DEFAULTS, field)
    shown = "none" if default in (None, ()) else True
    given = {"envvar": environment_name(field), "default": default, "show_default": shown, **multiple, **how}
    return click.option(flag, field, show_envvar=True, help=text, **given)


@click.command()
@click.argument("index", required=False, envvar=environment_name("index"))
@_setting("--site", "Built site to serve on the same origin.", type=click.Path(path_type=Path), metavar="DIR")
@_setting(
    "--site-index",
    "Site to serve at /sites/NAME/, instead of INDEX; repeat the option for each of several sites.",
    field="site_indexes",
    metavar="NAME=INDEX",
)
@_setting(
    "--site-group",
    "Sites of --site-index that are asked together at /sites/NAME/; the site with the best reply answers; repeatable.",
    field="site_groups",
    metavar="NAME=SITE,SITE",
)
@_setting("--widget", "Add the chat to the pages of --site that do not have it.", is_flag=True)
@_setting("--host", "Address to listen on; 0.0.0.0 listens on all interfaces.")
@_setting("--port", "Port to listen on; 0 lets the system choose a free one.", type=_PORT)
@_setting(
    "--cors-origin",
    "Origin whose pages may send requests, such as https://docs.example.com; * allows all origins; repeatable.",
    field="cors_origins",
    metavar="ORIGIN",
)
@_setting("--rate-limit", "Questions that a reader may ask in a minute; 0 is no limit.")
@_setting(
    "--site-rate-limit",
    "Rate limit of one site or group, instead of --rate-limit; repeatable.",
    field="site_rate_limits",
    metavar="NAME=N",
)
@_setting("--address-limit", "Requests a minute from one network address, of all its readers; 0 is no limit.")
@_setting(
    "--trusted-proxies",
    "Proxies whose X-Forwarded-For is trusted: addresses and networks, or the number of proxies in front.",
)
@_setting("--threads", "Questions that are answered at the same time.", show_default="one for each processor core")
@_setting("--heartbeat-seconds", "Idle time after which the event stream sends a comment to keep the connection open.")
@_setting("--request-seconds", "Time limit for a request's head, and then for its body.")
@_setting("--write-seconds", "Time after which a client that reads nothing is disconnected.")
@_setting("--address-connections", "Connections of one network address, unless it is a trusted proxy; 0 is no limit.")
@_setting("--connections", "Connections of all addresses together; 0 is no limit.")
@_setting("--work-seconds", "Processor time of one request, after which it is refused.")
@_setting(
    "--poll-seconds",
    "Interval of the check for a new build; 0 turns the check off.",
    type=float,
    show_default="5 for files, 60 for a URL",
)
@_setting(
    "--cache-dir",
    "Folder for copies of the last two builds of each site.",
    type=click.Path(file_okay=False, path_type=Path),
    default=cache_folder,
    show_default="the user's cache folder",
    metavar="DIR",
)
@_setting(
    "--redirect-host",
    "Further host to which the host of an index may redirect, such as cdn.example.com; repeatable.",
    field="redirect_hosts",
    metavar="HOST",
)
@_setting(
    "--metrics-port",
    "Separate port for /metrics.",
    type=_PORT,
    show_default="the main port with PINCITE_TOKEN, no metrics without it",
)
@_setting("--metrics-host", "Address to listen on for --metrics-port.")
@_setting(
    "--host-name",
    "Host name of the sidecar, such as chat.example.com; * accepts any name; repeatable.",
    field="host_names",
    show_default="any name; only this machine's names if --host is a loopback address",
    metavar="NAME",
)
@_setting("--log-format", "Format of the server's log.", type=click.Choice(get_args(LogFormat)))
@_setting(
    "--log-questions",
    "File to which every question is appended, for `pincite report`; tell your readers.",
    type=_FILE,
)
@_setting(
    "--evaluation",
    "Output of `pincite eval --json`, whose error rates for selected passages are added to the metrics.",
    type=_FILE,
)
@_setting(
    "--compare",
    "Change to the policy for half of the readers, to compare both halves in the metrics; repeatable.",
    field="compare",
    metavar="NAME=VALUE",
)
def serve(**options: Any) -> None:
    """Serve INDEX over HTTP: a file, a folder that contains one, the URL of either, or a database.

    Without INDEX, the folder `pincite` of --site is served.

    Secrets are read from environment variables only: PINCITE_TOKEN (the access token that every request must carry),
    PINCITE_READER_SECRET (the key that signs readers' session tokens; set it if several processes serve one site) and
    PINCITE_STATE (the Valkey or Redis server that these processes share). PINCITE_LLM_BASE_URL and other variables
    configure a language model.
    """
    # uvicorn raises the signal again after its shutdown. Without a handler, that would kill the process before the
    # copies of the indexes are removed.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: sys.exit(0))
    settings = Settings(**options, **secrets_from_environment(os.environ))
    write_logs(settings.log_format)
    places, llm = _index_places(settings), LlmSettings.from_environment()
    # Take the port before loading the model, so that a port in use is reported at once.
    with listen(settings.host, settings.port) as listener:
        policy, loaded = Policy.from_environment(), weakref.WeakValueDictionary[str, Embedder]()
        sources = {  # sites with the same encoder share it
            name: source_of(place, policy, settings.cache_dir, settings.redirect_hosts, loaded)
            for name, place in places.items()
        }
        _run(settings, sources, llm, listener)


def _index_places(settings: Settings) -> Mapping[str, Path | str]:
    """Return the place of each site's index by the site's name; without `site_indexes` the name is "".

    Raises:
        InputError: No index is named, or a site, group or rate limit is invalid.
    """
    if settings.site_indexes:
        places = parse_sites(settings.site_indexes)
        groups = parse_groups(
            settings.site_groups, places
        )  # checked here so that errors come before an index is loaded
        parse_rate_limits(settings.site_rate_limits, (*places, *groups))
        return places
    if settings.site is not None and not settings.site.is_dir():
        message = f"{settings.site} is no folder. Name the folder that the site's build wrote with --site."
        raise InputError(message)
    if settings.index is not None:
        return {"": settings.index}
    if settings.site is None:
        message = "There is no index to serve. Name an index, or a built site that contains one with --site DIR."
        raise InputError(message)
    return {"": settings.site / INDEX_FOLDER}


def _run(settings: Settings, sources: Mapping[str, Source], llm: LlmSettings | None, listener: socket.socket) -> None:
    with suppress(OSError, AttributeError, TypeError):  # for other C libraries than glibc
        # All threads share one heap: Python runs one thread at a time, and each heap keeps some 10 MB.
        ctypes.CDLL(None).mallopt(_M_ARENA_MAX, 1)
    indexes = {name: _opened(source, alone=not settings.site_indexes) for name, source in sources.items()}
    if settings.site_indexes:
        app = create_federated_app(
            settings, {name: LiveIndexes(indexes[name], one) for name, one in sources.items()}, llm
        )
    else:
        app = create_app(settings, indexes[""], sources[""], llm)
    sys.setswitchinterval(_SWITCH_SECONDS)
    limits = ConnectionLimits(
        head_seconds=settings.request_seconds,
        write_seconds=settings.write_seconds,
        an_address=settings.address_connections,
        in_all=most_connections(settings.connections),
        is_proxy=TrustedProxies.parse(settings.trusted_proxies).is_proxy,
    )
    config = uvicorn.Config(
        app,
        loop="asyncio",  # uvicorn would choose uvloop, which does not stop reading from delayed connections
        http=bounded_protocol(limits),
        log_config=None,  # the server's warnings go to the log of this package
        access_log=False,  # an access log would hold readers' addresses and search queries
        server_header=False,
        proxy_headers=False,  # `ReaderAddress` reads these headers
        timeout_graceful_shutdown=_GRACE_SECONDS,
    )
    only = indexes.get("")
    path = only.default.answerer.index.info.base_url if only and settings.site else "/"
    for name in [name for name, found in indexes.items() if found is None]:
        click.echo(f"Waiting for the index at {shown(sources[name].place)}", err=True)
    if llm is not None:
        done = "written" if llm.role == "write" else "quoted, and judged"
        click.echo(f"Answers are {done} by {llm.model} at {llm.host}", err=True)
    with ExitStack() as stack:
        if settings.metrics_port is not None:
            registry = app.state.sidecar.metrics.registry
            url = stack.enter_context(metrics_port(registry, settings.metrics_host, settings.metrics_port))
            click.echo(f"Metrics are at {url}", err=True)
        _AnnouncingServer(config, url_of(listener) + path).run(sockets=[listener])


def _opened(source: Source, *, alone: bool) -> IndexSet | None:
    """Return the indexes at the start; None if they must be waited for, as for a broken index among several sites.

    Raises:
        PinciteError: The only site's index cannot be served.
    """
    try:
        return source.open_stored() if source.is_remote else source.open()
    except PinciteError as error:
        if alone:
            raise
        logger.warning("%s", error)
        return None
