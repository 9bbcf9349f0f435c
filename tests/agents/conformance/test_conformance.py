"""The adapters of frameworks against light stand-ins; tests_integrations has the frameworks themselves."""

import sys
from typing import Any

import pytest
from conformance_checks import CHECKS, failing, title_of
from fakes import KITS, MODULES
from lacks import LACKS


@pytest.mark.parametrize("check", CHECKS, ids=title_of)
@pytest.mark.parametrize("framework", KITS)
def test_conformance(framework: str, check: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, module in MODULES.items():
        monkeypatch.setitem(sys.modules, name, module)
    assert failing(check, KITS[framework](), LACKS[framework])
