"""`grice compare` of two scans of logs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from grice_command import Grice

from grice.stats.rates import difference_bounds, rate

BAD = "Updating now! Would you like me to update it?"


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def scanned(name: str, bad: int, grice: Grice, *options: str) -> None:
    """Scan 100 conversations, of which some have the fault twice."""
    lines = []
    for number in range(100):
        text = BAD if number < bad else f"It is version {number}."
        turn = [{"role": "user", "content": "Update it"}, {"role": "assistant", "content": text}]
        lines.append(json.dumps({"id": f"c{number}", "messages": turn * 2}))
    Path(f"{name}.jsonl").write_text("\n".join(lines) + "\n")
    assert grice("scan", f"{name}.jsonl", "--json", f"{name}.json", *options).code == 0


def test_a_release_is_compared_by_its_logs(grice: Grice) -> None:
    scanned("before", 30, grice, "--label", "tool-flow")
    scanned("now", 10, grice, "--label", "tool-flow")
    run = grice("compare", "before.json", "now.json")
    assert run.code == 0
    assert run.out.splitlines()[0] == "Found less often: tool-flow."
    [row] = [line.split() for line in run.out.splitlines() if line.startswith("tool-flow")]
    assert row[:6] == ["tool-flow", "30.00%", "(30)", "10.00%", "(10)", "-20.00"]  # conversations, once each
    back = grice("compare", "now.json", "before.json")
    assert back.out.startswith("Found more often: tool-flow.")


def test_what_only_one_scan_looked_for_is_told(grice: Grice) -> None:
    scanned("before", 3, grice, "--label", "tool-flow", "--label", "empty-reply")
    scanned("now", 2, grice, "--label", "tool-flow")
    out = grice("compare", "before.json", "now.json").out
    assert out.startswith("No label is found more or less often for sure.")
    assert "not looked for" in next(line for line in out.splitlines() if line.startswith("empty-reply"))
    scanned("now", 2, grice, "--label", "repetition")
    run = grice("compare", "before.json", "now.json")
    assert (run.code, run.err) == (2, "error: no label was looked for in both scans\n")


def test_a_damaged_scan_is_told(grice: Grice) -> None:
    scanned("before", 3, grice)
    Path("now.json").write_bytes(Path("before.json").read_bytes()[:500])
    run = grice("compare", "before.json", "now.json")
    assert run.code == 2
    assert run.err.startswith("error: now.json: it is no scan as grice scan --json writes it: ")


def test_the_interval_of_a_difference_is_newcombes() -> None:
    one, other = rate(56, 70), rate(48, 80)
    assert one is not None
    assert other is not None
    low, high = difference_bounds(one, other)
    assert (round(low, 4), round(high, 4)) == (0.0524, 0.3339)  # Newcombe 1998, table II, method 10
