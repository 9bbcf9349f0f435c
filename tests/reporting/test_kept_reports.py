"""Reports of the examples are kept as files: a change of what a report says is seen in its diff."""

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[2]
QUICK = "wordpress_assistant"  # goldens need no pytest to run in


def _tool() -> ModuleType:
    spec = importlib.util.spec_from_file_location("generate_reports", ROOT / "tools/generate_reports.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


TOOL = _tool()


@pytest.mark.parametrize(
    "example",
    [
        pytest.param(one, id=one.name, marks=[] if one.name == QUICK else pytest.mark.slow)
        for one in TOOL.EXAMPLES
    ],
)
def test_reports_are_as_they_are_kept(example) -> None:
    """`python tools/generate_reports.py EXAMPLE` writes them anew."""
    kept = {one.name: one.read_text(encoding="utf-8") for one in (TOOL.FOLDER / example.name).iterdir()}
    found = TOOL.reports(example)
    assert sorted(found) == sorted(kept)
    for name, text in found.items():
        assert text == kept[name], f"{example.name}/{name}"


def test_every_example_that_makes_a_report_is_kept() -> None:
    """`node_agent` is an agent only, without tests."""
    examples = {one.name for one in (ROOT / "examples").iterdir() if one.is_dir() and one.name[0] not in "._"}
    assert {one.name for one in TOOL.EXAMPLES} == examples - {"node_agent"}
