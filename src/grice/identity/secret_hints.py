"""Whether a text may hold a secret at all: a quick test that runs first on every text."""

from __future__ import annotations

import re
from functools import lru_cache

from grice.identity.secret_names import KEYS

HINTS = (
    "authorization",
    "cookie",
    "credential",
    "jsessionid",
    "%3a%2f%2f",
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
    if any(map(lowered.__contains__, HINTS)):
        return True
    if not any(map(lowered.__contains__, _LIKELY_WORDS)):
        return False
    return any(word in lowered and re.search(pattern, lowered) for word, pattern in _LIKELY)


@lru_cache(maxsize=512)
def may_name_secrets(place: str) -> bool:
    """Whether a place, such as a path that is asked for again and again, may have the name of a secret."""
    return may_hold_secrets(lower(place))


def lower(text: str) -> str:
    """The text with the letters of English in lower case: it has as many characters as before."""
    if text.isascii():
        return text.lower()
    return text.encode("utf-8", "surrogatepass").lower().decode("utf-8", "surrogatepass")  # A to Z only
