"""Language detection for short questions and for pages.

A script that only one language uses identifies the language. For a shared script, fastText's small model for 176
languages classifies the words outside code (Joulin et al. 2016, "FastText.zip: Compressing text classification
models"). Alone, the model misclassifies one in a hundred English questions and one in six pairs of keywords. A question
therefore needs stop words or letters of the detected language as well; otherwise the language is unknown.
"""

import re
import unicodedata
from collections import Counter
from functools import cache
from importlib.resources import as_file, files
from typing import Any

from pincite_core.search.languages import primary, small_words
from pincite_core.search.terms import STOP_WORDS

__all__ = ("foreign_language", "language_of_text")

_MOST = 600  # characters of a question; fewer are enough to detect its language
_MOST_OF_TEXT = 4000
_FEWEST_WORDS = 3  # Latin words; two words are keywords, unless both stop words and letters confirm a language
# Least probability: with two stop words; with one stop word or letter; for two-word questions; without other evidence.
_POSSIBLE, _LIKELY, _LIKELIER, _SURE = 0.3, 0.5, 0.8, 0.9
_FEWEST_OF_TEXT = 30  # words; a page with fewer words is a list of links
_FEWEST_SIGNS = 60  # characters of a script without spaces between words

_CODE = re.compile(
    r"```.*?(?:```|$)|`[^`\n]*`"
    r"|[A-Za-z][A-Za-z0-9+.-]*://[\x21-\x7e]+"
    r"|(?<![\w-])--?[A-Za-z][A-Za-z0-9-]*"  # flags
    r"|[\x21-\x7e]*(?:[A-Za-z0-9_)\]][/\\_.:@=<>(){}\[\]|]+[A-Za-z0-9_]|[0-9_/\\@=<>{}|#$])[\x21-\x7e]*"
    r"|[\x21-\x7e]*[a-z][A-Z][\x21-\x7e]*|(?<![^\W_])[A-Z]{2,}(?![^\W_])",
    re.DOTALL,
)
_LATIN = "a-zA-Z\u00aa\u00ba\u00c0-\u024f\u1e00-\u1eff"
_WORD = re.compile(rf"[{_LATIN}]+|[^\W\d_{_LATIN}]+")  # l'option is two words: the elided article is a stop word
_ONE_LANGUAGE = {
    "HANGUL": "ko",
    "HIRAGANA": "ja",  # with or without Chinese characters
    "KATAKANA": "ja",
    "CJK": "zh",
    "THAI": "th",
    "LAO": "lo",
    "KHMER": "km",
    "MYANMAR": "my",
    "GREEK": "el",
    "HEBREW": "he",
    "ARMENIAN": "hy",
    "GEORGIAN": "ka",
    "TAMIL": "ta",
    "TELUGU": "te",
    "BENGALI": "bn",
    "GUJARATI": "gu",
    "KANNADA": "kn",
    "MALAYALAM": "ml",
    "GURMUKHI": "pa",
    "SINHALA": "si",
}
_SEVERAL = {
    "CYRILLIC": ("ru", "uk", "bg", "sr", "be", "mk", "kk"),
    "ARABIC": ("ar", "fa", "ur"),
    "DEVANAGARI": ("hi", "mr", "ne"),
}
"""Languages that share a script. The first is the default if the model names none of them."""
_LATIN_LANGUAGES = frozenset("cs da de en es fi fr hu id it nl no pl pt ro sv tr vi".split())
_LETTERS = {
    "cs": "ěščřžůďťň",
    "da": "æøå",
    "de": "äöüß",
    "es": "ñ¿¡áéíóú",
    "fi": "äö",
    "fr": "éèêëàâçîïôûùœ",
    "hu": "őűáéíóúöü",
    "it": "àèéìòù",
    "no": "æøå",
    "pl": "ąęłńóśźżć",
    "pt": "ãõçáéíóúâêô",
    "ro": "ăâîșțşţ",
    "sv": "åäö",
    "tr": "ğışçöü",
    "vi": "ăđơưạảấầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹ",
}
"""Letters that occur in a language and not in English."""
_NEAR = (frozenset({"da", "no", "sv"}), frozenset({"es", "pt"}), *(frozenset(several) for several in _SEVERAL.values()))
"""Groups of similar languages; a choice within a group needs the probability `_SURE`."""
_PORTUGUESE = re.compile(r"[^\W\d_]-(?:l[oa]s?|lhes?|me|te|se|nos|vos)\b")
"""A pronoun joined to a verb by a hyphen (`desativá-lo`); Spanish uses no hyphen here."""
_ENGLISH = (
    STOP_WORDS
    | frozenset(
        "am about after all also because before between both cannot does each every he her his just more most must "
        "only other over same she still through under until up very when without".split()
    )
    | {"jest"}
)  # jest is the name of a product and a stop word in Polish


def foreign_language(text: str, home: str) -> str | None:
    """Return the primary tag of a question's language if it certainly differs from the page's language, else None.

    Keywords, names and code have no language.

    Args:
        text: The question.
        home: BCP 47 tag of the page's language, which is the default.
    """
    language = _detect(text[:_MOST], primary(home))
    return None if language == primary(home) else language


def language_of_text(text: str) -> str | None:
    """Return the language of a page's text; None if the text is too short or the language is uncertain."""
    cleaned = _without_code(text[:_MOST_OF_TEXT])
    words = _words(cleaned)
    scripts = _scripts(words)
    script, most = max(scripts.items(), key=lambda item: item[1], default=("", 0))
    if script == "LATIN" and len(words) >= _FEWEST_OF_TEXT:
        guess, likely = _guess(cleaned)
        return guess if likely >= _SURE else None
    if script == "LATIN" or most < _FEWEST_SIGNS or 2 * most < sum(scripts.values()):
        return None
    return _of_script(scripts, cleaned, "")


def _detect(text: str, home: str) -> str | None:
    cleaned = _without_code(text)
    words = _words(cleaned)
    latin = [word for word in words if _script(word[0]) == "LATIN"]
    others = [word for word in words if _script(word[0]) != "LATIN"]
    english = {word for word in latin if word in _ENGLISH}
    if any(len(word) > 1 for word in others) and len(english) < sum(map(_weight, others)):
        scripts = _scripts(others)
        return "ja" if scripts["HIRAGANA"] or scripts["KATAKANA"] else _of_script(scripts, cleaned, home)
    return None if others else _of_latin(latin, english, cleaned, home)


def _weight(word: str) -> float:
    """Return the number of words that a token counts for; a Chinese, Japanese or Thai character is half a word."""
    return len(word) / 2 if _ONE_LANGUAGE.get(_script(word[0])) in {"ja", "th", "zh"} else 1.0


def _without_code(text: str) -> str:
    """Return a text without code, in lower case; a text in capitals is kept whole."""
    text = unicodedata.normalize("NFC", text)
    return " ".join(_CODE.sub(" ", text.lower() if text.isupper() else text).lower().split())


def _words(cleaned: str) -> list[str]:
    return _WORD.findall(cleaned)


@cache
def _script(letter: str) -> str:
    """Return the first word of a letter's name in Unicode: LATIN, CJK, HIRAGANA."""
    return unicodedata.name(letter, "").partition(" ")[0]


def _scripts(words: list[str]) -> Counter[str]:
    """Return the number of letters by script; Chinese characters count as kana if a fifth of both are kana."""
    found = Counter(_script(sign) for word in words for sign in word)
    kana = found["HIRAGANA"] + found["KATAKANA"]
    if kana and 4 * kana >= found["CJK"]:
        found["HIRAGANA"] = kana + found["CJK"]
        del found["KATAKANA"], found["CJK"]
    return found


def _of_script(scripts: Counter[str], cleaned: str, home: str) -> str | None:
    """Return the language of words in scripts other than Latin."""
    script = next((name for name, _ in scripts.most_common() if name in _ONE_LANGUAGE or name in _SEVERAL), "")
    if script == "CJK" and home == "ja":  # a title may have no kana
        return home
    if script not in _SEVERAL:
        return _ONE_LANGUAGE.get(script)
    guess, likely = _guess(" ".join(word for word in cleaned.split() if not word.isascii()))
    known = guess in _SEVERAL[script] and likely >= _LIKELY
    found = guess if known else _SEVERAL[script][0]
    return home if home in _SEVERAL[script] and likely < _SURE else found  # the languages share many words


def _of_latin(words: list[str], english: set[str], cleaned: str, home: str) -> str | None:
    guess, likely = _guess(" ".join(words))
    guess = "pt" if guess == "es" and _PORTUGUESE.search(cleaned) else guess
    if guess not in _LATIN_LANGUAGES:
        return None
    small = {word for word in words if word in small_words(guess)}
    own = len(small - _ENGLISH)
    if likely < _needed(guess, home, own=own):
        return None
    if guess == "en":
        at_home = small_words(home) - _ENGLISH
        return "en" if len(words) >= _FEWEST_WORDS and english and at_home.isdisjoint(words) else None
    letters = any(letter in cleaned for letter in _LETTERS.get(guess, ""))
    if len(english - small) > own or (english and not own and not letters):
        return None
    if len(words) < _FEWEST_WORDS:
        return guess if own and letters and likely >= _LIKELIER else None
    return guess if own or letters or likely >= _SURE else None


def _needed(guess: str, home: str, *, own: int) -> float:
    if any(guess in near and home in near for near in _NEAR):
        return _SURE
    return _POSSIBLE if own > 1 else _LIKELY


def _guess(words: str) -> tuple[str, float]:
    """Return the model's most probable language and its probability, 0 to 1; ("", 0.0) without a model."""
    model = _model()
    if model is None or not words:
        return "", 0.0
    labels, likely = model.predict(words, 2)
    names = [primary(label.removeprefix("__label__")) for label in labels]
    if names == ["ms", "id"]:  # nearly the same language, and only Indonesian has a stop word list
        return "id", float(sum(likely))
    return names[0], float(likely[0])


@cache
def _model() -> Any:
    """Return the loaded fastText model; None if the library is not installed, so that only scripts are detected."""
    try:
        import fasttext
    except ImportError:
        return None
    with as_file(files("pincite_core.search").joinpath("lid.176.ftz")) as file:
        return fasttext.load_model(str(file))
