"""The generated files are what their generator gives now: run `make generate` when this fails.

The stub says what there is at run time, no more and no less.
"""

import __future__

import importlib.util
import inspect
import json
import subprocess
import sys
from pathlib import Path

import pytest

import grice._catalogue
import grice._expectations
import grice.matchers
from grice.matching.matcher import MatcherFactory
from grice.matching.unknown_methods import KINDS

ROOT = Path(__file__).parent.parent.parent
CLASSES = [f"{kind.capitalize()}Expectation" for kind in KINDS]


def _generator():
    spec = importlib.util.spec_from_file_location(
        "generate_expectations", ROOT / "tools/generate_expectations.py"
    )
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _formatted(text, path):
    for arguments in (["check", "-q", "--fix", "--exit-zero", "--select", "I,RUF022"], ["format", "-q"]):
        command = [sys.executable, "-m", "ruff", *arguments, "--stdin-filename", str(path), "-"]
        text = subprocess.run(
            command, cwd=ROOT, input=text, capture_output=True, text=True, check=True
        ).stdout
    return text


def test_the_generated_files_are_not_stale():
    generator = _generator()
    assert _formatted(generator.generate(), generator.TARGET) == generator.TARGET.read_text("utf-8")
    assert _formatted(generator.catalogue(), generator.CATALOGUE) == generator.CATALOGUE.read_text("utf-8")


@pytest.fixture(scope="module")
def stub():
    """The names of the stub, which is Python too."""
    path = Path(grice._expectations.__file__).with_suffix(".pyi")
    names = {"__name__": "stub"}
    flags = __future__.annotations.compiler_flag
    exec(compile(path.read_text("utf-8"), path, "exec", flags, dont_inherit=True), names)
    return names


def _methods(kind):
    return {name: getattr(kind, name) for name in dir(kind) if name.startswith(("to_", "not_to_"))}


@pytest.mark.parametrize("name", CLASSES)
def test_the_stub_has_the_methods_that_there_are_with_their_parameters(stub, name):
    told, there = _methods(stub[name]), _methods(getattr(grice._expectations, name))
    assert sorted(told) == sorted(there)
    for method, said in told.items():
        shown = inspect.signature(said).parameters.values()
        real = inspect.signature(there[method]).parameters.values()
        assert [(one.name, one.kind) for one in list(shown)[1:]] == [
            (one.name, one.kind) for one in list(real)[1:]
        ], method
        for one, other in zip(shown, real, strict=True):
            assert one.default in (other.default, ...), (method, one)
            assert (one.default is one.empty) == (other.default is other.empty), (method, one)


def test_the_stub_has_the_functions_and_classes_that_there_are(stub):
    own = {name for name in stub if name.startswith(("expect", "evaluate", "awaited")) or name in CLASSES}
    assert own == set(grice._expectations.__all__)


def test_every_builtin_matcher_has_methods_on_some_subject():
    factories = [getattr(grice.matchers, name) for name in grice.matchers.__all__]
    names = {one.python_name: one.name for one in factories if isinstance(one, MatcherFactory)}
    assert {name: row[0] for name, row in grice._catalogue.METHODS.items()} == names
    for name, (_, kinds) in grice._catalogue.METHODS.items():
        assert kinds, name
        assert set(kinds.split()) <= set(KINDS), name


def test_no_matcher_is_imported_before_it_is_used():
    code = (
        "import json, sys\n"
        "from grice import expect\n"
        "before = set(sys.modules)\n"
        "expect('x').to_contain('x')\n"
        "print(json.dumps([sorted(before), sorted(set(sys.modules) - before)]))"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    before, after = json.loads(shown.stdout)
    homes = set(grice._catalogue.MODULES.values())
    assert not homes.intersection(before)
    assert homes.intersection(after) == {"grice.matching.jest.texts"}
