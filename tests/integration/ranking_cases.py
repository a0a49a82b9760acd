"""What both searches are held to: `python -m tests.integration.ranking_cases` records `tests/cases/ranking.json`.

The questions are asked of the example site's Markdown, and of a few sections in languages that are cut in other ways,
indexed with the deterministic embedder. What Python finds is recorded; Python's and the browser's search are held to
that. Signals are rounded, as the two add numbers in another order.
"""

import base64
import json
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import frontmatter
import numpy as np
import numpy.typing as npt
import yaml
from markdown_it import MarkdownIt
from tests.unit.indexer.builds import Silence
from tests.unit.indexer.sites import docs_page

from pincite_core.embedders import FAKE_MODEL, Encoded, FakeEmbedder
from pincite_core.index.read import Index
from pincite_core.search import nearest
from pincite_core.search.evidence import calibration_where, evidence_probability
from pincite_core.search.query import parse_query
from pincite_core.search.ranking import RankedSection, SearchResult, search
from pincite_core.search.spoken import Spoken
from pincite_indexer.build import BuildOptions, build_index
from pincite_indexer.words_calibration import WORDS_CALIBRATION_KEY, words_calibrations

__all__ = ("CASES", "EXAMPLE", "SITES", "asked_of", "browser_answers", "build_site", "python_answers")

ROOT = Path(__file__).parents[2]
CASES = ROOT / "tests" / "cases" / "ranking.json"
EXAMPLE = ROOT / "examples" / "site"
SITES = ("en", "zh", "ja", "th", "de")
_K = 5
_DIGITS = 4
_ALL = 4000  # rows whose exact cosines are taken, as the browser does; the sidecar takes those of a few hundred
_OWN_QUESTIONS = 40

_TEXTS = {
    "zh": {
        "安装": "先下载安装包，再运行安装命令。安装以后请重新启动服务器。",
        "备份": "每天晚上自动备份数据库，备份文件保存在对象存储里。",
        "监控": "打开监控页面可以看到队列的长度和失败的任务 HQ-1202。",
    },
    "ja": {
        "設定": "設定ファイルを変更して、サーバーを再起動します。鍵を使う場合は環境変数に入れます。",
        "バックアップ": "毎晩データベースをバックアップして、別の場所に保存します。",
        "監視": "監視画面では、キューの長さと失敗したジョブを確認できます。",
    },
    "th": {
        "การติดตั้ง": "ดาวน์โหลดแพ็กเกจแล้วเรียกคำสั่งติดตั้ง จากนั้นเริ่มเซิร์ฟเวอร์ใหม่",
        "การสำรองข้อมูล": "ระบบสำรองฐานข้อมูลทุกคืน และเก็บไฟล์ไว้ในที่เก็บข้อมูลอื่น",
        "การเฝ้าดู": "หน้าเฝ้าดูแสดงความยาวของคิวและงานที่ล้มเหลว",
    },
    "de": {
        "Sicherungskopien": "Die Sicherung der Datenbank läuft jede Nacht. Eine Kopie liegt auf einem anderen Server.",
        "Verbindungen": "Eine Verbindung zur Datenbank wird nach zehn Minuten geschlossen, wenn niemand sie braucht.",
        "Überwachung": "Die Überwachung zeigt die Länge der Warteschlange und gescheiterte Aufträge.",
    },
}
# As Sphinx writes the members of an interface, each of which is a section.
_MEMBERS = (
    '<h1>Lease objects</h1><p>What a handler of the client is given.</p><dl class="py class">'
    '<dt class="sig sig-object py" id="hq.Lease">class hq.Lease(job, seconds=60)</dt><dd><p>The right to work on a job '
    "until it ends, as the server counts the time.</p><dl>"
    '<dt class="sig sig-object py" id="hq.Lease.renew">renew(seconds=None)</dt><dd><p>Asks for more time, and '
    "raises an error where another worker has the job by now. Handlers that report progress need not call it.</p></dd>"
    '<dt class="sig sig-object py" id="hq.Lease.give_back">give_back(delay=0)</dt><dd><p>Ends the right early, so that '
    "another worker can have the job after the delay. The attempt is not counted as failed.</p></dd></dl></dd></dl>"
)
# A list of changes, whose lines have the guide's words.
_CHANGES = (
    "<h1>Changes</h1><h2 id='v1'>1.9.0 (2023-04-02)</h2><ul><li>The lease of a queue is renewed by a heartbeat of the "
    "client.</li><li>Webhooks have an endpoint that is configured for each queue of the server.</li></ul>"
    "<h2 id='v2'>What is older</h2><ul><li>Dead letters of a job are kept by the server until they are enqueued "
    "again.</li></ul>"
)
# A long list of definitions without anchors.
_SETTINGS = (
    "<h1>Worker settings</h1><p>All that can be set:</p><dl><dt>heartbeat.seconds</dt><dd><p>How often a worker tells "
    "the server that it is alive.</p><p>A worker that is silent for three of these loses its leases.</p><p>Of a test "
    "it may be a second.</p></dd><dt>heartbeat.lost</dt><dd><p>What a worker does when it lost a lease: it stops the "
    "job or goes on with it.</p></dd>"
    + "".join(
        f"<dt>log.part{number}</dt><dd><p>Whether part {number} of the program writes lines, and how many of them are "
        "kept in the file until an older one is removed from it.</p><p>Nobody needs all of them.</p></dd>"
        for number in range(8)
    )
    + "</dl>"
)
_QUESTIONS = {
    "en": (
        "",
        "   ",
        "how do I",
        "the",
        "HQ-1202",
        "what is HQ-1202 and lease_lost?",
        "--no-heartbeat",
        "hq queue set NAME --lease 5m",
        "[Bug]: Lease ends too early",
        "feat(cli): output as jsonl",
        "Docs: exit codes of the `hq` command",
        "```\nhq enqueue mail send\n```\nwhat does that print",
        "hearbeats of the clent libraries",
        "dead leters",
        "configuraton of the server",
        "Does Kafka Streams work with Harbor Queue?",
        "How do I bake bread?",
        "How Do I Configure The Webhook Endpoint?",
        "webhooks",
        "lease",
        "max_attempts",
        "queues.lease",
        "what is new in the release notes of 2.4",
        "since which version is the lease renewed by a heartbeat",
        "how are dead letters kept",
        "how often does a worker tell the server that it is alive",
        "command line flags",
        "migrating from version 1",
        "mocking",
        "job",
        "ask the server for more time to work on a job",
        "what does hq.Lease.give_back do",
    ),
    "zh": ("", "如何安装", "怎么备份数据库？", "HQ-1202 是什么", "服务器监控", "今天天气怎么样", "备份文件"),
    "ja": ("設定を変更する方法", "鍵を使う", "バックアップはどこに保存されますか", "天気", "ジョブの失敗"),
    "th": ("ติดตั้งอย่างไร", "สำรองฐานข้อมูล", "คิวยาวแค่ไหน", "วันนี้อากาศเป็นอย่างไร"),
    "de": (
        "Wo liegt die Sicherungskopie?",
        "Datenbankverbindung",
        "Verbindungsdatenbank schließen",
        "Überwachung der Warteschlange",
        "gescheiterter Auftrag",
        "Wie backe ich Brot?",
    ),
}


def build_site(language: str, folder: Path) -> Path:
    """Write a site, index it with files for answers, and return the index folder."""
    pages = dict(_example_pages()) if language == "en" else dict(_small_pages(language))
    for name, text in pages.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    options = BuildOptions(folder, model=FAKE_MODEL, cache=False, browser_answers=True)
    build_index(options, None, Silence())
    return folder / "pincite"


def asked_of(language: str) -> list[str]:
    """Return the questions that a site is asked."""
    own = yaml.safe_load((EXAMPLE / "questions.yml").read_text("utf-8")) if language == "en" else []
    texts = [row["question"] for row in own if row.get("locale", "en") == "en"]
    return [*_QUESTIONS[language], *texts[:_OWN_QUESTIONS]]


def python_answers(folder: Path, language: str, *, by_words: bool) -> list[dict[str, Any]]:
    """Return what the sidecar's search finds, in an index folder, for each question."""
    nearest._LEAST_RESCORED = _ALL
    index = Index.open(folder)
    index = _SilentIndex(index._rows, index._engine) if by_words else index
    scope_ids = [scope.scope_id for scope in index.scopes if scope.locale == language and scope.is_last]
    spoken = index.spoken(scope_ids)
    calibration = spoken.calibration or calibration_where(spoken.vectors)
    if by_words:
        known = words_calibrations({WORDS_CALIBRATION_KEY: index.meta(WORDS_CALIBRATION_KEY)})
        calibration = known.get(language, calibration)
    found = []
    for text in asked_of(language):
        query = parse_query(text, index.language_of(scope_ids))
        encoded = _encoded(query.text, by_words=by_words)
        result = search(index, encoded.vector, query, scope_ids, _K, query_tokens=encoded.tokens)
        evidence = evidence_probability(result.signals, calibration)
        known_terms = index.document_frequencies(result.query.terms, scope_ids)
        found.append(_described(index, result, evidence, [term for term in result.query.terms if term in known_terms]))
    return found


def browser_answers(folder: Path, language: str, *, by_words: bool) -> list[dict[str, Any]]:
    """Return what the browser's search finds for each question, as node runs it."""
    questions = []
    for text in asked_of(language):
        query = parse_query(text, language)
        encoded = _encoded(query.text, by_words=False)
        states = FakeEmbedder().token_states(query.text)
        embedded = {"vector": _packed(encoded.vector), "states": _packed(states), "hidden": states.shape[1]}
        questions.append({"text": text, "embedded": None if by_words else embedded})
    given = {"folder": str(folder / "search"), "locale": language, "k": _K, "questions": questions}
    script = Path(__file__).with_name("ranking_cases.mjs")
    done = subprocess.run(["node", script], input=json.dumps(given), capture_output=True, text=True, check=False)
    assert not done.returncode, done.stderr
    rows: list[dict[str, Any]] = json.loads(done.stdout)
    return [_rounded(row) for row in rows]


class _SilentIndex(Index):
    """An index whose vectors say nothing: what a search by words alone is held to."""

    def spoken(self, scope_ids: Any) -> Spoken:
        return Spoken(0.0)


def _encoded(text: str, *, by_words: bool) -> Encoded:
    if by_words:
        return Encoded(np.zeros(FakeEmbedder.info.dimension, dtype=np.float32), None)
    return FakeEmbedder().encode_with_tokens([text], "query")[0]


def _described(index: Index, result: SearchResult, evidence: float, terms: list[str]) -> dict[str, Any]:
    found = [section for section in result.sections if section.score > 0]  # by words alone, others are there by chance
    sections = [_place(index, section) for section in found]
    signals = {name: getattr(result.signals, name) for name in result.signals.__match_args__}
    query = result.query
    return _rounded(
        {
            "text": query.text,
            "terms": terms,
            "unknown": len(query.terms) - len(terms),
            "codes": list(query.codes),
            "sections": sections,
            "scores": [section.score for section in found],
            "signals": signals,
            "evidence": evidence,
        }
    )


def _place(index: Index, section: RankedSection) -> str:
    target = index.target(section.target_id)
    return f"{index.page(target.page_id).url}#{target.anchor}"


def _rounded(row: dict[str, Any]) -> dict[str, Any]:
    signals = {name: round(value, _DIGITS) for name, value in row["signals"].items()}
    scores = [round(score, _DIGITS) for score in row["scores"]]
    return row | {"signals": signals, "scores": scores, "evidence": round(row["evidence"], _DIGITS)}


def _packed(numbers: npt.NDArray[np.float32]) -> str:
    return base64.b64encode(np.ascontiguousarray(numbers, dtype="<f4").tobytes()).decode()


def _example_pages() -> Iterator[tuple[str, str]]:
    markdown = MarkdownIt().enable("table")
    yield "docs/guides/lease-objects/index.html", docs_page(_MEMBERS, "guides/lease-objects", version="2.4")
    yield "docs/worker-settings/index.html", docs_page(_SETTINGS, "worker-settings", version="2.4")
    yield "docs/history/index.html", docs_page(_CHANGES, "history", version="2.4")
    yield "docs/changelog/index.html", docs_page(_CHANGES.replace("Changes", "All"), "changelog", version="2.4")
    for file in sorted((EXAMPLE / "docs").rglob("*.md")):
        text = frontmatter.parse(file.read_text("utf-8"))[1]
        route = file.relative_to(EXAMPLE / "docs").with_suffix("").as_posix()
        html = _with_anchors(markdown.render(text))
        yield f"docs/{route}/index.html", docs_page(html, route, version="2.4")
        if route.startswith("concepts/"):
            yield f"docs/2.3/{route}/index.html", docs_page(html, route, version="2.3")


def _small_pages(language: str) -> Iterator[tuple[str, str]]:
    for number, (title, text) in enumerate(_TEXTS[language].items(), start=1):
        html = f'<h1>{title}</h1><p>{text}</p><h2 id="more">{title} 2</h2><p>{text[: len(text) // 2]}</p>'
        yield f"docs/{number}/index.html", docs_page(html, str(number), locale=language)


def _with_anchors(html: str) -> str:
    """Give headings the anchors that their Markdown names in a comment."""
    lines = []
    for number, line in enumerate(html.split("\n")):
        name = f"h{number}"
        if "{/* #" in line:
            text, _, rest = line.partition(" {/* #")
            anchor, _, end = rest.partition(" */}")
            name, line = anchor, f"{text}{end}"
        lines.append(line.replace("<h2>", f'<h2 id="{name}">').replace("<h3>", f'<h3 id="{name}">'))
    return "\n".join(lines)


def main() -> None:
    """Record what Python finds."""
    import tempfile

    recorded = {}
    for language in SITES:
        with tempfile.TemporaryDirectory() as folder:
            place = build_site(language, Path(folder))
            recorded[language] = {
                "vectors": python_answers(place, language, by_words=False),
                "words": python_answers(place, language, by_words=True),
            }
    lines = json.dumps(recorded, ensure_ascii=False, indent=1)
    CASES.parent.mkdir(exist_ok=True)
    CASES.write_text(f"{lines}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
