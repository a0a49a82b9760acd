"""A model's files come from the hub: the real client, and a hub on this machine that speaks what it asks for."""

import hashlib
import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from tests.tiny_model import save_tiny_model

pytestmark = pytest.mark.slow  # each loads a model in a process of its own

COMMIT = "1" * 40
NAME = "someone/tiny"
_CODE = """
import sys
sys.modules.update(dict.fromkeys(("torch", "sentence_transformers", "transformers")))
from pathlib import Path
from pincite_core.errors import ModelNotFoundError
from pincite_indexer.vectors.encoder_choice import choose_encoder
try:
    print(choose_encoder(sys.argv[1], ["one chunk"], cache_root=None).encoder.info.weights_sha256)
except ModelNotFoundError as error:
    print(error)
"""


class Hub:
    """A model hub with one model, and the files that were asked for."""

    def __init__(self, model: Path) -> None:
        self.model = model
        self.fetched: list[str] = []
        hub = self

        class Handler(BaseHTTPRequestHandler):
            def do_HEAD(self) -> None:
                self.do_GET()

            def do_GET(self) -> None:
                hub.answer(self)

            def log_message(self, *_: object) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server.server_port}"

    def files(self) -> dict[str, bytes]:
        return {
            file.relative_to(self.model).as_posix(): file.read_bytes()
            for file in self.model.rglob("*")
            if file.is_file()
        }

    def answer(self, request: BaseHTTPRequestHandler) -> None:
        path, files = request.path.partition("?")[0], self.files()
        if path.startswith(f"/api/models/{NAME}/tree/"):
            rows = [{"type": "file", "path": name, "size": len(data), "oid": "0"} for name, data in files.items()]
            self._send(request, json.dumps(rows).encode())
        elif path.startswith(f"/api/models/{NAME}"):
            siblings = [{"rfilename": name} for name in files]
            self._send(request, json.dumps({"id": NAME, "sha": COMMIT, "siblings": siblings}).encode())
        elif (name := path.removeprefix(f"/{NAME}/resolve/{COMMIT}/")) in files:
            if request.command == "GET":
                self.fetched.append(name)
            self._send(request, files[name])
        else:
            request.send_error(404)

    @staticmethod
    def _send(request: BaseHTTPRequestHandler, data: bytes) -> None:
        request.send_response(200)
        request.send_header("Content-Length", str(len(data)))
        request.send_header("ETag", f'"{hashlib.sha256(data).hexdigest()}"')
        request.send_header("X-Repo-Commit", COMMIT)
        request.end_headers()
        if request.command == "GET":
            request.wfile.write(data)


@pytest.fixture
def hub(tmp_path: Path) -> Iterator[Hub]:
    running = Hub(save_tiny_model(tmp_path))
    yield running
    running.server.shutdown()
    running.server.server_close()


def chosen(hub_url: str, home: Path, model: str = NAME, *, offline: bool = False) -> tuple[str, str]:
    """Return what choosing an encoder prints and complains of, on a machine without torch."""
    settings = {"HF_ENDPOINT": hub_url, "HF_HOME": str(home), "HF_HUB_OFFLINE": str(int(offline))}
    run = subprocess.run(
        [sys.executable, "-c", _CODE, model], env=os.environ | settings, capture_output=True, text=True, timeout=200
    )
    return run.stdout.strip(), run.stderr


def test_of_a_bert_the_weights_are_downloaded_once_and_used_without_the_hub(hub: Hub, tmp_path: Path) -> None:
    (hub.model / "onnx").mkdir()
    (hub.model / "onnx/model.onnx").write_bytes(b"is not wanted")
    (hub.model / "pytorch_model.bin").write_bytes(b"nor is this")
    found, complaints = chosen(hub.url, tmp_path / "hf")
    assert found == hashlib.sha256((hub.model / "model.safetensors").read_bytes()).hexdigest()
    assert complaints == ""
    assert "model.safetensors" in hub.fetched
    assert not {"onnx/model.onnx", "pytorch_model.bin", "README.md"} & set(hub.fetched)
    hub.fetched.clear()
    assert chosen(hub.url, tmp_path / "hf") == (found, "")
    assert chosen("http://127.0.0.1:9", tmp_path / "hf", offline=True) == (found, "")
    assert hub.fetched == []


def test_a_model_that_needs_torch_says_what_to_install(hub: Hub, tmp_path: Path) -> None:
    config = json.loads((hub.model / "config.json").read_text())
    (hub.model / "config.json").write_text(json.dumps(config | {"model_type": "mpnet"}))
    message, _ = chosen(hub.url, tmp_path / "hf")
    assert message.startswith(f"{NAME} needs sentence-transformers")
    assert "pip install 'pincite[index,torch]'" in message
    assert "model.safetensors" not in hub.fetched


@pytest.mark.parametrize("model", ["no-such-org/no-such-model", "bad name!!"])
def test_a_model_that_the_hub_has_not_is_one_sentence(hub: Hub, tmp_path: Path, model: str) -> None:
    message, _ = chosen(hub.url, tmp_path / "hf", model)
    assert f"{model!r} is neither on this machine nor reachable" in message
    assert "\n" not in message
