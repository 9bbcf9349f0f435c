"""`grice run` on suites whose checks an LLM judges."""

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from grice_command import Grice

BOTS = """
from pathlib import Path

def echo(text):
    return f"you said {text}"

def asks(messages):
    if messages[-1]["role"] == "tool":
        return "It is " + messages[-1]["content"]
    return {"tool_calls": [{"id": "c1", "name": "weather", "arguments": {}}]}

class Kind:
    provider, model = "test", "kind-1"

    def complete(self, messages, subject="", schema=None):
        with Path(__file__).with_name("asked.txt").open("a") as file:
            file.write(subject + "\\n")
        answer = {"requirement": "x", "reasoning": "as it should be", "quote": ""}
        if "score" in schema["properties"]:
            return {**answer, "score": 4}
        return {**answer, "satisfied": not subject.startswith("bad")}

def broken(messages):
    raise OSError("no route to the judge")

from grice import criterion
RULES = [criterion("polite", "It is polite."), criterion("short", check=lambda c: len(c.turns) == 1)]
"""

SUITE = """
criteria:
  friendly: It is friendly.
  bad_manners: It has bad manners.
  clear: {text: It is clear., at_least: 3.5}
scenarios:
  - id: greets
    say: Hi
    expect:
      - {matcher: toSatisfy, expected: [friendly, polite]}
      - {matcher: toSatisfy, expected: short}
      - {on: conversation, matcher: toSatisfy, expected: clear}
    evaluate:
      - {matcher: toSatisfy, expected: bad_manners, description: rude}
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A project with a judge, and the current folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.setattr(sys, "path", list(sys.path))
    tmp_path.joinpath("judged_bots.py").write_text(BOTS)
    configure(tmp_path)
    tmp_path.joinpath("a.grice.yaml").write_text(SUITE)
    yield tmp_path
    sys.modules.pop("judged_bots", None)


def configure(folder: Path, judge: str = "judged_bots:Kind", agent: str = "echo", more: str = "") -> None:
    named = f'judge_llm = "{judge}"\n' if judge else ""
    text = f'[tool.grice]\nagent = "judged_bots:{agent}"\ncriteria = "judged_bots:RULES"\n{named}{more}\n'
    folder.joinpath("pyproject.toml").write_text(text)


def asked(folder: Path) -> list[str]:
    """What the judge was asked since the last call."""
    path = folder / "asked.txt"
    found = path.read_text().split() if path.exists() else []
    path.unlink(missing_ok=True)
    return found


def test_hard_and_soft_checks_are_judged_by_the_criteria_of_file_and_project(
    folder: Path, grice: Grice
) -> None:
    run = grice("run", ".", "--json", "out.json")
    assert (run.code, run.err) == (0, "")
    assert sorted(asked(folder)) == ["bad_manners", "clear", "friendly", "polite"]
    soft = "       soft fail  turn 1: [rude] the reply to satisfy bad_manners: as it should be\n"
    assert soft in run.out
    assert "judged by" not in run.out
    assert "           judged by kind-1, prompt criterion v1, " in grice("run", ".", "--verbose").out
    assert "2 hard verdicts are by an LLM that nobody has compared" in run.out

    (result,) = json.loads((folder / "out.json").read_text())["results"]
    both, code, clear, rude = result["verdicts"]
    assert [part["criterion"] for part in both["parts"]] == ["friendly", "polite"]
    assert both["layer"] == 3
    assert both["uncalibrated"] is True
    assert (code["criterion"], code["layer"], "uncalibrated" in code) == ("short", 1, False)
    assert (clear["criterion"], clear["score"], clear["layer"]) == ("clear", 4.0, 3)
    assert clear["claim"] == "the conversation to satisfy clear"
    judgement = clear["judgement"]
    assert (judgement["prompt"], judgement["model"], judgement["score"]) == (
        "criterion_graded",
        "kind-1",
        4.0,
    )
    assert len(judgement["prompt_hash"]) == 64
    assert judgement["samples"][0]["answer"]["score"] == 4
    assert (rude["criterion"], rude["mode"], rude["outcome"]) == ("bad_manners", "soft", "fail")


@pytest.mark.slow
def test_a_scenario_is_recorded_and_replayed_without_asking(
    folder: Path, grice: Grice, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = grice("run", ".", "--record", "once")
    assert run.code == 0
    tape = folder / "cassettes" / "a" / "greets.jsonl"
    assert "       recorded cassettes/a/greets.jsonl: 4 added, 0 removed, 0 changed\n" in run.out
    assert len(asked(folder)) == 4
    before = tape.read_bytes()
    for args in ([], ["--record", "once"], ["--record", "none"]):
        assert grice("run", ".", *args).code == 0
    monkeypatch.setenv("CI", "true")
    configure(folder, judge="")  # offline, with no LLM at all
    run = grice("run", ".", "-v")
    assert run.code == 0
    assert "replayed" in run.out
    assert asked(folder) == []
    assert tape.read_bytes() == before


@pytest.mark.slow
def test_what_no_longer_fits_the_cassette_is_an_error_and_update_records_it_anew(
    folder: Path, grice: Grice
) -> None:
    grice("run", ".", "--record", "once")
    asked(folder)
    suite = folder / "a.grice.yaml"
    suite.write_text(SUITE.replace("It is clear.", "It is plain."))
    run = grice("run", ".")
    assert run.code == 1
    assert re.search(r"error +the conversation to satisfy clear", run.out)
    assert "It is [-clear-]{+plain+}." in run.out.replace("\n", "")
    suite.write_text(SUITE.replace("      - {on: conversation, matcher: toSatisfy, expected: clear}\n", ""))
    run = grice("run", ".")
    assert run.code == 1
    assert re.search(r"error +the cassette to fit the scenario", run.out)
    assert "greets.jsonl:4: nothing asked for this judge call (criterion clear) any more" in run.out
    assert asked(folder) == []
    run = grice("run", ".", "--grice-update")
    assert run.code == 0
    assert "0 added, 1 removed, 0 changed" in run.out
    assert "removed judge call (criterion clear)" in run.out
    assert grice("run", ".", "--record", "none").code == 0


@pytest.mark.parametrize(
    ("judge", "reason"),
    [
        ("", "no LLM is configured as judge"),
        ("judged_bots:broken", "no route to the judge"),
        ("judged_bots:brokn", "judged_bots has no 'brokn' (did you mean 'broken'?)"),
        ("opnai:model", "(did you mean 'openai'?)"),
    ],
)
def test_without_a_judge_its_checks_are_errors_and_code_judges(
    folder: Path, grice: Grice, judge: str, reason: str
) -> None:
    configure(folder, judge)
    run = grice("run", ".", "--json", "out.json")
    assert run.code == 1
    told = run.out.replace("\n             ", " ")
    assert reason in told
    assert "Traceback" not in run.out + run.err
    (result,) = json.loads((folder / "out.json").read_text())["results"]
    assert [one["outcome"] for one in result["verdicts"]] == ["error", "pass", "error", "error"]
    summary = run.out.splitlines()
    first = next(n for n, line in enumerate(summary) if line.startswith("every check of the criterion"))
    assert [line.split("'")[1] for line in summary[first : first + 4]] == [
        "friendly",
        "polite",
        "clear",
        "bad_manners",
    ]
    assert "nobody has compared" not in run.out


def test_unknown_names_are_told_at_once_with_their_places(folder: Path, grice: Grice) -> None:
    text = SUITE.replace("[friendly, polite]", "[freindly, polte]").replace(
        "expected: short", "expected: shrt"
    )
    (folder / "a.grice.yaml").write_text(text)
    run = grice("run", ".")
    assert run.code == 2
    known = "; known are bad_manners, clear, friendly, polite, short"
    assert run.err.replace(known, "").splitlines() == [
        f"a.grice.yaml:{place}: scenarios[0].{field}: unknown criterion {name!r} (did you mean {near!r}?)"
        for place, field, name, near in (
            ("10:41", "expect[0].expected[0]", "freindly", "friendly"),
            ("10:51", "expect[0].expected[1]", "polte", "polite"),
            ("11:40", "expect[1].expected", "shrt", "short"),
        )
    ]


def test_wrong_criteria_of_the_project_stop_the_run(folder: Path, grice: Grice) -> None:
    configure(folder)
    settings = folder / "pyproject.toml"
    settings.write_text(settings.read_text().replace(":RULES", ":RULE"))
    run = grice("run", ".")
    assert run.code == 2
    assert "pyproject.toml:3:1: [tool.grice] criteria: object 'judged_bots:RULE': " in run.err
    assert "(did you mean 'RULES'?)" in run.err
    assert "Traceback" not in run.err


@pytest.mark.parametrize("mode", ["onec", "auto", ""])
def test_a_wrong_record_mode_is_a_usage_error_with_the_choices(folder: Path, grice: Grice, mode: str) -> None:
    run = grice("run", ".", f"--record={mode}")
    if mode:
        assert run.code == 2
        assert "none, once, new, all, off" in run.err.replace("\n", " ")
    else:
        assert run.code == 0


@pytest.mark.slow
@pytest.mark.parametrize("more", ['record_kinds = ["agent", "tools"]', 'record_kinds = ["judge"]'])
def test_a_broken_cassette_is_an_error_of_its_scenario_only(folder: Path, grice: Grice, more: str) -> None:
    configure(folder, more=more)
    other = "  - {id: other, say: Hi, expect: [{matcher: toContain, expected: said}]}\n"
    (folder / "a.grice.yaml").write_text(SUITE + other)
    grice("run", ".", "--record", "once")
    tape = folder / "cassettes" / "a" / "greets.jsonl"
    tape.write_bytes(tape.read_bytes()[:-30])
    before = tape.read_bytes()
    for args in ([], ["--record", "new"]):
        run = grice("run", ".", *args)
        assert run.code == 1
        assert "greets.jsonl:" in run.out
        assert "pass   other" in run.out
        assert "Traceback" not in run.out + run.err
    assert tape.read_bytes() == before


def test_wrong_scrub_rules_are_told_with_their_place(folder: Path, grice: Grice) -> None:
    for kinds in ('record_kinds = ["agent"]\n', ""):
        configure(folder, more=f'{kinds}scrub = ["date"]')
        run = grice("run", ".")
        assert run.code == 1
        assert "[tool.grice] scrub: " in " ".join(run.out.split())
        assert "Traceback" not in run.out + run.err


def test_agent_and_tools_of_a_scenario_are_recorded_where_the_settings_say_so(
    folder: Path, grice: Grice
) -> None:
    configure(folder, agent="asks", more='record_kinds = ["agent", "tools"]')
    check = "{matcher: toContain, expected: sunny}"
    text = f"scenarios:\n  - {{id: w, say: Hi, tools: {{weather: sunny}}, expect: [{check}]}}\n"
    (folder / "a.grice.yaml").write_text(text)
    assert grice("run", ".", "--record", "once").code == 0
    lines = (folder / "cassettes" / "a" / "w.jsonl").read_text().splitlines()[1:]
    assert sorted(json.loads(line)["kind"] for line in lines) == ["agent", "agent", "tools"]
    bots = folder / "judged_bots.py"
    bots.write_text(
        bots.read_text().replace("def asks(messages):", "def asks(messages):\n    raise OSError('live')")
    )
    sys.modules.pop("judged_bots", None)
    assert grice("run", ".", "--record", "none").code == 0


def test_text_of_judges_is_text(folder: Path, grice: Grice) -> None:
    bots = folder / "judged_bots.py"
    bots.write_text(
        bots.read_text().replace('"as it should be"', '"[bold]\\x1b[31m\\u202e is not markup[/bold]"')
    )
    run = grice("run", ".")
    assert "[bold]\\x1b[31m\\u202e is not markup[/bold]" in run.out
    assert not {"\x1b", "\u202e"} & set(run.out)
