"""A document as a page: one HTML file that asks nobody for anything, to read, to keep and to send."""

__all__ = ["NoJinja"]


class NoJinja(Exception):
    """Jinja2 is not installed; the message says what to do."""
