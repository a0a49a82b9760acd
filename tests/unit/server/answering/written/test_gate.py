"""What a reader gets of what a model wrote: shown, mended, marked as doubtful, or dropped, and never half of a list."""

import re
from dataclasses import replace
from pathlib import Path

import pytest
from tests.factories import build_index, make_answerer

from pincite_core.embedders import DEFAULT_MODEL, FakeEmbedder
from pincite_server.answerer import Answerer
from pincite_server.answering.generation import GenerationContext
from pincite_server.answering.pipeline import prepare
from pincite_server.answering.written.gate import Gate
from pincite_server.answering.written.markers import Markers
from pincite_server.answering.written.units import WrittenUnit, WrittenUnits
from pincite_server.answering.written.writing import conclude
from pincite_server.policy import Policy, Strictness
from pincite_server.question.question import Question
from pincite_server.question.resolve import resolve
from pincite_server.reply.records import Answer

PAGE = """# Lantern image
## Port of the image {#port}
The image listens on port 8080. Set `LANTERN_PORT` before the container starts.

## Running the image {#running}
Run the image with docker run lantern.

## Mocks of the image {#mocks}
Files of `<rootDir>/mocks` replace modules of the image. Paths > 200 characters are refused.
"""
QUESTION = "Which port does the Lantern image listen on, and how is the image run?"


def written(folder: Path, text: str, strictness: Strictness = "hybrid", *, checked: bool = True) -> tuple[Gate, Answer]:
    """Put a text through the gate; `{port}` and the like are the markers of sections, `{9}` one of none."""
    policy = Policy(strictness=strictness, evidence_threshold=0, validators_enabled=checked)
    answerer = make_answerer(folder, {"/docs/image": PAGE}, policy=policy)
    context = prepare(resolve(answerer, Question(QUESTION))).context
    assert context is not None
    return released(context, text)


def admit(gate: Gate, unit: WrittenUnit) -> None:
    judged = gate.judge(unit)
    if judged is not None:
        gate.release(judged)


def released(context: GenerationContext, text: str) -> tuple[Gate, Answer]:
    excerpts = context.excerpts(3000)
    markers = Markers("kvtmq", len(excerpts))
    names = {excerpt.title.split(" > ")[-1].split()[0].lower(): n for n, excerpt in enumerate(excerpts, start=1)}
    gate, units = Gate(context, excerpts, markers), WrittenUnits()
    marked = re.sub(r"\{(\w+)\}", lambda found: markers.marker(names.get(found[1], 9)), text)
    for unit in (*units.feed(marked), *units.finish()):
        admit(gate, unit)
    gate.finish()
    reply = conclude(context, gate, complete=True).reply
    assert isinstance(reply, Answer)
    return gate, reply


def test_a_claim_that_its_excerpt_says_is_verified_with_the_docs_words(tmp_path: Path):
    _, answer = written(tmp_path, "It listens on port 8080. {port}")
    (claim,) = answer.claims
    assert (claim.text, claim.support, claim.citations) == ("It listens on port 8080.", "verified", (1,))
    assert (claim.quote, claim.markers) == ("The image listens on port 8080.", (0,))


def test_each_claim_has_the_number_of_the_place_it_cites(tmp_path: Path):
    answerer = make_answerer(tmp_path, {"/docs/image": PAGE}, policy=Policy(strictness="hybrid", evidence_threshold=0))
    context = prepare(resolve(answerer, Question(QUESTION))).context
    assert context is not None
    _, answer = released(context, "It listens on port 8080. {port} Run the image with docker run lantern. {running}")
    assert [claim.citations for claim in answer.claims] == [(1,), (2,)]


def test_a_doubtful_claim_is_shown_and_says_so_in_words(tmp_path: Path):
    _, answer = written(
        tmp_path, "The image listens on port 8080. {port} Set `LANTERN_PORT` after the container starts. {port}"
    )
    assert answer.text.endswith("Set `LANTERN_PORT` after the container starts. [1] *(not fully proved)*")
    assert [claim.support for claim in answer.claims] == ["verified", "doubtful"]
    assert answer.validation.reasons == ("doubtful_claims",)
    assert answer.validation.passed


class Measured(FakeEmbedder):
    """A model whose cosines are known."""

    info = replace(FakeEmbedder.info, name=DEFAULT_MODEL)


@pytest.mark.parametrize(("embedder", "support"), [(FakeEmbedder(), "verified"), (Measured(), "doubtful")])
def test_the_encoder_of_the_index_looks_again_at_what_the_words_alone_would_verify(
    tmp_path: Path, embedder: FakeEmbedder, support: str
):
    index = build_index(tmp_path, {"/docs/image": PAGE}, embedder=embedder)
    policy = Policy(evidence_threshold=0)
    context = prepare(resolve(Answerer.with_embedder(index, embedder, policy), Question(QUESTION))).context
    assert context is not None
    _, answer = released(context, "The image is good at many other things as well, and listens on port 8080. {port}")
    assert [claim.support for claim in answer.claims] == [support]


def test_what_is_not_checked_is_shown_plainly_and_called_neither_verified_nor_passed(tmp_path: Path):
    _, answer = written(tmp_path, "The image listens on port 9999. {port}", checked=False)
    assert answer.text == "The image listens on port 9999. [1]"
    assert [claim.support for claim in answer.claims] == ["doubtful"]
    assert (answer.validation.passed, answer.validation.reasons) == (None, ("not_checked",))


@pytest.mark.parametrize(("strictness", "shown"), [("strict", False), ("permissive", True)])
def test_a_doubtful_claim_is_dropped_by_the_strict_and_shown_plainly_by_the_permissive(
    tmp_path: Path, strictness: Strictness, shown: bool
):
    text = "The image listens on port 8080. {port} Set `LANTERN_PORT` after the container starts. {port}"
    _, answer = written(tmp_path, text, strictness)
    assert ("after the container" in answer.text) is shown
    assert "proved" not in answer.text


def test_a_marker_of_the_wrong_excerpt_is_mended(tmp_path: Path):
    _, answer = written(tmp_path, "The image listens on port 8080. {running}")
    assert answer.claims[0].support == "verified"
    assert answer.citations[0].anchor == "port"


def test_a_sentence_without_a_marker_is_cited_where_an_excerpt_says_it(tmp_path: Path):
    _, answer = written(tmp_path, "The image listens on port 8080.")
    assert answer.citations[0].anchor == "port"


def test_a_list_comes_with_its_lead_in_or_not_at_all(tmp_path: Path):
    gate, answer = written(
        tmp_path,
        "The image listens on port 8080. {port}\n\nTo run the image:\n\n- Kubernetes pods need Helm. {running}\n\n"
        "Run the image with docker run lantern. {running}",
    )
    assert answer.text == "The image listens on port 8080. [1]\n\nRun the image with docker run lantern. [2]"
    assert {finding.reason for finding in gate.dropped} == {"low_overlap", "announces_nothing"}


def test_a_lead_in_is_released_with_the_first_of_its_items(tmp_path: Path):
    gate, answer = written(
        tmp_path, "To run the image:\n\n- Kubernetes pods need Helm. {running}\n- Run docker run lantern. {running}"
    )
    assert answer.text == "To run the image:\n\n- Run docker run lantern. [1]"
    assert len(gate.released) == 2


def test_steps_keep_their_numbers(tmp_path: Path):
    _, answer = written(
        tmp_path, "1. Run the image with docker run lantern. {running}\n2) The image listens on port 8080. {port}"
    )
    assert answer.text == "1. Run the image with docker run lantern. [1]\n2. The image listens on port 8080. [2]"


def test_what_a_dropped_lead_in_announced_is_dropped_with_it(tmp_path: Path):
    _, answer = written(
        tmp_path,
        "The image listens on port 8080. {port}\n\nZookeeper wants this:\n\n- Run docker run lantern. {running}",
    )
    assert answer.text == "The image listens on port 8080. [1]"


def test_a_lead_in_at_the_end_is_dropped(tmp_path: Path):
    _, answer = written(tmp_path, "The image listens on port 8080. {port} Run the image like this:")
    assert answer.text == "The image listens on port 8080. [1]"


def test_signs_inside_a_sentence_are_no_marks_of_a_quotation_or_list(tmp_path: Path):
    _, answer = written(
        tmp_path,
        "Files of `<rootDir>/mocks` replace modules. {mocks}\n\n- Paths > 200 characters are refused. {mocks}\n",
    )
    assert "`<rootDir>/mocks`" in answer.text
    assert "Paths \\> 200 characters" in answer.text


def test_a_written_answer_with_a_url_that_the_index_does_not_know_does_not_pass(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    answerer = make_answerer(tmp_path, {"/docs/image": PAGE}, policy=Policy(evidence_threshold=0))
    context = prepare(resolve(answerer, Question(QUESTION))).context
    assert context is not None
    monkeypatch.setattr("pincite_core.citation.join_fragment", lambda url, anchor: f"{url}#nowhere")
    _, answer = released(context, "The image listens on port 8080. {port}")
    assert not answer.validation.passed
    assert answer.validation.reasons == ("invalid_reference",)
    assert answer.text.endswith("This answer may be speculative")


def test_a_supported_answer_does_not_say_that_it_may_be_speculative(tmp_path: Path):
    page = PAGE + "\n## Speed of the image {#speed}\nThe image is perhaps slow at first.\n"
    answerer = make_answerer(tmp_path, {"/docs/image": page}, policy=Policy(evidence_threshold=0))
    context = prepare(resolve(answerer, Question(QUESTION))).context
    assert context is not None
    _, answer = released(context, "The image is perhaps slow at first. {speed}")
    assert "speculative" not in answer.text
    assert answer.validation.passed


def test_a_lead_in_of_general_words_stays_with_what_it_announces(tmp_path: Path):
    _, answer = written(
        tmp_path,
        "The documentation does not describe a second port. {0}\n\nThe nearest facts are:\n\n"
        "- The image listens on port 8080. {port}\n- Run the image with docker run lantern. {running}",
    )
    assert [claim.support for claim in answer.claims] == ["absent", "verified", "verified", "verified"]
    assert "The nearest facts are:\n\n- The image listens on port 8080. [1]" in answer.text


def test_a_summary_without_a_marker_is_cited_where_two_excerpts_say_it_together(tmp_path: Path):
    _, answer = written(tmp_path, "The image listens on port 8080, and is run with docker run lantern.")
    assert answer.claims[0].support == "verified"
    assert {citation.anchor for citation in answer.citations if citation.used} == {"port", "running"}


def test_an_absent_statement_alone_is_no_answer(tmp_path: Path):
    answerer = make_answerer(tmp_path, {"/docs/image": PAGE}, policy=Policy(evidence_threshold=0))
    context = prepare(resolve(answerer, Question(QUESTION))).context
    assert context is not None
    excerpts = context.excerpts(3000)
    markers = Markers("kvtmq", len(excerpts))
    gate, units = Gate(context, excerpts, markers), WrittenUnits()
    for unit in (*units.feed(f"The docs do not describe this. {markers.marker(0)}"), *units.finish()):
        admit(gate, unit)
    assert not gate.declined
    gate.finish()
    assert (gate.declined, gate.released) == (True, [])


def test_a_place_that_a_link_leads_to_can_be_cited_beside_the_sentence_that_has_the_link(tmp_path: Path):
    pages = {
        "/docs/image": "# Lantern image\n## Port of the image {#port}\n[port list](/docs/ports#all)\n\n"
        "The image listens on port 8080. The port list names all others.",
        "/docs/ports": "# Ports\n## All ports {#all}\nMany.",
    }
    answerer = make_answerer(tmp_path, pages, policy=Policy(evidence_threshold=0))
    context = prepare(resolve(answerer, Question("Which port does the image listen on?"))).context
    assert context is not None
    excerpts = context.excerpts(3000)
    (linked,) = [excerpt for excerpt in excerpts if not excerpt.is_quoted]
    markers = Markers("kvtmq", linked.number)
    gate = Gate(context, excerpts, markers)
    units = WrittenUnits()
    text = f"The port list names all others. {markers.marker(1)}{markers.marker(linked.number)}"
    for unit in (*units.feed(text), *units.finish()):
        admit(gate, unit)
    gate.finish()
    reply = conclude(context, gate, complete=True).reply
    assert isinstance(reply, Answer)
    assert [citation.url for citation in reply.citations if citation.used] == ["/docs/image#port", "/docs/ports#all"]
    assert reply.claims[0].support == "verified"


def test_the_number_behind_a_link_counts_as_its_marker_and_proves_no_number(tmp_path: Path):
    _, answer = written(tmp_path, "The image listens on port 8080 (→ 2).")
    assert "→" not in answer.text
    assert answer.claims[0].citations != ()
