"""Taking secrets out of encoded records: as `redact`, and quick where there are none."""

from __future__ import annotations

import re
from functools import lru_cache

import msgspec

from grice.identity.redaction import redact, redact_text

__all__ = ["redacted_json"]

_STRING = re.compile(r'"([^"\\]*+(?:\\.[^"\\]*+)*+)"(:?)')
# A text without any of these, in lower case, holds no secret that `redact_text` knows.
_HINTS = re.compile(
    r"key|token|secret|passw|authorization|cookie|://|sk-|akia|asia|aiza|[sr]k_|hf_|xai-|npm_|gh[pousr]_"
    r"|github_pat_|glpat-|xox|eyj|bearer"
)


def redacted_json(encoded: bytes) -> bytes:
    """The compact JSON text with secrets replaced, as `redact` replaces them in the decoded value.

    A text in which there are none comes back as it is, some twenty times faster than by way of `redact`.
    """
    strings = set(_STRING.findall(encoded.decode()))
    names = {text for text, colon in strings if colon}
    texts = {text for text, colon in strings if not colon}
    if all(map(_is_harmless_name, names)) and not _holds_secrets(texts, pairs="value" in names):
        return encoded
    return msgspec.json.encode(redact(msgspec.json.decode(encoded)))


@lru_cache(maxsize=4096)
def _is_harmless_name(escaped: str) -> bool:
    """Whether neither the name of a field nor, for its sake, the value is redacted."""
    field = {_plain(escaped): "x"}
    return bool(redact(field) == field)


def _holds_secrets(texts: set[str], *, pairs: bool) -> bool:
    """Whether a text is redacted; with `pairs` also whether one, as a name, has its `value` redacted."""
    if pairs and not all(map(_is_harmless_name.__wrapped__, texts)):
        return True
    if _HINTS.search("\n".join(texts).lower()) is None:
        return False
    hinted = [_plain(text) for text in texts if _HINTS.search(text.lower())]
    return any(redact_text(text) != text for text in hinted)


def _plain(escaped: str) -> str:
    return msgspec.json.decode(f'"{escaped}"', type=str) if "\\" in escaped else escaped
