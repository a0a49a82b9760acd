"""Plugins of other packages are loaded by their entry points."""

import sys
from pathlib import Path

import pytest
from tests.plugin_packages import install_plugin

from pincite_core.errors import PluginError
from pincite_core.plugins import load_plugins

GROUP = "pincite.tests"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "acme_docs", raising=False)
    return tmp_path


def test_an_installed_package_s_object_is_found_by_its_group_and_name(folder: Path) -> None:
    install_plugin(folder, GROUP, "acme = acme_docs:ANSWER", "ANSWER = 42\n")
    named = "The plugin 'acme' (pincite.tests = acme_docs:ANSWER) of the package acme-docs 1.2"
    assert list(load_plugins(GROUP)) == list(load_plugins(GROUP, "acme")) == [(named, 42)]
    assert list(load_plugins(GROUP, "other")) == []
    assert list(load_plugins("pincite.nothing")) == []


@pytest.mark.parametrize(
    ("source", "why"),
    [
        ("import acme_missing\n", "ModuleNotFoundError: No module named 'acme_missing'"),
        ("1 / 0\n", "ZeroDivisionError: division by zero"),
        ("", "AttributeError"),
    ],
)
def test_a_plugin_that_cannot_be_imported_is_named_with_its_package(folder: Path, source: str, why: str) -> None:
    install_plugin(folder, GROUP, "acme = acme_docs:ANSWER", source)
    with pytest.raises(PluginError) as error:
        list(load_plugins(GROUP))
    said = str(error.value)
    assert said.startswith("The plugin 'acme' (pincite.tests = acme_docs:ANSWER) of the package acme-docs 1.2 cannot")
    assert why in said
