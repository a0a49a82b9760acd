"""Read the suggested questions that a page's author wrote in its front matter under `pincite_questions`."""

from collections.abc import Iterable, Mapping
from typing import Any

from pincite_core.errors import FrontMatterError
from pincite_indexer.site.site_page import SitePage

__all__ = ("KEY", "authored_questions")

KEY = "pincite_questions"
_MOST = 3  # the chat shows at most three questions
_LONGEST = 200  # characters; the widget shows each question on a button


def authored_questions(pages: Iterable[SitePage]) -> dict[str, tuple[str, ...]]:
    """Return the authors' questions by page URL; an empty list means that the page offers no questions.

    Raises:
        FrontMatterError: The value is not a list of up to three questions.
    """
    return {page.url: _questions(page) for page in pages if KEY in page.front_matter and not page.listing}


def _questions(page: SitePage) -> tuple[str, ...]:
    found = _listed(page.front_matter)
    if found is None:
        raise FrontMatterError(
            f"{page.source or page.draft.file}: {KEY} must be a list of at most {_MOST} questions, each of 1 to "
            f'{_LONGEST} characters, such as ["How do I change the port?"].'
        )
    return found


def _listed(matter: Mapping[str, Any]) -> tuple[str, ...] | None:
    value = matter[KEY] or []
    if not isinstance(value, list) or len(value) > _MOST:
        return None
    texts = [text.strip() for text in value if isinstance(text, str)]
    return tuple(texts) if len(texts) == len(value) and all(0 < len(text) <= _LONGEST for text in texts) else None
