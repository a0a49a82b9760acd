"""Encode a site's chunks with the exported encoder and with sentence-transformers; print both speeds and their ratio.

    python -m bench.encoding [--data DIR] [--only NAME ...] [--chunks N] [--model NAME]

Without --data the bench measures the example site (build it with `make site`). DIR holds one folder for each site,
with a `build` folder. Both encoders get the same distinct chunks in the same process, in turns of `TURN` chunks, so
other work on the machine disturbs both alike. sentence-transformers runs as its users call it, in batches of 32.
"""

import argparse
import random
from pathlib import Path
from time import perf_counter

import pincite_core  # noqa: F401 - before numpy, which it keeps on one thread, as in a build

# isort: split
import numpy as np
from bench.sites import sites_of

from pincite_core.embedders import DEFAULT_MODEL, Embedder, SentenceTransformerEmbedder, load_embedder
from pincite_core.search.late_interaction import pack_tokens
from pincite_core.user_cache import cache_folder
from pincite_indexer.rows.assemble import assemble
from pincite_indexer.site.resolved_site import resolve_site
from pincite_indexer.site.scan import find_html, scan_site
from pincite_indexer.vectors.encoder_choice import choose_encoder

COLUMNS = ("site", "chunks", "encoder/s", "model/s", "ratio", "cosine mean", "least")
BATCH = 32
TURN = 256


def main() -> None:
    options = _arguments()
    original = load_embedder(options.model)
    assert isinstance(original, SentenceTransformerEmbedder), "this measures models, not the stand-in"
    print("  ".join(f"{name:>12}" for name in COLUMNS))
    for name, build in sites_of(options.data).items():
        if not options.only or name in options.only:
            row = _measure(name, _chunks(build, options.chunks), original, options.model)
            print("  ".join(f"{value:>12}" for value in row), flush=True)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path)
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--chunks", type=int, default=1024, help="at most so many of a site, drawn at random")
    parser.add_argument("--model", default=DEFAULT_MODEL)
    return parser.parse_args()


def _chunks(build: Path, most: int) -> list[str]:
    """Return a site's distinct chunks as its build embeds them."""
    scan = scan_site(build, find_html(build), keep_noindex=True, advance=lambda: None)
    rows = assemble(resolve_site(scan, None, (), None))
    texts = sorted({rows.texts[chunk.vector_id - 1] for chunk in rows.chunks})
    return random.Random(0).sample(texts, min(most, len(texts)))


def _measure(name: str, texts: list[str], original: SentenceTransformerEmbedder, model: str) -> list[str]:
    choice = choose_encoder(model, texts, cache_root=cache_folder())
    if choice.encoder is None:
        return [name, f"{len(texts):,}", "none", choice.why_none]
    encoder = choice.embedder
    encoder.encode(texts[:2])
    original.encode(texts[:2])
    seconds = {"encoder": 0.0, "model": 0.0}
    cosines: list[float] = []
    for start in range(0, len(texts), TURN):
        turn = texts[start : start + TURN]
        mine, seconds["encoder"] = _timed(encoder, turn, seconds["encoder"])
        begun = perf_counter()
        theirs = original.encode(turn, batch_size=BATCH)
        seconds["model"] += perf_counter() - begun
        cosines.extend((mine * theirs).sum(axis=1).tolist())
    ours, plain = (len(texts) / seconds[who] for who in ("encoder", "model"))
    numbers = (f"{ours:.1f}", f"{plain:.1f}", f"{ours / plain:.2f}", f"{np.mean(cosines):.4f}", f"{min(cosines):.4f}")
    return [name, f"{len(texts):,}", *numbers]


def _timed(encoder: Embedder, texts: list[str], so_far: float) -> tuple[np.ndarray, float]:
    """Encode as a build does: packed tokens, longest texts first, so that both threads end together."""
    begun = perf_counter()
    order = sorted(range(len(texts)), key=lambda position: -len(texts[position]))
    vectors = np.empty((len(texts), encoder.info.dimension), dtype=np.float32)
    encoded = encoder.encode_with_tokens([texts[position] for position in order])
    vectors[order] = [text.vector for text in encoded]
    for text in encoded:
        if text.tokens is not None:
            pack_tokens(text.tokens)
    return vectors, so_far + perf_counter() - begun


if __name__ == "__main__":
    main()
