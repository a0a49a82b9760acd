"""The example site's Markdown, and a few sections in languages that are cut in other ways, as built pages."""

from collections.abc import Iterator
from pathlib import Path

import frontmatter
from markdown_it import MarkdownIt
from tests.integration.browser_engine import build_files
from tests.unit.indexer.sites import docs_page

__all__ = ("build_site",)

EXAMPLE = Path(__file__).parents[2] / "examples" / "site"
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


def build_site(language: str, folder: Path) -> Path:
    """Write a site, index it with files for answers, and return the index folder."""
    return build_files(dict(_example_pages() if language == "en" else _small_pages(language)), folder)


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
