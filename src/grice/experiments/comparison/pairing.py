"""Which attempts of two experiments belong together: those of the same scenario, by its stable id."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from grice.experiments.attempts import Attempt
from grice.records import Outcome


@dataclass(frozen=True)
class Pair:
    """One scenario that both experiments have, with the attempts that count; repeats are a cluster.

    `name` is its key, with its set, else its id, where several scenarios have that key. `lost_before` and
    `lost_now` are how many attempts of each side do not count, skipped ones too.
    """

    id: str
    name: str
    baseline: tuple[Attempt, ...]
    current: tuple[Attempt, ...]
    lost_before: int = 0
    lost_now: int = 0

    @property
    def scripted(self) -> bool:
        """Whether both sides ran it once, and no user was played."""
        every = (*self.baseline, *self.current)
        return len(every) + self.lost_before + self.lost_now == 2 and not any(one.simulated for one in every)


@dataclass(frozen=True)
class Paired:
    """What two experiments share, in the order of the current one, and sorted the names of what they do not.

    Each side of a pair has at least one attempt. `edited` are pairs whose content differs, `unknown_data`
    those of which one side does not tell it. `uncounted` are shared ones of which one side has no attempt
    that counts; these are not among the pairs. `added_failing` are added ones of which attempts count and
    none passed. Those that both sides skipped are left out. `shared` has
    the ids of the pairs and of these.
    """

    pairs: tuple[Pair, ...]
    added: tuple[str, ...] = ()
    added_failing: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    edited: tuple[str, ...] = ()
    uncounted: tuple[str, ...] = ()
    unknown_data: tuple[str, ...] = ()
    shared: frozenset[str] = frozenset()


def pair_up(baseline: Iterable[Attempt], current: Iterable[Attempt]) -> Paired:
    """Pair the attempts of two experiments by stable id."""
    before, after = _by_id(baseline), _by_id(current)
    names = _names({**_named(after), **_named(before)})
    shared = [one for one in after if one in before]
    pairs = [_pair(one, names[one], before[one], after[one]) for one in shared]
    whole = tuple(pair for pair in pairs if pair.baseline and pair.current)
    data = {pair.name: (_data(pair.baseline), _data(pair.current)) for pair in whole}
    rest = (pair for pair in pairs if not (pair.baseline and pair.current))
    return Paired(
        pairs=whole,
        added=_sorted(names[one] for one in after.keys() - before.keys()),
        added_failing=tuple(names[one] for one in after if one not in before and _failed(after[one])),
        removed=_sorted(names[one] for one in before.keys() - after.keys()),
        edited=_sorted(name for name, (old, new) in data.items() if old and new and old != new),
        uncounted=_sorted(
            pair.name for pair in rest if not all(map(_is_skipped, (before[pair.id], after[pair.id])))
        ),
        shared=frozenset(shared),
        unknown_data=_sorted(name for name, (old, new) in data.items() if bool(old) is not bool(new)),
    )


def _pair(one: str, name: str, before: Sequence[Attempt], after: Sequence[Attempt]) -> Pair:
    old, new = _counted(before), _counted(after)
    return Pair(one, name, old, new, len(before) - len(old), len(after) - len(new))


def _failed(attempts: Iterable[Attempt]) -> bool:
    counted = _counted(attempts)
    return bool(counted) and not any(one.passed for one in counted)


def _is_skipped(attempts: Iterable[Attempt]) -> bool:
    return all(one.outcome is Outcome.SKIPPED for one in attempts)


def _by_id(attempts: Iterable[Attempt]) -> dict[str, list[Attempt]]:
    found: dict[str, list[Attempt]] = {}
    for attempt in attempts:
        found.setdefault(attempt.id, []).append(attempt)
    return found


def _counted(attempts: Iterable[Attempt]) -> tuple[Attempt, ...]:
    return tuple(sorted((one for one in attempts if one.counted), key=lambda one: one.repeat))


def _data(attempts: Iterable[Attempt]) -> set[str]:
    return {one.fingerprint for one in attempts if one.fingerprint}


def _named(by_id: Mapping[str, Sequence[Attempt]]) -> dict[str, tuple[str, str]]:
    """The key and the set by stable id."""
    return {one: (attempts[0].key, attempts[0].set_name) for one, attempts in by_id.items()}


def _names(named: Mapping[str, tuple[str, str]]) -> dict[str, str]:
    """A name for each stable id that no other has: the key, and where that takes it its set, else its id."""
    keys = Counter(key for key, _ in named.values())
    both = Counter(named.values())
    names: dict[str, str] = {}
    for one, (key, set_name) in named.items():
        if keys[key] == 1:
            names[one] = key
        elif set_name and both[key, set_name] == 1:
            names[one] = f"{key} ({set_name})"
        else:
            names[one] = f"{key} ({one})"
    return names


def _sorted(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(names))
