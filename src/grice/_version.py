"""The version of Grice."""

__version__ = "0.1.0"
