"""The browser finds, in the vocabulary that the indexer writes, the terms that the sidecar cuts a question into."""

import json
import subprocess
from pathlib import Path

import pytest

from pincite_core.search.languages import primary
from pincite_core.search.terms import content_terms, terms
from pincite_indexer.browser_bundle.vocabulary import telling_nothing, vocabulary_of, vocabulary_text

SEARCH = Path(__file__).parents[2] / "widget" / "src" / "search"
SCRIPT = f"""
import {{ cut }} from {json.dumps((SEARCH / "cut.js").as_uri())};
import {{ readVocabulary }} from {json.dumps((SEARCH / "vocabulary.js").as_uri())};
import {{ readFileSync }} from 'node:fs';
const {{ text, language, vocabulary, known, small }} = JSON.parse(readFileSync(0, 'utf8'));
const {{ exactly }} = readVocabulary(vocabulary);
const found = cut(text, language, small).flatMap(({{ form }}) => [...exactly(form)].map(([, term]) => known[term]));
console.log(JSON.stringify([...new Set(found)].sort()));
"""
TEXTS = {
    "en": "Mocking modules with moduleNameMapper, HTTPServer and jest.fn(): --no-cache µs",
    "de": "Die Sicherungskopien der größten Datenbanken prüfen",
    "fr": "L'élève a reçu les réponses déjà envoyées",
    "es": "¿Cómo configurar los módulos más rápidos?",
    "pt": "Configurações avançadas não são necessárias",
    "vi": "Cài đặt máy chủ và kiểm tra kết nối",
    "ru": "Настройка сервера и проверка соединений Redux",
    "fa": "تنظیم کارگزار و بررسی پیوندها",
    "zh": "如何安装服务器并检查连接 jest 30",
    "zh-Hant": "如何安裝伺服器並檢查連線",
    "ja": "サーバーの設定を変更して接続を確認し、鍵を使う",
    "ko": "서버를 설정하고 연결을 확인합니다",
    "th": "วิธีติดตั้งเซิร์ฟเวอร์และตรวจสอบการเชื่อมต่อ",
}


@pytest.mark.parametrize("language", TEXTS)
def test_a_question_in_the_words_of_the_docs_finds_all_their_terms(language: str) -> None:
    text = TEXTS[language]
    known = sorted(set(terms(text, language)))
    vocabulary = vocabulary_of([text], known, language)
    shipped = {"vocabulary": vocabulary_text(vocabulary), "small": telling_nothing(primary(language))}
    given = {"text": text, "language": primary(language), "known": known} | shipped
    command = ["node", "--input-type=module", "--eval", SCRIPT]
    done = subprocess.run(command, input=json.dumps(given), capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == sorted(set(content_terms(text, language)))
