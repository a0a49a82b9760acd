"""Format the results of a site: one row of counts, the explained words by kind, and each unexplained difference."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from bench.rendered_text.compare import Difference, is_number
from bench.rendered_text.measure import PageResult

__all__ = ("COLUMNS", "difference_lines", "kind_lines", "outside_lines", "row_of")

_FEW_PAGES = 2  # text beside the content that more pages have belongs to the frame around it
COLUMNS = (
    "site",
    "pages",
    "words",
    "numbers",
    "missing",
    "extra",
    "no. miss",
    "no. extra",
    "expl. %",
    "outside",
    "pages/s",
)


def row_of(name: str, results: Sequence[PageResult], seconds: float) -> tuple[str, ...]:
    """Return the cells of a site's row."""
    compared = [result.comparison for result in results]
    words = sum(one.words for one in compared)
    missing = [difference for one in compared for difference in one.missing]
    extra = [difference for one in compared for difference in one.extra]
    share = 100 * sum(len(one.explained) for one in compared) / max(words, 1)
    counts = (len(compared), words, sum(one.numbers for one in compared))
    found = (len(missing), len(extra), _numbers(missing), _numbers(extra))
    outside = sum(1 for _ in outside_lines(results))
    return (
        name,
        *(f"{count:,}" for count in (*counts, *found)),
        f"{share:.2f}",
        str(outside),
        f"{len(results) / seconds:.1f}",
    )


def _numbers(differences: Iterable[Difference]) -> int:
    return sum(is_number(difference.text) for difference in differences)


def kind_lines(results: Sequence[PageResult]) -> Iterator[str]:
    """Yield a line for each kind with explained words, with its share of all words, and for each unreadable page."""
    words = max(sum(result.comparison.words for result in results), 1)
    explained = Counter(word.kind for result in results for word in result.comparison.explained)
    for result in results:
        if result.failure:
            yield f"    {result.file}: {result.failure}"
    for kind, count in explained.most_common():
        yield f"    {kind}: {count:,} words, {100 * count / words:.3f} %"


def outside_lines(results: Sequence[PageResult]) -> Iterator[str]:
    """Yield the texts beside the content that few pages have: they may be content that the index lacks."""
    pages: dict[str, list[str]] = {}
    for result in results:
        for _, words in groupby(result.comparison.outside, key=lambda word: word.run):
            pages.setdefault(" ".join(word.text for word in words), []).append(result.file)
    for text, files in pages.items():
        if len(files) <= _FEW_PAGES:
            yield f"    ? {text!r} in {files[0]}"


def difference_lines(results: Sequence[PageResult]) -> Iterator[str]:
    """Yield the unexplained differences of each page with what is around them; adjacent words share a line."""
    for result in results:
        missing = zip(result.comparison.missing, result.markup, strict=False)
        for _, group in groupby(missing, key=lambda pair: pair[0].seen and pair[0].seen.run):
            pairs = list(group)
            words = " ".join(difference.text for difference, _ in pairs)
            yield f"    - {words!r} in {result.file}: {pairs[0][1]}"
        for context, extra in groupby(result.comparison.extra, key=lambda difference: difference.context):
            words = " ".join(difference.text for difference in extra)
            yield f"    + {words!r} in {result.file}: {' '.join(context.split())}"
        for (kind, _), explained in groupby(result.comparison.explained, key=lambda word: (word.kind, word.run)):
            yield f"    = {' '.join(word.text for word in explained)!r} in {result.file}: {kind}"
