"""What `pincite index --browser-encoder` writes, and that it makes of a question what the sidecar makes of it."""

import gzip
import hashlib
import json
import subprocess
from pathlib import Path

import numpy as np
import pytest
from tests.integration.indexing import assert_refused, copy_site, run_index
from tests.tiny_model import TINY_DIMENSION, save_tiny_model

from pincite_core.embedders import encoder_from
from pincite_core.search.late_interaction import project_tokens

ROOT = Path(__file__).parents[2]
WIDGET = ROOT / "widget"
ENCODER = WIDGET / "src" / "encoder"
FILES = {"manifest.json", "runtime.bin", "worker.js"}
TEXTS = [
    "How do I retry a job?",
    "the of a",
    "",
    "à la carte résumé, naïve café\u0301",
    "C++ --no-cache foo_bar.baz() don’t",
    "日本語の設定を変更するには？",
    "😀 emoji\tand\nnewline\x00null",
    "İstanbul ẞ straße ﬁle ① ｆｕｌｌ",
    "how to retry " * 60,
    "a\u200bb zero\u00adwidth",
]
SCRIPT = f"""
import {{ readFileSync }} from 'node:fs';
import {{ createTokenizer }} from {json.dumps((ENCODER / "content-tokens.js").as_uri())};
import {{ openSession }} from {json.dumps((ENCODER / "session.js").as_uri())};
const {{ folder, texts }} = JSON.parse(readFileSync(0, 'utf8'));
const read = (file) => new Uint8Array(readFileSync(folder + '/encoder/' + file));
const manifest = JSON.parse(readFileSync(folder + '/encoder/manifest.json', 'utf8'));
const {{ wasm, encoder, tokenizer }} = manifest.files;
const tokenize = createTokenizer(JSON.parse(Buffer.from(read(tokenizer.file)).toString()), manifest);
const {{ run }} = await openSession(read(wasm.file), read(encoder.file));
const made = [];
for (const text of texts) {{
  const {{ ids, content }} = tokenize(text);
  const {{ vector, states, hidden, tokens }} = await run(ids, content);
  made.push({{ vector: [...vector], states: [...states], hidden, tokens: [...tokens], read: content.length }});
}}
console.log(JSON.stringify(made));
"""


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(save_tiny_model(tmp_path_factory.mktemp("tiny")))


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory, model: str) -> Path:
    """A site with a second language below it, both indexed for browsers."""
    root = copy_site("plain", tmp_path_factory.mktemp("site"))
    copy_site("plain", root.parent / "copy").rename(root / "fr")
    for locale, base in (("en", "/"), ("fr", "/fr/")):
        facts = {"manifest_version": 1, "url": "https://docs.example", "default_locale": "en", "locales": ["en", "fr"]}
        manifest = root.parent / f"{locale}.json"
        manifest.write_text(json.dumps(facts | {"locale": locale, "base_url": base}))
        built = run_index(root / base.strip("/"), "--manifest", manifest, "--browser-encoder", model=model)
        assert built.returncode == 0, built.stderr
    return root


def _manifest(index: Path) -> dict[str, dict[str, dict[str, str | int]]]:
    read: dict[str, dict[str, dict[str, str | int]]] = json.loads((index / "encoder" / "manifest.json").read_bytes())
    return read


@pytest.mark.parametrize("locale", ["", "fr"])
def test_the_manifest_names_files_that_are_there_with_their_hashes_and_sizes(site: Path, locale: str) -> None:
    folder = site / locale / "pincite"
    for entry in _manifest(folder)["files"].values():
        data = (folder / "encoder" / str(entry["file"])).read_bytes()
        assert (hashlib.sha256(data).hexdigest(), len(data)) == (entry["sha256"], entry["bytes"])


def test_a_second_language_names_the_runtime_of_the_first(site: Path) -> None:
    assert {file.name for file in (site / "pincite" / "encoder").iterdir()} == FILES
    assert {file.name for file in (site / "fr" / "pincite" / "encoder").iterdir()} == FILES - {"runtime.bin"}


def test_an_ordinary_build_has_none_of_it_and_removes_what_an_earlier_one_wrote(tmp_path: Path, model: str) -> None:
    root = copy_site("plain", tmp_path)
    assert run_index(root, "--browser-encoder", model=model).returncode == 0
    assert (root / "pincite" / "encoder" / "worker.js").is_file()
    assert run_index(root, model=model).returncode == 0
    assert not list((root / "pincite").glob("encoder/*"))


def test_a_build_without_an_encoder_says_that_browsers_cannot_run_it(tmp_path: Path) -> None:
    refused = run_index(copy_site("plain", tmp_path), "--browser-encoder")
    assert_refused(refused, "--browser-encoder", "fake")


def test_the_runtime_is_the_package_s_own_file() -> None:
    package = WIDGET / "node_modules" / "onnxruntime-web" / "dist" / "ort-wasm-simd-threaded.wasm"
    shipped = gzip.decompress((WIDGET / "dist" / "encoder" / "runtime.bin").read_bytes())
    assert hashlib.sha256(shipped).digest() == hashlib.sha256(package.read_bytes()).digest()


def test_no_file_is_larger_than_static_hosts_take() -> None:
    """Cloudflare takes 25 MiB a file."""
    assert max(file.stat().st_size for file in (WIDGET / "dist").rglob("*") if file.is_file()) < 25 << 20


def test_a_browser_makes_of_a_question_what_the_sidecar_makes_of_it(site: Path) -> None:
    command = ["node", "--input-type=module", "--eval", SCRIPT]
    given = json.dumps({"folder": str(site / "pincite"), "texts": TEXTS})
    done = subprocess.run(command, input=given, capture_output=True, text=True, check=True, cwd=WIDGET)
    encoder = encoder_from(site / "pincite")
    assert encoder is not None
    expected = encoder.load().encode_with_tokens(TEXTS, "query")
    for text, made, own in zip(TEXTS, json.loads(done.stdout), expected, strict=True):
        assert made["hidden"] == TINY_DIMENSION
        assert np.dot(made["vector"], own.vector) > 0.99, text
        assert own.tokens is not None
        states = np.array(made["states"], dtype=np.float32).reshape(-1, made["hidden"])
        assert made["read"] == len(states) == len(own.tokens), text
        assert (project_tokens(states) * own.tokens).sum(axis=1).min() > 0.95, text
        projected = np.array(made["tokens"]).reshape(own.tokens.shape)
        assert np.allclose(projected, project_tokens(states), atol=1e-5), text
