"""The names of fields that hold secrets."""

from __future__ import annotations

import re
from functools import lru_cache

ENDINGS = {
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
"""How the name of a field ends, in lower case without separators, and what it is called when redacted."""

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
    "authorization|cookies?|credentials?|jsession[_-]?id|phpsessid|secret|token"
    "|pass[_-]?(?:w(?:or)?d|phrase|code)"  # a bus pass code, with a blank, is none
    rf"|(?:{KEYS})[ _.-]?key|access[ _.-]?key[ _.-]?id"
)
"""A pattern for how the name of a secret ends in a text, in lower case."""


SCHEMA_WORDS = frozenset(
    {
        "$ref",
        "deprecated",
        "description",
        "format",
        "maxLength",
        "minLength",
        "nullable",
        "pattern",
        "readOnly",
        "title",
        "type",
        "writeOnly",
    }
)
"""An object of only these below a secret's name is the JSON schema of a field, as in a tool's definition."""


@lru_cache(maxsize=4096)
def kind_of(name: str) -> str | None:
    """The kind of secret in a field of this name, such as `password` or `api key`; None for no secret."""
    of_form = _OF_FORM.search(name)
    plain = without_separators(of_form[1] if of_form else name)
    if plain in _HARMLESS:
        return None
    return next((kind for ending, kind in ENDINGS.items() if plain.endswith(ending)), None)


def without_separators(name: str) -> str:
    """The name in lower case without what separates its words: `passWord` and `pass-word` are one."""
    return _SEPARATORS.sub("", name).lower()
