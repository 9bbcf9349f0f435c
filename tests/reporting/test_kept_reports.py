"""Reports of examples' runs are kept as files: a change of what a report says is seen in its diff."""

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[2]


def _tool() -> ModuleType:
    spec = importlib.util.spec_from_file_location("generate_reports", ROOT / "tools/generate_reports.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


TOOL = _tool()


@pytest.mark.parametrize("kept", TOOL.KEPT, ids=[one.name for one in TOOL.KEPT])
def test_reports_are_as_they_are_kept(kept: object) -> None:
    """`make generate` writes them anew."""
    for name, text in TOOL.reports(kept).items():
        assert (TOOL.FOLDER / kept.name / name).read_text(encoding="utf-8") == text  # type: ignore[attr-defined]
