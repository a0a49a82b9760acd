"""docs/http-api.md documents exactly the routes, fields, problems and settings of the code."""

import dataclasses
import re
from pathlib import Path

import msgspec
import pytest
from tests.factories import build_index

from pincite_core.embedders import FakeEmbedder
from pincite_core.index.read import Index
from pincite_server.answerer import Answerer
from pincite_server.answering.replies import NEAREST
from pincite_server.cli.serve_command import serve
from pincite_server.http import wire
from pincite_server.http.admission.session_tokens import READER_HEADER
from pincite_server.http.app import create_app
from pincite_server.http.mcp.contract import AskArguments, ReadArguments, SearchArguments
from pincite_server.http.routes import status
from pincite_server.http.transport import problems
from pincite_server.http.transport.problems import PROBLEMS
from pincite_server.indexes.registry import IndexSet, ServedIndex
from pincite_server.llm.llm_settings import LLM_PREFIX, LlmSettings
from pincite_server.observe.metrics import Metrics
from pincite_server.reply import records
from pincite_server.reply.records import RefusalCode
from pincite_server.settings import Settings, environment_name

DOC = (Path(__file__).parents[4] / "docs" / "http-api.md").read_text(encoding="utf-8")
STRUCTS = [
    struct
    for module in (wire, status, problems, records)
    for struct in vars(module).values()
    if isinstance(struct, type) and issubclass(struct, msgspec.Struct) and struct is not msgspec.Struct
]


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Index:
    return build_index(tmp_path_factory.mktemp("index"), {"/a": "# A\nText."})


@pytest.mark.parametrize("struct", STRUCTS, ids=lambda struct: struct.__name__)
def test_every_field_is_documented(struct: type[msgspec.Struct]):
    told = set(re.findall(r"`(\w+)`", DOC)) | set(re.findall(r'"(\w+)"', DOC)) | set(re.findall(r"[{ ](\w+)[,}]", DOC))
    assert set(struct.__struct_encode_fields__) <= told


def test_every_route_has_a_section_and_no_section_lacks_its_route(index: Index):
    served = ServedIndex(Answerer.with_embedder(index, FakeEmbedder()), {})
    app = create_app(Settings(token="t" * 16), IndexSet([served]))
    routes = {
        f"{method} {re.sub(r'{stable_id:path}', '{stable id}', route.path)}"
        for route in app.routes
        for method in getattr(route, "methods", set()) - {"OPTIONS"}
        if not route.path.startswith("/schema")
    }
    assert set(re.findall(r"^## ((?:GET|POST) .*)$", DOC, re.MULTILINE)) == routes


def test_every_mcp_tool_is_documented_with_its_arguments():
    for name, arguments in {"search": SearchArguments, "read_section": ReadArguments, "ask": AskArguments}.items():
        told = next(line for line in DOC.splitlines() if line.startswith(f"| `{name}` |"))
        assert set(re.findall(r"`(\w+)`", told.split("|")[2])) >= set(arguments.__struct_fields__)


def test_every_metric_is_documented():
    families = {family.name for family in Metrics().registry.collect() if family.name.startswith("pincite_")}
    assert families
    assert {name for name in families if f"`{name}`" not in DOC and f"`{name}_total`" not in DOC} == set()


def test_every_problem_is_documented_with_its_status():
    told = dict(re.findall(r"^\| `(\w+)` \| (\d{3}) \|", DOC, re.MULTILINE))
    assert told == {code: str(http_status) for code, (http_status, _) in PROBLEMS.items()}


def test_every_setting_is_documented_with_its_variable():
    told = set(re.findall(r"^\| `(PINCITE_\w+)` \|", DOC, re.MULTILINE))
    llm = {f"{LLM_PREFIX}{field.name.upper()}" for field in dataclasses.fields(LlmSettings)}
    assert told == {environment_name(field.name) for field in dataclasses.fields(Settings)} | llm


def test_every_flag_is_documented_beside_its_variable():
    told = dict(re.findall(r"^\| `(PINCITE_\w+)` \| `([\w-]+)` \|", DOC, re.MULTILINE))
    flags = {option.envvar: option.opts[0] for option in serve.params if option.envvar}
    assert told == flags | {"PINCITE_INDEX": "INDEX"}


def test_every_refusal_code_is_documented():
    assert all(f"`{code}`" in DOC for code in RefusalCode.__args__)


@pytest.mark.parametrize("header", [READER_HEADER, "Retry-After", "X-Accel-Buffering", "RateLimit-Remaining"])
def test_every_header_is_documented(header: str):
    assert header in DOC


def test_every_setting_has_a_help_text_or_a_docstring():
    source = Path(Settings.__module__.replace(".", "/")).with_suffix(".py")
    text = (Path(__file__).parents[4] / "server" / source).read_text(encoding="utf-8")
    helped = {option.name for option in serve.params if getattr(option, "help", "")}
    documented = {
        field.name
        for field in dataclasses.fields(Settings)
        if re.search(rf'^    {field.name}: .*\n    """', text, re.M)
    }
    assert helped | documented == {field.name for field in dataclasses.fields(Settings)}
    assert helped.isdisjoint(documented)


def test_a_refusal_shows_as_many_nearest_sections_as_documented():
    (told,) = re.findall(r"^\| `nearest` \| array \| the (\w+) nearest sections", DOC, re.MULTILINE)
    assert {"two": 2, "three": 3}[told] == NEAREST
