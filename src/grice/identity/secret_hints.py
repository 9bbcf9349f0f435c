"""Whether a text may hold a secret at all: a quick test that runs first on every text."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import Any

from grice.identity.secret_names import ENDINGS, KEYS, without_separators

HINTS = (
    "authorization",
    "cookie",
    "credential",
    "jsession",
    "%3a%2f%2f",
    "pass-",
    "pass_",
    "passc",
    "passphrase",
    "passw",
    "phpsessid",
    "secret",
    "token",
    "auth=",
    "basicauth",
    "bearer",
    "curl",
    "eyj",
    "gho_",
    "ghp_",
    "ghr_",
    "ghs_",
    "ghu_",
    "github_pat_",
    "glpat-",
    "gocspx",
    "gsk_",
    "hf_",
    "npm_",
    "rk_live_",
    "rk_test_",
    "sg.",
    "sig=",
    "signature%3d",
    "signature=",
    "sk-",
    "sk_live_",
    "sk_test_",
    "whsec_",
    "xai-",
    "xox",
    "ya29.",
)
_LIKELY = (
    ("key", rf"(?:{KEYS})[ _.-]?key"),
    ("://", r"://[^\s/@]{0,200}@"),
    ("basic", r"basic\s{1,4}[a-z0-9+/]{8}"),
    ("aiza", r"aiza[a-z0-9_-]{35}"),
    ("akia", r"akia[a-z0-9]{16}"),
    ("asia", r"asia[a-z0-9]{16}"),
)
"""Words that are common, and what has to stand there."""
_LIKELY_WORDS = tuple(word for word, _ in _LIKELY)


def may_hold_secrets(lowered: str) -> bool:
    """Whether a text, in lower case, may hold a secret: without one of these words it holds none."""
    if _words().search(lowered.encode("utf-8", "surrogatepass")) is None:  # nearly always, and quick
        return False
    return any(map(lowered.__contains__, HINTS)) or any(
        word in lowered and re.search(pattern, lowered) for word, pattern in _LIKELY
    )


@cache
def _words() -> Any:
    """A pattern for all of the words."""
    import re2

    return re2.compile("|".join(map(re.escape, (*HINTS, *_LIKELY_WORDS))).encode())


def is_harmless(text: str) -> bool:
    """Whether a text surely holds no secret."""
    return not may_hold_secrets(lower(text))


@lru_cache(maxsize=4096)
def is_harmless_name(name: str) -> bool:
    """Whether a name of a field, or a path, surely holds no secret and names none, in any spelling."""
    together = without_separators(name)
    return is_harmless(name) and not any(ending in together for ending in ENDINGS)


def lower(text: str) -> str:
    """The text with the letters of English in lower case: it has as many characters as before."""
    if text.isascii():
        return text.lower()
    return text.encode("utf-8", "surrogatepass").lower().decode("utf-8", "surrogatepass")  # A to Z only
