"""The encoder travels with the index: built once, shared by locales, reused by the next build, served without torch."""

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.integration.indexing import copy_site, run_index
from tests.integration.serving import build_tiny_index, question, serve
from tests.tiny_model import save_static_model, save_tiny_model

from pincite_core.embedders import encoder_from
from pincite_core.index.read import Index
from pincite_server.indexes.live_indexes import LiveIndexes
from pincite_server.indexes.source import IndexSource

_HEAVY = ("torch", "sentence_transformers", "transformers", "huggingface_hub", "onnx", "onnxscript", "lxml")
_LIGHT = ("torch", "sentence_transformers", "transformers", "huggingface_hub", "onnx", "onnxscript")
_TORCH = ("torch", "sentence_transformers", "transformers", "onnxscript")
_PHASE = re.compile(r"[A-Z][a-z' ]+( \([\d,]+\))?")
_FILES = {"encoder.onnx", "tokenizer.json"}


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(save_tiny_model(tmp_path_factory.mktemp("tiny")))


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """An empty home for the processes of these tests, on what they may take for nobody's CI."""
    with pytest.MonkeyPatch.context() as patch:
        folder = tmp_path_factory.mktemp("home")
        patch.setenv("HOME", str(folder))
        for name in ("CI", "XDG_CACHE_HOME", "ORT_DISABLE_TELEMETRY"):
            patch.delenv(name, raising=False)
        yield folder


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory, model: str, home: Path) -> Path:
    """A site with its index, and the same site below it in a second language."""
    root = copy_site("plain", tmp_path_factory.mktemp("site"))
    built = run_locale(root, "en", model)
    assert built.returncode == 0, built.stderr
    copy_site("plain", root.parent / "copy").rename(root / "fr")
    assert run_locale(root, "fr", model).returncode == 0
    return root


def run_locale(root: Path, locale: str, model: str, *options: str) -> subprocess.CompletedProcess[str]:
    """Index one locale as a site generator's plugin does, with a process and a manifest of its own."""
    facts = {"manifest_version": 1, "url": "https://docs.example", "default_locale": "en", "locales": ["en", "fr"]}
    manifest = root.parent / f"{locale}.json"
    manifest.write_text(json.dumps(facts | {"locale": locale, "base_url": "/" if locale == "en" else f"/{locale}/"}))
    return run_index(root if locale == "en" else root / locale, "--manifest", manifest, *options, model=model)


def run_without(packages: tuple[str, ...], *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """Run `pincite` where some packages are not installed."""
    code = f"import sys; sys.modules.update(dict.fromkeys({packages!r})); from pincite_core.cli import main; main()"
    return subprocess.run([sys.executable, "-c", code, *map(str, arguments)], capture_output=True, text=True)


def encoder_entry(folder: Path) -> dict[str, object]:
    entry: dict[str, object] = json.loads((folder / "index.json").read_bytes())["encoder"]
    return entry


def test_the_index_names_its_encoder_and_how_close_it_is_to_its_model(site: Path) -> None:
    entry, index = encoder_entry(site / "pincite"), Index.open(site)
    stored = index.meta("encoder")
    assert (entry["file"], entry["tokenizer"]) == ("encoder.onnx", "tokenizer.json")
    assert index.info.encoder == entry["sha256"]
    assert stored == {key: value for key, value in entry.items() if key not in ("file", "tokenizer")}
    assert entry["pooling"] == "mean"


def test_a_second_locale_points_to_the_first_ones_encoder_and_has_no_copy(site: Path) -> None:
    entry = encoder_entry(site / "fr/pincite")
    assert (entry["file"], entry["tokenizer"]) == ("../../pincite/encoder.onnx", "../../pincite/tokenizer.json")
    assert not _FILES & {file.name for file in (site / "fr/pincite").iterdir()}
    assert encoder_from(site / "fr/pincite") == encoder_from(site / "pincite")


def test_both_locales_are_served_by_one_loaded_encoder(site: Path) -> None:
    served = IndexSource(site / "pincite").open().served
    assert len(served) == 2
    assert served[0].answerer.embedder is served[1].answerer.embedder


def test_a_deploy_that_brings_the_encoder_last_is_served_when_it_is_there(site: Path, tmp_path: Path) -> None:
    source = IndexSource(build_tiny_index(tmp_path / "pincite"))
    live = LiveIndexes(source.open(), source)
    for name in ("index.db", "index.json", "encoder.onnx"):
        shutil.copyfile(site / "pincite" / name, tmp_path / "pincite" / name)
    assert (live.refresh(), live.problem is not None) == (False, True)
    shutil.copyfile(site / "pincite/tokenizer.json", tmp_path / "pincite/tokenizer.json")
    assert (live.refresh(), live.problem is not None) == (True, False)
    assert live.current.default.answerer.index.info.encoder


def test_questions_are_answered_without_torch(site: Path) -> None:
    done = run_without(_HEAVY, "search", site, "install")
    assert done.returncode == 0, done.stderr
    assert "https://docs.example/" in done.stdout


def test_a_sidecar_starts_and_answers_without_torch_or_lxml(site: Path, tmp_path: Path) -> None:
    hidden = f"import sys; sys.modules.update(dict.fromkeys({_HEAVY!r}))"
    (tmp_path / "sitecustomize.py").write_text(hidden, encoding="utf-8")
    with serve(site / "pincite", PYTHONPATH=str(tmp_path)) as client:
        reply = client.post("/api/chat", json=question("How do I install it?"))
    assert (reply.status_code, reply.json()["type"] in {"answer", "refusal"}) == (200, True)


def test_no_library_keeps_an_identifier_to_report_under(site: Path, home: Path) -> None:
    """After a build with all its libraries, and a question; onnxruntime would send home what it writes there."""
    assert run_without((), "search", site, "install").returncode == 0
    assert not list(home.rglob("*onnxruntime*"))


def test_a_first_build_needs_no_torch(site: Path, tmp_path: Path, model: str) -> None:
    options = ("--model", model, "--no-cache", "--site-url", "https://docs.example/")
    built = run_without(_TORCH, "index", copy_site("plain", tmp_path), "--out", tmp_path / "out", *options)
    assert built.returncode == 0, built.stderr
    assert encoder_from(tmp_path / "out") is not None
    assert (tmp_path / "out/encoder.onnx").read_bytes() == (site / "pincite/encoder.onnx").read_bytes()


def test_the_next_build_needs_no_torch_when_it_is_given_the_last_index(site: Path, tmp_path: Path, model: str) -> None:
    name = Path(model).name
    options = ("--model", name, "--previous", site, "--no-cache", "--json")
    page = site / "index.html"
    built = run_without(_LIGHT, "index", page.parent, "--out", tmp_path, *options)
    assert built.returncode == 0, built.stderr
    assert encoder_from(tmp_path) == encoder_from(site / "pincite")


def test_without_a_model_such_a_build_says_where_one_may_come_from(site: Path, tmp_path: Path) -> None:
    built = run_without(_LIGHT, "index", site, "--out", tmp_path, "--model", "no-such-model", "--no-cache")
    assert built.returncode == 1
    assert "neither on this machine nor reachable" in built.stderr
    assert "--previous" in built.stderr
    assert not list(tmp_path.iterdir())


def test_a_build_without_the_cache_gives_the_same_bytes_and_prints_its_phases_alone(
    site: Path, tmp_path: Path, model: str
) -> None:
    folders = [tmp_path / "cached", tmp_path / "anew"]
    options: tuple[list[str], ...] = ([], ["--no-cache"])
    builds = [
        run_index(site / "fr", "--out", to, *more, model=model) for to, more in zip(folders, options, strict=True)
    ]
    for name in ("index.db", *_FILES):
        assert (folders[0] / name).read_bytes() == (folders[1] / name).read_bytes()
    for built in builds:
        lines = built.stderr.splitlines()
        assert "Loading the model" in lines
        assert not [line for line in lines if not _PHASE.fullmatch(line)]


def test_no_encoder_leaves_it_out_and_removes_the_last_builds(tmp_path: Path, model: str) -> None:
    site = copy_site("plain", tmp_path)
    assert run_index(site, model=model).returncode == 0
    assert {file.name for file in (site / "pincite").iterdir()} >= _FILES
    assert run_index(site, "--no-encoder", model=model).returncode == 0
    assert encoder_entry(site / "pincite") is None
    assert not _FILES & {file.name for file in (site / "pincite").iterdir()}
    assert Index.open(site).info.encoder == ""


def test_a_model_that_cannot_be_exported_is_said_once_in_the_report(tmp_path: Path) -> None:
    built = run_index(copy_site("plain", tmp_path), model=str(save_static_model(tmp_path)))
    assert built.returncode == 0, built.stderr
    assert built.stdout.count("cannot be exported") == 1
    assert encoder_entry(tmp_path / "plain/pincite") is None
