"""Tests that are run several times, as a measurement: `--grice-repeat N`."""

from __future__ import annotations

import pytest

ARGUMENT = "grice_repeat"
_CONVERSATIONS = frozenset({"conversation", "async_conversation"})


class Repeats:
    """Makes of each test that holds a conversation as many as are asked for, named `test_it[repeat-2]`."""

    def __init__(self, count: int) -> None:
        self._count = count

    @pytest.hookimpl(trylast=True)  # the repeat stands last in the ids
    def pytest_generate_tests(self, metafunc: pytest.Metafunc) -> None:
        """Run the test once for each repeat."""
        if not _CONVERSATIONS.isdisjoint(metafunc.fixturenames):
            metafunc.fixturenames.append(ARGUMENT)
            numbers = range(1, self._count + 1)
            metafunc.parametrize(ARGUMENT, numbers, ids=[_id(number) for number in numbers])


def repeated(config: pytest.Config, name: str) -> list[tuple[str, int]]:
    """The names and repeats of the items that a golden or scenario of that name becomes."""
    count: int = config.option.grice_repeat
    if count == 1:
        return [(name, 1)]
    return [(f"{name}[{_id(number)}]", number) for number in range(1, count + 1)]


def repeat_of(item: pytest.Item) -> int:
    """Which repeat of its test the item is, from 1."""
    callspec = getattr(item, "callspec", None)
    if callspec is not None and ARGUMENT in callspec.params:
        return int(callspec.params[ARGUMENT])
    return int(getattr(item, "repeat", 1))


def other_ids(item: pytest.Item) -> list[str]:
    """The ids of the parameters of a test, in order, but for that of its repeat."""
    callspec = getattr(item, "callspec", None)
    ids = list(callspec._idlist) if callspec is not None else []
    return ids[:-1] if callspec is not None and ARGUMENT in callspec.params else ids


def own_name(item: pytest.Item) -> str:
    """The names of the item's classes and itself, as in its node id, without its repeat."""
    name = item.nodeid.partition("::")[2]
    last = _id(repeat_of(item))
    for end, rest in ((f"[{last}]", ""), (f"-{last}]", "]")):
        if name.endswith(end):
            return name.removesuffix(end) + rest
    return name


def _id(number: int) -> str:
    return f"repeat-{number}"
