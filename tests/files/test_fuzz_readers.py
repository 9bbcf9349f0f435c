"""Damaged files of every kind: what is wrong is said, and nothing breaks. `make fuzz` has more of them."""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

PATH = Path(__file__).parents[2] / "benchmarks" / "fuzz_files.py"


def _loaded() -> ModuleType:
    spec = importlib.util.spec_from_file_location("fuzz_files", PATH)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["fuzz_files"] = module
    spec.loader.exec_module(module)
    return module


FUZZ = _loaded()


@pytest.mark.parametrize("reader", FUZZ.READERS, ids=lambda one: one.name)
def test_the_file_that_is_damaged_is_a_right_one(tmp_path: Path, reader: "FUZZ.Reader") -> None:  # type: ignore[name-defined]
    path = tmp_path / reader.name
    path.write_text(reader.text)
    reader.read(path)


@pytest.mark.slow
@pytest.mark.parametrize("reader", FUZZ.READERS, ids=lambda one: one.name)
def test_damaged_files_are_told_what_is_wrong(tmp_path: Path, reader: "FUZZ.Reader") -> None:  # type: ignore[name-defined]
    assert list(FUZZ.failures(reader, 200, 1, tmp_path)) == []
