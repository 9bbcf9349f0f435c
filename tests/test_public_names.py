import ast
import json
import subprocess
import sys
from pathlib import Path

import pytest

import grice
import grice.matchers

STUB = Path(grice.__file__).with_name("__init__.pyi")


def test_the_stub_names_what_the_package_exports() -> None:
    imports = [node for node in ast.walk(ast.parse(STUB.read_text())) if isinstance(node, ast.ImportFrom)]
    names = {alias.asname for node in imports for alias in node.names}
    assert names == set(grice.__all__)
    assert sorted(grice.__all__) == dir(grice)


def test_the_stub_imports_every_name_from_where_the_package_finds_it() -> None:
    for node in ast.walk(ast.parse(STUB.read_text())):
        if isinstance(node, ast.ImportFrom):
            for alias in node.names:
                module = __import__(str(node.module), fromlist=[alias.name])
                assert getattr(module, alias.name) is getattr(grice, alias.name)


@pytest.mark.parametrize("name", grice.__all__)
def test_every_public_name_resolves(name: str) -> None:
    assert getattr(grice, name) is not None


@pytest.mark.parametrize("name", [n for n in grice.__all__ if n[0].isupper()])
def test_public_exceptions_are_called_by_their_public_name(name: str) -> None:
    value = getattr(grice, name)
    if isinstance(value, type) and issubclass(value, BaseException):
        assert f"{value.__module__}.{value.__qualname__}" == f"grice.{name}"


def test_a_wrong_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="module 'grice' has no attribute 'expct'"):
        grice.expct  # noqa: B018


@pytest.mark.parametrize("name", grice.matchers.__all__)
def test_every_public_matcher_resolves_and_is_documented(name: str) -> None:
    assert getattr(grice.matchers, name).__doc__


def test_importing_the_package_loads_no_third_party_module() -> None:
    code = (
        "import sys; before = set(sys.modules); import grice, json; "
        "print(json.dumps(sorted({m.partition('.')[0] for m in set(sys.modules) - before})))"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert set(json.loads(shown.stdout)) <= {"grice", *sys.stdlib_module_names}
