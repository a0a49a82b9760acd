"""A site's own check, put into the chain beside the built-in ones."""

from collections.abc import Callable, Sequence

from pincite_server.guards.chain import Draft, Finding

__all__ = ("SiteGuard",)


class SiteGuard:
    """Wraps a callable that is given the answer's text and returns why it must not be shown, or None.

    Without a callable it lets everything pass.
    """

    def __init__(self, guard_callable: Callable[[str], str | None] | None = None) -> None:
        self._guard = guard_callable

    def check(self, draft: Draft) -> Sequence[Finding]:
        """Return the site's objection as a hard finding named `site_guard`."""
        objection = self._guard(draft.text) if self._guard else None
        return [Finding("site_guard", "hard", objection)] if objection else []
