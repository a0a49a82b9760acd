"""Serve time: questions in, cited answers out; never imports torch or lxml."""

import pincite_core  # noqa: F401 - before numpy, which it keeps on one thread
