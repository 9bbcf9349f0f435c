"""The error of a wrongly configured LLM."""

from __future__ import annotations


class LLMConfigError(ValueError):
    """The given value is no LLM; `key` is the wrong key of a table, "" for the whole."""

    __module__ = "grice"

    def __init__(self, message: str, key: str = "") -> None:
        super().__init__(message, key)  # both, so that it can be pickled
        self.key = key

    def __str__(self) -> str:
        return str(self.args[0])
