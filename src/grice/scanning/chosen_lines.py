"""Which conversations of a log are looked at: by what stands in their lines, by time, or drawn."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from hashlib import blake2b
from heapq import heappushpop
from typing import Any

import msgspec

from grice.formats.logs import Entry
from grice.matching.paths import CompiledPath, PathError, compile_path
from grice.records import JsonValue
from grice.text import did_you_mean, value_text

TIMES = ("created_at", "createdAt", "timestamp", "time", "start_time", "started_at", "created", "date", "ts")
"""The fields that say when a conversation was, in the order in which they are looked for."""
_HOLDERS = ("metadata", "meta")
_TOKEN = re.compile(
    r"""(?P<text>"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')|(?P<word>(?<![\w@$.])[A-Za-z_]\w*)(?P<call>\s*\()?"""
)
_DOTTED = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*")
_DEEPEST, _MOST_FIELDS, _LISTED = 6, 2_000, 12
_WORDS = {"and": "&&", "or": "||", "not": "!", "true": "true", "false": "false", "null": "null"}
_COMPARISONS = "== != < <= > >="
_BESIDE = re.compile(r"[\w\])](?<!\band)(?<!\bor)(?<!\bnot)\s+(?!(?:and|or|not)\b)([A-Za-z_]\w*)")
"""A word behind a value, where a comparison stands."""
_HYPHEN = re.compile(r"(?:(?P<before>[A-Za-z_][\w.]*)\.)?(?P<name>[A-Za-z_]\w*(?:-\w+)+)")
_MILLISECONDS = 10_000_000_000
"""A number of seconds that large is one of milliseconds."""


class WrongChoice(ValueError):
    """A condition or a time that cannot be used; the text says why."""


class LineFilter(msgspec.Struct, frozen=True):
    """Chooses lines. `where` is a condition on the JSON of a line, `since` the earliest time.

    `sample` is the largest digest of those that were drawn under `seed`, "" where none were.
    """

    where: str = ""
    since: datetime | None = None
    sample: str = ""
    seed: int = 0

    @property
    def reads(self) -> bool:
        """Whether it has to know what stands in a line."""
        return bool(self.where or self.since)

    def draws(self, unit: bytes) -> bool:
        """Whether the line of these bytes, or the conversation of this id, was drawn."""
        return not self.sample or drawn_by(unit, self.seed) <= self.sample

    def predicate(self) -> Callable[[Entry], bool]:
        """What tells of an entry whether its JSON meets the condition and the time. Raises WrongChoice."""
        path = condition(self.where) if self.where else None
        since = self.since

        def chosen(entry: Entry) -> bool:
            if since is not None:
                at = time_of(entry.value)
                if at is None or at < since:
                    return False
            return path is None or bool(_found(path, entry.value))

        return chosen


def _found(path: CompiledPath, value: JsonValue) -> list[JsonValue]:
    try:
        return path.find([value])
    except PathError:  # it looks at too much of this line
        return []


def condition(where: str) -> CompiledPath:
    """The condition as a filter of JSON paths: `meta.rating < 3 and lang == "de"`. Raises WrongChoice.

    Names stand for paths from the line; `and`, `or` and `not` join comparisons.
    """

    def translated(found: re.Match[str]) -> str:
        word = found["word"]
        if word is None:
            return found[0]
        if word in _WORDS:
            return _WORDS[word] + (found["call"] or "")
        return found[0] if found["call"] else f"@.{word}"

    try:
        return compile_path(f"$[?{_TOKEN.sub(translated, where)}]")
    except PathError as error:
        said = str(error).partition(" is not a JSON path: ")[2].rpartition(" (at character")[0]
        raise WrongChoice(
            f"--where {value_text(where)}: {_in_words(said, where)}; expected comparisons such as "
            "'meta.rating < 3' or 'lang == \"de\" and rating >= 2'"
        ) from None


def unknown_fields(where: str, values: Iterable[JsonValue]) -> list[str]:
    """The fields of a condition that none of the values has, each with the nearest name, or with all."""
    asked = {
        found[0]
        for token in _TOKEN.finditer(where)
        if token["word"] and token["word"] not in _WORDS and not token["call"]
        for found in [_DOTTED.match(where, token.start())]
        if found
    }
    known: dict[str, None] = {}
    for value in values:
        _add_fields(value, "", known)
        if asked <= known.keys():
            return []
    has = ", ".join([*known][:_LISTED]) + (", ..." if len(known) > _LISTED else "")
    told: list[str] = []
    for one in sorted(asked - known.keys()):
        deeper = next((name for name in known if name.endswith(f".{one}")), "")
        hint = f" (did you mean '{deeper}'?)" if deeper else did_you_mean(one, known)
        told.append(f"{value_text(one)}{hint or f'; there are {has}'}")
    return told


def _add_fields(value: JsonValue, before: str, known: dict[str, None]) -> None:
    if isinstance(value, dict) and before.count(".") < _DEEPEST:
        for name, inner in value.items():
            if before + name in known or len(known) < _MOST_FIELDS:
                known[before + name] = None
                _add_fields(inner, f"{before}{name}.", known)


def _in_words(said: str, where: str) -> str:
    """What is wrong with a condition, as of a path, in the words of the condition."""
    if hyphen := "needs quotes" in said and _HYPHEN.search(where):
        return f"write {hyphen['before'] or '@'}['{hyphen['name']}'] for the name '{hyphen['name']}'"
    if said.startswith("'@' ") and (beside := _BESIDE.search(where)):
        return f"'{beside[1]}' is no comparison: there are {_COMPARISONS}"
    if said.startswith("']' cannot"):
        return "something is missing at the end"
    said = re.sub(r"\$\[\?(.*)\]", r"\1", said).replace("@.", "")
    return said.replace(" && ", " and ").replace(" || ", " or ")


def parse_since(text: str) -> datetime:
    """The time that a text says, in UTC where it names no zone. Raises WrongChoice."""
    at = _time(text)
    if at is None:
        raise WrongChoice(f"--since: expected a date or time such as 2025-01-31, found {value_text(text)}")
    return at


def time_of(value: JsonValue) -> datetime | None:
    """When the conversation of a line was, None where the line does not say."""
    if not isinstance(value, dict):
        return None
    holders = [value, *(value.get(one) for one in _HOLDERS)]
    for holder in holders:
        if isinstance(holder, dict):
            for name in TIMES:
                if (at := _time(holder.get(name))) is not None:
                    return at
    return None


def _time(value: Any) -> datetime | None:
    try:
        if isinstance(value, str):
            at = datetime.fromisoformat(value.strip())
            return at if at.tzinfo is not None else at.replace(tzinfo=UTC)
        if isinstance(value, int | float) and not isinstance(value, bool):
            return datetime.fromtimestamp(value / 1000 if value > _MILLISECONDS else value, UTC)
    except (ValueError, OverflowError, OSError):
        pass
    return None


def drawn_by(unit: bytes, seed: int) -> str:
    """The digest by which a line or conversation is drawn: those with the smallest are."""
    return blake2b(unit, digest_size=8, key=str(seed).encode()[:64]).hexdigest()


def largest_drawn(units: Iterable[bytes], number: int, seed: int) -> str:
    """The largest digest of so many that are drawn from the units; those that are the same are one."""
    heap: list[int] = []  # of negative numbers: the largest digest comes first
    held: set[int] = set()
    for unit in units:
        digest = int(drawn_by(unit, seed), 16)
        if digest in held:
            continue
        if len(heap) < number:
            heap.append(-digest)
            held.add(digest)
            if len(heap) == number:
                heap.sort()
        elif digest < -heap[0]:
            held.discard(-heappushpop(heap, -digest))
            held.add(digest)
    return f"{-min(heap):016x}" if heap else ""
