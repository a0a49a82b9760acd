"""Every signal of evidence and of confidence is computed in the browser too."""

import re
from dataclasses import fields
from pathlib import Path

import pytest

from pincite_core.quoting.likelihood import AnswerSignals
from pincite_core.search.evidence import EvidenceSignals

BROWSER = Path(__file__).parents[2] / "widget/src/answering"
COMPUTED = {
    name for file in BROWSER.glob("*.js") for name in re.findall(r"^ +(\w+): ", file.read_text("utf-8"), re.MULTILINE)
}


@pytest.mark.parametrize("signals", [AnswerSignals, EvidenceSignals])
def test_the_browser_computes_every_signal(signals: type) -> None:
    assert {field.name for field in fields(signals)} - COMPUTED == set()
