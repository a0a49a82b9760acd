"""The version of the distribution, read by the build backend too; that of the Docusaurus plugin is the same."""

__version__ = "0.1.0"
