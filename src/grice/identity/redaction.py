"""Taking secrets out of what is written to disk or shown."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple, cast

from grice.identity.escaped_forms import any_form
from grice.identity.named_secrets import SCHEMA_WORDS
from grice.identity.secret_names import kind_of, looks_secret
from grice.identity.secret_shapes import KEY_BLOCK, without_shapes

__all__ = ["Redaction", "redact", "redact_text", "redacted_arguments"]

JsonValue = Any

_PLACEHOLDER = re.compile(r"\[redacted(?:: [\w ]+)?\]")
# What Grice's own hashes look like: a criterion may be called "token", and its fingerprint is no secret.
_FINGERPRINT = re.compile(r"sha256:[0-9a-f]{64}")

_IDENTITIES = frozenset({"claim", "criterion", "fingerprint", "group", "id", "key", "set_name"})
"""Fields by which runs are compared: the same in each record, whatever else stands in it."""

_MOST_KNOWN = 1_000
_LONGEST_KNOWN = 500
_LONG, _BEGINNING = 32, 16
"""Of a longer secret the beginning is looked for: messages cut it off."""

_PARTS = {"cookie": re.compile(r"[;=\s]+"), "authorization": re.compile(r"\s+")}
_SHORTEST_SENTENCE = 16
_PLAIN_RUN = re.compile(r"[A-Za-z0-9._~-]+")
_BEFORE = r"(?:(?<![A-Za-z0-9])|(?<=\\[nrt])|(?<=%[0-9A-Fa-f]{2}))"
_AFTER = "(?![A-Za-z0-9])"


def redact(value: JsonValue, *, elsewhere: bool = True) -> JsonValue:
    """A copy of a JSON value with secrets replaced by `[redacted: <kind>]`. Idempotent.

    Secret are the values of fields with a name such as `authorization`, `x-api-key`, `accessToken`,
    `password` or `cookie` (not `max_tokens` or `token_count`), those of `{"name": "Authorization", "value":
    ...}`, of `["x-api-key", ...]` in a list of pairs and of `["--password", ...]`, and secrets in any text,
    see `redact_text`. Null, booleans, empty texts and fingerprints (`sha256:` and 64 hex digits) stay: they
    tell nothing.

    What is hidden by its name in one place and looks like a secret is hidden `elsewhere` in the value too,
    as a word of any text: what the user said, why a check failed.
    """
    redaction = Redaction()
    clean = redaction.by_name(value)
    return redaction.elsewhere(clean) if elsewhere else clean


def redact_text(text: str) -> str:
    """The text with secrets replaced by `[redacted: <kind>]`. Idempotent, and linear in the text.

    It knows keys by their shape (`sk-...`, `AKIA...`, `ghp_...`, `xoxb-...`, JSON web tokens, private key
    blocks), `Bearer ...`, passwords in URLs and behind `curl -u`, and what stands behind a secret's name:
    `api_key=...`, `"password": "..."` in JSON at any depth and in Python's form, `password: ...` where it
    looks like one. What is hidden behind a name is hidden in the rest of the text too, see `redact`.
    """
    return Redaction().text(text)


def redacted_arguments(command: Iterable[str]) -> tuple[str, ...]:
    """The arguments of a command line with secrets replaced. Idempotent.

    Secret are, besides what `redact_text` finds, the value of an option with a secret's name, whether it
    stands behind `=` or is the next argument: `--db-password=...` and `--db-password ...`. What begins with a
    dash is taken for the next option.
    """
    return tuple(redact(list(command)))


class Redaction:
    """Takes secrets out of what belongs together, and remembers those that stood behind a name.

    So a secret that a tool was called with can be taken out of the reason of a verdict: `learn` from the one,
    and then ask for the `text` of the other.
    """

    def __init__(self) -> None:
        self._known: dict[str, str] = {}
        self._ordinary: dict[str, str] = {}
        self._done: dict[
            tuple[int, str], tuple[object, JsonValue]
        ] = {}  # parts that are shared are read once

    def learn(self, value: JsonValue) -> None:
        """Remember the secrets of a JSON value."""
        self.by_name(value)

    def text(self, text: str, *, quoted: bool = False) -> str:
        """The text without secrets and what was learnt so far.

        With `quoted` also without a learnt secret that is an ordinary word, where it stands in quotes.
        """
        clean = self._by_shape(text)
        return _without(clean, self._forms(quoted=quoted))

    def lines(self, lines: Iterable[str]) -> list[str]:
        """The lines of one text without its secrets, also those that go over several of them."""
        joined = "\n".join(lines)
        return self.text(joined).split("\n") if joined else []

    def by_name(self, value: JsonValue) -> JsonValue:
        """A copy of the value without the secrets that a name or their shape gives away."""
        if isinstance(value, str):
            return self._by_shape(value)
        return self._once(value, "", self._inside)

    def _once(self, value: JsonValue, kind: str, read: Callable[[JsonValue, str], JsonValue]) -> JsonValue:
        if not isinstance(value, Mapping | list | tuple):
            return value
        place = (id(cast("object", value)), kind)
        if place not in self._done:
            self._done[place] = (cast("object", value), read(value, kind))  # it stays, and so does its id
        return self._done[place][1]

    def _inside(self, value: JsonValue, _: str) -> JsonValue:
        return self._fields(value) if isinstance(value, Mapping) else self._items(value)

    def elsewhere(self, value: JsonValue) -> JsonValue:
        """The value, of which nothing is hidden by name any more, without what was learnt so far."""
        forms = self._forms()
        return _in_texts(value, forms) if forms else value

    def _fields(self, fields: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
        named = next((fields[name] for name in _NAMES if name in fields), None)
        kind_of_value = kind_of(named) if isinstance(named, str) else None
        redacted: dict[str, JsonValue] = {}
        for name, item in zip(map(str, fields), fields.values(), strict=True):
            kind = kind_of(name)
            if kind == "token" and "logprob" in fields and isinstance(item, str):
                kind = None  # a token of a model's answer, with its probability
            if name in ("value", "Value"):
                kind = kind_of_value
            redacted[self._by_shape(name)] = (
                self.by_name(item) if kind is None else self._hide_all(item, kind)
            )
        return redacted

    def _items(self, items: Sequence[JsonValue]) -> list[JsonValue]:
        texts = [item for item in items if isinstance(item, str)]
        if len(texts) == len(items):
            if any(map(KEY_BLOCK.search, texts)):
                return self.lines(texts)
            return self._words(texts)
        return [self._pair(item) or self.by_name(item) for item in items]

    def _pair(self, item: JsonValue) -> list[JsonValue] | None:
        """A pair of a secret's name and its value, as lists of headers have them; None where it is none."""
        if not isinstance(item, list | tuple) or len(cast("list[JsonValue]", item)) != 2:
            return None
        name, value = cast("list[JsonValue]", item)
        kind = kind_of(name) if isinstance(name, str) and isinstance(value, str) else None
        return None if kind is None else [name, self._hide(value, kind)]

    def _words(self, words: Sequence[str]) -> list[str]:
        """Texts of which one may be an option of a command line, and the next one its value."""
        redacted: list[str] = []
        kind: str | None = None
        curl = bool(words) and words[0].rpartition("/")[2] == "curl"
        for place, word in enumerate(words):
            option = word.startswith("-")
            if kind is not None and not option:
                redacted.append(self._hide(word, kind))
                kind = None
                continue
            if curl and ":" in word and words[place - 1] in ("-u", "--user"):
                user, _, password = word.partition(":")
                redacted.append(f"{user}:{self._hide(password, 'password')}")
                continue
            name, equals, value = word.partition("=")
            kind = kind_of(name) if option else None
            if kind is not None and equals:
                redacted.append(f"{name}={self._hide(value, kind)}")
                kind = None
            else:
                redacted.append(self._by_shape(word))
        return redacted

    def _hide_all(self, value: JsonValue, kind: str) -> JsonValue:
        if value is None or isinstance(value, bool):
            return value
        if not isinstance(value, Mapping | list | tuple):
            return self._hide(str(value), kind)
        return self._once(value, kind, self._hidden)

    def _hidden(self, value: JsonValue, kind: str) -> JsonValue:
        if isinstance(value, Mapping):
            fields = cast("Mapping[str, JsonValue]", value)
            if fields and SCHEMA_WORDS.issuperset(fields):
                return self.by_name(fields)
            return {self._by_shape(str(name)): self._hide_all(item, kind) for name, item in fields.items()}
        return [self._hide_all(item, kind) for item in value]

    def _hide(self, secret: str, kind: str) -> str:
        if not secret or _PLACEHOLDER.fullmatch(secret) or _FINGERPRINT.fullmatch(secret):
            return secret
        if len(secret) <= _LONGEST_KNOWN and len(self._known) < _MOST_KNOWN and "[redacted" not in secret:
            plain = re.sub(r"\\+(?=[\"'\\/])", "", secret)
            for one in (plain, *(_PARTS[kind].split(plain) if kind in _PARTS else ())):
                known = self._known if _is_known_by_sight(one) else self._ordinary
                known.setdefault(one, kind)
        return f"[redacted: {kind}]"

    def _by_shape(self, text: str) -> str:
        while True:
            once = without_shapes(text, self._hide)
            if once == text:
                return text
            text = once  # one secret may have hidden the start of another

    def _forms(self, *, quoted: bool = False) -> list[_Form]:
        """How what was learnt is found in a text, the longest first: one may be part of another."""
        forms = [_form(secret, kind) for secret, kind in self._known.items()]
        if quoted:
            forms += [_quoted_form(word, kind) for word, kind in self._ordinary.items() if word.strip()]
        return sorted(forms, key=lambda form: -form.length)


class _Form(NamedTuple):
    """A secret that was learnt: a plain part of it, which is looked for first, and all its forms."""

    length: int
    part: str
    pattern: str
    kind: str


_NAMES = ("name", "key", "header", "Name", "Key")


def _is_known_by_sight(secret: str) -> bool:
    """Whether a secret is hidden as a word of other texts, too: it is no ordinary word or short number."""
    words = secret.split()
    if len(words) == 1:
        return looks_secret(words[0])
    return any(map(looks_secret, words)) or (len(words) > 2 and len(secret) >= _SHORTEST_SENTENCE)


def _form(secret: str, kind: str) -> _Form:
    secret = secret.strip()
    is_long = len(secret) > _LONG and not re.search(r"\s", secret)
    begun = secret[:_BEGINNING] if is_long else secret
    before = _BEFORE if secret[0].isalnum() else ""
    after = r"[^\s\"'\\,;<>&]*+" if is_long else _AFTER if secret[-1].isalnum() else ""
    part = max(_PLAIN_RUN.findall(begun), key=len, default="")
    return _Form(len(secret), part, f"{before}{any_form(begun)}{after}", kind)


def _quoted_form(word: str, kind: str) -> _Form:
    return _Form(len(word), word, rf"(?<=['\"]){re.escape(word)}(?=\\*['\"])", kind)


def _without(text: str, forms: Iterable[_Form]) -> str:
    for form in forms:
        if form.part in text:
            text = re.sub(form.pattern, f"[redacted: {form.kind}]", text)
    return text


def _in_texts(value: JsonValue, forms: Sequence[_Form]) -> JsonValue:
    """A copy of the value with its texts changed, but for the names of fields and what identifies it."""
    if isinstance(value, str):
        return _without(value, forms)
    if isinstance(value, dict):
        return {
            name: item if name in _IDENTITIES and isinstance(item, str) else _in_texts(item, forms)
            for name, item in cast("dict[str, JsonValue]", value).items()
        }
    if isinstance(value, list):
        return [_in_texts(item, forms) for item in value]
    return value
