"""Checks a sidecar with its site, or an index with the settings of the environment."""

import asyncio
import dataclasses
import difflib
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import httpx

from pincite_core.deployed.guarded_client import guarded_client
from pincite_core.errors import InputError, PinciteError
from pincite_core.index.schema import INDEX_FOLDER
from pincite_core.urls import join_url, origin_of
from pincite_server.answerer import Answerer
from pincite_server.answering.pipeline import answer
from pincite_server.doctor import sidecar_check as sidecar
from pincite_server.doctor import site_check as site
from pincite_server.doctor.diagnosis import Diagnosis, fail, ok, warn
from pincite_server.http.routes.status import Readiness
from pincite_server.indexes.opened import opened_answerer
from pincite_server.llm.llm_settings import LLM_PREFIX, LlmSettings
from pincite_server.policy import POLICY_VARIABLES, Policy
from pincite_server.question.question import Question
from pincite_server.reply.records import Answer
from pincite_server.settings import ENVIRONMENT_PREFIX, Settings, environment_name, secrets_from_environment
from pincite_server.state.link import problem_of_state

__all__ = ("KNOWN_VARIABLES", "Examination", "examine_environment", "examine_index_at", "examine_sidecar")

_SECONDS = 15.0  # timeout of each reply, long enough for the first words of a slow language model
_OTHERS = ("PINCITE_BUILD_ID", "PINCITE_CACHE_DIR", "PINCITE_CHROMIUM", "PINCITE_COMMAND", "PINCITE_SKIP")
"""Variables of the indexer, the Docusaurus plugin and the tests."""

KNOWN_VARIABLES = frozenset(
    (
        *(environment_name(field.name) for field in dataclasses.fields(Settings)),
        *(LLM_PREFIX + field.name.upper() for field in dataclasses.fields(LlmSettings)),
        *POLICY_VARIABLES,
        *_OTHERS,
    )
)


def examine_environment(environment: Mapping[str, str]) -> Iterator[Diagnosis]:
    """Yield the problems of environment variables: unknown names and invalid values."""
    own = [name for name in environment if name.startswith(ENVIRONMENT_PREFIX)]
    unknown = [name for name in own if name not in KNOWN_VARIABLES]
    for name in unknown:
        near = difflib.get_close_matches(name, KNOWN_VARIABLES, n=1)
        fix = f"Did you mean {near[0]}?" if near else "Remove it, or find the right name in docs/http-api.md."
        yield warn("configuration", f"{name} is set here, but Pincite has no such variable.", fix)
    try:
        Policy.from_environment(environment)
        secrets = secrets_from_environment(environment)
        LlmSettings.from_environment(environment)
    except InputError as error:
        yield fail("configuration", "A variable that is set here cannot be used.", str(error))
        return
    if not unknown:
        yield ok("configuration", f"{', '.join(own) or 'No variable of Pincite'} set in this shell.")
    if url := secrets.get("state"):
        if problem := asyncio.run(problem_of_state(url)):
            yield fail("shared state", "PINCITE_STATE of this shell cannot be used.", problem)
        else:
            yield ok("shared state", "PINCITE_STATE of this shell can be read and written.")


@dataclass(frozen=True, slots=True)
class Examination:
    """The question to ask, the site's address ("" for the address in the index), and the access token ("" for none)."""

    question: str
    site: str = ""
    token: str = ""


def examine_sidecar(url: str, how: Examination, environment: Mapping[str, str] = os.environ) -> Iterator[Diagnosis]:
    """Yield findings about the sidecar at a URL and about its site; `environment` has the variables of this shell."""
    yield from examine_environment(environment)
    headers = {"Authorization": f"Bearer {how.token}"} if how.token else {}
    if not site.is_address(url):
        yield fail("reachable", f"{url!r} is no web address.", "Write it like https://chat.example.com.")
        return
    with httpx.Client(base_url=url, headers=headers, timeout=_SECONDS) as client:
        reachable = sidecar.examine_health(client)
        yield reachable
        if reachable.status == "fail":
            return
        yield sidecar.examine_transport(client)
        readiness = sidecar.read_readiness(client)
        yield sidecar.examine_index(readiness)
        yield from sidecar.examine_shared_state(readiness)
        try:
            yield from _examine_service(client, how, readiness)
        except httpx.HTTPError as error:
            yield fail("reachable", f"The sidecar stopped answering ({type(error).__name__}).", "Read its log.")


def _examine_service(client: httpx.Client, how: Examination, readiness: Readiness | None) -> Iterator[Diagnosis]:
    access = list(sidecar.examine_access(client))
    yield from access
    if any((finding.check, finding.status) == ("token", "fail") for finding in access):
        return
    answered, cited = sidecar.ask_end_to_end(client, how.question)
    yield answered
    yield sidecar.examine_stream(client)
    yield sidecar.examine_mcp(client)
    if readiness is not None and readiness.indexes:
        yield from _examine_site(client, how, readiness, cited)


def _examine_site(
    client: httpx.Client, how: Examination, readiness: Readiness, cited: str | None
) -> Iterator[Diagnosis]:
    first = readiness.indexes[0]
    address = how.site or join_url(first.site_url, first.base_url) or ""
    if how.site and not site.is_address(address):
        yield fail("site", f"{how.site!r} is no web address.", "Write --site like https://docs.example.com/.")
        return
    if not site.is_address(address):
        fix = "Name it with --site, and build the index with --site-url."
        yield warn("site", "The index has no address of the site.", fix)
        return
    address = address if address.endswith("/") else f"{address}/"
    may_be_private = bool(how.site) or sidecar.is_local(client.base_url.host)  # only if the user named it
    with guarded_client(address, may_be_private=may_be_private) as browser:  # this client sends no token
        yield site.examine_build(browser, address, readiness)
        if cited:
            yield site.examine_landing(browser, address, cited)
        yield site.examine_cors(client, origin_of(address))
        yield from site.examine_policy(browser, address, origin_of(str(client.base_url)))


def examine_index_at(place: str, how: Examination, environment: Mapping[str, str] = os.environ) -> Iterator[Diagnosis]:
    """Yield findings about an index: a file, a folder, or the URL of either."""
    yield from examine_environment(environment)
    try:
        with opened_answerer(place, None, Policy.from_environment(environment)) as answerer:
            yield from _examine_answerer(answerer, how.question)
    except PinciteError as error:
        yield fail("index", f"{place} cannot be served.", str(error))


def _examine_answerer(answerer: Answerer, question: str) -> Iterator[Diagnosis]:
    info, counts = answerer.index.info, answerer.index.counts()
    yield ok("index", f"{info.title or 'untitled'} ({', '.join(info.locales)}): {counts['pages']} pages.")
    if answerer.built_on:
        yield ok("build", f"Built {answerer.built_on}.")
    else:
        yield warn("build", "There is no index.json beside it.", f"Copy the whole folder `{INDEX_FOLDER}`.")
    if info.encoder:
        yield ok("encoder", "The index contains its encoder.")
    else:
        fix = "Rebuild without --no-encoder, unless the model is on the sidecar's machine."
        yield warn("encoder", f"The sidecar has to load {info.model} by name.", fix)
    if not info.site_url:
        fix = "Build the index with --site-url, so that agents and /c/ get whole URLs."
        yield warn("site", "The index has no address of the site.", fix)
    reply = answer(answerer, Question(question))
    if isinstance(reply, Answer):
        outcome = f"answered with {len(reply.citations)} citations"
    else:
        outcome = f"refused ({reply.code})"
    yield ok("question", f"{question!r} was {outcome} in {round(reply.timings_ms['total'])} ms.")
