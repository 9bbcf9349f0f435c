"""Who speaks in a home-made log, and which of its fields hold what is said."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from statistics import fmean as mean
from typing import Any

from grice.formats.content import identifier
from grice.formats.log_columns import Column, is_time
from grice.formats.mapping import STAMPED, WORDS, MappedRole, role_in, told, words_of
from grice.formats.tables import holds_json

MOST_ROLES = 12
"""The values of a field with more are names of people."""
_SIDES: tuple[MappedRole, ...] = ("user", "assistant")
_TEXT_NAMES = WORDS["text_field"]
_ROLE_NAMES = WORDS["role_field"]
_CODE_NAMES = WORDS["code_field"]

_Judged = tuple[float, dict[str, MappedRole]] | None
"""How well a field tells who speaks, and what its values mean."""


def skipped_values(columns: Mapping[str, Column], role: str) -> dict[str, list[str | int | float | bool]]:
    """The fields that mark internal notes, and the values by which they do."""
    found: dict[str, list[str | int | float | bool]] = {}
    for column in columns.values():
        values: Any = set(column.present) if column.is_scalar and column.name != role else ()
        marks: list[str | int | float | bool] = []
        if values and all(isinstance(one, bool) for one in values):
            marks = [
                one
                for one, names in ((True, WORDS["skip"]), (False, WORDS["public"]))
                if one in values and column.any_word(*names)
            ]
        elif len(values) <= MOST_ROLES and column.any_word(*_ROLE_NAMES, *_CODE_NAMES, "visibility"):
            marks = [one for one in values if isinstance(one, str) and role_in(one) == "skip"]
        if marks and 2 * sum(one in marks for one in column.present) < len(column.values):
            found[column.name] = sorted(marks, key=identifier)
    return found


def roles_of_people(column: Column, people: Mapping[str, str]) -> _Judged:
    """A field with the ids of people; where a machine is among them, their own staff is left out."""
    ids = Counter(map(identifier, column.present if column.is_scalar and people else ()))
    if not ids or column.share < 0.9 or sum(ids[one] for one in ids if one in people) < 0.8 * ids.total():
        return None
    staff = {one: people[one] for one in ids if one in people and role_in(people[one]) != "user"}
    machines = {one for one, kind in staff.items() if WORDS["machine"].intersection(words_of(kind))}
    roles: dict[str, MappedRole] = {
        one: "assistant" if one in machines or not machines else "skip" for one in staff
    }
    return (5.0, {**roles, "*": "user"}) if staff and len(staff) < len(ids) else None


def roles_of(column: Column, columns: Mapping[str, Column], starts: set[int]) -> _Judged:
    """How well a field tells who speaks, and what its values mean; None where it does not."""
    if not column.is_scalar or not column.present or column.length > 3:
        return None
    values = [identifier(one).strip() for one in column.present]
    counts = Counter(values)
    coded = all(len(one) <= 2 for one in counts)
    hinted = (
        column.any_word(*_ROLE_NAMES)
        or role_in(column.name) is not None
        or (coded and column.any_word(*_CODE_NAMES))
    )
    if column.share < 0.5 and not (hinted and len(counts) == 1):
        return None
    if mean(map(len, values)) > 30 or (len(counts) > MOST_ROLES and not all(map(role_in, counts))):
        return _by_name(column, counts) if hinted else None
    if {one.lower() for one in counts} <= {"true", "false"}:
        return _of_flag(column, columns, starts)
    if len(counts) < 2:
        return _of_one(column, counts) if column.share < 0.9 and hinted else None
    known: dict[str, MappedRole] = {name: role for name in counts if (role := role_in(name)) is not None}
    if {"user", "assistant"} <= set(known.values()):
        share = sum(counts[name] for name in known) / len(values)
        rest: dict[str, MappedRole] = {
            name: _other_role(name, column, columns) for name in counts if name not in known
        }
        return 3 + share + 2 * hinted - len(rest), {**known, **rest}
    known = {name: role for name, role in known.items() if len(name) > 1}  # one letter tells nothing alone
    return _of_two(column, columns, starts, counts, known, hinted=hinted, coded=coded)


def _of_two(
    column: Column,
    columns: Mapping[str, Column],
    starts: set[int],
    counts: Counter[str],
    known: Mapping[str, MappedRole],
    *,
    hinted: bool,
    coded: bool,
) -> _Judged:
    """A field in which two speak whose names do not tell both, beside others who are no speakers."""
    most = counts.most_common()
    others = [name for name, count in most[2:] if coded or count < 0.2 * counts.total()]
    rest: dict[str, MappedRole] = {
        name: _other_role(name, column, columns) for name in others if name not in known
    }
    if not (coded and hinted):  # as numbers, the two that speak most are taken
        rest = {name: role for name, role in rest.items() if role != "system"}
    speaking = [name for name in counts if known.get(name, "user") in _SIDES and name not in rest]
    if len(speaking) != 2:
        return _by_name(column, counts) if hinted and len(counts) > 2 else None
    sure, voted = _voted(column, columns, starts, (speaking[0], speaking[1]), known)
    turns = _in_turn(column, starts)
    if len(starts) > 1 and not turns:
        return None  # one value in each conversation is no speaker
    if not hinted and sure < _SURE and not (turns > 0.6 and 1 < len(starts) <= counts.total() / 2):
        return None
    return (2.5 if hinted else 1.0) + min(sure, 1.0) / 2, {**known, **rest, **voted}


def _in_turn(column: Column, starts: set[int]) -> float:
    """How often a value differs from the one before it in its list."""
    inside = [
        one != other
        for place, (one, other) in enumerate(pairwise(column.values), start=1)
        if place not in starts
    ]
    return mean(inside) if inside else 0.0


def _other_role(name: str, column: Column, columns: Mapping[str, Column]) -> MappedRole:
    """What a value beside a user and an assistant means: a tool where it gives JSON, else the system."""
    text = text_column(columns, column.name)
    pairs = zip(column.values, text.values if text else (), strict=False)
    texts = [one for who, one in pairs if identifier(who).strip() == name]
    if not any(texts):
        return "skip"  # an event, in which nobody speaks
    data = sum(not isinstance(one, str) or holds_json(one) for one in texts)
    return "tool" if texts and 2 * data > len(texts) else "system"


def _by_name(column: Column, counts: Counter[str]) -> _Judged:
    """Names of people and of the one that speaks with them all."""
    (most, count), *_ = counts.most_common(1)
    named = [name for name in counts if role_in(name) == "assistant"]
    if len(named) == 1:
        return 2.0, {named[0]: "assistant", "*": "user"}
    if count < 0.3 * len(column.present) or column.length > 4 or column.any_word(*_TEXT_NAMES, "id"):
        return None
    return 1.5, {most: "assistant", "*": "user"}


def _of_one(column: Column, counts: Counter[str]) -> _Judged:
    """A field that only messages of one side have."""
    (value,) = counts
    role = role_in(value) or role_in(column.name)
    if role not in _SIDES:
        return None
    return 1.0, {value: role, "": "assistant" if role == "user" else "user"}


def _of_flag(column: Column, columns: Mapping[str, Column], starts: set[int]) -> _Judged:
    """A field that is true for one side."""
    values = {identifier(one) for one in column.present}
    yes = next((one for one in values if one.lower() == "true"), "true")
    no = next((one for one in values if one.lower() == "false"), "false")
    words = [one for one in column.words if one not in ("is", "from", "by", "message", "msg", "sent", "me")]
    role = role_in(" ".join(words)) if words else None
    other: MappedRole
    if role in _SIDES:
        other = "assistant" if role == "user" else "user"
        found: dict[str, MappedRole] = {yes: role, no: other}
    elif column.any_word("from", "me", "sent") and len(values) == 2:
        found = dict(_voted(column, columns, starts, (yes, no), {})[1])
    else:
        return None
    if column.share < 1:
        found[""] = found[no]
    return 4.0, found


_SURE = 1.5
"""How far ahead one of two has to be for a field whose name tells nothing of speakers."""


def _any_of(phrases: Iterable[str]) -> re.Pattern[str]:
    return re.compile(rf"(?i)\b(?:{'|'.join(map(re.escape, sorted(phrases)))})")


_ASSISTS = _any_of(WORDS["assists"])
_ASKS = _any_of(f"{one} " for one in WORDS["asks"])


def _voted(
    column: Column,
    columns: Mapping[str, Column],
    starts: set[int],
    names: tuple[str, str],
    known: Mapping[str, MappedRole],
) -> tuple[float, dict[str, MappedRole]]:
    """Which of two is the user, and how sure: who one name tells, else who begins, asks, says less."""
    one, other = names
    for name, rest in ((one, other), (other, one)):
        role = known.get(name)
        if role == "user":
            return 1.0, {name: "user", rest: "assistant"}
        if role == "assistant":
            return 1.0, {name: "assistant", rest: "user"}
    text = text_column(columns, column.name)
    spoken: dict[str, list[str]] = {one: [], other: []}
    begun: Counter[str] = Counter()
    for place, (value, said) in enumerate(zip(column.values, text.values if text else (), strict=False)):
        name = identifier(value).strip()
        if name in spoken and isinstance(said, str):
            spoken[name].append(said)
            begun[name] += place in starts

    def user_like(name: str) -> float:
        texts = spoken[name] or [""]
        assists = mean(_ASSISTS.search(each) is not None for each in texts)
        asks = mean(_ASKS.search(each) is not None for each in texts)
        first = begun[name] / max(1, sum(begun.values()))
        length = mean(map(len, texts)) / max(
            1.0, mean(map(len, spoken[one] or [""])) + mean(map(len, spoken[other] or [""]))
        )
        return 3 * (asks - assists) + first - length

    ahead = user_like(one) - user_like(other)
    user, assistant = (one, other) if ahead >= 0 else (other, one)
    return abs(ahead), {user: "user", assistant: "assistant"}


def text_column(columns: Mapping[str, Column], role: str) -> Column | None:
    """The field that holds what is said."""
    usable = [one for one in columns.values() if one.name != role and one.is_text and one.present]
    usable = [one for one in usable if not one.any_word("id", "url", "uuid", "email", "timestamp", "lang")]

    def score(one: Column) -> float:
        hint = (
            4 if one.words[-1:] and one.words[-1] in _TEXT_NAMES else 2 if one.any_word(*_TEXT_NAMES) else 0
        )
        other = (
            4
            if one.any_word("name", "label", "intent", "title", "topic", "translated", "translation", "html")
            else 0
        )
        return min(one.length, 8) + hint + 3 * one.share - other - (6 if is_time(one) else 0)

    best = max(usable, key=score, default=None)
    return best if best is not None and score(best) >= 4 and best.share >= 0.3 else None


def said_columns(columns: Mapping[str, Column], *, flat: bool) -> dict[str, MappedRole] | None:
    """Two fields, each of which holds what one side says."""
    sides: dict[MappedRole, list[Column]] = {"user": [], "assistant": []}
    for column in columns.values():
        if not column.is_text or column.any_word(
            "id", "name", "ts", "time", "timestamp", "url", "lang", "intent"
        ):
            continue
        votes: list[MappedRole] = [role for word in column.words if (role := role_in(word)) is not None]
        votes = [role for role in votes if role in sides]
        if votes and (column.length >= 1.5 or (not flat and column.share < 1)):
            sides[votes[0 if column.words[-1] in _TEXT_NAMES else -1]].append(column)
    if not sides["user"] or not sides["assistant"]:
        return None
    user, assistant = (max(found, key=lambda one: (one.share, one.length)) for found in sides.values())
    if user.share + assistant.share < 0.9:
        return None
    return {user.name: "user", assistant.name: "assistant"}


def tool_fields(
    columns: Mapping[str, Column], role: Column, roles: Mapping[str, MappedRole]
) -> dict[str, Any]:
    """The fields that hold calls, the call that a result answers, and the tool's name."""
    found: dict[str, Any] = {}
    made: set[str] = set()
    for column in columns.values():
        listed = [
            each for one in column.present for each in (told(one) if isinstance(told(one), list) else ())
        ]
        if listed and all(
            isinstance(one, dict) and ("function" in one or {"name", "arguments"} <= one.keys())
            for one in listed
        ):
            found["tool_calls"] = column.name
            made = {identifier(one.get("id")) for one in listed} - {""}
    places = [
        place
        for place, value in enumerate(role.values)
        if roles.get(identifier(value).strip(), role_in(identifier(value))) == "tool"
    ]
    for column in columns.values():
        values = {identifier(column.values[place]) for place in places} - {""}
        if column.name == role.name or not values:
            continue
        if len(made & values) >= 0.2 * len(values) and made:  # of a part of the log, not every call is known
            found.setdefault("tool_call_id", column.name)
        elif len(column.present) == len(places) > len(values) and all(" " not in one for one in values):
            found.setdefault("tool", column.name)
    return found


# -- texts that name who speaks

_PREFIX = re.compile(
    r"(?:^|\n|[|;]\s*|\s[-/]{1,2}\s|[\])]\s*)[*_<\[]*([A-Za-z][A-Za-z0-9_ .'-]{0,24}?)"
    r"[*_>\]]*\s*(?:\([^)\n]{0,40}\))?\s*(?::|->|=>)[*_]*(?=\s|\S)"
)
_INLINE = re.compile(r"(?:^|\s)([A-Z][A-Za-z0-9_]{0,24})\s?:\s")


def speakers_in(texts: Sequence[str], *, several: bool) -> dict[str, MappedRole] | None:
    """Who speaks in texts with names before the speeches, None where they are none of these."""
    for pattern in (_PREFIX, _INLINE):
        found = [[one.strip() for one in pattern.findall(text)] for text in texts]
        counts = Counter(name for names in found for name in names)
        known: dict[str, MappedRole] = {name: role for name in counts if (role := role_in(name)) is not None}
        usual = {
            name
            for name, count in counts.items()
            if count >= 0.2 * len(texts) or (name in known and count > 1)
        }
        roles = dict(known)
        for name in known.keys() - usual:
            del roles[name]
        rest = [name for name in usual if name not in roles]
        if len(rest) == 1 and len(set(roles.values())) == 1:
            (only,) = set(roles.values())
            roles[rest[0]] = "user" if only == "assistant" else "assistant"
        if not {"user", "assistant"} <= set(roles.values()):
            continue
        told_in = [sum(name in roles for name in names) for names in found]
        if sum(count >= (2 if several else 1) for count in told_in) >= 0.6 * len(texts):
            return roles
    return None


def messenger_speakers(texts: Sequence[str]) -> dict[str, MappedRole] | None:
    """Who speaks in exports of messengers, with a time and a name before each message."""
    found = [[name for name in STAMPED.findall(text) if name] for text in texts]
    if sum(len(set(names)) > 1 for names in found) < 0.6 * len(texts):
        return None
    counts = Counter(name for names in found for name in set(names))
    told_all = [name for name in counts if role_in(name) == "assistant"]
    most = told_all or [name for name, count in counts.items() if count > max(1, 0.6 * len(texts))]
    return {most[0]: "assistant", "*": "user"} if len(most) == 1 else None
