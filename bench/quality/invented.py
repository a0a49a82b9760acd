"""Test the validator on invented names and numbers: a site's sentences with one of them replaced.

The original sentence must pass the validator against its section. The same sentence with a name or number from another
place must not pass. The replacement does not occur in the passage. A harder kind, a number from another sentence of the
same passage, is counted separately.
"""

import random
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from bench.quality.tables import print_table, share_cell

from pincite_core.index.read import Index
from pincite_core.search.terms import STOP_WORDS, terms
from pincite_core.units import split_sentences
from pincite_server.answerer import Answerer
from pincite_server.cli.eval_output import share_record
from pincite_server.evaluation.shares import Share
from pincite_server.grounding.verdict import judge_support

__all__ = ("report_invented",)

SENTENCES = 300  # for each site; more sentences change no digit
_NAME = re.compile(r"(?<=\w )[A-Z][a-zA-Z]{3,}\b")  # not the first word, whose capital means nothing
_NUMBER = re.compile(r"(?<![\w.])\d+(?:\.\d+)*(?![\w.])")
_SEED = 7
_STOPS = frozenset(term for word in STOP_WORDS for term in terms(word))


@dataclass(frozen=True, slots=True)
class _Example:
    passage: str
    sentence: str


def report_invented(answerers: Mapping[str, Answerer]) -> dict[str, object]:
    """Print for each site how many true sentences and how many with an invention pass, and return it for JSON."""
    record: dict[str, object] = {}
    for site, answerer in answerers.items():
        examples = list(islice(_examples(answerer.index), SENTENCES))
        shares = {
            "as they stand, accepted": Share.of(_accepted(one.passage, one.sentence) for one in examples),
            "invented name, accepted": _after(examples, _NAME, _from_elsewhere(examples, _NAME)),
            "invented number, accepted": _after(examples, _NUMBER, _from_elsewhere(examples, _NUMBER)),
            "number of another sentence, accepted": _after(examples, _NUMBER, _from_the_passage),
        }
        print_table(f"invented: {site}", ["default"], {name: [share_cell(share)] for name, share in shares.items()})
        record[site] = {name: share_record(share) for name, share in shares.items()}
    return record


def _examples(index: Index) -> Iterator[_Example]:
    """Yield the sentences that contain a name or a number, shuffled, each once."""
    chunks = [chunk for chunk in index.chunks() if len(chunk.text) > 200]
    random.Random(_SEED).shuffle(chunks)
    seen: set[str] = set()
    for chunk in chunks:
        for line in chunk.text.splitlines():
            for start, end in split_sentences(line):
                sentence = line[start:end]
                if sentence not in seen and (_NAME.search(sentence) or _NUMBER.search(sentence)):
                    seen.add(sentence)
                    yield _Example(chunk.text, sentence)


def _after(examples: Sequence[_Example], kind: re.Pattern[str], other: Callable[[_Example, str], str | None]) -> Share:
    """Return how many sentences pass after a name or number was replaced by the result of `other`."""
    accepted = []
    for example in examples:
        found = kind.search(example.sentence)
        instead = other(example, found.group()) if found else None
        if found and instead:
            changed = example.sentence[: found.start()] + instead + example.sentence[found.end() :]
            accepted.append(_accepted(example.passage, changed))
    return Share.of(accepted)


def _from_elsewhere(examples: Sequence[_Example], kind: re.Pattern[str]) -> Callable[[_Example, str], str | None]:
    """Return a function that picks a name or number of another sentence that the passage does not contain."""
    found = {match.group() for example in examples for match in kind.finditer(example.sentence)}
    pool = sorted(one for one in found if not _STOPS.issuperset(terms(one)))
    choice = random.Random(_SEED)

    def pick(example: _Example, _: str) -> str | None:
        held = set(terms(example.passage))
        fitting = [one for one in pool if held.isdisjoint(terms(one))]
        return choice.choice(fitting) if fitting else None

    return pick


def _from_the_passage(example: _Example, given: str) -> str | None:
    others = _NUMBER.findall(example.passage.replace(example.sentence, ""))
    return next((one for one in others if one != given and one not in example.sentence), None)


def _accepted(passage: str, sentence: str) -> bool:
    return judge_support(passage, "", sentence).grounded
