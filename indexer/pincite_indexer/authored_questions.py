"""The questions that a page's author has it offer: `pincite_questions` in its front matter."""

from collections.abc import Iterable, Mapping
from typing import Any

from pincite_core.errors import FrontMatterError
from pincite_indexer.site.site_page import SitePage

__all__ = ("KEY", "authored_questions")

KEY = "pincite_questions"
_MOST = 3  # what the chat shows
_LONGEST = 200  # characters; a question is a button


def authored_questions(pages: Iterable[SitePage]) -> dict[str, tuple[str, ...]]:
    """Return by page URL what the authors wrote; a page with an empty list offers none.

    Raises:
        FrontMatterError: The key holds something else than up to three questions.
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
