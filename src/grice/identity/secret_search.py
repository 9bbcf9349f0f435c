"""Find secrets in a text: private keys, keys with a known beginning, and values behind a name.

Everything is linear in the text: no nested quantifiers, and a run that fails is never scanned again from
each of its characters (a look-behind pins its start, or the run is possessive).
"""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Iterable
from functools import partial
from typing import NamedTuple

from grice.identity.named_secrets import Hide, without_named_secrets
from grice.identity.secret_hints import lower


def without_shapes(text: str, hide: Hide) -> str:
    """The text with what `hide` gives in the place of each secret; one that `may_hold_secrets`."""
    lowered = lower(text)
    clean = _without_private_keys(text, hide) if "private key" in lowered else text
    clean = _replaced(_HEADERS, clean, lowered, hide)
    clean = without_named_secrets(clean, lowered if clean is text else lower(clean), hide)
    return _replaced(_SHAPES, clean, lowered, hide)


def _replaced(shapes: Iterable[_Shape], text: str, lowered: str, hide: Hide) -> str:
    for shape in shapes:
        if any(hint in lowered for hint in shape.hints):
            text = re.sub(shape.pattern, partial(shape.replace, hide), text)
    return text


KEY_BLOCK = re.compile(r"-{4,5} ?BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)? ?-{4,5}")
"""How a private key begins."""
_KEY_BLOCK_END = re.compile(r"-{4,5} ?END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)? ?-{4,5}")


def _without_private_keys(text: str, hide: Hide) -> str:
    """The text without private key blocks; one that has no end takes the rest of the text with it."""
    kept: list[str] = []
    position = 0
    while begin := KEY_BLOCK.search(text, position):
        end = _KEY_BLOCK_END.search(text, begin.end())
        after = end.end() if end else len(text)
        kept += (text[position : begin.start()], hide(text[begin.start() : after], "private key"))
        position = after
    return "".join((*kept, text[position:]))


class _Shape(NamedTuple):
    """One shape of secret; the pattern is compiled and tried only where one of the `hints` occurs."""

    hints: tuple[str, ...]
    pattern: str
    replace: Callable[[Hide, re.Match[str]], str]


def _all(kind: str) -> Callable[[Hide, re.Match[str]], str]:
    return lambda hide, found: hide(found[0], kind)


def _second_group(kind: str) -> Callable[[Hide, re.Match[str]], str]:
    """Keeps the first group, which says what follows, and hides the second."""
    return lambda hide, found: found[1] + hide(found[2], kind)


def _api_key(hide: Hide, found: re.Match[str]) -> str:
    """Hides a key that starts with `sk-`, and leaves a name such as `sk-learn-pipeline` alone."""
    key = found[0]
    named = key.startswith(("sk-ant-", "sk-proj-", "sk-or-"))
    random = any(c.isdigit() or c.isupper() for c in key) or max(map(len, key.split("-"))) >= 20
    return hide(key, "api key") if named or random else key


def _bearer(hide: Hide, found: re.Match[str]) -> str:
    """Hides a bearer's token, and leaves prose such as "bearer authentication" alone."""
    word = found[2]
    prose = word.isalpha() and word.islower() and len(word) < 20
    return found[0] if prose else found[1] + hide(word, "token")


def _basic(hide: Hide, found: re.Match[str]) -> str:
    """Hides what is a user and a password in Base64."""
    try:
        pair = base64.b64decode(found[2], validate=True)
    except ValueError:
        return found[0]
    return found[1] + hide(found[2], "authorization") if b":" in pair and pair.isascii() else found[0]


_HEADERS = (
    _Shape(
        ("authorization:",),
        (
            r"(?i)(\bauthorization:\s{0,4}(?:(?:bearer|basic|token|digest|negotiate|aws4-hmac-sha256)\s{1,4})?+)"
            r"([^\s\"',<>\[\]]+)"
        ),
        _second_group("authorization"),
    ),
    _Shape(("api-key:",), r"(?i)(\bapi-key:\s{0,4})([^\s\"',<>\[\]]+)", _second_group("api key")),
    _Shape(
        ("cookie:",),
        r"(?i)(\bcookie:[ \t]{0,4})([^\s=;,\[]{1,100}=[^\r\n\\\"']*)",
        _second_group("cookie"),
    ),
)
"""Lines of headers, of which the value has several words."""

_SHAPES = (
    _Shape(("://",), r"(://[^\s/:@\"'<>]*:)([^\s/\"'<>]+)(?=@)", _second_group("password")),
    _Shape(
        ("%3a%2f%2f",),
        r"(?i)(%3a%2f%2f[^\s/:@\"'<>%&]*%3a)([^\s/\"'<>&\[]+?)(?=%40)",
        _second_group("password"),
    ),
    _Shape(
        ("signature=", "signature%3d", "sig="),
        r"(?i)((?<![a-z0-9])(?:x-(?:amz|goog)-)?(?:signature|sig)(?:=|%3d))([a-z0-9%+/_~=-]{16,})",
        _second_group("signature"),
    ),
    _Shape(
        ("curl",),
        (
            r"(\bcurl\b(?:[^\\\n]|\\[\s\S]){0,400}?\s(?:-[a-zA-Z]{0,4}u ?|--(?:proxy-)?user[ =])"
            r"[\"']?[^\s:\"'\[]{0,60}:)([^\s\"'\[]+)"
        ),
        _second_group("password"),
    ),
    _Shape(
        ("auth=", "basicauth"),
        (
            r"(?i)(\b(?:auth=|\w{0,20}basicauth)\(\s{0,4}[\"'][^\"'\n]{0,60}[\"'],\s{0,4}[\"'])"
            r"([^\"'\n\[]+)"
        ),
        _second_group("password"),
    ),
    _Shape(("sk-",), r"(?<![A-Za-z0-9])sk-[A-Za-z0-9_-]{8,}", _api_key),
    _Shape(
        ("akia", "asia", "aiza"),
        r"(?<![A-Za-z0-9])(?:A[KS]IA[A-Z0-9]{16}|AIza[A-Za-z0-9_-]{35})(?![A-Za-z0-9])",
        _all("api key"),
    ),
    _Shape(
        ("sk_live_", "sk_test_", "rk_live_", "rk_test_", "gsk_", "hf_", "xai-", "npm_", "whsec_", "sg."),
        (
            r"(?<![A-Za-z0-9])(?:[rs]k_(?:live|test)_[A-Za-z0-9]{8,}|(?:gsk_|hf_|xai-|npm_|whsec_)[A-Za-z0-9]{20,}"
            r"|SG\.[\w-]{16,}\.[\w-]{16,})"
        ),
        _all("api key"),
    ),
    _Shape(
        ("ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_", "glpat-", "xox", "ya29.", "gocspx"),
        (
            r"(?<![A-Za-z0-9])(?:gh[pousr]_[A-Za-z0-9]{16,}|github_pat_[A-Za-z0-9_]{20,}|glpat-[A-Za-z0-9_-]{16,}"
            r"|xox[a-z]-[A-Za-z0-9-]{8,}|ya29\.[\w-]{20,}|GOCSPX-[\w-]{20,})"
        ),
        _all("token"),
    ),
    _Shape(
        ("eyj",),
        r"(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{4,}(?:\.[A-Za-z0-9_-]*)?",
        _all("token"),
    ),
    _Shape(("bearer",), r"(?i)(\bbearer\s{1,4})([A-Za-z0-9._~+/=-]{8,})", _bearer),
    _Shape(("basic",), r"(?i)(\bbasic\s{1,4})([A-Za-z0-9+/]{8,}={0,2})", _basic),
)
