"""Results as an agent reads them: Markdown with every place's URL beside it."""

from pincite_server.http.mcp.contract import AskResult, ReadResult, SearchResults, Source

__all__ = ("answer_text", "search_text", "section_text")


def search_text(found: SearchResults) -> str:
    """Return ranked places as a numbered list."""
    rows = (
        f"{rank}. {_path(place.heading_path)}\n   {place.url}\n   id: {place.stable_id}\n   {place.snippet}"
        for rank, place in enumerate(found.results, start=1)
    )
    return "\n".join(rows) or "Nothing was found. Try other words, or another version or language."


def section_text(section: ReadResult) -> str:
    """Return a section under its heading path and URL, with what is below it when it was too long."""
    head = f"# {_path(section.heading_path)}\n{section.url}\n\n{section.text}"
    if not section.truncated:
        return head
    below = "\n".join(f"- {one.title} (id: {one.stable_id})" for one in section.subsections)
    return f"{head}\n\n(There is more. Read the subsections.)\n{below}"


def answer_text(result: AskResult) -> str:
    """Return an answer or a refusal with its sources."""
    notices = "".join(f"({notice})\n\n" for notice in result.notices)
    heading = "Sources" if result.answered else "The nearest sections"
    sources = "\n".join(map(_source_line, result.sources))
    return f"{notices}{result.answer}" + (f"\n\n{heading}:\n{sources}" if sources else "")


def _source_line(source: Source) -> str:
    mark = f"[{source.n}]" if source.n else "-"
    return f"{mark} {_path(source.heading_path)}: {source.url} (id: {source.stable_id})"


def _path(heading_path: tuple[str, ...]) -> str:
    return " › ".join(heading_path)
