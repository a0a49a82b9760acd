"""The command `pincite serve`: reads settings, opens the indexes and runs uvicorn."""

import ctypes
import os
import signal
import socket
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar, get_args

import click
import uvicorn
from prometheus_client import CollectorRegistry

from pincite_core.deployed.origin import shown
from pincite_core.user_cache import cache_folder
from pincite_server.cli.served_sites import Source, index_places, opened, sources
from pincite_server.http.app import create_app, create_federated_app
from pincite_server.http.transport.addresses import TrustedProxies
from pincite_server.http.transport.connections import listen, url_of
from pincite_server.http.transport.protocol import ConnectionLimits, bounded_protocol, most_connections
from pincite_server.indexes.live_indexes import LiveIndexes
from pincite_server.llm.llm_settings import LlmSettings
from pincite_server.observe.logs import LogFormat, write_logs
from pincite_server.observe.metrics import metrics_port
from pincite_server.settings import Settings, environment_name, secrets_from_environment

__all__ = ("serve",)

FC = TypeVar("FC", bound=Callable[..., Any] | click.Command)  # the name that click uses

_DEFAULTS = Settings(reader_secret=b"unused")
_GRACE_SECONDS = 20  # longer than nearly all streams, and shorter than service managers wait before they kill a process


class _AnnouncingServer(uvicorn.Server):
    """uvicorn server that prints its URL once it accepts connections."""

    def __init__(self, config: uvicorn.Config, url: str) -> None:
        super().__init__(config)
        self._url = url

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        click.echo(f"Pincite is ready at {self._url}")


def _setting(flag: str, told: str, *, field: str = "", **how: Any) -> Callable[[FC], FC]:
    """Return the click option of a setting; `field` is the setting's name if it differs from the flag's."""
    field = field or flag.removeprefix("--").replace("-", "_")
    given = {"envvar": environment_name(field), "default": getattr(_DEFAULTS, field), "show_default": True, **how}
    return click.option(flag, field, show_envvar=True, help=told, **given)


@click.command()
@click.argument("index", required=False, envvar=environment_name("index"))
@_setting(
    "--site",
    "Serve this built site as well, on the same origin; its folder `pincite` is the index unless INDEX is given.",
    type=click.Path(path_type=Path),
    metavar="DIR",
)
@_setting(
    "--portal",
    "Serve several sites, each at /sites/NAME/ and for its own pages; repeat it, and name no INDEX.",
    multiple=True,
    metavar="NAME=INDEX",
)
@_setting(
    "--across",
    "Let one question go to several sites of --portal, at /sites/NAME/, and the best of them answer; repeat it.",
    multiple=True,
    metavar="NAME=SITE,SITE",
)
@_setting("--widget", "Put the chat on those pages of the site that do not have it.", is_flag=True, show_default=False)
@_setting("--host", "Address to listen on; 0.0.0.0 for every interface.")
@_setting("--port", "Port to listen on; 0 for a free one.", type=click.IntRange(0, 65535))
@_setting(
    "--cors-origin",
    "Origin whose pages may ask, such as https://docs.example.com; may be repeated.",
    field="cors_origins",
    multiple=True,
    metavar="ORIGIN",
)
@_setting("--rate-limit", "Questions a reader may ask in a minute; 0 is no limit.")
@_setting(
    "--site-rate-limit",
    "Questions a reader may ask one site of --portal, or one group, in a minute, in place of --rate-limit; repeat it.",
    field="site_rate_limits",
    multiple=True,
    metavar="NAME=N",
)
@_setting("--address-limit", "Requests an address may make in a minute; 0 is no limit.")
@_setting("--trusted-proxies", "Proxies whose X-Forwarded-For is believed: addresses, networks, or how many.")
@_setting("--threads", "Questions answered at the same time.", show_default="one a core")
@_setting("--heartbeat-seconds", "Silence after which the event stream carries a comment.")
@_setting("--request-seconds", "How long a request's head may take to arrive, and then its body.")
@_setting("--write-seconds", "How long a client may take nothing of what is sent to it.")
@_setting("--address-connections", "Connections an address may hold; 0 is no limit.")
@_setting("--connections", "Connections of all addresses together; 0 is no limit.")
@_setting("--work-seconds", "Processor time that one request may take.")
@_setting(
    "--poll-seconds",
    "How often a new build is looked for; 0 is never.",
    type=float,
    show_default="5 for files, 60 for a URL",
)
@_setting(
    "--cache-dir",
    "Folder for copies of the last two builds.",
    type=click.Path(file_okay=False, path_type=Path),
    default=cache_folder,
    show_default="the user's cache folder",
    metavar="DIR",
)
@_setting(
    "--redirect-host",
    "Further host to which the host of the index may redirect, such as cdn.example.com; may be repeated.",
    field="redirect_hosts",
    multiple=True,
    metavar="HOST",
)
@_setting(
    "--metrics-port",
    "Port for Prometheus; without it /metrics is on the main port, behind the token, if there is one.",
    type=click.IntRange(0, 65535),
)
@_setting("--metrics-host", "Address to listen on for --metrics-port.")
@_setting(
    "--host-name",
    "Name by which readers call the sidecar, such as chat.example.com; may be repeated.",
    field="host_names",
    multiple=True,
    show_default="this machine, or any if --host is not this machine alone",
    metavar="NAME",
)
@_setting(
    "--log-format",
    "The server's own log; json has one line for each request.",
    type=click.Choice(get_args(LogFormat)),
)
@_setting(
    "--log-questions",
    "Append every question to this file, for `pincite report`. Tell your readers.",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
)
@_setting(
    "--evaluation",
    "Show in the metrics what this output of `pincite eval --json` says of answers from passages.",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
)
@_setting(
    "--compare",
    "Answer half of the readers with this change to the policy, to compare both in the metrics; may be repeated.",
    multiple=True,
    metavar="NAME=VALUE",
)
def serve(**options: Any) -> None:
    """Serve the index INDEX (a file, a folder that holds one, the URL of either, or a database) over HTTP.

    Secrets come from the environment alone: PINCITE_TOKEN (the access token that every request must carry) and
    PINCITE_READER_SECRET (signs readers' passes; set it when several processes serve one site), PINCITE_STATE (the
    Valkey or Redis by which they count together). So does the language model that may write or judge answers:
    PINCITE_LLM_BASE_URL and others.
    """
    _end_cleanly()
    settings = Settings(**options, **secrets_from_environment(os.environ))
    write_logs(settings.log_format)
    places, llm = index_places(settings), LlmSettings.from_environment()
    # Take the port before loading the model, so that a port in use is reported at once.
    with listen(settings.host, settings.port) as listener:
        _run(settings, sources(settings, places), llm, listener)


def _end_cleanly() -> None:
    """Make SIGINT and SIGTERM end the process with a normal exit.

    uvicorn raises the signal again after its shutdown. Without a handler, that would kill the process before the copies
    of the indexes are removed.
    """
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: sys.exit(0))


_M_ARENA_MAX = -8  # M_ARENA_MAX of mallopt(3)
_SWITCH_SECONDS = 0.0005  # Python's default is 0.005, which the event loop may wait at each step while threads answer


def _run(settings: Settings, sources: Mapping[str, Source], llm: LlmSettings | None, listener: socket.socket) -> None:
    _share_one_heap()
    indexes = {name: opened(source, alone=not settings.portal) for name, source in sources.items()}
    if settings.portal:
        app = create_federated_app(
            settings, {name: LiveIndexes(indexes[name], one) for name, one in sources.items()}, llm
        )
    else:
        app = create_app(settings, indexes[""], sources[""], llm)
    sys.setswitchinterval(_SWITCH_SECONDS)
    config = uvicorn.Config(
        app,
        loop="asyncio",  # uvicorn would choose uvloop, which does not stop reading from delayed connections
        http=bounded_protocol(_limits(settings)),
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
    with _metrics(settings, app.state.sidecar.metrics.registry):
        _AnnouncingServer(config, url_of(listener) + path).run(sockets=[listener])


def _share_one_heap() -> None:
    """Make all threads share one heap (glibc): Python runs one thread at a time, and each heap keeps some 10 MB."""
    with suppress(OSError, AttributeError, TypeError):  # for other C libraries
        ctypes.CDLL(None).mallopt(_M_ARENA_MAX, 1)


def _limits(settings: Settings) -> ConnectionLimits:
    return ConnectionLimits(
        head_seconds=settings.request_seconds,
        write_seconds=settings.write_seconds,
        an_address=settings.address_connections,
        in_all=most_connections(settings.connections),
        is_proxy=TrustedProxies.parse(settings.trusted_proxies).is_proxy,
    )


@contextmanager
def _metrics(settings: Settings, registry: CollectorRegistry) -> Iterator[None]:
    """Serve the metrics on a separate port if one is set, and print the URL."""
    if settings.metrics_port is None:
        yield
        return
    with metrics_port(registry, settings.metrics_host, settings.metrics_port) as url:
        click.echo(f"Metrics are at {url}", err=True)
        yield
