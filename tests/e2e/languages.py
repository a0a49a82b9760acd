"""Sites in other languages than English, what their readers ask in words of their own, and what they must be shown."""

from dataclasses import dataclass

__all__ = ("FRENCH", "PERSIAN", "Asked", "Spoken")


@dataclass(frozen=True, slots=True)
class Asked:
    """A question: what its answer stands in, a place that must be cited for it, and words that must be quoted."""

    of: str
    question: str
    link: str
    words: str


@dataclass(frozen=True, slots=True)
class Spoken:
    """A site in one language. Paths begin at its host; `script` matches a letter of the language's own script."""

    language: str
    sidecar: str  # the fixture's name
    direction: str
    page: str
    script: str
    asked: tuple[Asked, ...]
    elsewhere: tuple[str, ...]  # what has nothing to do with the docs
    of_passage: Asked  # asked of the first paragraph of `page`


FRENCH = Spoken(
    "fr",
    "sidecar",
    "ltr",
    "/fr/docs/concepts/jobs",
    r"[a-zà-ÿœ]",
    (
        Asked(
            "a heading",
            "Que devient une tâche quand le worker perd son bail ?",
            "/fr/docs/concepts/leases-and-visibility#lost-lease",
            "Un autre worker exécute peut-être déjà la même tâche",
        ),
        Asked(
            "a table row",
            "À quel moment le motif « given up by handler » apparaît-il ?",
            "/fr/docs/concepts/dead-letters#reasons",
            "Le gestionnaire a levé DeadLetter ou s'est terminé avec le code 65",
        ),
        Asked(
            "a list",
            "Dans quels cas faut-il un bail long ?",
            "/fr/docs/concepts/leases-and-visibility#heartbeats",
            "les scripts lancés avec --no-heartbeat",
        ),
        Asked(
            "a code block",
            "Comment relancer toutes les lettres mortes d'une file avec hq dead retry ?",
            "/fr/docs/concepts/dead-letters#retry",
            'hq dead retry emails --match "connection refused" --rate 50',
        ),
        Asked(
            "a paragraph",
            "Au bout de combien de jours les lettres mortes disparaissent-elles ?",
            "/fr/docs/concepts/dead-letters#retention",
            "Les lettres mortes sont effacées 14 jours après leur mort.",
        ),
    ),
    ("Quelle est la meilleure recette de pain au levain ?", "À quelle heure part le dernier bus pour Lyon ?"),
    Asked("the passage", "Le serveur lit-il le contenu ?", "", "Le serveur ne regarde jamais le contenu"),
)
PERSIAN = Spoken(
    "fa",
    "persian_sidecar",
    "rtl",
    "/docs/concepts/jobs",
    "[\u0600-\u06ff]",
    (
        Asked(
            "a heading",
            "چطور می‌توانم یک کار را لغو کنم؟",
            "/docs/concepts/jobs#cancelling",
            "کاری را که کارگری برداشته است دیگر نمی‌توان لغو کرد",
        ),
        Asked(
            "a table row",
            "اندازهٔ payload حداکثر چقدر می‌تواند باشد؟",
            "/docs/concepts/jobs#fields",
            "پس از رمزگذاری حداکثر ۲۵۶ کیبی‌بایت",
        ),
        Asked(
            "a list",
            "در چه مواردی اجارهٔ بلند لازم می‌شود؟",
            "/docs/concepts/leases-and-visibility#heartbeats",
            "برنامه‌هایی که خودشان با API روی HTTP حرف می‌زنند",
        ),
        Asked(
            "a code block",
            "چگونه سرور را با Docker راه بیندازم؟",
            "/docs/quick-start#start-a-server",
            "docker run --rm --name harbor",
        ),
        Asked(
            "a paragraph",
            "نامه‌های مرده بعد از چند روز حذف می‌شوند؟",
            "/docs/concepts/dead-letters#retention",
            "نامه‌های مرده ۱۴ روز پس از مرگشان پاک می‌شوند.",
        ),
    ),
    ("بهترین دستور پخت نان خمیرترش چیست؟", "آخرین اتوبوس شیراز چه ساعتی حرکت می‌کند؟"),
    Asked("the passage", "آیا سرور محتوا را می‌خواند؟", "", "سرور هیچ‌گاه به محتوا نگاه نمی‌کند"),
)
