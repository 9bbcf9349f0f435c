"""Which of several results of one scenario and repeat counts.

A repeat is asked once. What asks it again until the answer is better (a plugin that runs failed tests again)
would measure the retries and not the agent. So of several answers the worse one counts. Only a run that was
resumed asks anew: its scenario was edited in the meantime.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, Protocol

from grice.records import Outcome

Key = tuple[str, int]
"""Stable id, and repeat from 1."""

Place = tuple[str, int]
"""The name of a file, and a line in it from 1."""


class Finished(Protocol):
    """What is asked of a result here."""

    @property
    def id(self) -> str:
        """The stable id."""
        ...

    @property
    def key(self) -> str:
        """The name of the scenario or test."""
        ...

    @property
    def repeat(self) -> int:
        """Which repeat it is, from 1."""
        ...

    @property
    def outcome(self) -> Outcome:
        """What came of it."""
        ...

    @property
    def counts(self) -> bool:
        """Whether it says something about the agent."""
        ...


_BADNESS = (Outcome.FAIL, Outcome.ERROR, Outcome.INCONCLUSIVE, Outcome.PASS)
_NAMED = 3


class _Session(NamedTuple):
    """When a session began, which all workers say alike; the heads in the file so far; whether it resumed."""

    moment: str = ""
    number: int = 0
    is_resumed: bool = False


class _Entry(NamedTuple):
    """A result that may count. The least rank does."""

    place: Place
    rank: int
    outcome: Outcome
    digest: int
    name: str
    session: _Session


class _Several:
    """What has several results in one way: its name, and whether they have several outcomes."""

    def __init__(self) -> None:
        self._found: dict[Key, tuple[str, bool]] = {}

    def add(self, key: Key, name: str, *, differs: bool = False) -> None:
        """Remember it, once."""
        self._found[key] = name, differs or self._found.get(key, ("", False))[1]

    def told(self, what: str, *, outcomes: bool = True) -> Iterator[str]:
        """The note about it, the first few by name; none where there is nothing."""
        if not self._found:
            return
        number, names = len(self._found), [name for name, _ in self._found.values()]
        named = f"{', '.join(names[:_NAMED])}{f' and {number - _NAMED} more' if number > _NAMED else ''}"
        differing = sum(differs for _, differs in self._found.values()) or "none"
        end = f"; {differing} with another outcome" if outcomes else ""
        yield f"{number} {'result' if number == 1 else 'results'} {what}: {named}{end}"


class ResultSelector:
    """The results that count among those that were read so far, and notes about others.

    Of several results of one id and repeat in one session, or in several files, the worse one counts: fail,
    then error, inconclusive, pass. One that does not count gives way to one that does, and one that was
    skipped to every other. A result of a session that resumed the run takes the place of an earlier one.
    """

    def __init__(self) -> None:
        self._standing: dict[Key, _Entry] = {}
        self._own: dict[Key, _Entry] = {}  # of the file that is read
        self._session = _Session()
        self._again = _Several()
        self._elsewhere = _Several()
        self._replaced = _Several()
        self._copies = _Several()

    def take(self, result: Finished, place: Place, digest: int) -> bool:
        """Take the next result of the file that is read; whether it counts there so far.

        `digest` is that of its line.
        """
        key, name = (result.id, result.repeat), f"{result.key} (repeat {result.repeat})"
        new = _Entry(place, _rank(result), result.outcome, digest, name, self._session)
        old = self._own.get(key)
        if old is not None and old.digest == digest:
            self._copies.add(key, name)
            self._own[key] = old._replace(session=self._session)
            return False
        if old is not None:
            same_session = old.session == self._session
            several = self._again if same_session else self._replaced
            several.add(key, name, differs=old.outcome is not new.outcome)
            if same_session and old.rank <= new.rank:
                return False
        self._own[key] = new
        return True

    def begin_session(self, moment: str, finished_before: int) -> None:
        """What follows in this file is of a session that began then, whatever the clock said before.

        It resumed the run where something was finished before, in this file or in another.
        """
        before, number, _ = self._session
        self._session = _Session(max(before, moment), number + 1, number > 0 or finished_before > 0)

    def end_file(self) -> None:
        """The file is read: of its results and those of other files the worse one counts, or the later one
        where its session resumed the run.
        """
        for key, one in self._own.items():
            other = self._standing.setdefault(key, one)
            if other is one:
                continue
            if other.digest == one.digest:
                self._copies.add(key, one.name)
                continue
            worse = min(other, one, key=lambda each: each.rank)
            later = max(other, one, key=lambda each: each.session.moment)
            is_replaced = later.session.is_resumed and other.session.moment != one.session.moment
            several = self._replaced if is_replaced else self._elsewhere
            several.add(key, one.name, differs=other.outcome is not one.outcome)
            self._standing[key] = later if is_replaced else worse
        self._own, self._session = {}, _Session()

    @property
    def places(self) -> dict[Key, Place]:
        """Where each result that counts stands, in the files that are read."""
        return {key: one.place for key, one in self._standing.items()}

    def __contains__(self, key: Key) -> bool:
        """Whether there is a result of it."""
        return key in self._standing

    def __len__(self) -> int:
        return len(self._standing)

    def notes(self) -> Iterator[str]:
        """What had several results, in which way, and how many of it had several outcomes."""
        worse = "of which the worse one counts"
        yield from self._again.told(f"run again in the same session, {worse}")
        yield from self._elsewhere.told(f"with another result in another file, {worse}")
        yield from self._replaced.told("replaced by a later one when the run was resumed")
        copied = "found twice, word for word, as in a copied file, and counted once"
        yield from self._copies.told(copied, outcomes=False)


def _rank(result: Finished) -> int:
    """The least one counts."""
    if result.outcome is Outcome.SKIPPED:
        return 2 * len(_BADNESS)
    return _BADNESS.index(result.outcome) + (0 if result.counts else len(_BADNESS))
