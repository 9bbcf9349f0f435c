"""A cassette in use: it plays what is recorded, and records what is new."""

from __future__ import annotations

import os
import threading
from collections import defaultdict, deque
from collections.abc import Iterable, Mapping, Sequence
from os import PathLike
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import msgspec
from msgspec import UNSET, UnsetType

from grice.identity import fingerprint
from grice.records import JsonValue, clean_json
from grice.wire.cassettes.comparing import Recorded, describe_difference
from grice.wire.cassettes.errors import RERECORD, CassetteError, NotRecorded
from grice.wire.cassettes.missing import StaleCall, missing_file, not_recorded, stale_call, used_up
from grice.wire.cassettes.reading import read_tape
from grice.wire.cassettes.scrub import read_scrubs, scrubber, without_secrets
from grice.wire.cassettes.tape import KINDS, Behaviour, Entry, Header, Kind, Tape, behaviour, write_tape

_encode = msgspec.json.encode
_decode = msgspec.json.decode


class Cassette:
    """The recorded calls of one test. Several threads and tasks may use it at once.

    `finish` ends it and writes the file when something was recorded; `discard` ends it without. As a context
    manager it is finished at the end, and discarded when an exception that is no Exception, such as Ctrl-C,
    ends the block.
    """

    def __init__(
        self, path: Path, does: Behaviour, header: Header, old: Tape | None, scrub: Sequence[object]
    ) -> None:
        """Use `Cassette.open`; `old` is what the file holds, None when there is none."""
        self.path = path
        self._does = does
        self._header = header
        self._old = old
        rules = read_scrubs(scrub)
        self._scrub = scrubber(rules)
        self._entries = old.entries if old is not None and does.plays else ()
        self._places: dict[tuple[Kind, str], deque[int]] = defaultdict(deque)
        for place, entry in enumerate(self._entries):
            key = fingerprint(self._scrub(entry.request)) if rules else entry.key
            self._places[entry.kind, key].append(place)
        self._recorded = {key: len(places) for key, places in self._places.items()}
        self._asked: dict[tuple[Kind, str], int] = defaultdict(int)
        self._used: set[int] = set()
        self._begun: list[Call] = []
        self._lock = threading.Lock()
        self._ended = False

    @classmethod
    def open(
        cls,
        path: str | PathLike[str],
        mode: str = "auto",
        *,
        test: str = "",
        kinds: Iterable[str] = KINDS,
        scrub: Sequence[object] = (),
        environ: Mapping[str, str] | None = None,
    ) -> Self:
        """The cassette in that file, whether it exists or not, see `behaviour` for the modes.

        `test` names whose calls are recorded, `kinds` which traffic; a cassette that is played says itself
        what it has. `scrub` are rules for requests, see `read_scrubs`. Raises CassetteError for a file that
        is broken, unless it is recorded anew or not touched, ValueError for an unknown mode, ScrubError for a
        bad rule.
        """
        place = Path(path)
        does = behaviour(mode, exists=_is_there(place), environ=os.environ if environ is None else environ)
        old = _tape(place, lenient=not does.plays) if does.plays or does.records else None
        header = Header(1, test=_text(test), kinds=_kinds(kinds))
        if old is not None and does.plays:
            both = (*old.header.kinds, *header.kinds) if does.records else old.header.kinds
            header = msgspec.structs.replace(old.header, kinds=_kinds(both))
        return cls(place, does, header, old, scrub)

    @property
    def mode(self) -> str:
        """The mode in force."""
        return self._does.mode

    @property
    def strict(self) -> bool:
        """Whether what is not recorded is an error."""
        return self._does.plays and not self._does.records

    @property
    def kinds(self) -> tuple[Kind, ...]:
        """The traffic that goes through the cassette; none when it only watches."""
        return self._header.kinds if self._does.plays or self._does.records else ()

    def has(self, kind: Kind) -> bool:
        """Whether it can play a call of that kind."""
        return any(entry.kind == kind for entry in self._entries)

    def model_of(self, kind: Kind) -> tuple[str, str]:
        """The provider and the model of the first recorded call of that kind; "" for unknown."""
        first = next((entry.request for entry in self._entries if entry.kind == kind), {})
        return str(first.get("provider", "")), str(first.get("model", ""))

    def begin(self, kind: Kind, request: Mapping[str, Any], purpose: str = "", subject: str = "") -> Call:
        """Begin a call: `response` is the recorded answer, else UNSET; then ask live and `record` the answer.

        Equal requests get the recorded answers in their order. Raises NotRecorded when nothing is recorded
        and the cassette is strict, or when it has ended.
        """
        if kind not in self.kinds:
            return Call(None, UNSET, "")
        wanted = self._canonical(request)
        key = kind, fingerprint(wanted)
        with self._lock:
            if self._ended:
                raise NotRecorded(
                    f"{self.path}: a {kind} call came after the end of the test, as in a fixture's teardown, "
                    "and the cassette ends with the test: ask it in the test"
                )
            self._asked[key] += 1
            if places := self._places.get(key):
                place = places.popleft()
                self._used.add(place)
                entry = self._entries[place]
                return Call(None, entry.response, f"{self.path}:{entry.line}")
            entry = Entry(kind, key[1], wanted, None, _text(purpose), _text(subject))
            if not self._does.records:
                raise self._missing(entry, key)
            call = Call(entry, UNSET, "")
            self._begun.append(call)
            return call

    @property
    def unused(self) -> tuple[Entry, ...]:
        """The recorded calls that were not made yet."""
        with self._lock:
            return tuple(entry for place, entry in enumerate(self._entries) if place not in self._used)

    def findings(self) -> tuple[StaleCall, ...]:
        """What is wrong with the cassette after a whole run: recorded calls that the test did not make."""
        return tuple(stale_call(self.path, entry) for entry in self.unused)

    def finish(self, *, whole: bool = True) -> Recorded | None:
        """End the cassette and write what was recorded; what changed, None when nothing did.

        Calls stand in the order in which they were begun, judges' behind the others, as these may run in the
        background; those without an answer are left out. What differs in times only is not written, and the
        file of a `whole` run that is recorded anew and makes no call is removed. What is recorded later is
        not kept. Raises CassetteError when the file cannot be written.
        """
        with self._lock:
            new = [] if self._ended else [call.entry for call in self._begun if call.entry and call.answered]
            self._ended = True
        if not new:
            return self._removed() if whole and self.mode == "all" and not self._begun else None
        new.sort(key=lambda entry: entry.kind == "judge")
        written = Tape(str(self.path), self._header, (*self._entries, *new))
        recorded = describe_difference(self._old, written)
        if self._old is not None and not (recorded.added or recorded.removed or recorded.changed):
            return None
        write_tape(self.path, self._header, written.entries)
        return recorded

    def _removed(self) -> Recorded | None:
        """Remove the file, whose calls nobody makes any more."""
        if self._old is None:
            return None
        recorded = describe_difference(self._old, Tape(str(self.path), self._header, ()))
        try:
            self.path.unlink(missing_ok=True)
        except OSError as error:
            raise CassetteError(f"{self.path}: the cassette cannot be removed: {error.strerror}") from error
        return recorded

    def discard(self) -> None:
        """End the cassette and write nothing."""
        with self._lock:
            self._ended = True

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is None or isinstance(error, Exception):
            self.finish()
        else:
            self.discard()

    def _canonical(self, request: Mapping[str, Any]) -> dict[str, JsonValue]:
        """The request as it is compared and written: JSON, without secrets and what is scrubbed."""
        clean: dict[str, JsonValue] = without_secrets(_as_plain_data(request))
        scrubbed: dict[str, JsonValue] = self._scrub(clean)
        return clean if scrubbed is clean else without_secrets(scrubbed)  # scrubbing may uncover one

    def _missing(self, entry: Entry, key: tuple[Kind, str]) -> Exception:
        if self._old is None:
            return missing_file(self.path, entry)
        if known := self._recorded.get(key):
            return used_up(self.path, entry, known, self._asked[key])
        free = [one for place, one in enumerate(self._entries) if place not in self._used]
        used = [one for place, one in enumerate(self._entries) if place in self._used]
        return not_recorded(self.path, entry, free, used)


class Call:
    """One call that goes through a cassette. `response` is what is recorded, UNSET when it has to be asked.

    `where` names file and line of what is recorded, for messages.
    """

    __slots__ = ("answered", "entry", "response", "where")

    def __init__(self, entry: Entry | None, response: JsonValue | UnsetType, where: str) -> None:
        self.entry = entry
        self.response = response
        self.where = where
        self.answered = False

    @property
    def replayed(self) -> bool:
        """Whether `response` is what is recorded."""
        return self.response is not UNSET

    def record(self, response: object) -> None:
        """Keep the answer, without secrets, in place of an earlier one, if anything is recorded."""
        if self.entry is not None:
            self.entry = msgspec.structs.replace(
                self.entry, response=without_secrets(_as_plain_data(response))
            )
            self.answered = True


def unreadable(call: Call, whose: str, error: Exception) -> NotRecorded:
    """The error for a recorded answer that no LLM, agent or tool gives."""
    return NotRecorded(f"{call.where}: the recorded answer is none of {whose}: {error}; {RERECORD}")


def _as_plain_data(value: object) -> Any:
    """The value as it comes back from JSON."""
    return _decode(_encode(clean_json(value)))


def _text(tag: str) -> str:
    return str(without_secrets(clean_json(tag)))


def _is_there(path: Path) -> bool:
    try:
        return path.exists()
    except OSError as error:
        raise CassetteError(f"{path}: the cassette cannot be read: {error.strerror}") from error


def _tape(path: Path, *, lenient: bool) -> Tape | None:
    """What the file holds, None without one; when `lenient`, also None for one that is broken."""
    try:
        return read_tape(path)
    except FileNotFoundError:
        return None
    except CassetteError:
        if lenient:
            return None
        raise


def _kinds(kinds: Iterable[str]) -> tuple[Kind, ...]:
    wanted = tuple(kinds)
    for kind in wanted:
        if kind not in KINDS:
            raise ValueError(f"unknown kind {kind!r} of traffic, expected one of {', '.join(KINDS)}")
    return tuple(kind for kind in KINDS if kind in wanted)
