"""Questions embedded in the reader's own browser: while it loads, when it cannot, and with the words kept there."""

import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Request, Route, expect
from tests.e2e.conftest import BUILD
from tests.e2e.reader import ask, button, finished, open_chat, panel, select_text, send
from tests.e2e.sites import NAME
from tests.e2e.test_access import AXE, FINDINGS, FLATTEN
from tests.integration.serving import serve

from pincite_core.deployed.build_facts import facts_beside
from pincite_core.embedders import encoder_from
from pincite_core.index.schema import DATABASE_NAME
from pincite_indexer.browser_encoder import write_browser_encoder
from pincite_indexer.publish import widget_folder

pytestmark = pytest.mark.browser

PAGE = "/docs/concepts/jobs"
LEASE = "How long does a lease last by default?"
AGAIN = "What happens when a lease is lost?"
ANSWER = "A lease lasts 30 seconds."
LIMIT_MS = 16_000  # more than nothing may come for
# What the documentation recommends, and as strict beside it as a site can be.
POLICY = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; style-src 'self' 'unsafe-inline'; "
    "connect-src 'self'; img-src 'self' data:; font-src 'self'; base-uri 'none'"
)
TRUSTED = "; require-trusted-types-for 'script'; trusted-types pincite-encoder"
METERED = "Object.defineProperty(navigator, 'connection', {value: {saveData: true}});"
KEPT = "async () => (await (await caches.open('pincite-encoder')).keys()).map(({url}) => url)"
# What is kept of the encoder is damaged, and beside it lies what an earlier build had.
SPOIL = """async (url) => {
  const cache = await caches.open('pincite-encoder');
  for (const key of await cache.keys()) {
    const {headers} = await cache.match(key);
    if (headers.get('Pincite-Source') === url) await cache.put(key, new Response('damaged', {headers}));
  }
  await cache.put('/.pincite-encoder/earlier', new Response('earlier', {headers: {'Pincite-Source': url}}));
}"""
# Firefox tells no one what a request holds, so the page keeps it.
RECORDING = """{
  const {fetch} = globalThis;
  globalThis.asked = [];
  globalThis.fetch = (url, options) => {
    if (String(url).endsWith('/api/chat')) globalThis.asked.push(options.body);
    return fetch(url, options);
  };
}"""
BY_ANOTHER = """{
  const {fetch} = globalThis;
  const another = (body) => body?.replace('all-MiniLM-L6-v2', 'another');
  globalThis.fetch = (url, {body, ...options} = {}) => fetch(url, {...options, body: another(body)});
}"""
NO_WASM = "delete globalThis.WebAssembly;"


def write_embedding_site(folder: Path) -> Path:
    """Copy the example site into a new folder, as `--browser-encoder` writes it, and return where it is."""
    site = Path(shutil.copytree(BUILD, folder / "site"))
    index, widget = site / "pincite", widget_folder()
    encoder, entry = encoder_from(index), facts_beside(index / DATABASE_NAME).encoder
    assert encoder is not None
    assert entry is not None
    assert widget is not None
    shutil.copytree(widget, index, dirs_exist_ok=True)
    write_browser_encoder(encoder, entry, index, widget)
    return site


@pytest.fixture(scope="module")
def embedding_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The example site with the reader's encoder, and its sidecar; its address without a slash."""
    site = write_embedding_site(tmp_path_factory.mktemp("embedding"))
    with serve("--site", site, "--host-name", NAME, PINCITE_RATE_LIMIT="0", PINCITE_ADDRESS_LIMIT="0") as client:
        yield str(client.base_url).rstrip("/")


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    """A new profile, whose pages may complain of what they are kept from."""
    profile = browser.new_context(viewport={"width": 1280, "height": 800}, reduced_motion="reduce", locale="en-GB")
    yield profile
    profile.close()


@pytest.fixture
def page(context: BrowserContext) -> Page:
    context.add_init_script(RECORDING)
    return context.new_page()


def visit(page: Page, site: str, send: str = "") -> None:
    """Go to a page whose chat embeds questions itself, with their words or, by `send`, without."""
    page.goto(site + PAGE)
    page.locator("pincite-chat").evaluate(
        "(chat, send) => { chat.setAttribute('embedder', 'browser'); if (send) chat.setAttribute('send', send); }", send
    )


def fetched(page: Page) -> list[Request]:
    """Return a list to which the encoder's large files are added as they are fetched."""
    found: list[Request] = []
    names = ("runtime.bin", "encoder.onnx", "tokenizer.json")
    page.context.on("request", lambda request: found.append(request) if request.url.endswith(names) else None)
    return found


def lose(route: Route) -> None:
    """Have a file missing."""
    route.fulfill(status=404, body="gone")


def damage(route: Route) -> None:
    """Have the last byte of a file changed."""
    reply = route.fetch()
    route.fulfill(response=reply, body=reply.body()[:-1] + b"!")


def cut_off(route: Route) -> None:
    """Have no more than the beginning of a file come: quick, since a large one is handed on slowly."""
    route.fulfill(body=b"!" * 1000)


def asked(page: Page) -> list[dict[str, Any]]:
    """Return the questions that this page has sent, in order."""
    bodies: list[str] = page.evaluate("globalThis.asked")
    return [json.loads(body) for body in bodies]


def with_policy(page: Page, policy: str) -> None:
    """Have every page and worker of the site come with a policy."""

    def add(route: Route) -> None:
        reply = route.fetch()
        route.fulfill(response=reply, headers={**reply.headers, "content-security-policy": policy})

    page.context.route(lambda url: url.endswith(("jobs", "jobs/", "worker.js")) or "worker.js?" in url, add)


def test_a_question_goes_to_the_sidecar_with_what_the_browser_made_of_it(page: Page, embedding_site: str) -> None:
    files = fetched(page)
    visit(page, embedding_site)
    expect(ask(page, LEASE)).to_contain_text(ANSWER)
    question = asked(page)[0]
    assert (question["query"], len(question["embedding"]), len(files)) == (LEASE, 384, 3)
    assert question["embedding_model"] == "sentence-transformers/all-MiniLM-L6-v2"
    assert {len(row) for row in question["embedding_tokens"]} == {64}


def test_an_embedding_by_another_model_than_the_sidecars_is_left_out(page: Page, embedding_site: str) -> None:
    page.add_init_script(BY_ANOTHER)
    visit(page, embedding_site)
    expect(ask(page, LEASE)).to_contain_text(ANSWER)
    assert ["embedding" in question for question in asked(page)] == [True, False]


def test_what_was_loaded_once_is_not_fetched_again(page: Page, embedding_site: str) -> None:
    visit(page, embedding_site)
    ask(page, LEASE)
    files = fetched(page)
    visit(page, embedding_site)
    ask(page, AGAIN)
    assert "embedding" in asked(page)[-1]
    assert files == []


def test_files_of_an_earlier_build_are_dropped_and_a_damaged_one_is_fetched_again(
    page: Page, embedding_site: str
) -> None:
    visit(page, embedding_site)
    ask(page, LEASE)
    kept = page.evaluate(KEPT)
    assert len(kept) == 3
    page.evaluate(SPOIL, embedding_site + "/pincite/encoder.onnx")
    files = fetched(page)
    visit(page, embedding_site)
    open_chat(page)
    send(page, AGAIN)
    finished(page)
    assert [request.url.rpartition("/")[2] for request in files] == ["encoder.onnx"]
    assert sorted(page.evaluate(KEPT)) == sorted(kept)


def test_over_plain_http_where_nothing_can_be_kept_it_works_as_well(page: Page, embedding_site: str) -> None:
    visit(page, embedding_site.replace("127.0.0.1", NAME))
    assert page.evaluate("() => [isSecureContext, 'caches' in window]") == [False, False]
    ask(page, LEASE)
    assert "embedding" in asked(page)[0]


def test_loading_shows_megabytes_and_when_nothing_comes_the_reader_tries_again(page: Page, embedding_site: str) -> None:
    held: list[Route] = []
    page.context.route("**/encoder.onnx", lambda route: held.append(route))
    page.clock.install()
    visit(page, embedding_site)
    open_chat(page)
    with page.context.expect_event("request", lambda request: request.url.endswith("encoder.onnx")):
        send(page, LEASE)
    page.clock.run_for(1000)
    expect(panel(page).locator("[part=encoder]")).to_contain_text("Initializing AI… 4 of 27 MB")
    page.clock.run_for(LIMIT_MS)
    expect(panel(page).locator("[part=encoder]")).to_contain_text("Connection Timed Out")
    page.context.unroute("**/encoder.onnx")
    button(page, "Try again").click()
    page.clock.resume()
    expect(finished(page)).to_contain_text(ANSWER)
    assert held
    assert "embedding" in asked(page)[0]
    expect(panel(page).locator("[part=encoder]")).to_have_count(0)


def test_a_reader_who_does_not_wait_is_answered_without(page: Page, embedding_site: str) -> None:
    page.context.route("**/encoder.onnx", lambda route: None)
    visit(page, embedding_site)
    open_chat(page)
    send(page, LEASE)
    button(page, "Answer without it").click()
    expect(finished(page)).to_contain_text(ANSWER)
    assert "embedding" not in asked(page)[0]


@pytest.mark.parametrize(
    ("policy", "told"),
    [
        (POLICY.replace(" 'wasm-unsafe-eval'", ""), "keep the AI from running"),
        (POLICY.replace("worker-src 'self'", "worker-src 'none'"), "keep the AI from running"),
        (POLICY + TRUSTED.replace("pincite-encoder", "'none'"), "keep the AI from running"),
    ],
    ids=["no wasm-unsafe-eval", "no worker-src", "no trusted type"],
)
def test_what_the_policy_forbids_is_said_once_and_the_sidecar_embeds(
    page: Page, embedding_site: str, policy: str, told: str
) -> None:
    with_policy(page, policy)
    files = fetched(page)
    visit(page, embedding_site)
    expect(ask(page, LEASE)).to_contain_text(ANSWER)
    send(page, AGAIN)
    finished(page)
    expect(panel(page).get_by_text(told)).to_have_count(1)
    assert ["embedding" in question for question in asked(page)] == [False, False]
    assert files == []


@pytest.mark.parametrize("policy", [POLICY, POLICY + TRUSTED], ids=["recommended", "with trusted types"])
def test_it_works_under_the_policy_that_the_docs_recommend(page: Page, embedding_site: str, policy: str) -> None:
    with_policy(page, policy)
    visit(page, embedding_site)
    ask(page, LEASE)
    assert "embedding" in asked(page)[0]


def test_a_browser_without_webassembly_is_told_from_the_start(page: Page, embedding_site: str) -> None:
    page.add_init_script(NO_WASM)
    files = fetched(page)
    visit(page, embedding_site)
    expect(ask(page, LEASE)).to_contain_text(ANSWER)
    expect(panel(page).get_by_text("This browser cannot run the AI.")).to_be_visible()
    assert "embedding" not in asked(page)[0]
    assert files == []


def test_what_is_told_stands_as_clear_of_the_question_as_an_answer_does(page: Page, embedding_site: str) -> None:
    page.add_init_script(NO_WASM)
    visit(page, embedding_site)
    ask(page, LEASE)
    below = page.locator("pincite-chat .notice").evaluate(
        "(told) => [told.getBoundingClientRect().top - told.previousElementSibling.getBoundingClientRect().bottom,"
        " parseFloat(getComputedStyle(told.nextElementSibling).marginBlockStart)]"
    )
    assert below == [14, 14]


@pytest.mark.parametrize(
    ("name", "harm"),
    [("encoder.onnx", cut_off), ("runtime.bin", cut_off), ("tokenizer.json", damage), ("worker.js?*", lose)],
)
def test_a_damaged_or_missing_file_is_refused(
    page: Page, embedding_site: str, name: str, harm: Callable[[Route], None]
) -> None:
    page.context.route(f"**/{name}", harm)
    visit(page, embedding_site)
    expect(ask(page, LEASE)).to_contain_text(ANSWER)
    expect(panel(page).get_by_text("a file is missing or damaged")).to_be_visible()
    assert "embedding" not in asked(page)[0]


def test_on_a_metered_connection_nothing_is_fetched_without_a_yes(page: Page, embedding_site: str) -> None:
    page.add_init_script(METERED)
    files = fetched(page)
    visit(page, embedding_site)
    open_chat(page)
    send(page, LEASE)
    expect(panel(page).locator("[part=encoder]")).to_contain_text("27 MB are loaded once")
    assert files == []
    button(page, "Load 27 MB").click()
    expect(finished(page)).to_contain_text(ANSWER)
    assert "embedding" in asked(page)[0]


def test_what_is_asked_is_clean_for_axe_and_chosen_by_keyboard(page: Page, embedding_site: str) -> None:
    page.add_init_script(METERED)
    visit(page, embedding_site)
    open_chat(page)
    send(page, LEASE)
    expect(panel(page).locator("[part=encoder]")).to_be_focused()
    page.evaluate(FLATTEN)
    page.evaluate(AXE.read_text("utf-8"))
    assert page.evaluate(FINDINGS, None)["violations"] == []
    page.keyboard.press("Enter")  # the question's own, pressed twice
    expect(panel(page).locator("[part=encoder]")).to_be_visible()
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(finished(page)).to_contain_text(ANSWER)


def test_on_a_metered_connection_a_no_is_one_for_the_page(page: Page, embedding_site: str) -> None:
    page.add_init_script(METERED)
    files = fetched(page)
    visit(page, embedding_site)
    open_chat(page)
    send(page, LEASE)
    button(page, "Answer without it").click()
    finished(page)
    send(page, AGAIN)
    finished(page)
    assert ["embedding" in question for question in asked(page)] == [False, False]
    assert files == []


def test_words_that_are_kept_never_leave_the_browser(page: Page, embedding_site: str) -> None:
    everything: list[Request] = []
    page.context.on("request", lambda request: everything.append(request))
    visit(page, embedding_site, "embedding")
    expect(ask(page, LEASE)).to_contain_text(ANSWER)
    expect(panel(page).get_by_text("Your words stay on this device")).to_be_visible()
    send(page, AGAIN)
    finished(page)
    for question in asked(page):
        assert (question["query"], len(question["embedding"])) == ("", 384)
        assert not {"turns", "embedding_tokens", "selection"} & set(question)
    assert not [request.url for request in everything if "lease" in (request.url + (request.post_data or "")).lower()]


def test_kept_words_are_sent_only_when_the_reader_says_so(page: Page, embedding_site: str) -> None:
    page.add_init_script(NO_WASM)
    visit(page, embedding_site, "embedding")
    open_chat(page)
    send(page, LEASE)
    expect(panel(page).locator("[part=encoder]")).to_contain_text("Your words would have to be sent.")
    button(page, "Not now").click()
    expect(finished(page)).to_contain_text("Stopped.")
    assert asked(page) == []
    button(page, "Try again").click()
    button(page, "Send the words").click()
    expect(finished(page)).to_contain_text(ANSWER)


def test_a_passage_is_asked_about_with_its_words_or_not_at_all(page: Page, embedding_site: str) -> None:
    visit(page, embedding_site, "embedding")
    select_text(page, "article p")
    button(page, "Ask about this").click()
    send(page, "What is a job?")
    expect(panel(page).locator("[part=encoder]")).to_contain_text("they and the passage would have to be sent")
    assert asked(page) == []
