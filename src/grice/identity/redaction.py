"""Taking secrets out of what is written to disk or shown.

Patterns are linear: no nested quantifiers, and a run that fails is never scanned again from each of its
characters (a look-behind pins its start, or the run is possessive).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import Any, NamedTuple, cast

__all__ = ["redact", "redact_text", "redacted_arguments"]

JsonValue = Any

_PLACEHOLDER = re.compile(r"\[redacted(?:: [a-z ]+)?\]")
# What Grice's own hashes look like: a criterion may be called "token", and its fingerprint is no secret.
_FINGERPRINT = re.compile(r"sha256:[0-9a-f]{64}")

# How the name of a field ends, in lower case without separators, and what it is called when redacted.
_SECRET_ENDINGS = {
    "authorization": "authorization",
    "cookie": "cookie",
    "cookies": "cookie",
    "password": "password",
    "passwd": "password",
    "passphrase": "password",
    "apikey": "api key",
    "accesskey": "api key",
    "accesskeyid": "api key",
    "secretkey": "api key",
    "privatekey": "private key",
    "token": "token",
    "secret": "secret",
    "credential": "credentials",
    "credentials": "credentials",
}
# Names that end like a secret and hold a model's vocabulary or a page of a list.
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
        "page",
        "next",
        "nextpage",
        "continuation",
        "sync",
    )
)
# An object of only these below a secret's name is the JSON schema of a field, as in a tool's definition.
_SCHEMA_WORDS = frozenset(
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

_FIELD = (
    r"[a-z0-9_-]{0,40}?(?:api[_-]?key|secret[_-]?key|access[_-]?key|(?:access|auth|refresh|id|session)[_-]?token"
    r"|client[_-]?secret|token|secret|password|passwd|authorization|cookie)"
)


class _Shape(NamedTuple):
    """One shape of secret in text; the pattern is compiled and tried only where one of the `hints` occurs."""

    hints: tuple[str, ...]
    pattern: str
    replace: Callable[[re.Match[str]], str]


def redact(value: JsonValue) -> JsonValue:
    """A copy of a JSON value with secrets replaced by `[redacted: <kind>]`. Idempotent.

    Secret are the values of fields with a name such as `authorization`, `x-api-key`, `accessToken`,
    `password` or `cookie` (not `max_tokens` or `token_count`), the value of `{"name": "Authorization",
    "value": ...}`, and secrets in any text, see `redact_text`. Null, booleans, empty texts and fingerprints
    (`sha256:` and 64 hex digits) stay: they tell nothing.
    """
    if isinstance(value, str):
        return redact_text(value)
    if isinstance(value, Mapping):
        return _redact_fields(cast("Mapping[str, JsonValue]", value))
    if isinstance(value, list | tuple):
        return [redact(item) for item in cast("list[JsonValue]", value)]
    return value


def redact_text(text: str) -> str:
    """The text with secrets replaced by `[redacted: <kind>]`. Idempotent, and linear in the text.

    It knows keys by their shape (`sk-...`, `AKIA...`, `ghp_...`, `xoxb-...`, JSON web tokens, private key
    blocks), `Bearer ...`, passwords in URLs, and assignments such as `api_key=...` and `"password": "..."`.
    """
    while True:
        once = _redact_once(text)
        if once == text:
            return text
        text = once  # one secret may have hidden the start of another


def redacted_arguments(command: Iterable[str]) -> tuple[str, ...]:
    """The arguments of a command line with secrets replaced. Idempotent.

    Secret are, besides what `redact_text` finds, the value of an option with a secret's name, whether it
    stands behind `=` or is the next argument: `--db-password=...` and `--db-password ...`. What begins with a
    dash is taken for the next option.
    """
    redacted: list[str] = []
    kind: str | None = None
    for argument in command:
        option = argument.startswith("-")
        if kind is not None and not option:
            redacted.append(_placeholder(argument, kind))
            kind = None
            continue
        name, equals, value = argument.partition("=")
        kind = _kind(name) if option else None
        if kind is not None and equals:
            redacted.append(f"{name}={_placeholder(value, kind)}")
            kind = None
        else:
            redacted.append(redact_text(argument))
    return tuple(redacted)


def _redact_fields(fields: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    named = fields.get("name", fields.get("key"))
    kind_of_value = _kind(named) if isinstance(named, str) and "value" in fields else None
    redacted: dict[str, JsonValue] = {}
    for name, item in fields.items():
        kind = _kind(name)
        if kind == "token" and "logprob" in fields:
            kind = None  # a token of a model's answer, with its probability
        if name == "value":
            kind = kind_of_value
        redacted[redact_text(name)] = redact(item) if kind is None else _hide(item, kind)
    return redacted


@lru_cache(maxsize=1024)
def _kind(name: str) -> str | None:
    plain = re.sub(r"[\s_.-]", "", name).lower()
    if plain in _HARMLESS:
        return None
    return next((kind for ending, kind in _SECRET_ENDINGS.items() if plain.endswith(ending)), None)


def _hide(value: JsonValue, kind: str) -> JsonValue:
    if value is None or isinstance(value, bool) or value == "":
        return value
    if isinstance(value, str) and _FINGERPRINT.fullmatch(value):
        return value
    if isinstance(value, Mapping):
        fields = cast("Mapping[str, JsonValue]", value)
        if fields and _SCHEMA_WORDS.issuperset(fields):
            return redact(fields)
        return {redact_text(name): _hide(item, kind) for name, item in fields.items()}
    if isinstance(value, list | tuple):
        return [_hide(item, kind) for item in cast("list[JsonValue]", value)]
    return _placeholder(str(value), kind)


def _placeholder(secret: str, kind: str) -> str:
    return secret if not secret or _PLACEHOLDER.fullmatch(secret) else f"[redacted: {kind}]"


def _redact_once(text: str) -> str:
    lowered = text.lower()
    if "private key" in lowered:
        text = _without_private_keys(text)
    for shape in _SHAPES:
        if any(hint in lowered for hint in shape.hints):
            text = re.sub(shape.pattern, shape.replace, text)
    return text


_KEY_BLOCK = re.compile(r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----")
_KEY_BLOCK_END = re.compile(r"-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----")


def _without_private_keys(text: str) -> str:
    """The text without private key blocks; one that has no end takes the rest of the text with it."""
    kept: list[str] = []
    position = 0
    while begin := _KEY_BLOCK.search(text, position):
        kept += (text[position : begin.start()], "[redacted: private key]")
        end = _KEY_BLOCK_END.search(text, begin.end())
        position = end.end() if end else len(text)
    return "".join((*kept, text[position:]))


def _all(kind: str) -> Callable[[re.Match[str]], str]:
    return lambda _: f"[redacted: {kind}]"


def _group(kind: str) -> Callable[[re.Match[str]], str]:
    """Keeps the first group, which says what follows, and hides the second."""
    return lambda found: found[1] + _placeholder(found[2], kind)


def _assigned(found: re.Match[str]) -> str:
    kind = _kind(found["name"])
    return found[0] if kind is None else found["before"] + _placeholder(found["secret"], kind)


def _api_key(found: re.Match[str]) -> str:
    """Hides a key that starts with `sk-`, and leaves a name such as `sk-learn-pipeline` alone."""
    key = found[0]
    named = key.startswith(("sk-ant-", "sk-proj-", "sk-or-"))
    random = any(c.isdigit() or c.isupper() for c in key) or max(map(len, key.split("-"))) >= 20
    return "[redacted: api key]" if named or random else key


def _bearer(found: re.Match[str]) -> str:
    """Hides a bearer's token, and leaves prose such as "bearer authentication" alone."""
    word = found[2]
    prose = word.isalpha() and word.islower() and len(word) < 20
    return found[0] if prose else f"{found[1]}[redacted: token]"


_HINTS = ("key", "token", "secret", "passw", "authorization", "cookie")
_SHAPES = (
    _Shape(
        _HINTS,
        rf'(?i)(?P<before>"(?P<name>{_FIELD})"\s{{0,4}}:\s{{0,4}}")(?P<secret>(?:[^"\\]|\\.)*+)',
        _assigned,
    ),
    _Shape(
        _HINTS,
        rf'(?i)(?P<before>\\"(?P<name>{_FIELD})\\"\s{{0,4}}:\s{{0,4}}\\")(?P<secret>(?:[^"\\]|\\[^"])*+)',
        _assigned,
    ),
    _Shape(
        _HINTS,
        rf"(?i)(?P<before>(?<![a-z0-9_-])(?P<name>{_FIELD})=[\"']?)(?P<secret>[^\s\"'&;,<>\[\]]+)",
        _assigned,
    ),
    _Shape(
        ("authorization:",),
        r"(?i)(\bauthorization:\s{0,4}(?:(?:bearer|basic|token|digest)\s{1,4})?+)([^\s\"',<>\[\]]+)",
        _group("authorization"),
    ),
    _Shape(("api-key:",), r"(?i)(\bapi-key:\s{0,4})([^\s\"',<>\[\]]+)", _group("api key")),
    _Shape(("cookie:",), r"(?i)(\bcookie:[ \t]{0,4})([^\s=;,\[]{1,100}=[^\r\n]*)", _group("cookie")),
    _Shape(("://",), r"(://[^\s/:@\"'<>]*:)([^\s/\"'<>]+)(?=@)", _group("password")),
    _Shape(("sk-",), r"(?<![A-Za-z0-9])sk-[A-Za-z0-9_-]{8,}", _api_key),
    _Shape(
        ("akia", "asia", "aiza"),
        r"(?<![A-Za-z0-9])(?:A[KS]IA[A-Z0-9]{16}|AIza[A-Za-z0-9_-]{35})(?![A-Za-z0-9])",
        _all("api key"),
    ),
    _Shape(
        ("sk_", "rk_", "gsk_", "hf_", "xai-", "npm_"),
        r"(?<![A-Za-z0-9])(?:[rs]k_(?:live|test)_[A-Za-z0-9]{8,}|(?:gsk_|hf_|xai-|npm_)[A-Za-z0-9]{20,})",
        _all("api key"),
    ),
    _Shape(
        ("ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_", "glpat-", "xox"),
        (
            r"(?<![A-Za-z0-9])(?:gh[pousr]_[A-Za-z0-9]{16,}|github_pat_[A-Za-z0-9_]{20,}|glpat-[A-Za-z0-9_-]{16,}"
            r"|xox[a-z]-[A-Za-z0-9-]{8,})"
        ),
        _all("token"),
    ),
    _Shape(
        ("eyj",),
        r"(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{4,}\.[A-Za-z0-9_-]*",
        _all("token"),
    ),
    _Shape(("bearer",), r"(?i)(\bbearer\s{1,4})([A-Za-z0-9._~+/=-]{8,})", _bearer),
)
