"""Remove secrets from what is written to disk or shown."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

from grice.identity.secret_hints import is_harmless, is_harmless_name
from grice.identity.secret_names import SCHEMA_WORDS, kind_of

if TYPE_CHECKING:
    from grice.identity.known_secrets import KnownSecrets


JsonValue = Any

_PLACEHOLDER = re.compile(r"\[redacted(?:: [\w ]+)?\]")
# What Grice's own hashes look like: a criterion may be called "token", and its fingerprint is no secret.
_FINGERPRINT = re.compile(r"sha256:[0-9a-f]{64}")

_SCALARS = (int, float, type(None))
_CONTAINERS = (dict, list, tuple, Mapping)
_SHORTEST = len("token=x")
"""A shorter text holds no secret and its name."""

_IDENTITIES = frozenset({"criterion", "fingerprint", "group", "id", "key", "set_name"})
"""Fields by which records are found again: the same in each of them, whatever else stands in it."""


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
    """Removes secrets from texts that belong together, and remembers those that stood behind a name.

    So a secret that a tool was called with can be taken out of the reason of a verdict: `learn` from the one,
    and then ask for the `text` of the other.
    """

    def __init__(self) -> None:
        self._known: KnownSecrets | None = None
        # Parts that are shared are read once. Each stays here, so that no other gets its id.
        self._done: dict[tuple[int, str], tuple[object, JsonValue]] = {}

    def learn(self, value: JsonValue) -> None:
        """Remember the secrets of a JSON value."""
        self.by_name(value)

    def text(self, text: str, *, quoted: bool = False) -> str:
        """The text without secrets and what was learnt so far.

        With `quoted` also without a learnt secret that is an ordinary word, where it stands in quotes.
        """
        clean = self._by_shape(text)
        return clean if self._known is None else self._known.out_of(clean, quoted=quoted)

    def lines(self, lines: Iterable[str]) -> list[str]:
        """The lines of one text without its secrets, also those that go over several of them."""
        joined = "\n".join(lines)
        return self.text(joined).split("\n") if joined else []

    def by_name(self, value: JsonValue) -> JsonValue:
        """A copy of the value without the secrets that a name or their shape gives away."""
        if isinstance(value, str):
            return self._by_shape(value)
        if isinstance(value, _SCALARS) or not isinstance(value, _CONTAINERS):
            return value
        done = self._done.get((id(value), ""))
        if done is None:
            clean = self._fields(value) if isinstance(value, Mapping) else self._items(value)
            done = self._done[id(value), ""] = (value, clean)
        return done[1]

    def elsewhere(self, value: JsonValue) -> JsonValue:
        """Remove what was learnt so far from a value whose named secrets are hidden already."""
        return _in_texts(value, self._known.out_of) if self._known else value

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
            shown = name if is_harmless_name(name) else self._by_shape(name)
            redacted[shown] = self.by_name(item) if kind is None else self._hide_all(item, kind)
        return redacted

    def _items(self, items: Sequence[JsonValue]) -> list[JsonValue]:
        texts = [item for item in items if isinstance(item, str)]
        if len(texts) == len(items):
            if any("PRIVATE KEY" in text for text in texts) and _holds_key(texts):
                return self.lines(texts)
            return self._words(texts)
        redacted: list[JsonValue] = []
        for item in items:  # no comprehension: values may be nested deep
            redacted.append(self._pair(item) or self.by_name(item))  # noqa: PERF401
        return redacted

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
        """A copy of the value with every text and number in it hidden."""
        if value is None or isinstance(value, bool):
            return value
        if not isinstance(value, _CONTAINERS):
            return self._hide(str(value), kind)
        done = self._done.get((id(value), kind))
        if done is None:
            done = self._done[id(value), kind] = (value, self._all_hidden(value, kind))
        return done[1]

    def _all_hidden(self, value: JsonValue, kind: str) -> JsonValue:
        if isinstance(value, Mapping):
            if value and SCHEMA_WORDS.issuperset(value):
                return self.by_name(value)
            redacted: dict[str, JsonValue] = {}
            for name, item in value.items():
                redacted[self._by_shape(str(name))] = self._hide_all(item, kind)
            return redacted
        items: list[JsonValue] = []
        for item in value:
            items.append(self._hide_all(item, kind))  # noqa: PERF401
        return items

    def _hide(self, secret: str, kind: str) -> str:
        if not secret or _PLACEHOLDER.fullmatch(secret) or _FINGERPRINT.fullmatch(secret):
            return secret
        if "[redacted" not in secret:
            if self._known is None:
                from grice.identity.known_secrets import KnownSecrets

                self._known = KnownSecrets()
            self._known.add(secret, kind)
        return f"[redacted: {kind}]"

    def _by_shape(self, text: str) -> str:
        if len(text) < _SHORTEST or is_harmless(text):
            return text
        from grice.identity.secret_search import without_shapes

        while True:
            once = without_shapes(text, self._hide)
            if once == text:
                return text
            text = once  # one secret may have hidden the start of another


def _holds_key(texts: Iterable[str]) -> bool:
    from grice.identity.secret_search import KEY_BLOCK

    return any(map(KEY_BLOCK.search, texts))


_NAMES = ("name", "key", "header", "Name", "Key")


def _in_texts(value: JsonValue, change: Callable[[str], str]) -> JsonValue:
    """A copy of the value with its texts changed, but for the names of fields and what identifies it."""
    if isinstance(value, str):
        return change(value)
    if isinstance(value, dict):
        return {
            name: item if name in _IDENTITIES and isinstance(item, str) else _in_texts(item, change)
            for name, item in cast("dict[str, JsonValue]", value).items()
        }
    if isinstance(value, list):
        return [_in_texts(item, change) for item in value]
    return value
