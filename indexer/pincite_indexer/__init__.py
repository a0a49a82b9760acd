"""Build a Pincite index from a built documentation site."""

import pincite_core  # noqa: F401 - imported before numpy, because it limits numpy to one thread
