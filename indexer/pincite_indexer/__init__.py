"""Build time: a built site in, an index out."""

import pincite_core  # noqa: F401 - before numpy, which it keeps on one thread
