"""A claim against what it cites: what is verified, what is doubtful, what cannot be true."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite_server.grounding.claims import judge_claim
from pincite_server.grounding.evidence import Evidence

LEASES = Evidence.of(
    "Leases > Duration [leaseSeconds]",
    """A lease lasts 30 seconds by default. Set `leaseSeconds` to change it, before the node starts.

The scheduler calls `renew()` on every leader. A follower never renews a lease, and only the leader may write.

```js
const client = connect({leaseSeconds: 60});
client.renew();
```
""",
)
QUEUES = Evidence.of(
    "Queues", "A queue keeps messages in memory. Reading removes a message, and peeking leaves it in place."
)
SHOWN = Evidence.joined([LEASES, QUEUES])


@pytest.mark.parametrize(
    "claim",
    [
        "A lease lasts 30 seconds by default.",
        "By default, leases last for 30 seconds.",
        "To change how long a lease lasts, set `leaseSeconds` before the node starts.",
        "Followers never renew a lease.",
        "The setting is called `leaseSeconds`, and `client.renew()` renews the lease.",
        "Set it like this:",
    ],
)
def test_what_the_sentences_say_is_verified_in_other_words_too(claim: str):
    assert judge_claim(claim, LEASES, SHOWN).proof == "verified"


@pytest.mark.parametrize(
    ("claim", "doubt"),
    [
        ("A lease lasts 90 seconds by default.", "number"),
        ("A lease lasts 30 milliseconds by default.", "number"),
        ("Set `leaseMinutes` to change it.", "name"),
        ("Run it with `--renew-all` on every leader.", "name"),
        ("Since v7 the scheduler calls `renew()` on every leader.", "name"),
        ("The scheduler asks Zookeeper to renew a lease.", "name"),
        ("See https://leases.example for the scheduler.", "name"),
        ("Otters juggle pebbles beneath waterfalls.", "words"),
        ("Otters are great.", "words"),
    ],
)
def test_what_nothing_shown_has_is_unsupported(claim: str, doubt: str):
    verdict = judge_claim(claim, LEASES, SHOWN)
    assert (verdict.proof, verdict.doubts) == ("unsupported", (doubt,))


@pytest.mark.parametrize(
    ("claim", "doubt"),
    [
        ("A lease does not last 30 seconds by default.", "negation"),
        ("A follower renews a lease.", "negation"),
        ("Set `leaseSeconds` to change it, after the node starts.", "opposite"),
        ("Set `leaseSeconds` to change it, at any time.", "strength"),
        ("The scheduler calls `renew()` and encrypts the disk.", "words"),
        ("A queue keeps messages in memory.", "words"),
    ],
)
def test_what_is_turned_round_or_not_said_is_doubtful(claim: str, doubt: str):
    verdict = judge_claim(claim, LEASES, SHOWN)
    assert verdict.proof == "doubtful"
    assert doubt in verdict.doubts


@pytest.mark.parametrize(
    ("claim", "doubt"),
    [
        ("Watching the file is enabled by default.", "negation"),
        ("The documentation recommends the old plugins.", "negation"),
        ("For expired certificates, or those without a name, adding an authority will help too.", "negation"),
        ("All editors support the format.", "strength"),
        ("Sorting is always unsafe because of side effects.", "strength"),
        ("It works from version 2.10 on.", "number"),
        ("Install version 3 of the plugin first.", "number"),
    ],
)
def test_a_claim_is_compared_with_the_sentence_that_says_it_and_not_with_the_whole_section(claim: str, doubt: str):
    section = Evidence.of(
        "Formatting",
        """Watching the file costs a little time, so it's not enabled by default. Every change is always written.

These plugins are generally not recommended, but can be useful. They are old.

For expired certificates, or those without a name, adding an authority will not help.

Most editors support the format. All of them can call it.

Sorting is potentially unsafe because of side effects. Comments are always kept. It works from version 2.1 on.

1. Save the file.
2. Install a pinned version of the plugin first.
3. Restart the editor.
""",
    )
    verdict = judge_claim(claim, section, section)
    assert doubt in verdict.doubts


def test_two_things_in_each_others_place_are_doubtful():
    verdict = judge_claim("Peeking removes a message, and reading leaves it in place.", QUEUES, SHOWN)
    assert verdict.doubts == ("exchange",)


def test_a_setting_that_only_the_heading_names_is_known():
    named = Evidence.of("Reference > maxWorkers [number]", "The most workers that are spawned for running tests.")
    assert judge_claim("`maxWorkers` is the most workers that are spawned.", named, named).proof == "verified"


def test_a_number_or_name_of_the_question_is_no_invention():
    assert judge_claim("Set `leaseSeconds` to 100.", LEASES, SHOWN).proof == "unsupported"
    assert judge_claim("Set `leaseSeconds` to 100.", LEASES, SHOWN, "a lease of 100 seconds").proof == "verified"


def test_the_quote_is_the_docs_own_words():
    verdict = judge_claim("By default, leases last for 30 seconds.", LEASES, SHOWN)
    assert verdict.quote == "A lease lasts 30 seconds by default."


@given(st.text(max_size=200))
def test_any_text_is_judged(text: str):
    assert judge_claim(text, LEASES, SHOWN, text).proof in {"verified", "doubtful", "unsupported"}


LONG = "The scheduler of a cluster asks its leader for a replica, a journal, a snapshot, a token, a key and a port."
ELECTION = Evidence.of("Election", LONG)


@pytest.mark.parametrize(
    ("claim", "proof"),
    [
        (LONG.replace("journal", "purple journal"), "verified"),  # a writer's own word among many
        (LONG.replace("journal", "purple journal").replace("port", "stormy port"), "doubtful"),
        ("The leader has a purple journal.", "doubtful"),  # one of three
    ],
)
def test_new_words_are_doubtful_when_they_are_two_or_many_for_the_claim(claim: str, proof: str):
    assert judge_claim(claim, ELECTION, ELECTION).proof == proof


MONGO = Evidence.of(
    "Naming",
    "`MongoNamingStrategy` keeps field names as they are. Turn it off with `strict`. Pages are kept for some time.",
)


@pytest.mark.parametrize(
    ("claim", "question", "doubts"),
    [
        ("In MongoDB, `MongoNamingStrategy` keeps field names as they are.", "", ("name",)),
        ("Set `strict` to `false` to turn it off.", "", ("name",)),
        ("Pages are kept for 60000 milliseconds.", "How do I keep pages for a minute?", ("number",)),
        ("Pages are kept for some time, for 2 hours 120 minutes.", "How do I keep pages for 2 hours?", ("number",)),
    ],
)
def test_what_only_follows_from_what_was_shown_is_no_invention_but_doubtful(claim: str, question: str, doubts: tuple):
    verdict = judge_claim(claim, MONGO, MONGO, question)
    assert (verdict.proof, verdict.doubts[:1]) == ("doubtful", doubts)


@pytest.mark.parametrize(
    ("claim", "question"),
    [
        ("In RiakDB, field names are kept as they are.", ""),
        ("Pages are kept for 61000 milliseconds.", "How do I keep pages for a minute?"),
        ("Pages are kept for 60000 milliseconds.", "How do I keep pages?"),
    ],
)
def test_what_does_not_even_follow_is_invented(claim: str, question: str):
    assert judge_claim(claim, MONGO, MONGO, question).proof == "unsupported"


def test_a_count_that_nothing_cited_has_is_doubtful_but_where_it_leads_in_what_is_counted():
    docs = Evidence.of("Bells", "The bell rings once before a boat is let in.\n\n- the pier\n- the reef\n- the lamp")
    assert judge_claim("The bell rings twice before a boat is let in.", docs, docs).doubts == ("number",)
    assert "number" not in judge_claim("Before a boat is let in, the bell rings at three places:", docs, docs).doubts


def test_what_leads_in_another_number_of_things_than_any_list_of_the_docs_has_is_doubtful():
    claim = "Before a boat is let in, the bell rings at four places:"
    listed = Evidence.of("Bells", "The bell rings once before a boat is let in.\n\n- the pier\n- the reef\n- the lamp")
    told = Evidence.of("Bells", "The bell rings before a boat is let in: at the pier, the reef, the lamp and the gate.")
    assert judge_claim(claim, listed, listed).doubts == ("number",)
    assert "number" not in judge_claim(claim, told, told).doubts
    assert "number" not in judge_claim(claim, listed, listed, "At which four places does it ring?").doubts
