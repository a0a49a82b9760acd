"""Each form in which the sidecar can be hosted, run by its own command and variables behind a proxy, and examined."""

import re
import shlex
import shutil
import subprocess
import sys
import time
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest
import yaml
from tests.integration.hosting import deploy, host, write_facts
from tests.integration.proxies import behind_nginx
from tests.integration.serving import serve

from pincite_core.index.read import Index
from pincite_server.doctor.examination import Examination, examine_sidecar

DEPLOY = Path(__file__).parents[2] / "deploy"
QUESTION = "Which port does the Lantern image listen on?"


@dataclass(frozen=True, slots=True)
class Form:
    """What `pincite serve` is started with."""

    arguments: tuple[str, ...]
    variables: Mapping[str, str]


def read(name: str) -> str:
    return (DEPLOY / name).read_text(encoding="utf-8")


def image() -> dict[str, str]:
    """Return what the image sets: but for the cache, whose folder is the image's own."""
    line = re.search(r"^ENV (.*)$", read("Dockerfile"), re.MULTILINE)
    assert line is not None
    return dict(pair.split("=", 1) for pair in line[1].split() if "CACHE" not in pair)


def compose() -> Form:
    service = yaml.safe_load(read("compose.yaml"))["services"]["pincite"]
    return Form(tuple(service["command"]), image() | service["environment"])


def fly() -> Form:
    return Form((), image() | tomllib.loads(read("fly.toml"))["env"])


def systemd() -> Form:
    unit = dict(re.findall(r"^(ExecStart|Environment)=(.*)$", read("pincite.service"), re.MULTILINE))
    pairs = (pair.split("=", 1) for pair in unit["Environment"].split() if "CACHE" not in pair)
    return Form(tuple(shlex.split(unit["ExecStart"])[2:]), dict(pairs))


@pytest.mark.parametrize("form", [compose, fly, systemd], ids=lambda form: form.__name__)
def test_the_doctor_finds_nothing_amiss_with(form, tmp_path: Path):
    chosen = form()
    (tmp_path / "site").mkdir()
    (tmp_path / "cache").mkdir()
    deploy(tmp_path / "site", 8080)
    built = tmp_path / "site/kit/pincite"
    write_facts(built, 8080, "/kit/", index_id=Index.open(built).info.index_id)
    (tmp_path / "site/kit/install").write_text('<h2 id="docker">Docker</h2>')
    with host(tmp_path / "site") as site:
        own = {"https://docs.example.com/pincite/": f"{site.url}/kit/pincite/", "https://docs.example.com": site.url}
        arguments = [_replaced(text, own) for text in chosen.arguments]
        variables = {name: _replaced(text, own) for name, text in chosen.variables.items()}
        with serve(*arguments, **variables, PINCITE_CACHE_DIR=str(tmp_path / "cache")) as sidecar:
            while sidecar.get("/ready").status_code != 200:  # it fetches its index first; pytest ends what never ends
                time.sleep(0.05)
            port = sidecar.base_url.port
            offered = read("nginx.conf").replace("listen 80;", "listen 127.0.0.1:PORT;")
            with behind_nginx(tmp_path, offered.replace("127.0.0.1:8765", f"127.0.0.1:{port}")) as proxy:
                how = Examination(QUESTION, f"{site.url}/kit/")
                found = {finding.check: finding for finding in examine_sidecar(str(proxy.base_url), how, {})}
    assert [finding for finding in found.values() if finding.status == "fail"] == []
    looked_at = ("CORS", "stream", "question", "build", "citation")
    assert [found[check] for check in looked_at if found[check].status != "ok"] == []


def _replaced(text: str, instead: Mapping[str, str]) -> str:
    for example, real in instead.items():
        text = text.replace(example, real)
    return text


def test_the_compose_file_is_valid():
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.compose-spec"]
    done = subprocess.run([*command, str(DEPLOY / "compose.yaml")], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


def test_systemd_has_nothing_to_say_about_its_unit(tmp_path: Path):
    systemd_analyze = shutil.which("systemd-analyze") or pytest.skip("systemd is not installed")
    unit = tmp_path / "pincite.service"
    unit.write_text(read("pincite.service").replace("/opt/pincite/bin/pincite", "/bin/true"))
    done = subprocess.run([systemd_analyze, "verify", str(unit)], capture_output=True, text=True)
    said = [line for line in done.stderr.splitlines() if "pincite.service" in line]
    assert (done.returncode, said) == (0, [])


def test_every_form_names_the_site_and_the_sidecars_name():
    for form in (compose(), fly(), systemd()):
        words = " ".join([*form.arguments, *form.variables.values()])
        assert "https://docs.example.com" in words
        assert "chat.example.com" in words
