"""The command itself: what it costs, what it says, how it ends."""

import importlib
import subprocess
import sys
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from pincite_core.cli import COMMANDS, main, root
from pincite_core.errors import PinciteError
from pincite_core.version import __version__

MAIN = "from pincite_core.cli import main; main()"


def run(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", MAIN, *map(str, arguments)], capture_output=True, text=True)


def test_help_lists_every_command_and_imports_none_of_them() -> None:
    code = (
        "import sys\nfrom pincite_core.cli import root\n"
        "try: root(['--help'])\nexcept SystemExit: pass\n"
        "print(sorted(m for m in sys.modules if m.startswith(('pincite_indexer', 'pincite_server', 'torch', 'lxml'))))"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert shown.splitlines()[-1] == "[]"
    for name, (_, text) in COMMANDS.items():
        assert f"  {name} " in shown
        assert text.split()[0] in shown


@pytest.mark.parametrize("name", ["index", "inspect"])
def test_a_command_is_found_where_the_table_says(name: str) -> None:
    module, _, attribute = COMMANDS[name][0].partition(":")
    assert isinstance(getattr(importlib.import_module(module), attribute), click.Command)
    assert CliRunner().invoke(root, [name, "--help"]).exit_code == 0


def test_an_unknown_command_is_bad_usage() -> None:
    result = run("indexx")
    assert result.returncode == 2
    assert "No such command 'indexx'" in result.stderr
    assert "Traceback" not in result.stderr


def test_the_version_is_the_distributions() -> None:
    assert CliRunner().invoke(root, ["--version"]).output == f"pincite, version {__version__}\n"


def test_a_deliberate_error_is_one_sentence_and_its_exit_code(tmp_path: Path) -> None:
    result = run("inspect", tmp_path / "nowhere")
    assert result.returncode == 2
    assert result.stderr.startswith("pincite: There is no index at")
    assert result.stderr.count("\n") == 1
    assert result.stdout == ""


def test_a_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "pincite_indexer.command_line", raising=False)
    monkeypatch.setitem(sys.modules, "pincite_indexer.command_line", None)
    result = CliRunner().invoke(root, ["index", "site"])
    assert result.exit_code == 1
    assert "pip install 'pincite[index]'" in result.output


@pytest.mark.parametrize("kind", [PinciteError, *PinciteError.__subclasses__()])
def test_every_error_of_the_tree_ends_the_command_with_its_code(
    kind: type[PinciteError], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail() -> None:
        raise kind("Something is wrong. Mend it.")

    monkeypatch.setattr("pincite_core.cli.root", fail)
    with pytest.raises(SystemExit) as caught:
        main()
    assert caught.value.code == kind.exit_code in {1, 2}
    assert capsys.readouterr().err == "pincite: Something is wrong. Mend it.\n"
