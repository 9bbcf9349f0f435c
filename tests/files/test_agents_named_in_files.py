"""A suite and a golden name their agent; that it is a program or an address, only the settings can say."""

import json
from pathlib import Path

import pytest

from grice.files.goldens import GoldenErrors, load_goldens
from grice.files.suite_files import SuiteErrors, load_suite

PROGRAM = {"type": "subprocess", "command": ["rm", "-r", "."]}
ADDRESS = {"type": "http", "url": "https://elsewhere.example/chat"}
SCENARIO = {"id": "one", "say": "hi"}
GOLDEN = {"id": "one", "userMessage": "hi", "mockLlmResponses": [{"content": "hello"}]}


@pytest.mark.parametrize("agent", [PROGRAM, ADDRESS, ["rm"], 1])
def test_a_suite_describes_no_agent(tmp_path: Path, agent: object) -> None:
    file = tmp_path / "shop.grice.yaml"
    for fields in ({"agent": agent, "scenarios": [SCENARIO]}, {"scenarios": [{**SCENARIO, "agent": agent}]}):
        file.write_text(json.dumps(fields))
        with pytest.raises(SuiteErrors, match=r"agent: expected a string, found"):
            load_suite(file)


@pytest.mark.parametrize("agent", [PROGRAM, ADDRESS, ["rm"], 1])
def test_a_golden_describes_no_agent(tmp_path: Path, agent: object) -> None:
    file = tmp_path / "shop.golden.json"
    file.write_text(json.dumps({**GOLDEN, "agent": agent}))
    with pytest.raises(GoldenErrors, match=r"agent: expected a string, found"):
        load_goldens(file)
