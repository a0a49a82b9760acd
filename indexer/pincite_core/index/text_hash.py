"""The name by which a text's vector is found again, by a later build and by whoever searches."""

import hashlib

__all__ = ("text_hash",)


def text_hash(text: str) -> bytes:
    """Return the 16 bytes by which a text's vector is stored."""
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
