import ast
import json
import os
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


def test_every_public_name_resolves() -> None:
    for name in grice.__all__:
        assert getattr(grice, name) is not None, name


def test_public_exceptions_are_called_by_their_public_name() -> None:
    values = {f"grice.{name}": getattr(grice, name) for name in grice.__all__}
    called = {
        name: f"{value.__module__}.{value.__qualname__}"
        for name, value in values.items()
        if isinstance(value, type) and issubclass(value, BaseException)
    }
    assert called == {name: name for name in called}
    assert called


def test_a_wrong_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="module 'grice' has no attribute 'expct'"):
        grice.expct  # noqa: B018


def test_every_public_matcher_resolves_and_is_documented() -> None:
    for name in grice.matchers.__all__:
        assert getattr(grice.matchers, name).__doc__, name


def test_importing_the_package_loads_no_third_party_module() -> None:
    code = (
        "import sys; before = set(sys.modules); import grice, json; "
        "print(json.dumps(sorted({m.partition('.')[0] for m in set(sys.modules) - before})))"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert set(json.loads(shown.stdout)) <= {"grice", *sys.stdlib_module_names}


@pytest.mark.slow
def test_the_help_on_public_objects_shows_no_variable_of_the_environment() -> None:
    code = (
        "import pydoc, grice, grice.aio, grice.matchers\n"
        "for module in (grice, grice.aio, grice.matchers):\n"
        "    print(pydoc.render_doc(module, renderer=pydoc.plaintext))\n"
        "    for name in {*module.__all__} - {'__version__'}:\n"
        "        print(pydoc.render_doc(getattr(module, name), renderer=pydoc.plaintext))\n"
    )
    environ = {**os.environ, "GRICE_PLANTED": "planted-secret-value"}
    shown = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environ
    )
    assert "class Limits" in shown.stdout
    assert "planted-secret-value" not in shown.stdout
