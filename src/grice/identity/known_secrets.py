"""Remove secrets that stood behind a name in one text from all others."""

from __future__ import annotations

import re
from itertools import chain
from typing import NamedTuple

from grice.identity.escaped_forms import any_form
from grice.identity.secret_looks import LEAST, is_unusual, looks_secret

_MOST = 1_000
_LONGEST = 500
_LONG, _BEGINNING = 32, 16
"""A secret longer than the first is looked for by its beginning, which nothing else has."""
_SHORTEST_SENTENCE = 16

_PARTS = {"cookie": re.compile(r"[;=\s]+"), "authorization": re.compile(r"\s+")}
_ESCAPED = re.compile(r"\\+(?=[\"'\\/])")
_PUNCTUATION = ".,;:!?()"
_PLAIN_RUN = re.compile(r"[A-Za-z0-9._~-]+")
_BEFORE = r"(?:(?<![A-Za-z0-9])|(?<=\\[nrt])|(?<=%[0-9A-Fa-f]{2}))"
_AFTER = "(?![A-Za-z0-9])"
_REST = r"(?:(?!\.\.\.)[^\s\"'\\,;<>&])*"
_RUN = re.compile(rf"[^\s\"'\\]{{{LEAST},}}")
_QUOTES = "\"'\\"
_DOTS = "..."


class KnownSecrets:
    """The secrets that a name gave away and that look like secrets themselves: they are hidden everywhere.

    Of an ordinary word nothing can tell whether it stands for the secret; in quotes, in what is said of the
    value itself, it does.
    """

    def __init__(self) -> None:
        self._kinds: dict[str, str] = {}
        self._words: dict[str, str] = {}
        self._index: _Index | None = None

    def __bool__(self) -> bool:
        return bool(self._kinds)

    def add(self, secret: str, kind: str) -> None:
        """Add a secret; of a cookie and of an authorization the parts as well."""
        if len(secret) > _LONGEST or len(self._kinds) >= _MOST:
            return
        plain = _ESCAPED.sub("", secret)
        for one in (plain, *(_PARTS[kind].split(plain) if kind in _PARTS else ())):
            known = self._kinds if _tells(one) else self._words
            known.setdefault(one.strip(), kind)
        self._index = None

    def out_of(self, text: str, *, quoted: bool = False) -> str:
        """Remove the secrets from a text, also the part of one at which it was cut off.

        With `quoted` without ordinary words too, where these stand in quotes.
        """
        self._index = index = self._index or _Index(self._kinds, self._words)
        for form in index.forms_and_words if quoted else index.forms:
            if form.part in text:
                text = re.sub(form.pattern, f"[redacted: {form.kind}]", text)
        return index.without_ends(text)


class _Index:
    """How secrets and words are found in texts, the longest first: one may be part of another."""

    def __init__(self, kinds: dict[str, str], words: dict[str, str]) -> None:
        self._kinds = dict(kinds)
        self._heads: dict[str, list[str]] = {}
        self._tails: dict[str, list[str]] = {}
        for secret in kinds:
            self._heads.setdefault(secret[:LEAST], []).append(secret)
            self._tails.setdefault(secret[-LEAST:], []).append(secret)
        forms = [_form(secret, kind) for secret, kind in kinds.items()]
        quoted = [_quoted_form(word, kind) for word, kind in words.items() if word]
        self.forms = sorted(forms, key=lambda form: -form.length)
        self.forms_and_words = sorted((*forms, *quoted), key=lambda form: -form.length)

    def without_ends(self, text: str) -> str:
        """The text without the beginnings and ends of secrets next to a quote or `...`, or at its end."""
        if not any(end in text for end in chain(self._heads, self._tails)):
            return text

        def shown(run: re.Match[str]) -> str:
            parts = run[0].split(_DOTS)
            opened = run.start() > 0 and text[run.start() - 1] in _QUOTES
            closed = run.end() == len(text) or text[run.end()] in _QUOTES
            last = len(parts) - 1
            return _DOTS.join(
                self._without(part, begins=place < last or closed, ends=place > 0 or opened)
                for place, part in enumerate(parts)
            )

        return _RUN.sub(shown, text)

    def _without(self, part: str, *, begins: bool, ends: bool) -> str:
        """A part of a text, or what stands for it where a secret begins or ends with it."""
        if not is_unusual(part):
            return part
        found = [one for one in self._heads.get(part[:LEAST], ()) if begins and one.startswith(part)]
        found += [one for one in self._tails.get(part[-LEAST:], ()) if ends and one.endswith(part)]
        return f"[redacted: {self._kinds[found[0]]}]" if found else part


class _Form(NamedTuple):
    """A secret: its length, a plain part of it that is looked for first, and a pattern for all its forms."""

    length: int
    part: str
    pattern: str
    kind: str


def _tells(secret: str) -> bool:
    """Whether it is no ordinary word and no short number, so that it is one wherever it stands."""
    words = secret.split()
    if len(words) == 1:
        return looks_secret(words[0])
    told = any(is_unusual(word.strip(_PUNCTUATION)) for word in words) and len(secret) >= LEAST
    return told or (len(words) > 2 and len(secret) >= _SHORTEST_SENTENCE)


def _form(secret: str, kind: str) -> _Form:
    is_long = len(secret) > _LONG and len(secret.split()) == 1
    begun = secret[:_BEGINNING] if is_long else secret
    before = _BEFORE if secret[0].isalnum() else ""
    after = _REST if is_long else _AFTER if secret[-1].isalnum() else ""
    part = max(_PLAIN_RUN.findall(begun), key=len, default="")
    return _Form(len(secret), part, f"{before}{any_form(begun)}{after}", kind)


def _quoted_form(word: str, kind: str) -> _Form:
    return _Form(len(word), word, rf"(?<=['\"]){re.escape(word)}(?=\\*['\"])", kind)
