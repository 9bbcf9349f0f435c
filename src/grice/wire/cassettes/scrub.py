"""Rules that remove from requests what changes from run to run, such as today's date."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any, cast

import msgspec

from grice.identity import redact
from grice.records import JsonValue
from grice.text import did_you_mean, value_text
from grice.wire.cassettes.errors import ScrubError

MAX_ROUNDS = 5


class Scrub(msgspec.Struct, frozen=True):
    """Replaces whatever matches `pattern`, a regular expression of RE2, by the text `replacement`.

    It is used on every text of a request before that is compared and written; answers stay as they are.
    """

    pattern: str
    replacement: str = "<scrubbed>"


_CLOCK = r"\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?"

_HEX = "[0-9a-fA-F]"

SCRUBS: dict[str, Scrub] = {
    "dates": Scrub(
        rf"\b\d{{4}}-\d{{2}}-\d{{2}}(?:[T ]{_CLOCK}(?: ?(?:Z|[+-]\d{{2}}:?\d{{2}}))?)?\b", "<date>"
    ),
    "times": Scrub(rf"\b{_CLOCK}\b", "<time>"),
    "uuids": Scrub(rf"\b{_HEX}{{8}}(?:-{_HEX}{{4}}){{3}}-{_HEX}{{12}}\b", "<uuid>"),
    "hex_ids": Scrub(rf"\b{_HEX}{{16,128}}\b", "<hex id>"),
    "call_ids": Scrub(r"\b(?:call|toolu|tooluse|chatcmpl|msg|resp|fc)[_-][A-Za-z0-9_-]{8,}", "<call id>"),
}

"""The rules that have a name. `dates` are ISO dates with or without a time of day."""


def read_scrubs(value: object) -> tuple[Scrub, ...]:
    """Read the rules of `scrub`: names of `SCRUBS`, tables with `pattern` and `replacement`, Scrubs.

    Raises ScrubError.
    """
    if isinstance(value, str | Mapping | Scrub) or not isinstance(value, Sequence):
        raise ScrubError(f"scrub: expected a list of rules, found {value_text(value)}")
    rules = tuple(_read(one, f"scrub[{place}]") for place, one in enumerate(cast("Sequence[object]", value)))
    scrubber(rules)
    return rules


def scrubber(rules: Sequence[Scrub]) -> Callable[[JsonValue], JsonValue]:
    """Make a function that applies the rules to all texts of a JSON value until nothing changes.

    The names of fields stay. Raises ScrubError for a pattern that RE2 does not take, and for a rule whose
    replacement a rule would replace again.
    """
    if not rules:
        return lambda value: value
    compiled = [
        (_compiled(rule.pattern, f"scrub[{place}]"), rule.replacement.encode("utf-8", "replace"))
        for place, rule in enumerate(rules)
    ]

    def scrub_text(text: str) -> str:
        old = text.encode("utf-8", "replace")
        for _ in range(MAX_ROUNDS):
            new = old
            for pattern, replacement in compiled:
                new = pattern.sub(lambda _, by=replacement: by, new)
            if new == old:
                break
            old = new
        return old.decode()

    for place, rule in enumerate(rules):
        if scrub_text(rule.replacement) != rule.replacement:
            raise ScrubError(
                f"scrub[{place}]: the replacement {value_text(rule.replacement)} matches a pattern "
                "itself; use one that none matches, such as '<scrubbed>'"
            )
    return lambda value: _on_texts(value, scrub_text)


def _on_texts(value: JsonValue, change: Callable[[str], str]) -> JsonValue:
    if isinstance(value, str):
        return change(value)
    if isinstance(value, dict):
        return {name: _on_texts(item, change) for name, item in cast("dict[str, JsonValue]", value).items()}
    if isinstance(value, list):
        return [_on_texts(item, change) for item in value]
    return value


def _read(one: object, setting: str) -> Scrub:
    if isinstance(one, Scrub):
        return one
    if isinstance(one, str):
        if one not in SCRUBS:
            hint = did_you_mean(one, SCRUBS)
            raise ScrubError(
                f"{setting}: unknown rule {value_text(one)}{hint}; known are {', '.join(SCRUBS)}"
            )
        return SCRUBS[one]
    if not isinstance(one, Mapping):
        expected = "a name or a table with 'pattern' and 'replacement'"
        raise ScrubError(f"{setting}: expected {expected}, found {value_text(one)}")
    fields = cast("Mapping[object, object]", one)
    for name in fields:
        if name not in ("pattern", "replacement"):
            hint = did_you_mean(str(name), ("pattern", "replacement"))
            raise ScrubError(f"{setting}: unknown field {value_text(name)}{hint}")
    if "pattern" not in fields:
        raise ScrubError(f"{setting}: there is no 'pattern'")
    for name, text in fields.items():
        if not isinstance(text, str):
            raise ScrubError(f"{setting}: {name} is {value_text(text)}, expected a string")
    return Scrub(**cast("dict[str, str]", dict(fields)))


@lru_cache(maxsize=256)
def _compiled(source: str, setting: str) -> Any:
    import re2

    options = re2.Options()
    options.log_errors = False
    try:
        pattern = re2.compile(source.encode("utf-8", "replace"), options)
    except re2.error as error:
        detail = error.args[0] if error.args else error
        why = detail.decode("utf-8", "replace") if isinstance(detail, bytes) else str(detail)
        raise ScrubError(f"{setting}: RE2 does not take the pattern {value_text(source)}: {why}") from None
    if pattern.search(b"") is not None:
        raise ScrubError(
            f"{setting}: the pattern {value_text(source)} matches the empty text, so it is everywhere"
        )
    return pattern


def without_secrets(value: JsonValue) -> JsonValue:
    """The value as `redact` gives it by names and shapes alone.

    A request is found again by what it says, also when an answer before it was played: that has lost its
    secrets, so nothing may depend on knowing them.
    """
    return redact(value, elsewhere=False)


def first_secret(value: JsonValue, clean: JsonValue, path: str = "") -> str | None:
    """The path of the first place where `clean`, the value without secrets, differs; None when none does."""
    if value == clean:
        return None
    if isinstance(value, dict) and isinstance(clean, dict):
        fields = cast("dict[str, JsonValue]", value)
        for name, item in fields.items():
            if name not in clean:
                return f"the name of a field in {path or 'the line'}"
            below = first_secret(item, clean[name], f"{path}.{name}" if path else name)
            if below is not None:
                return below
    elif isinstance(value, list) and isinstance(clean, list):
        for place, (item, cleaned) in enumerate(zip(value, clean, strict=False)):
            below = first_secret(item, cleaned, f"{path}[{place}]")
            if below is not None:
                return below
    return path
