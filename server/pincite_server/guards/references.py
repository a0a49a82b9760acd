"""References: every URL of an answer leads to a page of the index, and to an anchor that exists there."""

import difflib
from dataclasses import dataclass
from typing import Literal

from pincite_core.index.read import Index
from pincite_core.types import Page, Target
from pincite_core.urls import join_fragment, split_fragment

__all__ = ("CheckedReference", "validate_reference")

ReferenceStatus = Literal["valid", "corrected", "page", "unknown"]

_CLOSE_ENOUGH = 0.75  # difflib ratio: a renamed or mistyped anchor, not another one that shares a word


@dataclass(frozen=True, slots=True)
class CheckedReference:
    """What became of a URL: `valid`; `corrected` to the nearest anchor or `page`; `unknown`, with no URL at all."""

    status: ReferenceStatus
    url: str | None
    target: Target | None


def validate_reference(index: Index, url: str) -> CheckedReference:
    """Return the URL as the index knows it.

    An unknown fragment becomes the page's target whose anchor is nearest in spelling, or the page itself; a page that
    the index does not have is `unknown`.
    """
    page = index.page_at(url)
    if page is None:
        return CheckedReference("unknown", None, None)
    anchor = split_fragment(url)[1]
    landed = index.target_at(url)
    if landed is not None and landed.anchor == anchor:
        return _reference("valid", page, landed)
    targets = {target.anchor: target for target in index.targets_of_page(page.page_id)}
    close = difflib.get_close_matches(anchor, [name for name in targets if name], n=1, cutoff=_CLOSE_ENOUGH)
    if close:
        return _reference("corrected", page, targets[close[0]])
    return CheckedReference("page", page.url, targets.get(""))


def _reference(status: ReferenceStatus, page: Page, target: Target) -> CheckedReference:
    return CheckedReference(status, join_fragment(page.url, target.anchor), target)
