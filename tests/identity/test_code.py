"""What changes the fingerprint of code, and what does not."""

import functools
import importlib.util
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest

from grice.identity.code import code_data, code_fingerprint, code_name, has_assertion, name_of_code

Load = Callable[..., Any]


@pytest.fixture
def load(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Load:
    """The object of that name in a module with the source, each time in a file of its own."""
    count = iter(range(100))

    def load(source: str, name: str = "f") -> Any:
        path = tmp_path / f"module{next(count)}.py"
        path.write_text(source)
        spec = importlib.util.spec_from_file_location(path.stem, path)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        monkeypatch.setitem(sys.modules, path.stem, module)
        spec.loader.exec_module(module)
        return functools.reduce(getattr, name.split("."), module)

    return load


PLAIN = "def f(conversation):\n    return len(conversation.turns) > 3\n"


@pytest.mark.parametrize(
    "source",
    [
        "import os\n\n\n# above\n" + PLAIN,
        "def f(conversation):\n    # why\n\n    return len(conversation.turns) > 3  # so\n",
        "def f(conversation):\n        return (\n            len(conversation.turns)\n            > 3)\n",
        'def f(conversation):\n    """What it does."""\n    return len(conversation.turns)>3\n',
        "if True:\n  def f(conversation):\n    return len(conversation.turns) > 3\n",
        "def f(other): pass\n" + PLAIN,
    ],
)
def test_layout_comments_docstrings_and_place_make_no_difference(load: Load, source: str) -> None:
    assert code_fingerprint(load(source)) == code_fingerprint(load(PLAIN))


@pytest.mark.parametrize(
    "source",
    [
        PLAIN.replace("3", "4"),
        PLAIN.replace("3", "3.0"),
        PLAIN.replace(">", ">="),
        PLAIN.replace("conversation", "talk"),
        PLAIN.replace("len(conversation.turns) > 3", "'len(conversation.turns) > 3'"),
        "import functools\n@functools.lru_cache\n" + PLAIN,
        "async " + PLAIN,
        PLAIN + "    return 1\n",
    ],
)
def test_what_it_does_makes_one(load: Load, source: str) -> None:
    assert code_fingerprint(load(source)) != code_fingerprint(load(PLAIN))


def test_lambdas_of_one_line_are_told_apart(load: Load) -> None:
    source = "f = [lambda c: c > 1, lambda c: c > 2, lambda c: (lambda d: d > 1)(c), lambda d: d > 1]\n"
    made = load(source)
    assert len({code_fingerprint(one) for one in made}) == 4
    moved = load("rule = dict\nf = [\n  lambda c: c > 2,\n  lambda c: c>1,  # first\n]\n")
    assert [code_fingerprint(one) for one in moved] == [code_fingerprint(one) for one in (made[1], made[0])]


def test_a_method_and_an_object_that_is_called_count_by_their_source(load: Load) -> None:
    source = "class C:\n    def __call__(self, x): return x\n    def method(self, x): return x\n"
    other = source.replace("(self, x): return x\n    def", "(self, x): return -x\n    def")
    one, two = load(source, "C"), load(other, "C")
    assert code_fingerprint(one()) == code_fingerprint(one) != code_fingerprint(two())
    assert code_fingerprint(one().method) == code_fingerprint(two().method) != code_fingerprint(one())


def test_what_a_partial_is_given_counts(load: Load) -> None:
    function = load("def f(least, conversation, *, most=9):\n    return True\n")
    given = functools.partial
    made = [function, given(function, 3), given(function, 4), given(function, most=3)]
    assert len({code_fingerprint(one) for one in made}) == 4
    one, other = given(function, object()), given(function, object())
    assert code_fingerprint(one) == code_fingerprint(other)


def test_a_decorated_function_is_the_one_inside(load: Load) -> None:
    inner = "    @functools.wraps(g)\n    def inner(*a): return g(*a)\n    return inner\n"
    around = f"import functools\ndef deco(g):\n{inner}"
    one, two = (load(f"{around}@deco\n{PLAIN.replace('3', number)}") for number in "34")
    assert code_fingerprint(one) != code_fingerprint(two)


def test_classes_within_functions_are_found(load: Load) -> None:
    source = "def make():\n    class Plan:\n        number = 1\n    return Plan\nf = make()\n"
    assert code_fingerprint(load(source)) != code_fingerprint(load(source.replace("1", "2")))


@pytest.mark.slow
def test_code_without_readable_source_counts_by_its_name(load: Load, tmp_path: Path) -> None:
    names: dict[str, Any] = {}
    exec("def f(x): return x\ndef g(x): return x", names)
    assert code_fingerprint(names["f"]) != code_fingerprint(names["g"])
    assert code_fingerprint(len) == code_fingerprint(len) != code_fingerprint(print)
    assert code_fingerprint(Mock()).startswith("sha256:")
    function = load(PLAIN)
    before = code_fingerprint(function)
    Path(function.__code__.co_filename).write_text("def (")
    assert code_fingerprint(function) != before


def test_it_is_marked_opaque(load: Load) -> None:
    function = load(PLAIN)
    assert code_data(function) == {"opaque": code_fingerprint(function)}


def test_names_for_heads_do_not_follow_the_line_and_those_for_messages_do(load: Load) -> None:
    made = load("\n\nf = lambda c: c\n")
    assert code_name(made) == "<lambda>"
    assert name_of_code(made).endswith(".py:3")
    assert code_name(load("def make():\n    def inner(): pass\n    return inner\nf = make()\n")) == "inner"
    assert code_name(functools.partial(load("class C:\n    def m(self): pass\n", "C.m"), 1)) == "C.m"


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("def f(x):\n    assert x\n", True),
        ("async def f(x):\n    if x:\n        raise AssertionError(x)\n", True),
        ("import functools\ndef g(x):\n    assert x\nf = functools.partial(g, 1)\n", True),
        ("class C:\n    def __call__(self, x):\n        assert x\nf = C()\n", True),
        ("def holds(x):\n    assert x\ndef f(x):\n    holds(x)  # assert\n", False),
        ("f = lambda x: x\n", False),
        ("f = len\n", False),
    ],
)
def test_assertions_are_those_that_stand_in_the_source(load: Load, source: str, found: bool) -> None:
    assert has_assertion(load(source)) is found


def test_what_cannot_be_read_has_no_assertion(load: Load) -> None:
    function = load("def f(x):\n    assert x\n")
    Path(function.__code__.co_filename).write_text("def (")
    assert not has_assertion(function)
