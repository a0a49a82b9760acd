"""deploy/replicas/ is valid for Compose, Kubernetes and nginx, and names existing settings, ports and routes."""

import json
import re
import subprocess
import sys
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
import yaml

from pincite_core.postgres.address import DatabaseAddress
from pincite_server.cli.serve_command import _GRACE_SECONDS, serve
from pincite_server.doctor.examination import KNOWN_VARIABLES
from pincite_server.http.routes.status import health, ready
from pincite_server.settings import Settings, secrets_from_environment

DEPLOY = Path(__file__).parents[4] / "deploy"
COMPOSE, NGINX, KUBERNETES = (DEPLOY / "replicas" / name for name in ("compose.yaml", "nginx.conf", "kubernetes.yaml"))
SERVICES = yaml.safe_load(COMPOSE.read_text(encoding="utf-8"))["services"]
RESOURCES = {one["kind"]: one for one in yaml.safe_load_all(KUBERNETES.read_text(encoding="utf-8"))}
POD = RESOURCES["Deployment"]["spec"]["template"]
CONTAINER = POD["spec"]["containers"][0]
SIDECARS = [name for name in SERVICES if name.startswith("pincite-")]
KUBERNETES_VERSIONS = ("1.31", "1.34")
"""The first version with `preStop.sleep` in all its releases, and a recent one."""

_OF_LIBPQ = {"PGPASSWORD"}
_SECRETS = {"state": "valkey://:word@valkey:6379/0", "reader-secret": "0123456789abcdef", "database-password": "word"}


def image() -> dict[str, str]:
    """Return the variables of the image."""
    line = re.search(r"^ENV (.*)$", (DEPLOY / "Dockerfile").read_text(encoding="utf-8"), re.MULTILINE)
    assert line is not None
    return dict(pair.split("=", 1) for pair in line[1].split())


def of_compose() -> dict[str, str]:
    """Return the variables of a sidecar in Compose, with a secret in each place."""
    given = SERVICES[SIDECARS[0]]["environment"]
    return {name: re.sub(r"\$\{\w+:\?[^}]*\}", "0123456789abcdef", value) for name, value in given.items()}


def of_kubernetes() -> dict[str, str]:
    """Return the variables of a sidecar in Kubernetes; the first lines of the file name its Secret and the keys."""
    told = KUBERNETES.read_text(encoding="utf-8")
    assert set(re.findall(r"--from-literal=([\w-]+)=", told)) == set(_SECRETS)
    variables = {}
    for one in CONTAINER["env"]:
        reference = one.get("valueFrom", {}).get("secretKeyRef")
        assert reference is None or f"create secret generic {reference['name']} " in told
        variables[one["name"]] = _SECRETS[reference["key"]] if reference else one["value"]
    return variables


def settings(variables: Mapping[str, str], monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """Return the settings that `pincite serve` reads from the variables."""
    for name, value in (image() | variables).items():
        monkeypatch.setenv(name, value)
    secrets_from_environment(variables)
    return serve.make_context("serve", []).params


@pytest.mark.parametrize("form", [of_compose, of_kubernetes], ids=["compose", "kubernetes"])
def test_pincite_serve_takes_every_variable_of(form, monkeypatch: pytest.MonkeyPatch):
    variables = form()
    assert set(variables) - KNOWN_VARIABLES - _OF_LIBPQ == set()
    assert secrets_from_environment(variables).keys() >= {"state", "reader_secret"}
    taken = settings(variables, monkeypatch)
    assert DatabaseAddress.parse(variables["PINCITE_INDEX"]).site == "site"
    assert taken["host"] == "0.0.0.0"
    assert "chat.example.com" in str(taken["host_names"])


def test_no_secret_is_written_into_a_configuration():
    for service in SERVICES.values():
        for name, value in service.get("environment", {}).items():
            assert not re.search("PASSWORD|SECRET|AUTH|STATE", name) or ":?is not set}" in value, name
    told = {one["name"] for one in CONTAINER["env"] if "value" in one}
    assert told & {"PGPASSWORD", "PINCITE_STATE", "PINCITE_READER_SECRET"} == set()


def test_the_compose_file_is_valid():
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.compose-spec", str(COMPOSE)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("version", KUBERNETES_VERSIONS)
def test_the_kubernetes_resources_are_valid(version: str):
    if find_spec("kubernetes_validate") is None:
        pytest.skip("kubernetes-validate is not installed")
    command = [sys.executable, "-m", "kubernetes_validate", "--strict", "-k", version, str(KUBERNETES)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_both_images_have_the_extras_for_a_database_and_a_shared_state():
    assert "ARG EXTRAS=serve\n" in (DEPLOY / "Dockerfile").read_text(encoding="utf-8")
    extras = {SERVICES[name]["build"]["args"]["EXTRAS"] for name in (*SIDECARS, "push")}
    assert extras == {"serve,postgresql,state"}
    assert f"EXTRAS={extras.pop()}" in KUBERNETES.read_text(encoding="utf-8")


def test_the_pushed_index_is_the_served_one():
    assert SERVICES["push"]["entrypoint"][:2] == ["pincite", "push"]
    assert SERVICES["push"]["entrypoint"][-1] == of_compose()["PINCITE_INDEX"]


def test_nginx_names_each_sidecar_with_its_port():
    named = re.findall(r"^ +server ([\w-]+):(\d+) ", NGINX.read_text(encoding="utf-8"), re.MULTILINE)
    assert named == [(name, str(Settings().port)) for name in SIDECARS]
    assert len(SIDECARS) == 3


def test_probes_use_existing_routes_and_ports():
    ports = {port["name"]: port["containerPort"] for port in CONTAINER["ports"]}
    assert ports == {"http": Settings().port, "metrics": int(of_kubernetes()["PINCITE_METRICS_PORT"])}
    probes = {name: CONTAINER[f"{name}Probe"]["httpGet"] for name in ("startup", "readiness", "liveness")}
    assert {name: {probe["path"]} for name, probe in probes.items()} == {
        "startup": health.paths,
        "readiness": ready.paths,
        "liveness": health.paths,
    }
    assert {probe["port"] for probe in probes.values()} <= ports.keys()
    assert RESOURCES["Service"]["spec"]["ports"][0]["targetPort"] in ports
    asked = {re.search(r"http://127\.0\.0\.1:(\d+)(/\w+)", json.dumps(SERVICES[name]))[0] for name in SIDECARS}  # type: ignore[index]
    assert asked == {f"http://127.0.0.1:{Settings().port}/health"}


def test_streams_may_end_before_a_sidecar_is_killed():
    pause = CONTAINER["lifecycle"]["preStop"]["sleep"]["seconds"]
    assert POD["spec"]["terminationGracePeriodSeconds"] >= pause + _GRACE_SECONDS
    assert {SERVICES[name]["stop_grace_period"] for name in SIDECARS} == {"30s"}


def test_the_kubernetes_selectors_match_the_sidecars():
    labels = POD["metadata"]["labels"]
    assert RESOURCES["Service"]["spec"]["selector"] == labels
    for kind in ("Deployment", "PodDisruptionBudget"):
        assert RESOURCES[kind]["spec"]["selector"]["matchLabels"] == labels
    scaler = RESOURCES["HorizontalPodAutoscaler"]["spec"]
    assert scaler["scaleTargetRef"]["name"] == RESOURCES["Deployment"]["metadata"]["name"]
    assert "replicas" not in RESOURCES["Deployment"]["spec"]
    assert scaler["minReplicas"] > RESOURCES["PodDisruptionBudget"]["spec"]["maxUnavailable"]
    assert scaler["metrics"][0]["resource"]["name"] in CONTAINER["resources"]["requests"]


def test_variables_that_kubernetes_sets_are_not_read_as_settings():
    """A Service named pincite sets PINCITE_PORT in every pod unless `enableServiceLinks` is false."""
    assert POD["spec"]["enableServiceLinks"] is False
