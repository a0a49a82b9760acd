"""The sites that a test can run on, each made by another generator, and what is asked of them."""

from dataclasses import dataclass

__all__ = ("DOCUSAURUS", "NAME", "VITEPRESS", "Docs", "Site")

NAME = "docs.test"  # means this machine to the browser, which takes plain http on it for no secure context


@dataclass(frozen=True, slots=True)
class Docs:
    """A site's own words: paths begin at its host, and a link has its fragment."""

    generator: str
    page: str
    question: str
    answer: str
    place: str
    link: str


@dataclass(frozen=True, slots=True)
class Site:
    """Docs that a sidecar serves; `address` has no slash at its end."""

    address: str
    docs: Docs

    @property
    def start(self) -> str:
        """The address of the page where a reader begins."""
        return self.address + self.docs.page


DOCUSAURUS = Docs(
    "docusaurus",
    page="/docs/concepts/jobs",
    question="How long does a lease last by default?",
    answer="A lease lasts 30 seconds.",
    place="The default",
    link="/docs/concepts/leases-and-visibility#default",
)
VITEPRESS = Docs(
    "vitepress",
    page="/handbook/",
    question="Which port does the socket listen on?",
    answer="The socket listens on port 4180.",
    place="With a socket",
    link="/handbook/guide.html#with-a-socket",
)
