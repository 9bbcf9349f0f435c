"""The results of assertions on data through both doors: --json, grice report, JUnit, pytest's JUnit."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from grice_command import Grice

AGENT = """
from grice import AgentResponse

def agent(messages):
    data = {"items": [{"status": "READY"}, {"status": "LOST"}], "api_token": "sk-abcdefghijklmnop1234"}
    return AgentResponse(text='{"n": 5}', data=data)
"""
SUITE = """
scenarios:
  - id: one
    say: Hi
    expect:
      - {on: reply.data, path: "$.items[*].status", matcher: toEqual, expected: READY}
      - {on: reply.data, path: "$.items[*].status", pathMatch: ALL, matcher: toEqual, expected: READY}
      - {id: five, path: $.n, matcher: toEqual, expected: 5}
      - {on: reply.data, path: $.api_token, matcher: toStartWith, expected: sk-}
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    (tmp_path / "asserted_bot.py").write_text(AGENT)
    (tmp_path / "pyproject.toml").write_text('[tool.grice]\nagent = "asserted_bot:agent"\n')
    (tmp_path / "a.grice.yaml").write_text(SUITE)
    yield tmp_path
    sys.modules.pop("asserted_bot", None)


def check(results: list[dict[str, Any]]) -> None:
    """Check that the four assertions are told whole: two differ in ANY and ALL only."""
    any_of, all_of, five, token = results
    assert {name: any_of[name] for name in ("path", "matcher", "not", "pathMatch", "passed")} == {
        "path": "$.items[*].status",
        "matcher": "toEqual",
        "not": False,
        "pathMatch": "ANY",
        "passed": True,
    }
    assert (all_of["pathMatch"], all_of["passed"], all_of["outcome"]) == ("ALL", False, "fail")
    assert any_of["actualSamples"] == all_of["actualSamples"] == ["READY", "LOST"]
    assert any_of["message"].startswith('$.items[*].status ANY toEqual "READY" passed: ')
    assert all_of["message"].startswith('$.items[*].status ALL toEqual "READY" expected an equal value')
    assert any_of["assertionId"] != all_of["assertionId"]
    assert (five["assertionId"], five["actualSamples"], five["valueCount"]) == ("five", [5], 1)
    assert "sk-abcdefghijklmnop1234" not in json.dumps(token)
    assert token["passed"] is True


def in_xml(text: str) -> list[dict[str, Any]]:
    found = ET.fromstring(text).iter("property")
    return [json.loads(one.get("value") or "") for one in found if one.get("name") == "grice.assertion"]


def test_grice_run_and_its_reports_tell_each_assertion(folder: Path, grice: Grice) -> None:
    assert grice("run", "a.grice.yaml", "--json", "out.json").code == 1
    (result,) = json.loads((folder / "out.json").read_text())["results"]
    check(result["assertions"])
    report = json.loads(grice("report", "latest", "--json", "-").out)
    (scenario,) = report["scenario_results"]
    check(scenario["assertions"])
    check(in_xml(grice("report", "latest", "--junit").out))
    journal = next((folder / ".grice" / "runs").glob("*/main.jsonl")).read_text()
    assert '"assertionId":"five"' in journal
    assert "sk-abcdefghijklmnop1234" not in journal


def test_pytest_tells_the_same(folder: Path, pytester: pytest.Pytester) -> None:
    xml = folder / "out.xml"
    result = pytester.runpytest_subprocess(
        "-p", "grice", f"--rootdir={folder}", str(folder), f"--junit-xml={xml}"
    )
    result.assert_outcomes(failed=1)
    check(in_xml(xml.read_text()))
    result.stdout.fnmatch_lines(["FAILED *a.grice.yaml::one - every value at $.items[[]*[]].status of *"])
