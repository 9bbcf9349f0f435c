"""The mapping for a home-made log: where its conversations, messages and their order stand.

First the places are listed where messages may stand: each list, each object with ids as its names, each text
with names in it, and the lines themselves. For each place all its messages are laid out as a table with a
column for each field. Of these columns, some may be the text, some may tell who speaks, and some which
conversation a row belongs to and in which order; each choice is one mapping. A mapping scores points for
long and various texts, for speakers that take turns and have names of roles, and for how much of the log it
reads. The best one is proposed if it has enough points.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice, pairwise
from statistics import fmean as mean
from typing import Literal, NamedTuple

from msgspec.structs import replace

from grice.formats.content import as_list
from grice.formats.errors import FormatError
from grice.formats.gathering import sort_keys
from grice.formats.log_columns import DEEPEST, Column, columns_of, fields_of
from grice.formats.log_speakers import (
    Roles,
    Talk,
    names_in,
    people_in,
    said_columns,
    sides_by_behaviour,
    skipped_values,
    speakers_in_column,
    tool_fields,
)
from grice.formats.mapping import (
    SAMPLED,
    WORDS,
    LogMapping,
    MappedRole,
    cut,
    is_piece_path,
    items_at,
    order_of,
    role_in,
    told,
    value_at,
)
from grice.formats.message_rows import is_same_field, rows_joined
from grice.records import JsonValue

_ROWS = 4_000
"""The messages that one is judged by."""
_WALKED = 100
_TRIED = 200


def propose_mapping(sample: Sequence[tuple[int, JsonValue | FormatError]]) -> LogMapping | None:
    """The mapping for these values with their lines, None where there is no good evidence for one."""
    values = [value for _, value in sample if not isinstance(value, FormatError)]
    found = [one for place in _places_in(values) for one in _mappings(place, values)]
    best = max(found, key=lambda one: one.score, default=None)
    return None if best is None or best.score < _ENOUGH or _is_plain(best.mapping) else best.mapping


_ENOUGH = 4.0
"""The score below which there is too little evidence: reviews, commits and metrics give nothing, and
conversations over 7, but for those without any speaker, which give 4.3."""


def _is_plain(mapping: LogMapping) -> bool:
    """Whether a mapping only says what is read without one: such lines are malformed, not home-made."""
    named = (mapping.messages, mapping.role, mapping.text) == ("messages", "role", "content")
    return (
        named
        and not mapping.each
        and all(name == role for name, role in mapping.roles.items())
        and not mapping.said
    )


# -- the places where messages may stand


class _Place(NamedTuple):
    """Where conversations stand, and where the messages in one do; without `messages` each is one itself."""

    each: str = ""
    messages: str = ""
    columns: tuple[str, ...] = ()
    is_text: bool = False


_Within = tuple[tuple[str, str], ...]
"""The lists that hold a value: the path of each, and that of the value in what it holds."""


def _places_in(values: Sequence[JsonValue]) -> list[_Place]:
    lines = values[0] if len(values) == 1 and isinstance(values[0], list) else values
    found = dict.fromkeys(place for one in _some(lines) for place in _places(one, "", (("", ""),), 0))
    return [*found, _Place()]


def _some(values: Sequence[JsonValue]) -> list[JsonValue]:
    """A few of many, from all over."""
    return list(values[:: max(1, len(values) // _WALKED)][: 2 * _WALKED])


def _places(value: JsonValue, path: str, within: _Within, depth: int) -> Iterator[_Place]:
    """The places in a value, which stands at a path."""
    value = told(value) if depth else value
    each, inner = within[-1]
    if depth > 2 * DEEPEST:
        return
    if isinstance(value, str):
        if value.count(":") + value.count(">") > 1:
            yield _Place(each, inner or ".", is_text=True)
    elif isinstance(value, list):
        yield from _places_in_list(value, path, within, depth)
    elif isinstance(value, dict):
        columns = _parallel(value)
        if columns:
            yield _Place(each, inner or ".", columns)
        if _are_ids(value):
            yield from _places_by_id(value, path, within, depth)
            return
        for key, one in value.items():
            deeper = tuple((each, f"{inner}.{key}" if inner else key) for each, inner in within)
            yield from _places(one, f"{path}.{key}" if path else key, deeper, depth + 1)


def _places_in_list(value: list[JsonValue], path: str, within: _Within, depth: int) -> Iterator[_Place]:
    """A list may hold messages, of what stands around it or beyond that, or rows."""
    if value and all(isinstance(one, dict | list | str) for one in value):
        yield from (_Place(each, inner or ".") for each, inner in within[-2:])
        if path:
            yield _Place(path)
    if value and isinstance(value[0], dict):
        inside = (*within, (path, "")) if path else within
        for one in _some(value):
            yield from _places(one, path, inside, depth + 1)


def _places_by_id(value: dict[str, JsonValue], path: str, within: _Within, depth: int) -> Iterator[_Place]:
    """An object with ids as its names may hold messages, or conversations."""
    each, inner = within[-1]
    yield from (_Place(path or "."), _Place(each, inner or "."))
    for one in _some(list(value.values())):
        yield from _places(one, f"{path}.*" if path else "*", ((path or ".", "value"),), depth + 1)


def _are_ids(names: Mapping[str, JsonValue]) -> bool:
    """Whether the names of an object are no fields, but ids of what is alike: with digits, or many."""
    if len(names) < 2 or not all(isinstance(one, dict | list) for one in names.values()):
        return False
    if mean(any(letter.isdigit() for letter in one) for one in names) > 0.8:
        return True
    shapes = [frozenset(one) for one in names.values() if isinstance(one, dict)]
    return len(names) > 8 and len(set(shapes)) <= 0.3 * len(names)


def _parallel(value: Mapping[str, JsonValue]) -> tuple[str, ...]:
    """The lists in an object that are as long as one of texts, and a text with as many letters."""
    sizes: defaultdict[int, list[str]] = defaultdict(list)
    for name, one in value.items():
        one = told(one)
        if isinstance(one, list) and all(isinstance(each, str | int | float | None) for each in one):
            sizes[len(one)].append(name)
    for size, names in sorted(sizes.items(), key=lambda one: -len(one[1])):
        letters = [name for name, one in value.items() if isinstance(one, str) and len(one) == size]
        texts = [one for name in names for one in as_list(told(value[name])) or () if isinstance(one, str)]
        if any(" " in one for one in texts) and len(names) + len(letters) > 1:
            return (*letters, *names)
    return ()


# -- what a place gives


class _Found(NamedTuple):
    score: float
    mapping: LogMapping


class _Rows(NamedTuple):
    """The messages at a place: the item of each, and the number of the conversation that it stands in."""

    units: list[JsonValue]
    items: list[JsonValue]
    owners: list[int]


def _rows_at(mapping: LogMapping, values: Sequence[JsonValue]) -> _Rows:
    rows = _Rows([], [], [])
    for value in values:
        alone = len(values) == 1
        inside = items_at(value, mapping.each) if alone or mapping.each else None
        for unit in inside if inside is not None else [value]:
            if len(rows.units) >= SAMPLED or len(rows.items) >= _ROWS:
                return rows
            try:
                items = mapping.items(unit) if mapping.messages else [unit]
            except FormatError:
                items = []
            rows.units.append(unit)
            rows.items.extend(items)
            rows.owners.extend([len(rows.units) - 1] * len(items))
    return rows


def _mappings(place: _Place, values: Sequence[JsonValue]) -> Iterator[_Found]:
    """What a place may give, each with how good it is."""
    base = LogMapping(each=place.each, messages=place.messages, columns=place.columns, speakers=place.is_text)
    rows = _rows_at(base, values)
    if not rows.items:
        return
    filled = len(set(rows.owners)) / len(rows.units)
    if place.is_text:
        found = _of_texts(base, rows)
    elif place.messages:
        found = _of_messages(base, rows)
    else:
        found = _of_rows(base, rows)
    for one in found:
        mapping = _with_conversation(one.mapping, rows) if place.messages else one.mapping
        units = rows.units[:: max(1, len(rows.units) // _TRIED)]
        many = min(1.0, len(rows.items) / 20)
        read = mean(_reads(mapping, unit) for unit in units)
        yield _Found(one.score + min(filled, 0.8) + 2 * read + many - 0.5 * bool(place.each), mapping)


def _reads(mapping: LogMapping, unit: JsonValue) -> bool:
    try:
        found = mapping.messages_of(unit) if mapping.is_flat else mapping.read(unit).messages
        return any(one["content"] for one in found)
    except FormatError:
        return False


def _of_texts(base: LogMapping, rows: _Rows) -> Iterator[_Found]:
    """Texts, of which each is a whole conversation."""
    texts = Column(".", rows.items)
    for one in _by_names(base, texts, _by_owner(rows.owners), several=True):
        yield one._replace(score=one.score + 3.0)


def _by_names(
    mapping: LogMapping, text: Column, talks: Sequence[Sequence[int]], *, several: bool
) -> Iterator[_Found]:
    """The mappings by names before the speeches in texts: in each of them `several`, or one."""
    texts = [one for one in text.present if isinstance(one, str)]
    for names in names_in(texts[:_TRIED], several=several):
        cuts = [cut(one, names) if isinstance(one, str) else [] for one in text.values]
        speeches = [(owner, *one) for owner, talk in enumerate(talks) for n in talk for one in cuts[n]]
        if not several and len(speeches) > 1.5 * len(texts):
            continue  # each is a whole conversation
        owners, who, said = zip(*speeches, strict=True) if speeches else ((), (), ())
        judged = speakers_in_column(Column("speaker", who), Talk(said, _by_owner(owners)))
        if judged is None:
            continue
        roles = {name: role for name, role in judged.roles.items() if name}
        if "*" in names:
            roles = {one: role for one, role in roles.items() if one in names or role in ("skip", "system")}
            roles = {names[0]: "assistant", **roles, "*": "user"}
        yield _Found(judged.score, replace(mapping, speakers=True, roles=roles))


def _by_owner(owners: Sequence[int | str]) -> list[list[int]]:
    """The places of those that belong together."""
    found: dict[int | str, list[int]] = {}
    for place, owner in enumerate(owners):
        found.setdefault(owner, []).append(place)
    return list(found.values())


def _of_messages(base: LogMapping, rows: _Rows) -> Iterator[_Found]:
    """The messages of conversations that stand together in a list each."""
    fields = [fields_of(one) for one in rows.items]
    columns = columns_of(fields)
    talks = _by_owner(rows.owners)
    order = _order(columns, talks)
    together = 3.0 if len(talks) > 1 and not _are_split(columns, talks) else 0.0
    for one in _said_in(replace(base, order=order), columns, _in_order(talks, rows.items, order), rows):
        yield one._replace(score=one.score + together)


def _are_split(columns: Mapping[str, Column], talks: list[list[int]]) -> bool:
    """Whether the messages in the lists name conversations, of which a list has several."""
    return any(
        column.any_word("conversation_field")
        and column.share > 0.9
        and len(talks) < len(column.counts) < 0.7 * len(column.values)
        for column in columns.values()
    )


def _of_rows(base: LogMapping, rows: _Rows) -> Iterator[_Found]:
    """Rows, of which each is a message, or a question and its answer, of one of several conversations."""
    columns = columns_of([fields_of(one) for one in rows.items])
    texts = {
        place
        for one in columns.values()
        if one.text_score >= 4 or (one.is_text and is_piece_path(one.name))
        for place, value in enumerate(one.values)
        if value and (one.text_score >= 4 or not one.values[place - 1])  # of short pieces the first in a row
    }
    for score, conversation in _conversations(columns, texts):
        path, named = (
            _conversation_of(conversation, columns) if conversation else ("", ["all"] * len(rows.items))
        )
        talks = _by_owner(named)
        order = _order({name: one for name, one in columns.items() if one is not conversation}, talks)
        mapping = replace(base, conversation=path, order=order)
        for one in _said_in(mapping, columns, _in_order(talks, rows.items, order), rows):
            if conversation is None and one.mapping.said:
                one = one._replace(mapping=_with_conversation(replace(one.mapping, order=""), rows))
            yield one._replace(score=one.score + score)


def _conversation_of(column: Column, columns: Mapping[str, Column]) -> tuple[str, list[str]]:
    """The path of the id of conversations and its values, also from rows that hold a message inside."""
    paths, names, known = [column.name], list(column.names), set(column.names)
    for one in columns.values():
        is_same = one.is_scalar and is_same_field(one.name, column.name) and set(one.names) <= known | {""}
        if is_same and any(name and not held for name, held in zip(one.names, names, strict=True)):
            paths.append(one.name)
            names = [held or name for name, held in zip(one.names, names, strict=True)]
    return " | ".join(paths), names


def _in_order(talks: list[list[int]], items: Sequence[JsonValue], order: str) -> list[list[int]]:
    if not order:
        return talks
    found: list[list[int]] = []
    for talk in talks:
        keys = sort_keys([order_of(items[place], order) for place in talk])
        found.append(
            talk if keys is None else [talk[n] for n in sorted(range(len(talk)), key=keys.__getitem__)]
        )
    return found


def _said_in(
    mapping: LogMapping, columns: Mapping[str, Column], talks: list[list[int]], rows: _Rows
) -> Iterator[_Found]:
    """The mappings by what rows say, of which several may be one message."""
    joined = rows_joined(mapping, columns, rows.items, talks)
    if joined is None:
        yield from _spoken(mapping, columns, talks, rows)
        return
    text = joined.mapping.text
    inside = tuple(
        f"{above}."
        for one in joined.mapping.message_id.split(" | ")[:-1]
        if (above := one.rpartition(".")[0])
    )
    fields = [
        {
            name: one
            for name, one in fields_of(item).items()
            if name not in text.split(" | ") and not name.startswith(inside)
        }
        | {text: value_at(item, text)}
        for item in joined.items
    ]
    units = rows.units if mapping.messages else joined.items
    owners = (
        [rows.owners[place] for place in joined.places] if mapping.messages else [*range(len(joined.items))]
    )
    for one in _spoken(joined.mapping, columns_of(fields), joined.talks, _Rows(units, joined.items, owners)):
        if one.mapping.text == text:
            yield one


def _spoken(
    mapping: LogMapping, columns: Mapping[str, Column], talks: list[list[int]], rows: _Rows
) -> Iterator[_Found]:
    """The mappings by what these rows say: a text and who speaks it, or a field for each side."""
    used = {*mapping.conversation.split(" | "), *mapping.order.split(", ")}
    texts = [
        one
        for one in columns.values()
        if one.name not in used and one.text_score >= 4 and _varies(one, talks)
    ]
    texts.sort(key=lambda one: -one.text_score)
    sizes = {one.name: sum(map(len, map(str, one.present))) for one in texts}
    whole = max(1, sum(sizes.values()))
    marked = skipped_values(columns)
    for place, text in enumerate(texts[:3]):
        score = text.text_score / 4 - 0.7 * place + 2 * sizes[text.name] / whole
        spoken = [one for one in text.present[:_TRIED] if isinstance(one, str)]
        score -= 4.0 * any(names_in(spoken, several=True))  # each is a whole conversation
        talk = Talk(text.values, talks)
        for found in (
            *_by_field(replace(mapping, text=text.name), columns, talk, rows, marked),
            *_by_names(replace(mapping, text=text.name.removeprefix(".")), text, talks, several=False),
        ):
            yield found._replace(score=found.score + score)
        if place == 0 and mapping.messages and len(columns) <= 4 and 2 * len(talks) <= len(text.values):
            yield _Found(0.5, replace(mapping, first=_first(text.values, talks), text=text.name))
    for score, said in ((7.0, said_columns(columns)), (3.5, sides_by_behaviour(texts, talks))):
        if said is not None:
            told_by = 2 * sum(sizes.get(one, 0) for one in said) / whole
            yield _Found(score + told_by, replace(mapping, said=said))


def _by_field(
    mapping: LogMapping,
    columns: Mapping[str, Column],
    talk: Talk,
    rows: _Rows,
    marked: Mapping[str, list[str | int | float | bool]],
) -> Iterator[_Found]:
    """The mappings by a field that tells who speaks."""
    others = [
        one for one in columns.values() if one.name not in (mapping.text, *mapping.conversation.split(" | "))
    ]
    for path, column in _who(others, mapping.messages, rows):
        skip = {name: values for name, values in marked.items() if name != column.name}
        judged = speakers_in_column(column, talk)
        if judged is None:
            continue
        silent = not any(one for one, name in zip(talk.texts, column.names, strict=True) if not name)
        roles: Roles = {"": "skip", **judged.roles} if silent and column.share < 1 else judged.roles
        tools = tool_fields(columns, column, roles)
        yield _Found(judged.score, replace(mapping, role=path, roles=roles, skip=skip, **tools))


def _first(texts: Sequence[JsonValue], talks: Sequence[Sequence[int]]) -> Literal["user", "assistant"]:
    """Who begins, where two speak in turn."""
    names = [""] * len(texts)
    for talk in talks:
        for turn, place in enumerate(talk):
            names[place] = "odd" if turn % 2 else "even"
    said = Talk(texts, talks).said_by(names)
    return "assistant" if "odd" in said and said["odd"].asking > said["even"].asking + 1 else "user"


def _who(others: Sequence[Column], messages: str, rows: _Rows) -> Iterator[tuple[str, Column]]:
    """The fields that may tell who speaks, and what is said elsewhere of those whose ids they hold."""
    for column in others:
        if not column.is_scalar or column.length > 4:
            continue
        yield column.name, column
        if len(column.counts) > 1 and column.share > 0.3 and not column.is_time:
            yield from people_in(rows.units, column, rows.owners, messages)


# -- which conversation, and in which order


def _order(columns: Mapping[str, Column], talks: list[list[int]]) -> str:
    """The field by which messages are ordered, or two: a counter within each conversation, else the time."""
    for column in columns.values():
        if column.words[-1:] and column.words[-1] in WORDS["step_field"] and _counts_up(column, talks):
            return column.name
    times = [one for one in columns.values() if one.is_time and len(one.counts) > 1 and one.share > 0.98]
    clocks = [one for one in times if one.is_clock]
    days = [one for one in times if not any(map(_MOMENT.search, one.counts))]
    whole = [one for one in times if one not in (*clocks, *days) and _varies(one, talks)]
    if whole:
        return max(whole, key=lambda one: (len(one.counts), -one.share)).name
    if days and clocks:
        return f"{days[0].name}, {clocks[0].name}"
    return ""


_MOMENT = re.compile(r"\d:\d\d|^\d+(?:\.\d+)?$")
"""What tells more of a time than its day."""


def _varies(column: Column, talks: list[list[int]]) -> bool:
    """Whether a field differs within conversations."""
    several = [{column.names[place] for place in talk} for talk in talks if len(talk) > 1]
    return not several or mean(len(one) > 1 for one in several) > 0.5


def _counts_up(column: Column, talks: list[list[int]]) -> bool:
    """Whether a field numbers the messages of each conversation anew."""
    begins = Counter[str]()
    for talk in talks:
        names = [column.names[place] for place in talk]
        if not all(one.isdecimal() for one in names) or len(set(names)) < 0.9 * len(names):
            return False
        begins[min(names, key=int)] += 1
    return begins.most_common(1)[0][1] >= 0.6 * len(talks)


def _id_score(column: Column) -> float:
    score = 2.0 * column.any_word("conversation_field") + 1.0 * column.any_word("id_field")
    score += 1.0 * (column.words in (["id"], ["key"], ["uuid"]))
    return score - 2.0 * column.any_word("other_id_field")


def _conversations(columns: Mapping[str, Column], texts: set[int]) -> list[tuple[float, Column | None]]:
    """The fields by which rows may be one conversation, best first, and none at all."""
    found: list[tuple[float, Column | None]] = []
    for column in columns.values():
        names = [column.names[place] for place in texts]
        counts = Counter(one for one in names if one)
        if column.is_time and not column.any_word("conversation_field"):
            continue
        if not column.is_scalar or column.length > 4:
            continue
        if counts.total() < 0.6 * len(names) or not 1 < len(counts) < counts.total():
            continue
        repeated = counts.total() / len(counts)
        score = (
            _id_score(column)
            + (1.0 if 1.5 <= repeated <= 60 else -1.0)
            + min(counts.total() / len(names), 1.0)
        )
        score += 1.0 * (
            sum(one != other for one, other in pairwise(column.names)) + 1 <= 1.5 * len(column.counts)
        )
        score -= 2.0 * (len(counts) < 8 and repeated > 8)
        score += 0.5 * any(letter.isdigit() for letter in next(iter(counts)))
        found.append((score, column))
    best = sorted(found, key=lambda one: -one[0])[:4]
    return [(score / 2, column) for score, column in best if score >= 1.5] + [(-1.0, None)]


def _with_conversation(mapping: LogMapping, rows: _Rows) -> LogMapping:
    """The mapping with the id of the conversations, which are one a unit, and their system prompt."""
    columns = columns_of([fields_of(one) if not isinstance(one, str) else {".": one} for one in rows.units])
    top = mapping.messages.partition(".")[0]
    ids: list[tuple[float, int, Column]] = []
    for place, column in enumerate(columns.values()):
        if (
            column.share < 0.95
            or not column.is_scalar
            or column.length > 3
            or column.name in (mapping.messages, ".")
        ):
            continue
        if column.name.startswith(f"{mapping.messages}.") or column.name in (top, *mapping.columns):
            continue
        unique = len(column.counts) >= 0.97 * len(rows.units)
        score = (
            _id_score(column)
            - 1.5 * ("id" in columns and "." in column.name)
            + 2.0 * unique
            - 3.0 * column.is_time
        )
        score += 2.0 * (column.name == "key" and mapping.each != "")
        score += 4.0 * (not unique and _grow(column, rows))
        if score >= 2 and (len(rows.units) > 1 or _id_score(column) > 0):
            ids.append((score, -place, column))
    if ids:
        mapping = replace(mapping, conversation=max(ids, key=lambda one: one[:2])[2].name)
    for column in columns.values():
        if column.is_text and column.words[:1] == ["system"] and column.length > 1:
            mapping = replace(mapping, system=column.name)
    if not mapping.said and mapping.messages != ".":
        opening = _opening(mapping, columns, rows.units) if mapping.role else ""
        said = {} if opening else _said_beside(mapping, columns, rows.units)
        mapping = replace(mapping, opening=opening, said=said)
    return mapping


def _grow(column: Column, rows: _Rows) -> bool:
    """Whether lines with one value hold the same conversation, each more of it, as requests to a model do."""
    said: defaultdict[int, list[JsonValue]] = defaultdict(list)
    for owner, item in zip(rows.owners, rows.items, strict=True):
        said[owner].append(item)
    last: dict[str, int] = {}
    grown: list[bool] = []
    for place, name in enumerate(column.names):
        before, here = said[last.get(name, place)], said[place]
        if name in last:
            short, long = sorted((before, here), key=len)
            grown.append(long[: len(short)] == short)
        last[name] = place
    return len(grown) > 1 and mean(grown) > 0.7


def _said_beside(
    mapping: LogMapping, columns: Mapping[str, Column], units: Sequence[JsonValue]
) -> dict[str, MappedRole]:
    """The fields beside the messages of a line that go on with them: the question, and the answer to it."""
    talks = [_messages(mapping, unit) for unit in islice(units, 50)]
    last = Counter(one[-1]["role"] for one in talks if one)
    found: dict[str, MappedRole] = {}
    read = (mapping.conversation, mapping.system, mapping.messages)
    for column in columns.values():
        above = column.name.removesuffix(f".{mapping.text}")
        who = columns.get(f"{above}.{mapping.role}") if mapping.role and above != column.name else None
        named = (column.words[-1:] and role_in(column.words[-1])) or role_in(column.name)
        if who is not None and who.counts:
            named = mapping.roles.get(who.counts.most_common(1)[0][0])
        if column.name in read or column.name.startswith(f"{mapping.messages}.") or not column.is_text:
            continue
        if column.length < 1.5 or column.share < 0.5 or column.any_word("no_text_field", "beside_text_field"):
            continue
        if named in ("user", "assistant") and named not in found.values():
            found[column.name] = named
    if not last or (2 * last["assistant"] > last.total() and len(found) < 2):
        return {}
    if "assistant" not in found.values():
        return {}
    return dict(sorted(found.items(), key=lambda one: one[1] == "assistant"))


def _opening(mapping: LogMapping, columns: Mapping[str, Column], units: Sequence[JsonValue]) -> str:
    """The text beside the messages that these answer, as in a ticket: most begin with a reply to it."""
    talks = [_messages(mapping, unit) for unit in islice(units, _TRIED)]
    if not _is_answered(talks, 0) and not _is_answered(talks, 1):
        return ""
    found = [
        one
        for one in columns.values()
        if one.share >= 0.8
        and one.name not in (mapping.conversation, mapping.system)
        and not f"{one.name}.".startswith(f"{mapping.messages}.")
        and one.text_score >= 6
        and len(one.counts) >= 0.7 * len(one.present)
        and not one.any_word("beside_text_field", "skip")
        and role_in(one.name) != "assistant"
    ]
    return max(found, key=lambda one: one.text_score).name if found else ""


def _is_answered(talks: Iterable[Sequence[Mapping[str, str]]], place: int) -> bool:
    """Whether most talks begin with the assistant up to that place, where no greeting stands."""
    begun = [one[: place + 1] for one in talks if one]
    replies = [
        one[place]["content"]
        for one in begun
        if len(one) > place and {said["role"] for said in one} == {"assistant"}
    ]
    return 2 * len(replies) > len(begun) and not _are_alike(replies)


def _are_alike(texts: Sequence[str]) -> bool:
    """Whether most words of the texts stand in most of them, as in greetings."""
    words = [set(one.lower().split()) for one in texts]
    counts = Counter(word for one in words for word in one)
    usual = [mean(2 * counts[word] > len(words) for word in one) for one in words if one]
    return len(usual) > 1 and mean(usual) > 0.5


def _messages(mapping: LogMapping, unit: JsonValue) -> list[dict[str, JsonValue]]:
    """What is said in a conversation, nothing where it cannot be read."""
    try:
        return [one for one in mapping.read(unit).messages if one["content"]]
    except FormatError:
        return []
