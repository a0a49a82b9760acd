"""What a question wants, and what a sentence is without its neighbours: patterns in the languages of the widget."""

import re
from collections.abc import Sequence
from typing import Literal

__all__ = (
    "Stance",
    "asks_how",
    "asks_whether",
    "leans_back",
    "lists_reading",
    "names_task",
    "says_whether",
    "stance_of",
    "warns",
)

_BRIEF_WORDS = 4  # "Yes.", "See below."
_COLONS = (":", "：")
_QUESTION_MARKS = ("?", "？", "؟")

Stance = Literal["stands", "leans", "asks", "refers", "announces", "fragment"]
"""What a sentence is without its neighbours: one that stands alone, leans back on the one before, only asks, only
sends the reader elsewhere, announces what follows, or is too brief to mean anything."""

_HOW = re.compile(
    r"\b(?:how (?:do|can|to|should|would|could|might)|example|snippet|syntax|usage|configure|set ?up|install|command"
    r"|enable|disable)\b"
    r"|làm sao|làm thế nào|như thế nào|cách|ví dụ|如何|怎么|怎樣|怎样|示例|例子"
    r"|\bwie (?!lang|viel|oft|gro|hoch|weit|alt\b)|beispiel|\bcomment\b|exemple|\bc[oó]mo\b|ejemplo|どう|方法|やり方|例"
    r"|چگونه|چطور|مثال",
    re.IGNORECASE,
)
_ASKS_FACT = re.compile(
    r"^\W*(?:what|which|who|whose|when|where|why|how|is|are|was|were|do|does|did|can|could|may|should|would|will|has|have"
    r"|was|welche\w*|wer|wann|wo|warum|wie|ist|sind|quel\w*|qui|quand|où|pourquoi|est|qué|cuál|quién|cuándo|dónde)\b",
    re.IGNORECASE,
)
_LEANS = re.compile(
    r"(?:this|that|these|those|it|its|they|their|he|she|such|however|but|and|so|also|then|now|therefore|thus|otherwise"
    r"|instead|here|there|in (?:this|that|such|these|those)|for (?:this|that) reason|as a result|by then|if so"
    r"|or|yet|still|hence|another|finally|lastly|similarly|likewise|additionally|moreover|furthermore|alternatively"
    r"|conversely|consequently|accordingly|nevertheless|(?:un)?fortunately|second(?:ly)?|third(?:ly)?"
    r"|in (?:addition|contrast)"
    r"|(?:if|once|with|after|because of|by|using|to|you can) (?:do(?:ing)? )?(?:this|that|these|those|so|it|they)"
    r"|on the other hand|for (?:example|instance)|as you (?:can )?see"
    r"|both|neither|the (?:former|latter|same|other|first|second|others)"
    r"|cela|ceci|celui|celle|ce(?:s|t|tte)?|ils?|elles?|mais|donc|ainsi"
    r"|dies\w*|er|sie|es|damit|dadurch|dabei|dann|aber|esto|eso|este|esta|pero|así)\b"
    r"|这|那|它|因此|但是|これ|それ|その|しかし|điều này|nó |این|آن",
    re.IGNORECASE,
)
_POINTS_BACK = re.compile(r"\b(?:the above|(?:example|output|code|snippet|list) above)\b", re.IGNORECASE)
_REFERS = re.compile(
    r"(?:(?:please|also|you can|for (?:more|further) [\w ]+,?)\s+)*"
    r"(?:see|consult|refer to|check out|read|visit)\b|(?:tutorial|guide|reference)s?: "
    r"|(?:for|more) [^.]{3,90}?,? (?:please )?(?:see|consult|refer to|check|is available|can be found)\b"
    r"|(?:siehe|voir|consulte|véase|xem|参见|请参阅|詳細は)",
    re.IGNORECASE,
)
_ASKS_WHETHER = re.compile(
    r"^(?:can|could|may|is|are|does|do|will|would|should)\b|\b(?:can (?:i|you|we|it|one)|is it possible|possible to"
    r"|is there (?:a|any|some) way|allowed to|supports?)\b",
    re.IGNORECASE,
)
_SAYS_WHETHER = re.compile(
    r"\b(?:can(?:not|'t|’t)?|may|must|possible|impossible|supports?|supported|unsupported|allows?|allowed|able to|never"
    r"|yes|no|not|only)\b",
    re.IGNORECASE,
)
_WARNS = re.compile(
    r"danger|warning|caution|deprecat|obsolete|removed|attention|achtung|warnung|gefahr|veraltet|avertissement|obsolète"
    r"|peligro|advertencia|obsoleto|cảnh báo|nguy hiểm|警告|危险|注意|废弃|弃用|非推奨|危険|هشدار|خطر",
    re.IGNORECASE,
)
_WARNING_WORDS = 4  # of a text itself, by which it says that it warns ("Deprecated since version 5")
_READING = re.compile(
    r"\W*(?:further (?:information|reading)|see also|(?:related|additional|learning|more) (?:resources?|reading|links)"
    r"|references|(?:table of )?contents|in this section|weiterführend|siehe auch|voir aussi|véase también|参考|参见"
    r"|関連)",
    re.IGNORECASE,
)
_WORD = re.compile(r"\w+")


def asks_how(query: str) -> bool:
    """Whether a question wants to be shown, not only told."""
    return bool(_HOW.search(query))


def names_task(query: str) -> bool:
    """Whether a question only names what is to be done ("rotate tokens"), as titles and searches do."""
    return not _ASKS_FACT.search(query) and not query.rstrip().endswith(_QUESTION_MARKS)


def asks_whether(query: str) -> bool:
    """Whether a question wants to hear if something can be or is so."""
    return bool(_ASKS_WHETHER.search(query))


def says_whether(text: str) -> bool:
    """Whether a sentence says what can be and what cannot."""
    return bool(_SAYS_WHETHER.search(text))


def warns(labels: Sequence[str], text: str) -> bool:
    """Whether an admonition, by its labels or its first words, tells of a danger or that something is deprecated."""
    return any(_WARNS.search(words) for words in (*labels, " ".join(text.split()[:_WARNING_WORDS])))


def leans_back(text: str) -> bool:
    """Whether a sentence begins with what only the words before it explain."""
    return bool(_LEANS.match(text) or _POINTS_BACK.search(text))


def lists_reading(title: str) -> bool:
    """Whether a section, by its title, lists where to read on."""
    return bool(_READING.match(title))


def stance_of(text: str, kind: str) -> Stance:
    """Return what a unit is without its neighbours; only prose and items can be anything but standing."""
    if text.endswith(_QUESTION_MARKS):
        return "asks"
    if kind not in {"prose", "item"}:
        return "stands"
    if text.endswith(_COLONS):
        return "announces"
    if _REFERS.match(text):
        return "refers"
    if kind == "prose" and text.isascii() and len(_WORD.findall(text)) < _BRIEF_WORDS:
        return "fragment"
    return "leans" if leans_back(text) else "stands"
