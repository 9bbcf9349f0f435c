"""The values that a path finds in a subject."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from itertools import islice
from typing import Any, Final

import msgspec

from grice.matching.context import record_of
from grice.matching.json_parsing import NotJson, parse_json, parsed_once
from grice.matching.limits import Deadline
from grice.matching.paths import CompiledPath, NearMiss, PathError, Place, compile_path
from grice.matching.paths.search import NOTHING
from grice.matching.plain import copied, is_json, is_scalar, plain_json, scalars_in
from grice.matching.selector import Parse
from grice.records import Conversation, JsonValue, Reply, Turn
from grice.text import shorten, value_text, visible
from grice.text.suggest import nearest


class Missing:
    """The type of MISSING, the one value for what a path did not find."""

    __module__ = "grice"
    __slots__ = ()

    def __new__(cls) -> Missing:  # noqa: D102
        return _the_one

    def __repr__(self) -> str:
        return "MISSING"

    def __bool__(self) -> bool:
        return False

    def __copy__(self) -> Missing:
        return self

    def __deepcopy__(self, memo: object) -> Missing:
        return self

    def __reduce__(self) -> str:
        return "MISSING"


_the_one = object.__new__(Missing)

MISSING: Final = _the_one

"""What a path gives that resolves nothing. It is falsy, equals only itself, and is not None."""
NOTHING_RESOLVED = "nothing resolved"

MAX_PATH = 200

MAX_NAMES = 200

MAX_NAME = 60


class Found(msgspec.Struct, frozen=True):
    """What a path found: `values`, in order; [MISSING] when it resolved nothing, and `why` then.

    `place` says where the value of an index stands, as a JSON path; of a single value it is the `location`.
    """

    values: Sequence[Any]
    places: Sequence[Place] = ()
    why: str = ""
    location: str = "$"

    @property
    def unresolved(self) -> bool:
        """Whether nothing was found."""
        return bool(self.why)

    def place(self, index: int) -> str:
        """The JSON path of the value; "$" for the subject itself."""
        return self.places[index].location if index < len(self.places) else self.location

    @property
    def names(self) -> set[str]:
        """The names on the JSON paths of its values, or the whole path of the only one."""
        return {name for one in self.places for name in one.names} if self.places else {self.location}


def _instead(missed: NearMiss) -> str:
    """The name that was meant, of those that the values have, or the matcher that counts."""
    if missed.name in ("length", "size") and any(isinstance(one, list | str) for one in missed.values):
        return ": a path has no lengths, toHaveLength counts what stands before it"
    names = {name: None for one in missed.values if isinstance(one, dict) for name in islice(one, MAX_NAMES)}
    if meant := nearest(missed.name, names):
        asked, meant = (visible(shorten(name, MAX_NAME), newlines=False) for name in (missed.name, meant))
        return f": there is no '{asked}' (did you mean '{meant}'?)"
    return ""


class Source:
    """A subject in which paths find values. A text or record is read as JSON at most once."""

    def __init__(self, subject: object, parse: Parse = "auto") -> None:
        self.subject = subject
        self.parse: Parse = parse
        self._value: JsonValue = MISSING
        self._why: str | None = None

    def find(self, path: str, deadline: Deadline | None = None) -> Found:
        """What the path finds. Raises PathError for a path that cannot be used, or not on this value.

        `$` is the subject as it is, unless the text was asked to be read as JSON.
        """
        compiled = compile_path(path)
        subject = self.subject
        is_text = isinstance(subject, (str, Reply, Turn))
        if compiled.normalized == "$" and (self.parse in ("auto", "text") or not is_text):
            return Found([subject])
        if is_text and self.parse == "text":
            raise PathError(f"{compiled.normalized} goes into JSON, and parse='text' leaves the text alone")
        value = self._json() if is_text else subject
        if compiled.location and value is not MISSING:
            found = compiled.at_once(value)
            if found is not NOTHING:
                return Found([self._handed_out(found)], location=compiled.location)
        if places := self._said_in_conversation(compiled, deadline):
            return Found([self._handed_out(place.value) for place in places], places)
        value = self._json()
        if value is MISSING:
            return Found([MISSING], why=f"{NOTHING_RESOLVED}: {self._why}")
        if not is_json(value):
            raise PathError(f"a path goes into JSON values, found {value_text(value)}")
        if deadline is not None:
            deadline.begin()
        places = compiled.find_places(value, deadline)
        if not places:
            shown = visible(shorten(compiled.normalized, MAX_PATH), newlines=False)
            return Found([MISSING], why=f"{NOTHING_RESOLVED} at {shown}")
        return Found([self._handed_out(place.value) for place in places], places)

    def near_miss(self, path: str) -> str:
        """What to write instead of a path that found nothing; "" where nobody knows. Never raises."""
        try:
            value = self._json()
            missed = None if value is MISSING else compile_path(path).near_miss(value)
            return "" if missed is None else _instead(missed)
        except Exception:  # a value of somebody's own class can raise anywhere
            return ""

    def _handed_out(self, found: JsonValue) -> JsonValue:
        """What matchers get: what they do with a list or object of a text, others do not see."""
        if self.parse == "json" and isinstance(found, str) and found.lstrip().startswith(("{", "[")):
            with suppress(NotJson):
                return parse_json(found)
        if is_scalar(found):
            return found
        is_shared = isinstance(self.subject, (str, Reply, Turn))
        return copied(found) if is_shared else plain_json(found)

    def _said_in_conversation(self, compiled: CompiledPath, deadline: Deadline | None) -> list[Place]:
        """The texts that a plain path finds in a conversation; [] where it has to be read as JSON."""
        if self._why is not None or not isinstance(self.subject, Conversation):
            return []
        if deadline is not None:
            deadline.begin()
        return [Place(node) for node in scalars_in(self.subject, compiled.steps)]

    def _json(self) -> JsonValue:
        """The subject as a JSON value; MISSING for a text that is none, and then `_why` says why."""
        if self._why is None:
            self._why = ""
            try:
                self._value = self._read()
            except NotJson as error:
                self._why = str(error)
        return self._value

    def _read(self) -> JsonValue:
        subject = self.subject
        if isinstance(subject, (Reply, Turn)):
            subject = subject.text
        if isinstance(subject, str):
            return parsed_once(subject, self.parse)
        record = None if isinstance(subject, (dict, list)) else record_of(subject)
        return plain_json(record if record is not None else subject)


class NoData(Source):
    """The data of a reply that has none: no path finds anything in it, `$` neither."""

    def find(self, path: str, deadline: Deadline | None = None) -> Found:  # noqa: ARG002 - as its base has it
        """Nothing."""
        return Found([MISSING], why=f"{NOTHING_RESOLVED}: the agent returned no data with this reply")
