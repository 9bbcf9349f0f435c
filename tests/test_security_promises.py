"""Nothing is promised in docs/security.md without a test: each point of a list names its own."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "security.md"
_NAMED = re.compile(r"<!-- test: (\S+)::(\S+) -->")


def promises(text: str) -> Iterator[tuple[str, list[tuple[str, str]]]]:
    """Each point of a list with the tests that it names, as file and name."""
    for point in re.findall(r"^[-*] .*(?:\n  .*)*", text, re.MULTILINE):
        yield " ".join(_NAMED.sub("", point).split()), _NAMED.findall(point)


PROMISES = list(promises(PAGE.read_text("utf-8")))


def names_in(file: Path) -> set[str]:
    """The names of the tests of a file; those of a class stand behind its name."""
    found = set()
    for node in ast.parse(file.read_text("utf-8")).body:
        if isinstance(node, ast.ClassDef):
            found |= {f"{node.name}::{one.name}" for one in node.body if isinstance(one, ast.FunctionDef)}
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            found.add(node.name)
    return {name for name in found if name.rpartition("::")[2].startswith("test_")}


def test_a_point_and_its_tests_are_found() -> None:
    text = "Text.\n\n- One\n  goes on.\n  <!-- test: a.py::test_b -->\n- Two.\n\nMore.\n"
    assert list(promises(text)) == [("- One goes on.", [("a.py", "test_b")]), ("- Two.", [])]


def test_the_page_promises_something() -> None:
    assert len(PROMISES) > 15


@pytest.mark.parametrize(("promise", "named"), PROMISES, ids=[promise[2:60] for promise, _ in PROMISES])
def test_a_promise_has_a_test(promise: str, named: list[tuple[str, str]]) -> None:
    assert named, f"docs/security.md promises {promise!r} and names no test: write <!-- test: file::name -->"
    for file, test in named:
        assert (ROOT / file).is_file(), f"{promise}: there is no {file}"
        assert test in names_in(ROOT / file), f"{promise}: {file} has no test {test}"
