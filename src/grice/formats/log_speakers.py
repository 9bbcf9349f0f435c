"""Who speaks in a home-made log: by the names that it gives them, and by how they behave."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from statistics import fmean as mean
from typing import NamedTuple

from grice.formats.content import identifier
from grice.formats.log_columns import Column
from grice.formats.mapping import STAMPED, WORDS, MappedRole, role_in, told, value_at, words_of
from grice.formats.tables import holds_json
from grice.records import JsonValue

MOST_ROLES = 12
"""The values of a field with more are names of people."""
_SIDES = ("user", "assistant")
Roles = dict[str, MappedRole]


class Speakers(NamedTuple):
    """How well a field tells who speaks, and what its values mean."""

    score: float
    roles: Roles


class Talk:
    """Rows of messages: what each says, and the places of those of each conversation, in order."""

    def __init__(self, texts: Sequence[JsonValue], talks: Sequence[Sequence[int]]) -> None:
        self.texts = texts
        self.talks = talks

    def said_by(self, names: Sequence[str]) -> dict[str, _Behaviour]:
        """How those behave who have these names, one a row."""
        said: defaultdict[str, list[JsonValue]] = defaultdict(list)
        begins: Counter[str] = Counter()
        talks: Counter[str] = Counter()
        after: defaultdict[str, Counter[str]] = defaultdict(Counter)
        for talk in self.talks:
            spoken = [place for place in talk if _is_text(self.texts[place])]
            talks.update({names[place] for place in spoken})
            begins.update(names[place] for place in spoken[:1])
            for one, other in pairwise(spoken):
                after[names[other]][names[one]] += 1
        for name, text in zip(names, self.texts, strict=True):
            said[name].append(text)
        return {
            name: _Behaviour(texts, talks[name], begins[name] / max(1, sum(begins.values())), after[name])
            for name, texts in said.items()
        }

    def repeats(self, names: Sequence[str]) -> bool:
        """Whether those who speak speak again in the same conversation, as no counter does."""
        long = [[names[place] for place in talk if names[place]] for talk in self.talks if len(talk) > 3]
        return not long or mean(len(set(one)) / max(1, len(one)) for one in long) < 0.8

    def alternation(self, names: Sequence[str]) -> float:
        """How often another speaks than the one before in a conversation."""
        inside = [
            names[one] != names[other]
            for talk in self.talks
            for one, other in pairwise(
                [place for place in talk if names[place] and _is_text(self.texts[place])]
            )
        ]
        return mean(inside) if inside else 0.0


def _is_text(value: JsonValue) -> bool:
    return isinstance(value, str) and bool(value.strip())


class _Behaviour:
    """How one speaks: what, in how many conversations, how often first, and behind whom."""

    def __init__(self, texts: Sequence[JsonValue], talks: int, begins: float, after: Counter[str]) -> None:
        self.texts = [one for one in texts if isinstance(one, str) and one.strip()]
        self.count = len(texts)
        self.talks = talks
        self.begins = begins
        self.after = after
        self.is_mute = len(self.texts) < 0.1 * len(texts)
        data = sum(_DATA.match(one) is not None or holds_json(one) for one in self.texts)
        self.is_no_text = self.is_mute or 2 * data > len(self.texts)

    @property
    def is_notice(self) -> bool:
        """Whether it says the same few things, at most once in a conversation."""
        alike = len({_DIGITS.sub("0", one) for one in self.texts})
        return (
            self.talks > 2 and len(self.texts) <= 1.1 * self.talks and alike <= max(2, 0.25 * len(self.texts))
        )

    @property
    def asking(self) -> float:
        """How much it speaks as a user does: asks, is short, writes carelessly, begins."""
        if not self.texts:
            return 0.0
        asks = mean(_ASKS.search(one) is not None for one in self.texts)
        assists = mean(_ASSISTS.search(one) is not None for one in self.texts)
        careless = mean(one[0].islower() or one[-1].isalnum() for one in map(str.strip, self.texts))
        length = min(mean(map(len, self.texts)) / 100, 2.0)
        return 3 * (asks - assists) + self.begins + careless - length


_DATA = re.compile(r"(?:GET|POST|PUT|DELETE|PATCH|SELECT)\s|[\w.]+\([^)]*[=\"{][^)]*\)$|<\w+[ />]")
_DIGITS = re.compile(r"\d+")


def _any_of(phrases: Iterable[str]) -> re.Pattern[str]:
    return re.compile(rf"(?i)\b(?:{'|'.join(map(re.escape, sorted(phrases)))})")


_ASSISTS = _any_of(WORDS["assists"])
_ASKS = _any_of(f"{one} " for one in WORDS["asks"])


# -- a field that tells who speaks


def speakers_in_column(column: Column, talk: Talk) -> Speakers | None:
    """How well a field tells who speaks, and what its values mean; None where it does not."""
    if not column.is_scalar or not column.present or column.is_time or column.length > 4:
        return None
    if column.any_word("addressee_field"):
        return None  # who is spoken to
    if mean(map(len, column.counts)) > 30:
        return None
    flag = _of_flag(column)
    if flag is not None:
        return Speakers(4 + talk.alternation(column.names), flag)
    side = _of_one_side(column, talk)
    if side is not None:
        return side
    if len(column.counts) > MOST_ROLES:
        return _of_many(column, talk)
    return _of_few(column, talk)


def _is_hinted(column: Column) -> bool:
    """Whether the name of a field says that it has who speaks."""
    alone = len(column.words) == 1
    return any(one in WORDS["role_field"] and (alone or role_in(one) is None) for one in column.words)


def _known(column: Column) -> Roles:
    """What those values mean that name a role; a letter does only where another names the other side."""
    known: Roles = {}
    for name in column.counts:
        role = role_in(name)
        if role is not None:
            known[name] = role
    both = set(_SIDES) <= set(known.values())
    return {name: role for name, role in known.items() if both or len(name) > 1}


def _of_few(column: Column, talk: Talk) -> Speakers | None:
    """A field with a few values: by the roles that these name, else by how those behave who have them."""
    known = _known(column)
    turns = talk.alternation(column.names)
    if len(column.counts) < 2 or not talk.repeats(column.names):
        return None
    roles = _judged(talk, column.names, known)
    sides = [one for one in roles.values() if one in _SIDES]
    several = 1 < len(talk.talks) < 0.7 * len(talk.texts)
    if set(sides) != set(_SIDES) or (several and turns < 0.4):
        return None  # one value in each conversation is no speaker
    by_name = set(known.values()) & set(_SIDES)
    if len(by_name) < 2 and not any(map(_is_machine, column.counts)) and len(talk.talks) == 1:
        return None  # nobody says that these rows are a conversation
    said = talk.said_by(column.names)
    usual = sum(said[one].talks > 0.6 * len(talk.talks) for one in column.counts)
    if not by_name and usual < 2:
        return None  # as what a message is about
    hinted = _is_hinted(column)
    if not hinted and usual < 2:
        return None  # of which one is a person
    if not hinted and not by_name:
        return Speakers(1 + turns, roles) if turns >= 0.6 else None
    beside = 0.3 * sum(name not in known for name in roles)
    return Speakers(1.5 + len(by_name) + 2 * hinted + turns + column.share - beside, roles)


def _judged(talk: Talk, names: Sequence[str], known: Roles) -> Roles:
    """What each name means: by what it says, else by how those behave who have it."""
    said = talk.said_by(names)
    roles: Roles = {name: role for name, role in known.items() if name in said}
    machines = [one for one, role in roles.items() if role == "assistant" and _is_machine(one)]
    if machines:  # the staff that takes over from a bot is not the bot
        roles |= {one: "skip" for one, role in roles.items() if role == "assistant" and one not in machines}
    else:
        several = [one for one, role in roles.items() if role == "assistant"]
        roles |= {one: "skip" for one in several if len(several) > 1 and _takes_over(talk, names, roles, one)}
    unnamed = [one for one in said if one and one not in roles]
    roles |= {one: "skip" if said[one].is_mute else "tool" for one in unnamed if said[one].is_no_text}
    most = sorted((one for one in unnamed if one not in roles), key=lambda one: -said[one].talks)
    users = [one for one, role in roles.items() if role == "user"]
    if len(users) > 1 or any(said[one].begins > 0.5 for one in most):
        roles |= {one: "skip" for one in users if _takes_over(talk, names, roles, one)}
    sides = {role for role in roles.values() if role in _SIDES}
    notices = [one for one in most if said[one].is_notice]
    if len(most) - len(notices) >= 2 - len(sides):
        roles |= dict.fromkeys(notices, "system")
        most = [one for one in most if one not in notices]
    roles |= {one: "skip" for one in most if _takes_over(talk, names, roles, one)}
    most = [one for one in most if one not in roles]
    if not sides and len(most) > 1:
        user, assistant = sorted(most[:2], key=lambda one: -said[one].asking)
        roles |= {user: "user", assistant: "assistant"}
    for name in most:
        if name not in roles:
            roles[name] = _as_turns_go(talk, names, roles, name)
    if "" in said:
        roles[""] = "skip" if said[""].is_mute else "system"
    return roles


def _as_turns_go(talk: Talk, names: Sequence[str], roles: Roles, name: str) -> MappedRole:
    """Who one is beside a user and an assistant: whose turn it takes, else nobody who takes turns."""

    def turns(role: MappedRole) -> float:
        sides = [role if one == name else roles.get(one, "") for one in names]
        return talk.alternation([one if one in _SIDES else "" for one in sides])

    ways: tuple[MappedRole, ...] = ("assistant", "user", "system")
    best = max(ways, key=lambda role: turns(role) + 0.01 * (role == "assistant"))
    return "skip" if best == "assistant" and _takes_over(talk, names, roles, name) else best


def _takes_over(talk: Talk, names: Sequence[str], roles: Roles, name: str) -> bool:
    """Whether one comes into some conversations late, and the assistant is then silent: so does staff."""
    late, after = 0, 0
    joined = [[names[place] for place in one] for one in talk.talks]
    joined = [one for one in joined if name in one]
    for one in joined:
        begin = one.index(name)
        late += {"assistant", "user"} <= {roles.get(other, "user") for other in one[:begin] if other != name}
        after += any(roles.get(other) == "assistant" and other != name for other in one[begin:])
    few = len(joined) < 0.6 * len(talk.talks)
    return few and late > 0.8 * len(joined) and after < 0.2 * len(joined)


def _is_machine(name: str) -> bool:
    return not WORDS["machine"].isdisjoint(words_of(name))


_YES = frozenset({"true", "t", "yes", "y", "1"})
_NO = frozenset({"false", "f", "no", "n", "0"})


def _of_flag(column: Column) -> Roles | None:
    """A field that is true for one side, which its name tells; what is from me is from the assistant."""
    side = "assistant" if "me" in column.words else role_in(" ".join(column.words))
    if side not in _SIDES or not {one.lower() for one in column.counts} <= _YES | _NO:
        return None
    other = _other(side)
    found: Roles = {one: side if one.lower() in _YES else other for one in column.counts}
    if column.share < 1:
        found[""] = other
    return found


def _other(side: MappedRole) -> MappedRole:
    return "user" if side == "assistant" else "assistant"


def _of_one_side(column: Column, talk: Talk) -> Speakers | None:
    """A field that only what one side says has, as the id of a bot or that of a user."""
    there = [str(bool(one)) for one in column.names]
    turns = talk.alternation(there)
    sides: list[MappedRole] = [role for word in column.words if (role := role_in(word)) in _SIDES]
    if not 0.2 < column.share < 0.8 or turns < 0.6 or len(set(sides)) != 1:
        return None
    return Speakers(2.5 + turns, {"*": sides[0], "": _other(sides[0])})


def _of_many(column: Column, talk: Talk) -> Speakers | None:
    """A field with many names: by what these begin with, else that of the one that speaks with them all."""
    heads = {name: re.split(_NUMBERED, name, maxsplit=1)[0] for name in column.counts}
    if 1 < len(set(heads.values())) <= 6:
        judged = _of_few(Column(column.name, [heads.get(one, "") for one in column.names]), talk)
        roles: Roles = (
            {f"{one}*" if one else one: role for one, role in judged.roles.items()} if judged else {}
        )
        return judged and judged._replace(roles=roles)
    if not _is_hinted(column):
        return None
    said = talk.said_by(column.names)
    assistants: Roles = {name: role for name, role in _known(column).items() if role != "user"}
    if "assistant" not in assistants.values():
        most = max(column.counts, key=lambda one: said[one].talks)
        if said[most].talks < 0.4 * len(talk.talks):
            return None
        assistants[most] = "assistant"
    begin = {_first_of(talk, one, column.names, assistants) for one in talk.talks}
    late = [name for name in column.counts if name not in begin and name not in assistants]
    if 2 * sum(said[one].talks for one in late) < len(talk.talks):  # the staff that takes over, no group
        assistants |= dict.fromkeys(late, "skip")
    if "" in said:
        assistants[""] = "system"
    return Speakers(2.0 + talk.alternation(column.names), {**assistants, "*": "user"})


def _first_of(talk: Talk, places: Sequence[int], names: Sequence[str], but: Roles) -> str:
    """Who says something first in a conversation, but for some."""
    spoken = (names[place] for place in places if _is_text(talk.texts[place]))
    return next((name for name in spoken if name and name not in but), "")


_NUMBERED = re.compile(r"(?<=[^\W\d])(?=\d)|(?<=[_: -])(?=\w)")
"""Where the number, or the name of a person, begins in what somebody is called."""


def people_in(
    units: Sequence[JsonValue], by: Column, owners: Sequence[int], messages: str
) -> Iterator[tuple[str, Column]]:
    """What a conversation says elsewhere of those with the ids in a field: paths, with what each row gets."""
    lists: dict[str, None] = {}
    for unit in units[:20]:
        lists |= dict.fromkeys(_tables_in(unit, "", 0))
    for path in lists:
        if path == messages or messages.startswith(f"{path}."):
            continue
        people = [_by_key(unit, path) for unit in units]
        for key in dict.fromkeys(key for one in people[:20] for key in one):
            held = [
                people[owner].get(key, {}).get(name) for owner, name in zip(owners, by.names, strict=True)
            ]
            if sum(one is not None for one in held) < 0.8 * len(by.present):
                continue
            kinds = (
                dict.fromkeys(name for one in held if isinstance(one, dict) for name in one)
                if any(isinstance(one, dict) for one in held)
                else {"": None}
            )
            where = f"{path}[{key}={by.name}]" if key != "*" else f"{path}[{by.name}]"
            for kind in kinds:
                values = [one.get(kind) if isinstance(one, dict) else one for one in held]
                yield f"{where}.{kind}".rstrip("."), Column(f"{path}.{kind}", values)


def _tables_in(value: JsonValue, path: str, depth: int) -> Iterator[str]:
    value = told(value) if depth else value
    if isinstance(value, list):
        if value and all(isinstance(one, dict) for one in value):
            yield path
    elif isinstance(value, dict) and depth < 4:
        if path and len(value) > 1:
            yield path
        for key, inner in value.items():
            yield from _tables_in(inner, f"{path}.{key}" if path else key, depth + 1)


def _by_key(unit: JsonValue, path: str) -> dict[str, dict[str, JsonValue]]:
    """Those in a table by each field that may be their id, or by their names ("*")."""
    held = told(value_at(unit, path))
    if isinstance(held, dict):
        return {"*": dict(held)}
    found: dict[str, dict[str, JsonValue]] = {}
    for one in held if isinstance(held, list) else ():
        for key, value in one.items() if isinstance(one, dict) else ():
            if isinstance(value, str | int):
                found.setdefault(key, {})[identifier(value)] = one
    return found


# -- fields that hold what one side says


def said_columns(columns: Mapping[str, Column]) -> Roles | None:
    """Two fields, each of which holds what one side says, as their names tell."""
    sides: dict[MappedRole, list[Column]] = {"user": [], "assistant": []}
    for column in columns.values():
        if (
            not column.is_text
            or column.is_time
            or column.any_word("no_text_field")
            or column.words[-1:] == ["name"]
        ):
            continue
        votes: list[MappedRole] = [role for word in column.words if (role := role_in(word)) in sides]
        if votes:
            sides[votes[0]].append(column)
    if not sides["user"] or not sides["assistant"]:
        return None
    user, assistant = (max(found, key=lambda one: (one.text_score, one.share)) for found in sides.values())
    if user.share + assistant.share < 0.9:
        return None
    several: Roles = {}  # a column for each turn, `user_1`, `bot_1`, `user_2`
    for column in columns.values():
        name = _NUMBER.sub("", column.name)
        if name == _NUMBER.sub("", user.name):
            several[column.name] = "user"
        elif name == _NUMBER.sub("", assistant.name):
            several[column.name] = "assistant"
    return several


_NUMBER = re.compile(r"\d+")


def sides_by_behaviour(texts: Sequence[Column], talks: Sequence[Sequence[int]]) -> Roles | None:
    """Two fields of texts of which a row has one, or a question and its answer, whatever they are called."""
    if len(texts) < 2 or len(talks) < 2:
        return None
    one, other = sorted(texts[:2], key=lambda column: column.share)
    both = sum(bool(a) and bool(b) for a, b in zip(one.names, other.names, strict=True)) / len(one.values)
    if 0.1 < both < 0.7:
        return None
    asking = [
        Talk(each.values, talks).said_by([each.name] * len(each.values))[each.name].asking
        for each in (one, other)
    ]
    user, assistant = (one, other) if asking[0] > asking[1] else (other, one)
    return {user.name: "user", assistant.name: "assistant"}


def skipped_values(columns: Mapping[str, Column]) -> dict[str, list[str | int | float | bool]]:
    """The fields that mark what is no message, as internal notes, and the values by which they do."""
    found: dict[str, list[str | int | float | bool]] = {}
    for column in columns.values():
        if not column.is_scalar or len(column.counts) > MOST_ROLES:
            continue
        marks: list[str | int | float | bool] = []
        values: list[str | int | float | bool] = [
            *dict.fromkeys(one for one in column.present if isinstance(one, str | bool))
        ]
        if {identifier(one).lower() for one in values} <= {"true", "false", "t", "f"}:
            yes = [one for one in values if identifier(one).lower()[0] == "t"]
            marks = yes if column.any_word("skip") else []
            if column.any_word("public"):
                marks = [one for one in values if one not in yes]
        elif column.any_word("role_field", "code_field", "visibility_field"):
            marks = [one for one in values if role_in(one) in ("skip", "tool", "system")]
        if marks and 2 * sum(one in marks for one in column.present) < len(column.values):
            found[column.name] = sorted(marks, key=identifier)
    return found


def tool_fields(columns: Mapping[str, Column], role: Column, roles: Roles) -> dict[str, str]:
    """The fields that hold calls, the call that a result answers, and the tool's name."""
    found: dict[str, str] = {}
    made: set[str] = set()
    for column in columns.values():
        lists = (told(one) for one in column.present)
        listed = [each for one in lists if isinstance(one, list) for each in one]
        if listed and all(
            isinstance(one, dict) and ("function" in one or {"name", "arguments"} <= one.keys())
            for one in listed
        ):
            found["tool_calls"] = column.name
            made = {identifier(one.get("id")) for one in listed if isinstance(one, dict)} - {""}
    places = [place for place, name in enumerate(role.names) if roles.get(name) == "tool"]
    for column in columns.values():
        values = {column.names[place] for place in places} - {""}
        if column.name == role.name or not values:
            continue
        if made and len(made & values) >= 0.2 * len(values):  # of a part of the log, not every call is known
            found.setdefault("tool_call_id", column.name)
        elif len(column.present) == len(places) > len(values):
            found.setdefault("tool", column.name)
    return found


# -- texts that name who speaks

_PREFIX = re.compile(
    r"(?:^|\n|[|;]\s*|\s[-/]{1,2}\s|[\])]\s*)[*_<\[]*([A-Za-z][A-Za-z0-9_ .'-]{0,24}?)"
    r"(?:[*_>\]]*\s*(?:\([^)\n]{0,40}\))?\s*(?::|->|=>)[*_]*(?=\s|\S)|>\s)"
)
_INLINE = re.compile(r"(?:^|\s)([A-Z][A-Za-z0-9_]{0,24})\s?:\s")


def names_in(texts: Sequence[str], *, several: bool) -> Iterator[tuple[str, ...]]:
    """The names that may speak in texts, before their speeches; in each of them `several`, or one."""
    stamped = [{name for name in STAMPED.findall(text) if name} for text in texts]
    if sum(len(one) > 1 for one in stamped) > 0.6 * len(texts) and several:
        counts = Counter(name for one in stamped for name in one)
        told_all = [one for one in counts if role_in(one) == "assistant"]
        most = told_all or [one for one, count in counts.items() if count > max(1, 0.6 * len(texts))]
        if most:
            yield (*most, "*")
    for pattern in (_PREFIX, _INLINE):
        found = [[one.strip() for one in pattern.findall(text)] for text in texts]
        counts = Counter(name for one in found for name in one)
        within = Counter(name for one in found for name in set(one))
        usual = [
            name
            for name, count in counts.items()
            if role_in(name) or (within[name] >= 0.2 * len(texts) and count > 1.2 * within[name] * several)
        ]
        speaking = sum(sum(name in usual for name in one) > several for one in found)
        if len(usual) > 1 and speaking >= 0.6 * len(texts):
            yield tuple(usual)
