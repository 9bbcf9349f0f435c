"""The measured tables of the docs are what the rules give now: run `make generate` when this fails."""

import importlib.util
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent


def _generator():
    spec = importlib.util.spec_from_file_location("generate_measured", ROOT / "tools/generate_measured.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_measured_tables_are_not_stale():
    generator = _generator()
    assert generator.generate() == generator.TARGET.read_text("utf-8")


def test_the_docs_include_only_parts_that_are_there():
    written = _generator().TARGET.read_text("utf-8")
    for page in sorted((ROOT / "docs").glob("*.md")):
        lines = page.read_text("utf-8").splitlines()
        for place, line in enumerate(lines):
            if "_measured/rules.md" in line and line.startswith("```{include}"):
                markers = [one.split(":", 2)[2].strip().strip('"') for one in lines[place + 1 : place + 3]]
                assert all(marker in written for marker in markers), f"{page.name}:{place + 1}: {markers}"
