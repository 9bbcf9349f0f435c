"""Records and texts as facts: where each stands, what it is called, and what it says."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal, InvalidOperation
from typing import Any

import msgspec

from grice.claims.field_names import (
    NAMING_KEYS,
    SPOKEN_KEYS,
    is_id,
    key_stems,
    key_words,
    measured_field,
)
from grice.claims.lexicon import Lexicon
from grice.claims.terms import ParsedText, parse_text, read_value
from grice.text import shorten
from grice.text.normalised import normalise
from grice.text.quantities import Quantity
from grice.text.sentences import sentence_spans
from grice.text.times import Moment

MAX_FACTS = 50_000
MAX_SHOWN = 120
MAX_JSON = 10_000_000
LONG_VALUE = 12
"""Words from which a value is read as prose, sentence by sentence."""


class Record(msgspec.Struct, frozen=True, eq=False, gc=False):
    """An object that may stand beside others of its kind.

    `group` is the same for these; `names` are its id, its title and the like; `words` the stems of all its
    short texts, by which a clause may mean it.
    """

    path: str
    group: str
    names: tuple[str, ...] = ()
    words: frozenset[str] = frozenset()


class Fact(msgspec.Struct, frozen=True, eq=False, gc=False):
    """One value: `path` and `shown` are for messages, `keys` are the stems of all names on its path.

    `words` and `denied` are the stems that the value says and denies. `truth` is that of a boolean, and false
    for nothing. `number` is a number without its unit, or how many items a list has, where `size` is true;
    `prose` marks a sentence. `records` are those it stands in, outermost first.
    """

    path: str
    shown: str
    keys: frozenset[str]
    words: frozenset[str] = frozenset()
    denied: frozenset[str] = frozenset()
    quantities: tuple[Quantity, ...] = ()
    moments: tuple[Moment, ...] = ()
    truth: bool | None = None
    number: Decimal | None = None
    records: tuple[Record, ...] = ()
    prose: bool = False
    size: bool = False

    @property
    def values(self) -> tuple[Quantity | Moment, ...]:
        """The numbers with units and the dates and times that it says."""
        return (*self.quantities, *self.moments)

    @property
    def is_null(self) -> bool:
        """Whether the field has no value."""
        return self.size and self.number is None

    @property
    def holds(self) -> bool | None:
        """Whether the thing that the fact names is there, by yes, no or a count; None where it does
        not say.
        """
        if self.truth is not None or self.number is None or self.values:
            return self.truth
        return self.number > 0

    @property
    def where(self) -> str:
        """Where it stands: its path, or for a sentence what it says."""
        return self.shown if self.prose else self.path.removeprefix("$").lstrip(".")

    @property
    def line(self) -> str:
        """The fact as a line: `price: 299.99`."""
        return f"{self.path.removeprefix('$').lstrip('.') or 'text'}: {self.shown}"


class _Place(msgspec.Struct, frozen=True, gc=False):
    """Where the walk stands: the path, the fields on it, the object it is in, the records around it."""

    path: str
    fields: tuple[str, ...] = ()
    holder: Mapping[str, Any] = {}
    records: tuple[Record, ...] = ()


def facts_in(source: Any, lexicon: Lexicon, *, root: str = "$") -> list[Fact]:
    """The facts of a JSON value or of a text, flattened once; `root` begins their paths.

    A text that is JSON counts by what is in it, another by its sentences. Objects in a list, or in a mapping
    whose values are all objects, are records beside one another. Null says nothing; an empty list, and words
    like "none", say that there is nothing of the kind. At most 50,000 facts are read.
    """
    facts: list[Fact] = []
    unknown: list[Fact] = []
    first = _parsed(source)
    place = _Place(root)
    if isinstance(first, Mapping) and root != "$" and any(key_words(str(key))[-1:] for key in first):
        place = _record(first, root, place, (), lexicon, root.partition("#")[0])
    waiting: list[tuple[Any, _Place]] = [(first, place)]
    while waiting and len(facts) < MAX_FACTS:
        value, place = waiting.pop()
        value = _parsed(value)
        if isinstance(value, Mapping):
            waiting += reversed(list(_of_mapping(value, place, root, lexicon)))
        elif isinstance(value, list | tuple):
            waiting += reversed(list(_of_list(value, place, root, lexicon)))
        elif value is None:
            if place.fields:  # a field without a value: it can be spoken of
                keys = key_stems(place.fields, lexicon)
                unknown.append(Fact(place.path, "null", keys, records=place.records, size=True))
            continue
        else:
            facts += _of_scalar(value, place, lexicon)
            continue
        facts += _of_container(value, place, root, lexicon)
    return [*facts, *unknown] if facts else facts


def _parsed(value: Any) -> Any:
    """What JSON text stands for; anything else as it is."""
    if not isinstance(value, str) or value[:60].lstrip()[:1] not in ("{", "[") or len(value) > MAX_JSON:
        return value
    try:
        return msgspec.json.decode(value)
    except (ValueError, RecursionError):
        return value


def _of_mapping(
    value: Mapping[Any, Any], place: _Place, root: str, lexicon: Lexicon
) -> Iterator[tuple[Any, _Place]]:
    table = not place.fields and _is_table(value)
    for key, one in value.items():
        path = f"{place.path}.{key}"
        if table:
            yield one, _record(one, path, place, (str(key),), lexicon, root)
        else:
            yield one, _Place(path, (*place.fields, str(key)), value, place.records)


def _is_table(value: Mapping[Any, Any]) -> bool:
    """Whether all values of an object are objects of one kind, and not the sections of one thing: they
    share a field.
    """
    inner = [one for one in value.values() if isinstance(one, Mapping)]
    if len(inner) < 2 or len(inner) < len(value):
        return False
    return bool(frozenset(map(str, inner[0])).intersection(*(map(str, one) for one in inner[1:])))


def _of_list(
    value: Sequence[Any], place: _Place, root: str, lexicon: Lexicon
) -> Iterator[tuple[Any, _Place]]:
    for number, one in enumerate(value):
        path = f"{place.path}[{number}]"
        parsed = _parsed(one)
        if isinstance(parsed, Mapping):
            yield parsed, _record(parsed, path, place, (), lexicon, root)
        else:
            yield parsed, _Place(path, place.fields, place.holder, place.records)


def _record(
    value: Mapping[Any, Any], path: str, place: _Place, names: tuple[str, ...], lexicon: Lexicon, root: str
) -> _Place:
    """The place of an object that stands beside others of its kind."""
    named = [str(key) for key in value if (key_words(str(key)) or ("",))[-1] in NAMING_KEYS]
    told = [str(one)[:MAX_SHOWN] for key in named if (one := value.get(key)) is not None and _is_name(one)]
    if all(map(is_id, named)):
        told += [one for key in value if key in SPOKEN_KEYS and isinstance(one := value[key], str)]
    kind = min(named, default="")  # whatever the order of the fields
    group = f"{root.partition('#')[0]}{place.path.removeprefix(root)}:{kind}"
    texts = (one for one in (*names, *value.values()) if isinstance(one, str) and one.count(" ") < LONG_VALUE)
    words = frozenset[str]().union(*(read_value(one, lexicon).stems for one in texts))
    record = Record(path, group, (*names, *told), words)
    return _Place(path, (*place.fields, *names), value, (*place.records, record))


def _is_name(value: object) -> bool:
    return isinstance(value, str | int) and not isinstance(value, bool)


def _of_container(value: Any, place: _Place, root: str, lexicon: Lexicon) -> Iterator[Fact]:
    """What a list says as a whole: that there is nothing in it, or how many."""
    if value and (place.path == root or isinstance(value, Mapping) or not place.fields):
        return
    if root == "$" == place.path:
        return  # a tool that finds nothing says so; nothing given says nothing
    shown = f"{len(value)} items" if value else "empty"
    yield Fact(
        place.path,
        shown,
        key_stems(place.fields, lexicon),
        truth=None if value else False,
        number=Decimal(len(value)),
        records=place.records,
        size=True,
    )


def _of_scalar(value: Any, place: _Place, lexicon: Lexicon) -> Iterator[Fact]:
    keys = key_stems(place.fields, lexicon)
    if isinstance(value, bool):
        shown, truth = "true" if value else "false", value is not _denies(place, lexicon)
        yield Fact(place.path, shown, keys, truth=truth, records=place.records)
    elif isinstance(value, str):
        yield from _of_text(value, place, keys, lexicon)
    elif isinstance(value, int | float) and (number := _decimal(value)) is not None:
        counted = measured_field(number, place.fields, place.holder, lexicon)
        yield Fact(
            place.path,
            f"{value}",
            keys,
            words=frozenset((str(value),)),
            quantities=(counted,) if counted else (),
            number=number,
            records=place.records,
        )


def _of_text(value: str, place: _Place, keys: frozenset[str], lexicon: Lexicon) -> Iterator[Fact]:
    """A short value of a field is one fact, and each sentence of a longer text is one."""
    reading = read_value(value, lexicon)
    prose = reading.text
    if not prose:
        return
    short = bool(place.fields) and prose.count(" ") < LONG_VALUE
    if short and prose.casefold() in lexicon.undecided:
        yield Fact(place.path, prose, keys, records=place.records, size=True)
    elif short:
        truth = _truth(prose.casefold(), lexicon)
        yield _from_reading(reading, prose, place, lexicon, truth, _measured_text(prose, place, lexicon))
    else:
        text = normalise(value).text
        for start, end in sentence_spans(text, lexicon.pack.code):
            said = text[start:end]
            yield _from_reading(parse_text(said, lexicon), said, place, lexicon, prose=True)


_NUMBERS = re.compile(r"(\d{1,9}(?:\.\d{1,6})?)(?: ?(?:-|\u2013|to) ?(\d{1,9}(?:\.\d{1,6})?))?")


def _measured_text(value: str, place: _Place, lexicon: Lexicon) -> Quantity | None:
    """A number, or a range, in a text whose field names the unit: `"business_days": "3-5"`."""
    found = _NUMBERS.fullmatch(value)
    one = measured_field(Decimal(1), place.fields, place.holder, lexicon) if found else None
    if found is None or one is None or one.low is None:
        return None
    low, high = Decimal(found[1]), Decimal(found[2] or found[1])
    return msgspec.structs.replace(one, low=low * one.low, high=high * one.low)


def _from_reading(
    reading: ParsedText,
    shown: str,
    place: _Place,
    lexicon: Lexicon,
    truth: bool | None = None,
    counted: Quantity | None = None,
    *,
    prose: bool = False,
) -> Fact:
    said, (words, denied) = reading.quantities, (reading.said, reading.denied)
    if not prose and _denies(place, lexicon):
        words, denied = denied, words
    return Fact(
        place.path,
        shorten(shown, MAX_SHOWN),
        key_stems(place.fields, lexicon),
        words=words,
        denied=denied,
        quantities=(counted,) if counted else tuple(said),
        moments=tuple(reading.moments),
        truth=truth,
        number=said[0].low if len(said) == 1 and len(reading.tokens) == 1 else None,
        records=place.records,
        prose=prose or not place.fields,
    )


def _denies(place: _Place, lexicon: Lexicon) -> bool:
    """Whether the name of a field denies what its value says: gluten_free, not_covered."""
    name = " ".join(key_words(place.fields[-1])) if place.fields else ""
    return any(term.denied for term in parse_text(name, lexicon).terms)


def _truth(value: str, lexicon: Lexicon) -> bool | None:
    if value in lexicon.nothing:
        return False
    return True if value in ("yes", "true", "y") else None


def _decimal(value: int | float) -> Decimal | None:
    try:
        number = Decimal(str(value))
    except (InvalidOperation, ValueError):  # an int of too many digits
        return None
    return number if number.is_finite() else None
