"""`@scenarios` as a value and as a decorator."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from grice.files.scenario_marks import scenarios, scenarios_of
from grice.files.scenario_sets import ScenarioErrors, load_scenarios

CALLS: list[str] = []


def counted() -> Iterator[dict[str, object]]:
    CALLS.append("read")
    yield {"id": "a"}


def test_a_decorated_test_stays_what_it_is_and_has_scenarios() -> None:
    def tries(scenario: object) -> None:
        raise AssertionError

    assert scenarios_of(tries) is None
    assert scenarios([{"id": "a"}], name="mine")(tries) is tries
    found = scenarios_of(tries)
    assert found is not None
    assert (found.name, found.keys) == ("mine", ("a",))


def test_the_source_is_read_once_and_not_before_it_is_needed() -> None:
    CALLS.clear()
    declared = scenarios(counted())

    @declared
    def one() -> None: ...

    @declared
    def other() -> None: ...

    assert CALLS == []
    assert scenarios_of(one) is scenarios_of(other) is declared.load()
    assert CALLS == ["read"]


def test_errors_are_kept_too() -> None:
    declared = scenarios(record for record in [1])
    messages = []
    for _ in range(2):
        with pytest.raises(ScenarioErrors) as caught:
            declared.load()
        messages.append(str(caught.value))
    assert messages == ["inline: [0]: expected an object, found the number 1"] * 2


def test_a_relative_path_begins_at_the_file_with_the_decorator(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert scenarios("x/venues.json").folder == Path(__file__).parent


def test_a_class_gives_its_tests_scenarios() -> None:
    @scenarios([{"id": "a"}])
    class Group:
        def method(self) -> None: ...

    class Inner(Group):
        pass

    for owner in (Group, Inner):
        found = scenarios_of(owner.method, owner)
        assert found is not None
        assert found.keys == ("a",)


def test_two_sets_on_one_test_are_refused() -> None:
    first, second = scenarios([{"id": "a"}]), scenarios([{"id": "b"}])

    @first
    def tries() -> None: ...

    with pytest.raises(TypeError, match=r"tries has two @scenarios; put all its scenarios into one set"):
        second(tries)

    @second
    class Group:
        method = tries

    with pytest.raises(TypeError, match=r"tries and its class .*Group both have @scenarios; keep one"):
        scenarios_of(Group.method, Group)


def test_a_decorator_without_its_parentheses_is_refused() -> None:
    def test_it(scenario: object) -> None: ...

    class TestGroup: ...

    for target in (test_it, TestGroup):
        with pytest.raises(TypeError, match=r"write @scenarios\(\.\.\.\) with a file or a list"):
            scenarios(target)  # type: ignore[arg-type]


def test_what_is_no_test_and_no_name_is_refused() -> None:
    with pytest.raises(TypeError, match="@scenarios stands before a test or a class, found 3"):
        scenarios([{"id": "a"}])(3)
    for make in (scenarios, load_scenarios):
        with pytest.raises(TypeError, match="the name of a scenario set is a text, found 3"):
            make([{"id": "a"}], name=3)  # type: ignore[arg-type]
