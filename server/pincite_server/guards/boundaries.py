"""What a docs assistant must not pretend to: write or do things for the reader, or know what is happening right now.

Only requests to act are caught. "How do I create a plugin?" and "deploy my site" are what docs are for; "write me a
plugin" and "deploy my site for me" are not.
"""

import re
from collections.abc import Sequence
from typing import Literal

from pincite_core.search.terms import terms
from pincite_server.guards.addressing import dismisses_instructions

__all__ = ("Boundary", "crossed_boundary")

Boundary = Literal["code", "act", "realtime", "blocked_topic"]

_POLITE = (
    r"^\W*(?:(?:hey|hi|hello|ok|okay|please|pls|now|so)[\s,!]+)*"
    r"(?:(?:can|could|would|will) you (?:please |kindly )?|you (?:must|should|have to) |i (?:want|need) you to )?"
    r"(?:please )?(?:just )?(?:go ahead and )?"
)
_ACT = r"(?:write|generate|create|build|implement|code|make|develop|produce|program|draft)"
_PRODUCT = (
    r"(?:code|codes|script|scripts|program|programme|implementation|function|class|component|app|application|snippet"
    r"|module|reducer|test suite|config|configuration|file|website|bot)"
)
_FAULT = (
    r"(?:fails?|failed|failing|broken?|breaks|works?|not|\w+n['’]t|is|are|was|throws?|crash\w*|hangs?|stuck|errors?)"
)
_WHAT = rf"(?:(?!\b{_FAULT}\b).){{1,80}}"  # "build fails on Windows for me" asks for nothing to be built
_CODE_REQUEST = re.compile(
    rf"{_POLITE}(?:"
    rf"{_ACT} (?:me|us)\b"
    rf"|(?:write|generate|produce|draft) (?:(?:the|some|a|an|my|full|complete|entire|working) )*"
    rf"(?:\w+ ){{0,2}}{_PRODUCT} (?:for|that|to|which|of|in)\b"
    rf"|{_ACT} {_WHAT} for (?:me|us)\b"
    rf"|give me (?:the |some |a )?(?:full |complete |entire |working )*(?:code|script|program|implementation)\b"
    rf"|do my \w+"
    rf")",
    re.IGNORECASE,
)
_CODE_REQUEST_OTHERS = re.compile(
    r"^(?:hãy |làm ơn )?viết (?:cho tôi|giúp tôi|giùm tôi)"
    r"|^请?(?:帮|给|替)我(?:写|编写|生成|实现)"
    r"|^schreib(?:e)? mir\b|^(?:écris|écrivez)[- ]moi\b|^escríbeme\b"
    r"|(?:コード|プログラム|スクリプト)を書いて(?:ください|くれ|$)|برایم .{0,30}بنویس",
    re.IGNORECASE,
)
_DO = (
    r"(?:deploy|publish|release|install|fix|repair|debug|set up|setup|configure|migrate|upgrade|update|convert"
    r"|translate|refactor|rewrite|review|optimi[sz]e|port|merge|run|send|email|buy|order|book|delete|remove|solve|finish|host)"
)
_ACT_REQUEST = re.compile(
    rf"{_POLITE}(?:"
    rf"{_DO}\b{_WHAT}\bfor (?:me|us)\b(?:,? please)?\W*$"
    r"|tell (?:me|us) an? (?:\w+ )?(?:joke|story|riddle)\b"
    r"|(?:write|compose|draft) (?:an? )?(?:short |funny )?"
    r"(?:poem|essay|song|love letter|haiku|tweet|speech|cover letter)\b"
    r"|(?:ignore|disregard|forget) (?:all |any |your |the |of )*(?:previous|prior|above|earlier)? ?"
    r"(?:instructions|prompts?)\b"
    r")"
    r"|^\W*(?:(?:can|could|would|will) you (?:please |kindly )?|please |i (?:want|need) you to )"
    rf"(?:just )?(?:go ahead and )?{_DO} (?:my|our)\b",
    re.IGNORECASE,
)
_ACT_REQUEST_OTHERS = re.compile(
    r"^(?:hãy |làm ơn |bạn )?(?:triển khai|cài đặt|sửa|dịch|gửi|chạy|cập nhật|xóa|cấu hình) .{1,40}"
    r"(?:cho|giúp|giùm|hộ) (?:tôi|mình)\W*$"
    r"|^请?你?(?:帮|给|替)我们?.{0,20}(?:部署|安装|修复|修改|翻译|发送|删除|升级|迁移)(?!.*(?:怎么|如何))"
    r"|^(?:bitte )?(?:deploye|installiere|repariere|behebe|übersetze|aktualisiere|lösche|sende|schicke|migriere)\b"
    r".{1,60}\bfür (?:mich|uns)\W*$"
    r"|^(?:kannst du|könntest du|können sie|könnten sie) (?:bitte )?(?:mein|unser)\w* "
    r"|^(?:déploie|installe|corrige|répare|traduis|envoie|migre|supprime)[sz]?"
    r"(?:-moi\b|.{1,60}\b(?:pour (?:moi|nous)|à ma place)\W*$)"
    r"|^(?:peux-tu|pouvez-vous|pourrais-tu|pourriez-vous) "
    r"(?:déployer|installer|corriger|réparer|traduire|migrer|supprimer) (?:mon|ma|mes|notre|nos) "
    r"|^(?:por favor,? )?(?:despliega|instala|arregla|corrige|traduce|envía|migra|borra)\b"
    r".{1,60}\bpor (?:mí|nosotros)\W*$"
    r"|^[¿\s]*(?:puedes|podrías|puede|podría) "
    r"(?:desplegar|instalar|arreglar|corregir|traducir|migrar|borrar) (?:mis?|nuestr\w+) "
    r"|(?:デプロイ|インストール|修正|翻訳|送信|削除|移行)して"
    r"(?:ください|くれ(?:ませんか|ますか|る)?|もらえますか|ほしい)\W*$"
    r"|(?:برایم|برای (?:من|ما)) .{0,40}(?:مستقر|نصب|تعمیر|ترجمه|اصلاح) کن(?:ید|ی)?\W*$",
    re.IGNORECASE,
)
_REALTIME = re.compile(
    r"\b(?:current|today['’]?s|latest|live|real[- ]time)\s+(?:\w+\s+){0,2}"
    r"(?:price|weather|forecast|score|stock price|exchange rate|headlines|share price)\b"
    r"|\b(?:weather|forecast|headlines|stock market)\b.{0,40}\b(?:today|tonight|tomorrow|right now|now)\b"
    r"|\bis \S+ (?:down|offline|having an outage) (?:right now|today|now|at the moment)\b"
    r"|\bwhat(?:['’]s| is) (?:the )?(?:time|date|day) (?:is it )?(?:today|now|right now)\b"
    r"|\bwhat (?:time|day|date) is it\b",
    re.IGNORECASE,
)


def crossed_boundary(query: str, blocked_topics: Sequence[str] = ()) -> Boundary | None:
    """Return the boundary that a question crosses, if any.

    Args:
        query: The question as asked.
        blocked_topics: The operator's words for what the site is not about; each may be several words.
    """
    if _CODE_REQUEST.search(query) or _CODE_REQUEST_OTHERS.search(query.strip()):
        return "code"
    if dismisses_instructions(query) or _ACT_REQUEST.search(query) or _ACT_REQUEST_OTHERS.search(query.strip()):
        return "act"
    if _REALTIME.search(query):
        return "realtime"
    asked = f" {' '.join(terms(query))} "
    blocked = (f" {' '.join(terms(topic))} " for topic in blocked_topics)
    return "blocked_topic" if any(topic.strip() and topic in asked for topic in blocked) else None
