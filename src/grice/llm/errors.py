"""How a configured LLM can be wrong."""

from __future__ import annotations


class LLMConfigError(ValueError):
    """What was given is no LLM; `key` is the one of a table that is wrong, "" for the whole."""

    __module__ = "grice"

    def __init__(self, message: str, key: str = "") -> None:
        super().__init__(message, key)  # both, so that it can be pickled
        self.key = key

    def __str__(self) -> str:
        return str(self.args[0])
