"""What stands in and under an answer on the real site, and what a reader can do with it."""

import re

import httpx
import pytest
from playwright.sync_api import Page, expect
from tests.e2e.conftest import NewPage
from tests.e2e.reader import ask, ask_again, button, cited_links, visit
from tests.e2e.sites import Site

pytestmark = pytest.mark.browser

PAGE = "/docs/concepts/jobs"
QUESTION = "How long does a lease last by default?"
HOW_TO = "How do I start a server with Docker?"
FOREIGN = "What is the best recipe for sourdough bread?"
CLIPBOARD = "() => navigator.clipboard.readText()"
RICH = "async () => (await (await navigator.clipboard.read())[0].getType('text/html')).text()"
VOTES = re.compile(r"^pincite_feedback_(up|down)_total (\S+)", re.MULTILINE)


def test_an_answer_to_how_has_code_that_is_copied_by_itself(new_page: NewPage, sidecar: str) -> None:
    page = new_page(permissions=["clipboard-read", "clipboard-write"])
    visit(page, f"{sidecar}/docs/quick-start")
    turn = ask(page, HOW_TO)
    code = turn.locator(".prose pre code").first
    expect(code).to_contain_text("docker run")
    button(page, "Copy code").first.click()
    expect(page.locator("pincite-chat [role=status]")).to_have_text("Copied")
    assert page.evaluate(CLIPBOARD) == code.inner_text().rstrip("\n")


def test_an_answer_is_copied_with_its_citations_as_markdown_and_as_rich_text(new_page: NewPage, site: Site) -> None:
    page = new_page(permissions=["clipboard-read", "clipboard-write"])
    visit(page, site.start)
    ask(page, site.docs.question)
    button(page, "Copy answer").click()
    expect(page.locator("pincite-chat [role=status]")).to_have_text("Copied")
    place = f"{site.address}{site.docs.link}"
    copied = page.evaluate(CLIPBOARD)
    assert site.docs.answer in copied
    assert f"[{site.docs.place}]({place})" in copied
    rich = page.evaluate(RICH)
    assert f'href="{place}"' in rich
    assert "[1]" in rich


def test_a_link_to_a_question_opens_the_chat_with_it_typed_in(new_page: NewPage, sidecar: str) -> None:
    page = new_page(permissions=["clipboard-read", "clipboard-write"])
    visit(page, f"{sidecar}{PAGE}")
    ask(page, QUESTION)
    button(page, "Copy link to this question").click()
    expect(page.locator("pincite-chat [role=status]")).to_have_text("Copied")
    visit(page, page.evaluate(CLIPBOARD))
    expect(page.locator("pincite-chat textarea")).to_have_value(QUESTION)


def test_a_vote_against_a_refusal_says_why(page: Page, site: Site) -> None:
    visit(page, site.start)
    ask(page, FOREIGN)
    button(page, "Not helpful").click()
    why = page.locator("pincite-chat .why")
    why.get_by_text("The docs do say it").click()
    expect(why.locator("textarea")).to_have_count(0)  # this sidecar keeps no comments
    with page.expect_response("**/api/feedback") as counted:
        why.get_by_role("button").click()
    assert counted.value.request.post_data_json["reason"] == "in_docs"
    assert counted.value.ok
    expect(why).to_have_text("Thank you.")


def test_the_numbers_in_an_answer_are_those_of_the_sources_below_it(page: Page, sidecar: str) -> None:
    visit(page, f"{sidecar}{PAGE}")
    turn = ask(page, QUESTION)
    chips = turn.locator("a.cite")
    assert chips.count() >= 1
    turn.get_by_role("button", name=re.compile(r"Show \d more sources?")).click()
    for chip in chips.all():
        source = turn.locator("[part=citation]").filter(has=page.locator(f".number:text-is('{chip.inner_text()}')"))
        link = source.locator("a.citation-title")
        assert link.get_attribute("href") == chip.get_attribute("href")
        name = f"Source {chip.inner_text()}: {link.inner_text()}"
        assert chip.get_attribute("aria-label") == name


def test_a_source_unfolds_to_the_words_that_were_cited(page: Page, sidecar: str) -> None:
    visit(page, f"{sidecar}{PAGE}")
    turn = ask(page, QUESTION)
    passage = turn.locator("[part=citation] .excerpt").first
    expect(passage).to_be_hidden()
    unfold = turn.locator("[part=citation] .expand").first
    unfold.click()
    expect(passage).to_contain_text("A lease lasts 30 seconds.")
    expect(unfold).to_have_attribute("aria-expanded", "true")
    unfold.click()
    expect(passage).to_be_hidden()


def test_more_than_three_sources_wait_behind_a_button(page: Page, sidecar: str) -> None:
    visit(page, f"{sidecar}{PAGE}")
    turn = ask(page, QUESTION)
    sources = turn.locator("[part=citation]")
    expect(sources).to_have_count(3)
    more = turn.get_by_role("button", name=re.compile(r"Show \d more sources?"))
    rest = int(re.sub(r"\D", "", more.inner_text()))
    more.click()
    expect(sources).to_have_count(3 + rest)
    expect(more).to_have_count(0)
    expect(sources.nth(3).locator("a")).to_be_focused()
    links = cited_links(turn, "[part=citation] a.citation-title")
    assert len(links) == len(set(links))


def test_no_name_of_a_kind_stands_over_a_single_source(page: Page, sidecar: str) -> None:
    visit(page, f"{sidecar}{PAGE}")
    turn = ask(page, "What is retention_succeeded?")
    turn.get_by_role("button", name=re.compile(r"Show \d more sources?")).click()
    groups = turn.locator("[part=sources] .group")
    sizes = [group.locator("li").count() for group in groups.all()]
    assert len(sizes) > 1, "there are several kinds"
    assert turn.locator("[part=sources] h4").count() == (len(sizes) if min(sizes) > 1 else 0)


def test_what_is_known_about_an_answer_unfolds_on_demand(page: Page, sidecar: str) -> None:
    visit(page, f"{sidecar}{PAGE}")
    turn = ask(page, QUESTION)
    confidence = turn.locator("[part=confidence]")
    expect(confidence).to_have_text(re.compile(r"^(Low|Medium|High) confidence · \d+%$"))
    facts = turn.locator(".meta dl")
    expect(facts).to_be_hidden()
    confidence.click()
    for fact in ("Checks", "Passed", "Word for word from the docs", "2.4 · English", " ms"):
        expect(facts).to_contain_text(fact)
    expect(turn.locator("[part=badge]")).to_have_text(re.compile(r"^Based on Harbor Queue · Docs as of .+ \d{4}$"))


def test_a_quotation_that_is_not_translated_is_said_to_be_none(page: Page, sidecar: str) -> None:
    visit(page, f"{sidecar}/fr/docs/concepts/jobs")
    turn = ask(page, "worker concurrency default")  # keywords, which are of no language
    expect(turn).to_contain_text("four jobs at once")
    expect(turn.locator("[part=notice]")).to_contain_text("pas encore traduite")


def test_a_refusal_says_what_to_do_next(page: Page, sidecar: str) -> None:
    visit(page, f"{sidecar}{PAGE}")
    refusal = ask(page, FOREIGN).locator("[part=refusal]")
    contact = refusal.get_by_role("link", name="Contact support")
    expect(contact).to_have_attribute("href", "https://harbor-queue.example/community")
    button(page, "Rephrase your question").click()
    expect(page.locator("pincite-chat textarea")).to_have_value(FOREIGN)
    expect(page.locator("pincite-chat textarea")).to_be_focused()


def test_a_vote_is_counted_by_the_sidecar(page: Page, sidecar: str, metrics: str) -> None:
    def votes() -> dict[str, float]:
        return {"up": 0.0, "down": 0.0} | {vote: float(n) for vote, n in VOTES.findall(httpx.get(metrics).text)}

    visit(page, f"{sidecar}{PAGE}")
    before = votes()
    ask(page, QUESTION)
    with page.expect_response("**/api/feedback") as counted:
        button(page, "Helpful").click()
    assert counted.value.ok
    expect(button(page, "Helpful")).to_have_attribute("aria-pressed", "true")
    after = votes()
    assert (after["up"] - before["up"], after["down"] - before["down"]) == (1, 0)


def test_a_version_that_the_docs_do_not_have_widens_the_scope_and_the_reader_is_told(page: Page, sidecar: str) -> None:
    visit(page, f"{sidecar}{PAGE}")
    page.evaluate("() => { document.querySelector('pincite-chat').context = () => ({version: '1.0'}); }")
    turn = ask(page, QUESTION)
    notice = "There is no version 1.0 in these docs; searched the latest (2.4) instead."
    expect(turn.locator("[part=notice]")).to_have_text(notice)
    expect(turn.locator("[part=answer]")).to_contain_text("30 seconds")


def test_markup_in_a_question_is_shown_and_not_run(page: Page, sidecar: str) -> None:
    attack = '<img src=x onerror="window.hacked=1"> [x](javascript:window.hacked=1) How long does a lease last?'
    visit(page, f"{sidecar}{PAGE}")
    turn = ask(page, attack)
    expect(turn.locator("[part=question]")).to_contain_text(attack)
    expect(turn.locator("img, [href^=javascript]")).to_have_count(0)
    ask_again(page, QUESTION)
    assert page.evaluate("() => 'hacked' in window") is False
