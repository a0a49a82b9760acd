"""What a translation must not lose, add or alter."""

import pytest

from pincite_server.grounding.translated import keeps_literals


@pytest.mark.parametrize(
    ("original", "translation", "language"),
    [
        ("The image listens on port 8080.", "Das Image lauscht auf Port 8080.", "en"),
        ("The image listens on port 8080.", "该镜像监听端口 8080。", "en"),
        ("It holds 1,000 items for 2.5 seconds.", "Il garde 1 000 éléments pendant 2,5 secondes.", "en"),
        ("It waits five seconds.", "Es wartet 5 Sekunden.", "en"),
        ("It waits 10 seconds.", "۱۰ ثانیه صبر می‌کند.", "en"),
        ("Set `maxRetries` to 3 with --force.", "Setzen Sie `maxRetries` mit --force auf 3.", "en"),
        ("See https://docs.example/a for Docker.", "Voir https://docs.example/a pour Docker.", "en"),
        ("Run Lantern on Windows.", "Windows에서 Lantern을 실행하세요.", "en"),
        ("Eine Sperre gilt 30 Sekunden.", "A lock is held for 30 seconds.", "de"),
        ("Die Option heißt SetTimeout.", "The option is called SetTimeout.", "de"),
    ],
)
def test_a_translation_that_keeps_them_is_kept(original: str, translation: str, language: str) -> None:
    assert keeps_literals(original, translation, language)


@pytest.mark.parametrize(
    ("original", "translation"),
    [
        ("The image listens on port 8080.", "Das Image lauscht auf Port 8081."),
        ("The image listens on port 8080.", "Das Image lauscht auf einem Port."),
        ("The image listens on a port.", "Das Image lauscht auf Port 8080."),
        ("It waits five seconds.", "Es wartet 6 Sekunden."),
        ("It waits 2.5 seconds.", "Es wartet 25,5 Sekunden."),
        ("Set `maxRetries` to 3.", "Setzen Sie `maxVersuche` auf 3."),
        ("Set `maxRetries` to 3.", "Setzen Sie maxRetries auf 3."),
        ("Use --force.", "Verwenden Sie --gewalt."),
        ("The key is max_size.", "Der Schlüssel heißt max_größe."),
        ("Run it on Docker.", "Führen Sie es auf Podman aus."),
        ("See https://docs.example/a.", "Siehe https://evil.example/a."),
        ("Read the manual.", "Lesen Sie https://evil.example."),
        ("It is on by default.", "Es ist standardmäßig an [2]."),
        ("It is on by default.", "Es ist an. " * 40),
        ("It is on by default unless somebody has switched it off.", "An."),
    ],
)
def test_one_that_does_not_is_not(original: str, translation: str) -> None:
    assert not keeps_literals(original, translation, "en")
