"""The doctor's look at the variables of the shell."""

import pytest

from pincite_server.doctor.examination import Examination, examine_environment, examine_sidecar


def test_a_misspelt_variable_is_told_with_the_right_one():
    (finding,) = examine_environment({"PINCITE_GUARD": "strict", "PATH": "/bin"})
    assert (finding.status, finding.fix) == ("warn", "Did you mean PINCITE_GUARDS?")


def test_a_value_that_cannot_be_used_fails_with_the_reason():
    (finding,) = examine_environment({"PINCITE_EVIDENCE_THRESHOLD": "2"})
    assert finding.status == "fail"
    assert "from 0 to 1" in finding.fix


def test_a_short_secret_is_told_without_showing_it():
    (finding,) = examine_environment({"PINCITE_TOKEN": "hunter2"})
    assert finding.status == "fail"
    assert "hunter2" not in str(finding)


def test_known_variables_are_well():
    (finding,) = examine_environment({"PINCITE_PORT": "80", "CHAT_EVIDENCE_THRESHOLD": "0.4"})
    assert finding.status == "ok"


@pytest.mark.parametrize(
    "url", ["http://[::1/x", "//[x", "http://\u2100.com/", "http://a:99999/", "http://a b/", "://"]
)
def test_an_address_that_is_none_ends_the_examination(url: str):
    _, finding = examine_sidecar(url, Examination("Why?"), {})
    assert (finding.check, finding.status) == ("reachable", "fail")
    assert "is no web address" in finding.message
