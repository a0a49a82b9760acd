"""The house's rules: who may import whom, what an import costs, and what the distribution carries."""

import ast
import importlib
import importlib.util
import pkgutil
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGES = {
    "pincite_core": ROOT / "indexer/pincite_core",
    "pincite_indexer": ROOT / "indexer/pincite_indexer",
    "pincite_server": ROOT / "server/pincite_server",
}
FORBIDDEN = {
    "pincite_core": {"pincite_indexer", "pincite_server"},
    "pincite_indexer": {"pincite_server"},
    "pincite_server": {"pincite_indexer"},
}
MODULES = sorted(
    f"{name}.{file.relative_to(folder).with_suffix('').as_posix().replace('/', '.')}".removesuffix(".__init__")
    for name, folder in PACKAGES.items()
    for file in folder.rglob("*.py")
    if file.name != "__main__.py"
)
ROOMS = {
    "pincite_core": "quoting wording phrasing".split(),
    "pincite_indexer": "markdown checking moves vectors rows site pages generators".split(),
    "pincite_server": "cli doctor report http federation observe evaluation indexes answering llm question guards"
    " grounding reply state".split(),
    "pincite_server.answering": "passage written corpus".split(),
    "pincite_server.http": "mcp routes replying admission transport".split(),
}
"""Each may import those after it only."""
APART = ("pincite_server.answering.corpus", "pincite_server.answering.passage", "pincite_server.answering.written")
"""The three ways of answering, none of which knows another."""
GENERATORS = {"docusaurus", "vitepress", "mkdocs", "sphinx", "typedoc", "rustdoc", "honkit", "qdoc", "redoc", "swagger"}
HEAVY = ("torch", "lxml", "sentence_transformers", "transformers", "markdown_it", "frontmatter")


def imports_of(file: Path) -> set[str]:
    """Return the top packages that a file imports anywhere, inside functions too."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found.update(alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            assert node.level == 0, f"{file} imports relatively"
            found.add(node.module.split(".")[0])
    return found


def loaded_by(*modules: str) -> set[str]:
    """Return which heavy packages a fresh Python has loaded after importing some modules."""
    code = f"import sys\nfor name in {modules!r}: __import__(name)\nprint(*(m for m in {HEAVY!r} if m in sys.modules))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(run.stdout.split())


@pytest.mark.parametrize("package", PACKAGES)
def test_no_package_imports_what_it_must_not(package: str) -> None:
    files = list(PACKAGES[package].rglob("*.py"))
    assert files
    wrong = {str(file): imports_of(file) & FORBIDDEN[package] for file in files}
    assert not {file: names for file, names in wrong.items() if names}


def test_one_module_alone_takes_urls_apart() -> None:
    """What else `urllib.parse` has raises at what is no URL; `unquote` takes any text."""
    wrong = {
        str(file): names
        for folder in PACKAGES.values()
        for file in folder.rglob("*.py")
        if (names := from_urllib(file) - {"unquote"})
    }
    assert set(wrong) == {str(PACKAGES["pincite_core"] / "urls.py")}, wrong


def from_urllib(file: Path) -> set[str]:
    """Return what a file imports from `urllib` or its `parse`, and the modules of it that it imports whole."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names if alias.name.split(".")[0] == "urllib"}
        elif isinstance(node, ast.ImportFrom) and node.module in {"urllib", "urllib.parse"}:
            found |= {alias.name for alias in node.names}
    return found


@pytest.mark.parametrize("package", ROOMS)
def test_the_rooms_of_a_package_import_one_way(package: str) -> None:
    rooms = ROOMS[package]
    inside = {name: room_of(name, package) for name in MODULES if room_of(name, package) in rooms}
    assert set(inside.values()) == set(rooms)
    for name, room in inside.items():
        allowed = rooms[rooms.index(room) :]
        met = {inside[other] for other in imported_modules(name) & set(inside)}
        assert met <= set(allowed), f"{name} imports from {met - set(allowed)}"


def room_of(name: str, package: str) -> str:
    """Return the folder of a package in which a module is; "" for modules elsewhere and beside the folders."""
    inner, _, rest = name.removeprefix(f"{package}.").partition(".")
    is_folder = importlib.util.find_spec(f"{package}.{inner}") if name.startswith(f"{package}.") else None
    return inner if is_folder and (rest or is_folder.submodule_search_locations) else ""


def test_the_ways_of_answering_do_not_know_each_other() -> None:
    for name in MODULES:
        others = tuple(f"{room}." for room in APART if not name.startswith(f"{room}."))
        if len(others) < len(APART):
            assert not [other for other in imported_modules(name) if other.startswith(others)], name


def test_no_other_folder_names_a_generator() -> None:
    inside = PACKAGES["pincite_indexer"]
    names = re.compile("|".join(sorted(GENERATORS)))
    for file in inside.rglob("*.py"):
        if file.parent.name != "generators":
            text = file.read_text(encoding="utf-8").lower().replace("docusaurus-plugin-pincite", "")
            assert not names.search(text), f"{file} names a generator"


def test_modules_of_one_package_do_not_import_each_other_in_circles() -> None:
    graph = {name: imported_modules(name) for name in MODULES}
    done: set[str] = set()

    def visit(name: str, path: tuple[str, ...]) -> None:
        assert name not in path, " -> ".join((*path, name))
        if name not in done:
            for other in graph[name]:
                visit(other, (*path, name))
            done.add(name)

    for name in MODULES:
        visit(name, ())


def imported_modules(name: str) -> set[str]:
    """Return the project's own modules that a module imports at its top level."""
    file = Path(str(importlib.util.find_spec(name).origin))
    nodes = [node for node in ast.parse(file.read_text(encoding="utf-8")).body if isinstance(node, ast.ImportFrom)]
    found = {f"{node.module}.{alias.name}" for node in nodes for alias in node.names}
    found |= {str(node.module) for node in nodes}
    return (found & set(MODULES)) - {name}


@pytest.mark.parametrize(
    "modules", [("pincite_server",), ("pincite_server.http.app", "pincite_server.answering.pipeline")]
)
def test_the_sidecar_starts_without_torch_or_lxml(modules: tuple[str, ...]) -> None:
    assert loaded_by(*modules) == set()


def test_the_core_package_imports_nothing_heavy() -> None:
    core = tuple(name for name in MODULES if name.startswith("pincite_core"))
    assert loaded_by(*core) == set()


def test_the_indexer_loads_no_model_library_before_a_model_is_asked_for() -> None:
    assert loaded_by("pincite_indexer.command_line") & {"torch", "sentence_transformers"} == set()


@pytest.mark.parametrize("name", MODULES)
def test_all_names_what_the_module_has(name: str) -> None:
    module = importlib.import_module(name)
    exported = getattr(module, "__all__", ())
    assert isinstance(exported, tuple)
    assert len(set(exported)) == len(exported)
    assert [item for item in exported if not hasattr(module, item)] == []


@pytest.mark.parametrize("name", [name for name in MODULES if name.startswith(("pincite_core.", "pincite_indexer."))])
def test_everything_public_is_exported(name: str) -> None:
    file = Path(str(importlib.util.find_spec(name).origin))
    defined = {
        node.name
        for node in ast.parse(file.read_text(encoding="utf-8")).body
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith("_")
    }
    exported = set(getattr(importlib.import_module(name), "__all__", ()))
    internal = {"LazyGroup"}  # how the command line finds its commands
    assert defined - exported - internal == set()


@pytest.mark.parametrize("package", PACKAGES)
def test_packages_say_that_they_are_typed(package: str) -> None:
    assert (PACKAGES[package] / "py.typed").is_file()
    assert package in {module.name for module in pkgutil.iter_modules([str(PACKAGES[package].parent)])}


def test_the_wheel_carries_types_the_schema_and_the_widget(tmp_path: Path) -> None:
    build = "import sys; from hatchling.build import build_wheel; print(build_wheel(sys.argv[1]))"
    run = subprocess.run(
        [sys.executable, "-c", build, str(tmp_path)], cwd=ROOT, capture_output=True, text=True, check=True
    )
    with zipfile.ZipFile(tmp_path / run.stdout.split()[-1]) as wheel:
        names = set(wheel.namelist())
    expected = {f"{package}/py.typed" for package in PACKAGES}
    expected |= {"pincite_core/index/schema.sql", "pincite_indexer/widget/pincite.js"}
    expected |= {"pincite_indexer/widget/encoder/runtime.bin"}
    assert expected - names == set()
    widget = {file.relative_to(ROOT / "widget/dist").as_posix() for file in (ROOT / "widget/dist").rglob("*.js")}
    assert {f"pincite_indexer/widget/{name}" for name in widget} <= names
    assert not [name for name in names if name.startswith("tests") or "node_modules" in name]
