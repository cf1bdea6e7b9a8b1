"""The version of the project."""

__version__ = "0.2.0"
