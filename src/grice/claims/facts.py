"""Records and texts as facts: where each stands, what it is called, and what it says."""

from __future__ import annotations

import re
from collections.abc import Iterator, KeysView, Mapping, Sequence
from decimal import Decimal, InvalidOperation
from typing import Any

import msgspec

from grice.claims.field_names import (
    NAMING_KEYS,
    SPOKEN_KEYS,
    Names,
    is_id,
    is_title,
    key_words,
    measured_field,
    names_of,
)
from grice.claims.lexicon import Lexicon
from grice.claims.passage import Atom
from grice.claims.passage_parsing import parse_passage
from grice.claims.terms import ParsedText, parse_text, read_value
from grice.text import shorten
from grice.text.quantities import Quantity
from grice.text.times import Moment

__all__ = ["Fact", "Record", "facts_in"]

MAX_FACTS = 50_000
MAX_SHOWN = 120
MAX_JSON = 10_000_000
LONG_VALUE = 12
"""Words from which a value is read as prose, sentence by sentence."""


_SOURCE = re.compile(r"[^.\[]*")


class Record(msgspec.Struct, frozen=True, eq=False, gc=False):
    """An object that may stand beside others of its kind.

    `group` is the same for these; `names` are its id, its title and the like; `words` the stems of all its
    short values, by which a text may tell it from the others.
    """

    path: str
    group: str
    names: tuple[str, ...] = ()
    words: frozenset[str] = frozenset()


class Fact(msgspec.Struct, frozen=True, eq=False, gc=False):
    """One value: `path` and `shown` are for messages, `names` says what it is called.

    `words` and `denied` are the stems that the value says and denies, `joined` its neighbouring words
    written as one. `truth` is that of a boolean, and false for nothing. `size` marks how many items a list
    has, `prose` a sentence, `subject` of what it speaks, `excluded` what is excepted from the field around
    it, `titled` the name of what the record is, `listed` one of several values. `records` are those it
    stands in, outermost first.
    """

    path: str
    shown: str
    names: Names
    words: frozenset[str] = frozenset()
    denied: frozenset[str] = frozenset()
    joined: frozenset[str] = frozenset()
    quantities: tuple[Quantity, ...] = ()
    moments: tuple[Moment, ...] = ()
    truth: bool | None = None
    number: Decimal | None = None
    records: tuple[Record, ...] = ()
    listed: bool = False
    prose: bool = False
    size: bool = False
    excluded: bool = False
    size_in_words: int = 0
    subject: frozenset[str] = frozenset()
    titled: bool = False

    @property
    def keys(self) -> frozenset[str]:
        """The stems of all names on its path."""
        return self.names.keys

    @property
    def values(self) -> tuple[Quantity | Moment, ...]:
        """The numbers with units and the dates and times that it says."""
        return (*self.quantities, *self.moments)

    @property
    def is_null(self) -> bool:
        """Whether the field has no value: what is denied may be spoken of, nothing else."""
        return self.size and self.number is None

    @property
    def line(self) -> str:
        """The fact as a line: `price: 299.99`."""
        return f"{self.path.removeprefix('$').lstrip('.') or 'text'}: {self.shown}"

    @property
    def source(self) -> str:
        """The source that it is of, as its path begins: `get_order#2`."""
        return _SOURCE.match(self.path)[0]  # type: ignore[index]  # it matches any text

    @property
    def where(self) -> str:
        """Where it stands: its path, or for a sentence what it says."""
        return self.shown if self.prose else self.path.removeprefix("$").lstrip(".")

    def meant_by(self, stems: KeysView[str]) -> set[str]:
        """Those of the stems by which a text can mean it: its names, and what its records say."""
        return (stems & self.names.keys).union(*[stems & one.words for one in self.records])


class _Place(msgspec.Struct, frozen=True, gc=False):
    """Where the walk stands: the path, the fields on it, the object it is in, the records around it."""

    path: str
    fields: tuple[str, ...] = ()
    holder: Mapping[str, Any] = {}
    records: tuple[Record, ...] = ()
    listed: bool = False


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
                names = names_of(place.fields, lexicon)
                unknown.append(Fact(place.path, "null", names, records=place.records, size=True))
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
            yield parsed, _Place(path, place.fields, place.holder, place.records, listed=True)


def _record(
    value: Mapping[Any, Any], path: str, place: _Place, names: tuple[str, ...], lexicon: Lexicon, root: str
) -> _Place:
    """The place of an object that stands beside others of its kind."""
    named = [str(key) for key in value if (key_words(str(key)) or ("",))[-1] in NAMING_KEYS]
    told = [_name(one) for key in named if (one := value.get(key)) is not None and _is_name(one)]
    if all(map(is_id, named)):
        told += [one for key in value if key in SPOKEN_KEYS and isinstance(one := value[key], str)]
    kind = min(named, default="")  # whatever the order of the fields
    group = f"{root.partition('#')[0]}{place.path.removeprefix(root)}:{kind}"
    words: set[str] = set()
    for one in (*names, *value.values()):
        if isinstance(one, str) and one.count(" ") < LONG_VALUE:
            words.update(read_value(one, lexicon).stems)
    record = Record(path, group, (*names, *told), frozenset(words))
    return _Place(path, (*place.fields, *names), value, (*place.records, record))


def _is_name(value: object) -> bool:
    return isinstance(value, str | int) and not isinstance(value, bool)


def _name(value: object) -> str:
    return str(value)[:MAX_SHOWN]


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
        names_of(place.fields, lexicon),
        truth=None if value else False,
        number=Decimal(len(value)),
        records=place.records,
        size=True,
    )


def _of_scalar(value: Any, place: _Place, lexicon: Lexicon) -> Iterator[Fact]:
    names = names_of(place.fields, lexicon)
    if isinstance(value, bool):
        yield Fact(place.path, "true" if value else "false", names, truth=value, records=place.records)
    elif isinstance(value, str):
        yield from _of_text(value, place, names, lexicon)
    elif isinstance(value, int | float) and (number := _decimal(value)) is not None:
        counted = measured_field(number, place.fields, place.holder, lexicon)
        yield Fact(
            place.path,
            f"{value}",
            names,
            words=frozenset((str(value),)),
            quantities=(counted,) if counted else (),
            number=number,
            records=place.records,
            listed=place.listed,
        )


def _of_text(value: str, place: _Place, names: Names, lexicon: Lexicon) -> Iterator[Fact]:
    reading = read_value(value, lexicon)
    prose = reading.text
    if not prose:
        return
    if place.fields and prose.casefold() in lexicon.undecided:
        yield Fact(place.path, prose, names, records=place.records, size=True)
        return
    if place.fields and prose.count(" ") < LONG_VALUE:
        truth = _truth(prose.casefold(), lexicon)
        excluded = not lexicon.exclusions.isdisjoint(names.raw)
        counted = _measured_text(prose, place, lexicon)
        yield _from_reading(reading, prose, place, names, truth, counted=counted, excluded=excluded)
        return
    yield from _of_prose(value, place, names, lexicon)


_NUMBERS = re.compile(r"(\d{1,9}(?:\.\d{1,6})?)(?: ?(?:-|\u2013|to) ?(\d{1,9}(?:\.\d{1,6})?))?")


def _measured_text(value: str, place: _Place, lexicon: Lexicon) -> Quantity | None:
    """A number, or a range, in a text whose field names the unit: `"business_days": "3-5"`."""
    found = _NUMBERS.fullmatch(value)
    one = measured_field(Decimal(1), place.fields, place.holder, lexicon) if found else None
    if found is None or one is None or one.low is None:
        return None
    low, high = Decimal(found[1]), Decimal(found[2] or found[1])
    return msgspec.structs.replace(one, low=low * one.low, high=high * one.low)


def _of_prose(value: str, place: _Place, names: Names, lexicon: Lexicon) -> Iterator[Fact]:
    """The facts of a text: one a sentence, with its words, and one for each value that it says of
    something.
    """
    passage = parse_passage(value, lexicon, strict=True)
    subject: frozenset[str] = frozenset()
    for sentence in passage.sentences:
        reading = parse_text(sentence.text, lexicon)
        valued = [one for one in sentence.clauses if any(atom.kind != "state" for atom in one.atoms)]
        whole = _from_reading(reading, sentence.text, place, names, None, prose=True)
        if sentence.clauses:
            first = sentence.clauses[0]
            goes_on = lexicon.anaphors.begin(first.stems)
            subject = subject | first.subject if goes_on else first.subject
            whole = msgspec.structs.replace(whole, subject=subject)
        if not valued:
            yield whole
            continue
        yield msgspec.structs.replace(whole, quantities=(), moments=(), number=None)
        around = sentence.topic.union(
            subject, *([term.stem for term in one.terms] for one in sentence.clauses if one not in valued)
        )
        for clause in valued:
            for atom in clause.atoms:
                if atom.kind != "state":
                    yield _of_atom(atom, around, whole, names, lexicon)


def _of_atom(atom: Atom, around: frozenset[str], whole: Fact, names: Names, lexicon: Lexicon) -> Fact:
    """What a sentence says with one value: its names are what the value is said of."""
    value = atom.value
    keys = names.keys | atom.about | around
    keys = keys.union(*(lexicon.measures.get(one, ()) for one in keys))
    return msgspec.structs.replace(
        whole,
        names=msgspec.structs.replace(names, keys=keys, leaf=frozenset(), raw=names.raw | keys),
        words=frozenset((value.casefold(),)) if isinstance(value, str) else frozenset(),
        denied=frozenset(),
        joined=frozenset(),
        quantities=(value,) if isinstance(value, Quantity) else (),
        moments=(value,) if isinstance(value, Moment) else (),
        number=None,
    )


def _from_reading(
    reading: ParsedText,
    shown: str,
    place: _Place,
    names: Names,
    truth: bool | None,
    *,
    counted: Quantity | None = None,
    excluded: bool = False,
    prose: bool = False,
) -> Fact:
    said = reading.quantities
    return Fact(
        place.path,
        shorten(shown, MAX_SHOWN),
        names,
        words=reading.said,
        denied=reading.denied,
        joined=reading.joined,
        quantities=(counted,) if counted else tuple(said),
        moments=tuple(reading.moments),
        truth=truth,
        excluded=excluded,
        number=said[0].low if len(said) == 1 and len(reading.tokens) == 1 else None,
        records=place.records,
        listed=place.listed,
        prose=prose or not place.fields,
        size_in_words=len(reading.tokens),
        titled=not prose and bool(place.fields) and is_title(place.fields[-1]),
    )


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
