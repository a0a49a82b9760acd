"""Invalid groups of sites are refused, and a group answers while some of its members are missing."""

from pathlib import Path

import pytest
from tests.integration.federated_sites import LEASE, PORT, arguments, chat, place
from tests.integration.indexing import assert_refused, run_pincite
from tests.integration.serving import question, serve, until


def test_a_member_that_is_not_there_is_left_out_and_named_until_it_is(tmp_path: Path):
    sites = (f"lantern={place(tmp_path, 'lantern')}", f"harbor={tmp_path / 'harbor/pincite'}")
    group = arguments(*sites, group="all=lantern,harbor")
    with serve(*group, "--poll-seconds", "0.1", "--cache-dir", tmp_path / "cache") as client:
        reply = chat(client, PORT)
        assert "8080" in reply["answer"]
        assert [notice for notice in reply["notices"] if notice["code"] == "sites_left_out"] == [
            {"code": "sites_left_out", "message": "Could not be searched right now: harbor."}
        ]
        assert client.get("/sites/all/ready").json()["problem"] == "harbor: There is no index yet."
        place(tmp_path, "harbor")
        until(lambda: client.get("/sites/harbor/ready").status_code == 200)
        reply = chat(client, LEASE)
        assert "thirty" in reply["answer"]
        assert reply["notices"] == []


def test_a_group_of_which_no_member_is_there_is_waited_for(tmp_path: Path):
    group = arguments(f"a={tmp_path / 'a'}", f"b={tmp_path / 'b'}", group="all=a,b")
    with serve(*group, "--cache-dir", tmp_path / "cache") as client:
        for reply in (
            client.post("/sites/all/api/chat", json=question(PORT)),
            client.get("/sites/all/api/search", params={"q": "port"}),
            client.get("/sites/all/c/default/guide"),
        ):
            assert (reply.status_code, reply.json()["code"]) == (503, "index_awaited")
        assert client.get("/sites/all/ready").status_code == 503


@pytest.mark.parametrize(
    ("groups", "said"),
    [
        (["all"], "fewer than two sites. Name more of those of --site-index: a, b"),
        (["All=a,b"], "names no group. Write NAME=SITE,SITE"),
        (["a=a,b"], "has a name that is taken. Give it one"),
        (["all=a,b", "all=b,a"], "has a name that is taken. Give it one"),
        (["all=a,c"], "names 'c', which is no site. Choose among those of --site-index: a, b"),
        (["all=a,a"], "fewer than two sites"),
    ],
)
def test_an_invalid_group_is_refused_in_one_sentence(groups: list[str], said: str):
    given = [argument for one in groups for argument in ("--site-group", one)]
    assert_refused(run_pincite("serve", "--site-index", "a=x", "--site-index", "b=y", *given), said, code=2)


def test_a_group_without_site_indexes_is_refused():
    assert_refused(run_pincite("serve", "somewhere", "--site-group", "all=a,b"), "names sites of --site-index", code=2)


def test_groups_may_be_named_by_the_environment(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("PINCITE_SITE_INDEXES", "a=x b=y")
    monkeypatch.setenv("PINCITE_SITE_GROUPS", "one=a,b two=a,c")
    assert_refused(run_pincite("serve"), "--site-group 'two' names 'c'", code=2)
