"""Hash texts, so that later builds and searches find the stored vector of a text."""

import hashlib

__all__ = ("text_hash",)


def text_hash(text: str) -> bytes:
    """Return the key of a text's stored vector: its BLAKE2b digest of 16 bytes."""
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
