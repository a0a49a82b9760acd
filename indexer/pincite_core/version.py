"""The version of the distribution, read by the build backend too."""

__version__ = "0.1.0.dev0"
