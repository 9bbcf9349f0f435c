"""The table of the docs: which kinds of secret stand in clear, by carrier, in what real commands write."""

import importlib.util
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent


@pytest.fixture(scope="module")
def study():
    spec = importlib.util.spec_from_file_location("secret_carriers", ROOT / "benchmarks/secret_carriers.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_the_table_of_secrets_is_not_stale(study, tmp_path):
    """Run `make generate` when this fails, and read what changed: a cell that gets worse is a leak."""
    assert study.generate(study.measure(tmp_path)) == study.TARGET.read_text("utf-8")


def test_there_are_twenty_kinds_in_fifteen_carriers(study):
    assert len(study.KINDS) >= 20
    assert len(study.CARRIERS) >= 15


@pytest.mark.parametrize("mark", ["files", "carriers", "table", "kept"])
def test_the_docs_show_every_part_of_it(study, mark):
    assert f"<!-- {mark} -->" in study.TARGET.read_text("utf-8")
    assert f':start-after: "<!-- {mark} -->"' in (ROOT / "docs/secrets.md").read_text("utf-8")
