"""The names under which secrets stand, and what looks like a secret by itself."""

from __future__ import annotations

import re
from functools import lru_cache

__all__ = ["KEYS", "NAME", "kind_of", "looks_secret"]

# How the name of a field ends, in lower case without separators, and what it is called when redacted.
_ENDINGS = {
    "authorization": "authorization",
    "cookie": "cookie",
    "cookies": "cookie",
    "jsessionid": "cookie",
    "phpsessid": "cookie",
    "password": "password",
    "passwd": "password",
    "passphrase": "password",
    "passcode": "password",
    "apikey": "api key",
    "authkey": "api key",
    "accesskey": "api key",
    "accesskeyid": "api key",
    "accountkey": "api key",
    "secretkey": "api key",
    "subscriptionkey": "api key",
    "encryptionkey": "private key",
    "privatekey": "private key",
    "signingkey": "private key",
    "token": "token",
    "secret": "secret",
    "credential": "credentials",
    "credentials": "credentials",
}
# Names that end like a secret and hold a model's vocabulary, a count, or a page of a list.
_HARMLESS = frozenset(
    f"{word}token"
    for word in (
        "bos",
        "eos",
        "pad",
        "unk",
        "stop",
        "start",
        "end",
        "max",
        "total",
        "page",
        "next",
        "nextpage",
        "continuation",
        "sync",
    )
)
_SEPARATORS = re.compile(r"[\s_.-]")
_OF_FORM = re.compile(r"\[([\w-]+)\]\Z")  # user[password]

KEYS = "account|api|auth|access|encryption|private|secret|signing|subscription"
"""What kinds of key are secret."""
NAME = (
    "authorization|cookies?|credentials?|jsessionid|passw(?:or)?d|passphrase|passcode|phpsessid|secret|token"
    rf"|(?:{KEYS})[ _.-]?key|access[ _.-]?key[ _.-]?id"
)
"""A pattern for how the name of a secret ends in a text, in lower case."""


@lru_cache(maxsize=4096)
def kind_of(name: str) -> str | None:
    """What is under a field of this name, such as `password` or `api key`; None when it is no secret."""
    of_form = _OF_FORM.search(name)
    plain = _SEPARATORS.sub("", of_form[1] if of_form else name).lower()
    if plain in _HARMLESS:
        return None
    return next((kind for ending, kind in _ENDINGS.items() if plain.endswith(ending)), None)


LEAST = 6
"""Fewer characters are not taken for a secret by their looks."""
_MANY = 24
"""So many letters in a row are no word."""
_LOOKED_AT = 500
"""So many characters of a text tell."""
_ORDINARY = re.compile(
    r"_*[^\W\d_]+(?:['\u2019/_.,:&+-]+[^\W\d_]+)*_*"  # words, also joined: case-sensitive, and/or, first_name
    r"|[^a-zA-Z0-9]+"  # nothing but signs: ********
    r"|\d+-[a-z]+"  # 16-digit
    r"|\d[\d.,:/-]*(?:[a-z]{1,3}|%)?"  # 24.99, 2026-01-31, 10:30am, 15min
    r"|\d{4}-\d\d-\d\d[T ][\d:.,]+(?:Z|[+-]\d\d:?\d\d)?"
    r"|[^@\s]+@[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}"  # somebody's address
    r"|(?:[a-z+]{2,10}:)?//\S+"
    r"|[a-zA-Z_][\w.]*\(.*"  # a call in source code
    r"|[$%]?\{.*\}|<[\w -]+>",  # what is to be filled in
)
_NUMBER = re.compile(r"\d{6,}")
_TURN = re.compile(r"[a-z](?=[A-Z])")


def looks_secret(text: str) -> bool:
    """Whether a text of at least six characters is no ordinary word, number, date, address or expression.

    So are `hunter2`, `p@ssword`, a number of six or more digits, and letters in a row that are too many or
    change their case too often for a word or a name in source code.
    """
    if len(text) < LEAST:
        return False
    text = text[:_LOOKED_AT]
    if _ORDINARY.fullmatch(text) is None or _NUMBER.fullmatch(text):
        return True
    turns = len(_TURN.findall(text))
    return text.isascii() and text.isalpha() and (turns * 5 > len(text) or (not turns and len(text) >= _MANY))
