"""Define the version of the distribution. The build backend reads it. The Docusaurus plugin has the same version."""

__version__ = "0.1.0"
