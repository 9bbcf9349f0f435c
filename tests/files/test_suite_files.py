# ruff: noqa: E501 - tables, one case a line
"""Suite files: what they may say, and what is said when they are wrong."""

from __future__ import annotations

import json
import pickle
import re
from pathlib import Path

import pytest
from suite_cases import (
    AUTHORS,
    BAD_BEYOND_SCHEMA,
    BAD_CHECKS,
    BAD_FIELDS,
    BAD_OUTPUTS,
    FULL,
    GOOD,
    LIST,
    check,
    one,
)

from grice.files.document import Document
from grice.files.suite_files import (
    SuiteErrors,
    find_suites,
    is_suite_file,
    load_suite,
    load_suites,
    suite_name,
)
from grice.files.suite_records import SuiteScenario, Target
from grice.identity import scenario_key
from grice.matchers import be_null, be_one_of, be_valid_json, contain, equal
from grice.matching.selector import ValueSelector
from grice.wire import Fault, ToolUse
from grice.wire.replies import ModelReply


def written(folder: Path, text: str, name: str = "plugins.grice.yaml") -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def loaded(folder: Path, text: str, name: str = "plugins.grice.yaml") -> list[SuiteScenario]:
    return load_suite(written(folder, text, name))


def errors_of(path: Path) -> list[str]:
    """What is wrong with the file, each as line:column: message."""
    with pytest.raises(SuiteErrors) as caught:
        load_suite(path)
    assert all(error.path == str(path) for error in caught.value.errors)
    return [str(error).removeprefix(f"{path}:") for error in caught.value.errors]


def test_reads_the_example_of_the_design(tmp_path: Path) -> None:
    (scenario,) = loaded(tmp_path, AUTHORS)
    assert (scenario.id, scenario.suite, scenario.line) == ("update-plugin", "plugins", 4)
    assert scenario.agent == "wordpress_assistant.app:agent"
    assert [turn.say for turn in scenario.turns] == ["Update Ajax Search Lite"]
    says, status, free = scenario.checks
    assert (says.matcher, says.target, says.at.path) == (contain("4.13.5"), Target("reply"), "$")
    assert (status.matcher, status.target) == (be_one_of(["READY", "PENDING"]), Target("data"))
    words = '$.items[*].status ALL toBeOneOf ["READY", "PENDING"]'
    assert status.at == ValueSelector(
        "$.items[*].status", "ALL", id=status.at.id, words=words, on="reply.data"
    )
    assert re.fullmatch("assertion_[0-9a-f]{8}", status.at.id)
    assert [(one.mode, one.line) for one in scenario.checks] == [("hard", 7), ("hard", 8), ("soft", 10)]
    assert free.place == ("scenarios", 0, "evaluate", 0)


def test_reads_everything_that_a_scenario_can_have(tmp_path: Path) -> None:
    first, second, third = loaded(tmp_path, FULL)
    assert (first.id, first.suite, first.agent, first.run_mode) == ("7", "everything", "app:other", "ONLY")
    assert first.description == "All that a scenario can have."
    assert first.history == ({"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Hello."})
    assert [one.target for one in first.checks] == [
        Target("reply"),
        Target("tool_calls"),
        Target("exchange", 2),
        Target("exchange", -1),
        Target("prompt"),
        Target("conversation"),
    ]
    assert (first.checks[0].at.id, first.checks[0].description) == ("temperature", "says how warm it is")
    assert (first.checks[0].at.parse, first.checks[0].line) == ("text", 27)
    assert [one.matcher.negated for one in first.checks] == [False] * 5 + [True]
    assert [turn.say for turn in second.turns] == ["Hi", "Give me JSON"]
    assert (second.agent, second.run_mode, second.line) == ("app:agent", "DEFAULT", 36)
    (greeting,), (status, soft) = (turn.checks for turn in second.turns)
    assert (greeting.matcher, greeting.at.path, greeting.at.parse) == (equal("Hello."), "$", "text")
    assert greeting.mode == "hard"
    assert (status.matcher, status.at.parse) == (equal({"status": "READY"}), "json")
    assert (soft.at.path, soft.at.parse, soft.mode) == ("status", "fenced", "soft")
    assert [one.matcher for one in second.checks] == [be_valid_json()]
    assert [turn.say for turn in third.turns] == ["One", "Two"]
    assert third.checks[0].matcher == equal({"a": 1})


def test_scripts_of_the_model_are_read_as_those_of_the_stub(tmp_path: Path) -> None:
    (turn,) = loaded(tmp_path, FULL)[0].turns
    assert turn.model == (
        ModelReply(("Let me see.", ToolUse("get_weather", {"city": "Oslo"}))),
        ModelReply(("It is 3 degrees.",)),
        ModelReply(("a", ToolUse("b", {}))),
        Fault.rate_limit(2),
    )
    assert turn.tools == {"get_weather": {"temp": 3}}


def test_the_first_of_several_texts_has_the_replies_for_all_and_each_has_the_tools(tmp_path: Path) -> None:
    text = "[{say: [One, Two], model: [a, b], tools: {t: 1}, expect: [{matcher: toBeTruthy}]}]"
    first, second = loaded(tmp_path, text)[0].turns
    assert [reply.text for reply in first.model or () if isinstance(reply, ModelReply)] == ["a", "b"]
    assert (second.model, first.tools, second.tools) == (None, {"t": 1}, {"t": 1})


def test_a_list_of_scenarios_will_do(tmp_path: Path) -> None:
    (scenario,) = loaded(tmp_path, LIST, "list.grice.json")
    assert (scenario.suite, scenario.agent, scenario.line, scenario.checks[0].line) == ("list", None, 1, 1)


@pytest.mark.parametrize(
    ("name", "suite"),
    [
        ("plugins.grice.yaml", "plugins"),
        ("shop.plugins.grice.json", "shop.plugins"),
        ("folder/plugins.grice.yml", "plugins"),
        ("plugins.yaml", "plugins"),
        (".grice.yaml", ".grice"),
    ],
)
def test_a_suite_is_named_after_its_file(name: str, suite: str) -> None:
    assert suite_name(name) == suite


def test_an_id_is_derived_from_what_the_scenario_says(tmp_path: Path) -> None:
    first, second = loaded(tmp_path, f"[{{say: Hi, expect: [{{matcher: toBeNull}}]}}, {LIST[1:-1]}]")
    assert first.id == scenario_key(first.content)
    assert first.id.startswith("scenario_")
    assert len(first.id) == len("scenario_") + 8
    assert first.id != second.id


@pytest.mark.parametrize(("text", "errors"), BAD_FIELDS)
def test_a_wrong_file_says_where_and_what(tmp_path: Path, text: str, errors: list[str]) -> None:
    assert errors_of(written(tmp_path, text)) == errors


@pytest.mark.parametrize(("fields", "error"), BAD_CHECKS + BAD_BEYOND_SCHEMA)
def test_a_wrong_check_says_where_and_what(tmp_path: Path, fields: str, error: str) -> None:
    (found,) = errors_of(written(tmp_path, check(fields)))
    assert found.startswith(error) if error.endswith(": ") else found == error


def test_a_check_is_an_object(tmp_path: Path) -> None:
    path = written(tmp_path, "[{say: Hi, expect: [toEqual]}]")
    (error,) = errors_of(path)
    assert error.startswith("1:21: [0].expect[0]: expected a check, an object with a matcher, ")
    assert error.endswith('found "toEqual"; write {matcher: toEqual, expected: ...}')


def test_all_errors_are_found_at_once_in_the_order_of_the_file(tmp_path: Path) -> None:
    path = written(
        tmp_path,
        "agnt: x\n"
        "scenarios:\n"
        "  - say: ''\n"
        "    runMode: SKIP\n"
        "    expect:\n"
        "      - {matcher: toContian, pathmatch: ALL, on: reply.dat}\n"
        "      - matcher: toMatch\n"
        "        expected: '('\n"
        "        path: '$['\n"
        "  - turns: [{say: a, expected_output: 3}, {said: b}]\n"
        "  - id: a\n"
        "    say: x\n",
    )
    assert [error.split(": ")[0] for error in errors_of(path)] == [
        "1:1",
        "3:10",
        "4:5",
        "6:19",
        "6:30",
        "6:50",
        "8:19",
        "9:15",
        "10:39",
        "10:43",
        "10:44",
        "11:5",
    ]


def test_values_that_other_yaml_readers_change_stay_texts(tmp_path: Path) -> None:
    text = "[{say: yes, expect: [{on: reply, matcher: toBeOneOf, expected: [no, on, 2024-01-01, 1:30]}]}]"
    (scenario,) = loaded(tmp_path, text)
    assert scenario.turns[0].say == "yes"
    assert scenario.checks[0].matcher == be_one_of(["no", "on", "2024-01-01", "1:30"])


@pytest.mark.parametrize(("output", "error"), BAD_OUTPUTS)
def test_an_expected_output_that_begins_like_json_is_json(tmp_path: Path, output: str, error: str) -> None:
    path = written(tmp_path, one("output_type: json", f"expected_output: {output}"))
    (found,) = errors_of(path)
    assert found.startswith(error)


@pytest.mark.parametrize(
    ("scenarios", "error"),
    [
        ("{id: a, say: x%}\n- {id: a, say: y%}", "2:8: [1].id: the id 'a' is used already, at PATH:1"),
        (
            "{id: a b, say: x%}\n- {id: 'a  b', say: y%}",
            "2:8: [1].id: the id 'a  b' is used already, at PATH:1",
        ),
        ("{id: 7, say: x%}\n- {id: '7', say: y%}", "2:8: [1].id: the id '7' is used already, at PATH:1"),
        ("{say: x%}\n- {say: x%}", "2:3: [1]: the same scenario stands at PATH:1: give both an id"),
    ],
)
def test_scenarios_are_called_differently(tmp_path: Path, scenarios: str, error: str) -> None:
    path = written(tmp_path, "- " + scenarios.replace("%", ", expect: [{matcher: toBeNull}]"))
    assert errors_of(path) == [error.replace("PATH", str(path))]


def test_an_id_that_is_used_already_is_found_beside_other_errors(tmp_path: Path) -> None:
    path = written(tmp_path, "- {id: a, say: ''}\n- {id: a, say: x, expect: [{matcher: toBeNull}]}\n")
    assert errors_of(path) == [
        "1:16: [0].say: expected a text that is not empty, found ''",
        f"2:8: [1].id: the id 'a' is used already, at {path}:1",
    ]


def test_checks_of_one_scenario_are_called_differently(tmp_path: Path) -> None:
    text = "- say: x\n  expect: [{id: a, matcher: toBeNull}]\n  evaluate: [{id: a, matcher: toBeNull}]\n"
    error = "3:19: [0].evaluate[0].id: the id 'a' is used already in this scenario, on line 2"
    assert errors_of(written(tmp_path, text)) == [error]


@pytest.mark.parametrize(
    ("fields", "matcher", "parse"),
    [
        ("expected_output: Hi", equal("Hi"), "text"),
        ("expected_output: ''", equal(""), "text"),
        ("expected_output: '42', output_type: string", equal("42"), "text"),
        ("expected_output: '42', output_type: json", equal(42), "json"),
        ("expected_output: 42, output_type: json", equal(42), "json"),
        ("expected_output: null, output_type: json", equal(None), "json"),
        ("expected_output: READY, output_type: json", equal("READY"), "json"),
        ("expected_output: {a: [1]}, output_type: json", equal({"a": [1]}), "json"),
        ("expected_output: Hi, expect: []", equal("Hi"), "text"),
    ],
)
def test_an_expected_output_is_one_hard_check(
    tmp_path: Path, fields: str, matcher: object, parse: str
) -> None:
    (scenario,) = loaded(tmp_path, f"[{{say: x, {fields}}}]")
    (found,) = scenario.checks
    assert found.matcher == matcher
    assert (found.at.path, found.at.parse, found.mode, found.target) == ("$", parse, "hard", Target())
    assert (found.at.id, found.place) == ("expected_output", (0, "expected_output"))
    assert scenario.skipped_checks == ""


@pytest.mark.parametrize(
    ("scenario", "checks", "skipped"),
    [
        ("say: x, expected_output: Hi, expect: [{matcher: toBeNull}]", 1, "expected_output is not looked at beside 'expect'"),
        ("say: x, expected_output: 5, expect: [{matcher: toBeNull}]", 1, "expected_output is not looked at beside 'expect'"),
        ("say: x, expected_output: '', expect: [{matcher: toBeNull}]", 1, ""),
        ("say: x, expected_output: null, expect: [{matcher: toBeNull}]", 1, ""),
        ("say: x, expected_output: Hi, evaluate: [{matcher: toBeNull}]", 2, ""),
        (
            "turns: [{say: x, expected_output: Hi}, {say: y, expected_output: Ho, expect: [{matcher: toBeNull}]}], expected_output: Ha, expect: [{matcher: toBeNull}]",
            1,
            "expected_output of turn 2 is not looked at beside 'expect'; expected_output of the scenario is not looked at beside 'expect'",
        ),
    ],
)  # fmt: skip
def test_hard_checks_win_over_an_expected_output_and_that_is_said(
    tmp_path: Path, scenario: str, checks: int, skipped: str
) -> None:
    (found,) = loaded(tmp_path, f"[{{{scenario}}}]")
    assert len(found.checks) == checks
    assert found.skipped_checks == skipped


@pytest.mark.parametrize("where", ["expect", "turn", "output"])
def test_the_checks_of_one_scenario_have_a_size_limit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    monkeypatch.setenv("PK_MAX_ASSERTION_JSON_BYTES", "200")
    long = "x" * 200
    scenario = {
        "expect": {"say": "x", "expect": [{"matcher": "toContain", "expected": long}]},
        "turn": {"turns": [{"say": "x", "evaluate": [{"matcher": "toContain", "expected": long}]}]},
        "output": {"say": "x", "expected_output": long},
    }[where]
    (error,) = errors_of(written(tmp_path, json.dumps([scenario]), "x.grice.json"))
    assert error.startswith("1:2: [0]: the checks take ")
    assert error.endswith(" bytes as JSON, at most 200 are allowed (GRICE_MAX_ASSERTION_JSON_BYTES)")
    monkeypatch.setenv("PK_MAX_ASSERTION_JSON_BYTES", "2000")
    load_suite(tmp_path / "x.grice.json")


def test_a_limit_that_is_set_wrongly_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRICE_MAX_ASSERTION_JSON_BYTES", "many")
    path = written(tmp_path, AUTHORS)
    with pytest.raises(SuiteErrors) as caught:
        load_suite(path)
    assert str(caught.value).startswith(f"{path}: GRICE_MAX_ASSERTION_JSON_BYTES: ")


@pytest.mark.parametrize("expected", ['"\\ud83d"', "1" * 40, "1e300", "0.1"])
def test_any_json_is_an_expected_value(tmp_path: Path, expected: str) -> None:
    text = f'[{{"say": "x", "expect": [{{"matcher": "toEqual", "expected": {expected}}}]}}]'
    (scenario,) = loaded(tmp_path, text, "x.grice.json")
    assert scenario.checks[0].matcher.args == (json.loads(expected),)


def test_a_good_file_loads_without_asking_where_each_value_stands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def asked(*_: object, **__: object) -> tuple[int, int]:
        raise AssertionError("the file was read twice")

    monkeypatch.setattr(Document, "position", asked)
    for name, text in GOOD.items():
        assert loaded(tmp_path, text, name)


def test_finds_the_suites_of_a_folder(tmp_path: Path) -> None:
    names = [
        "b.grice.yaml",
        "a/c.grice.json",
        "a/d.grice.yml",
        "plain.yaml",
        ".hidden/e.grice.yaml",
        "grice.yaml",
    ]
    for name in names:
        written(tmp_path, LIST, name)
    found = [
        path.relative_to(tmp_path).as_posix() for path in find_suites([tmp_path, tmp_path / "b.grice.yaml"])
    ]
    assert found == ["a/c.grice.json", "a/d.grice.yml", "b.grice.yaml"]
    assert find_suites([tmp_path / "plain.yaml"]) == [tmp_path / "plain.yaml"]
    assert is_suite_file("b.grice.yaml")
    assert not is_suite_file("grice.yaml")


def test_a_path_without_suites_is_an_error_with_what_else_is_wrong(tmp_path: Path) -> None:
    written(tmp_path, "scenarios: []", "bad.grice.yaml")
    (tmp_path / "empty").mkdir()
    with pytest.raises(SuiteErrors) as caught:
        find_suites([tmp_path / "empty", tmp_path / "badd.grice.yaml", tmp_path / "bad.grice.yaml"])
    assert str(caught.value).split("\n") == [
        f"{tmp_path / 'empty'}: no suites in this folder; they are named *.grice.yaml or *.grice.json",
        f"{tmp_path / 'badd.grice.yaml'}: there is no such file or folder (did you mean 'bad.grice.yaml'?)",
        f"{tmp_path / 'bad.grice.yaml'}:1:12: scenarios: the file holds no scenario: it is an empty list",
    ]


def test_files_of_one_suite_name_share_their_ids(tmp_path: Path) -> None:
    scenario = "[{id: a, say: x, expect: [{matcher: toBeNull}]}]"
    one_file, other = (
        written(tmp_path, scenario, "one/a.grice.yaml"),
        written(tmp_path, scenario, "b.grice.yaml"),
    )
    assert [found.suite for found in load_suites([one_file, other])] == ["a", "b"]
    same = written(tmp_path, scenario, "two/a.grice.yaml")
    with pytest.raises(SuiteErrors) as caught:
        load_suites([one_file, other, same])
    assert str(caught.value) == f"{same}:1:1: the id 'a' is used already, at {one_file}:1"


def test_a_file_that_cannot_be_read_is_an_error(tmp_path: Path) -> None:
    assert errors_of(tmp_path / "no.grice.yaml") == [" there is no such file"]
    assert errors_of(written(tmp_path, "- a: [")) == [
        "1:6: not valid YAML: the [ that opens here is not closed: ] is missing"
    ]


def test_errors_survive_pickling(tmp_path: Path) -> None:
    with pytest.raises(SuiteErrors) as caught:
        find_suites([tmp_path, written(tmp_path, "5", "plain.yaml")])
    again = pickle.loads(pickle.dumps(caught.value))
    assert str(again) == str(caught.value)


def test_not_negates_the_matcher(tmp_path: Path) -> None:
    (scenario,) = loaded(tmp_path, one(checks="expect: [{matcher: toBeNull, not: true}]"))
    assert scenario.checks[0].matcher == ~be_null()


@pytest.mark.parametrize(
    ("check", "said"),
    [
        ("toContain: Hello", "a matcher is no field: write {matcher: toContain, expected: Hello}"),
        ("contains: a", "a matcher is no field: write {matcher: toContain, expected: a}"),
        ("toBeNull: true", "a matcher is no field: write {matcher: toBeNull}"),
        ("toBeNull: ~", "a matcher is no field: write {matcher: toBeNull}"),
        (
            'toEqual: "a: b", path: $.x, not: true',
            'a matcher is no field: write {matcher: toEqual, expected: "a: b", path: $.x, not: true}',
        ),
        (
            "toCallTool: {name: book, times: 2}",
            "a matcher is no field: write {matcher: toCallTool, expected: {name: book, times: 2}}",
        ),
        ("toMatch: /x/i", "a matcher is no field: write {matcher: toMatch, expected: {source: x, flags: i}}"),
        (
            "matcher: toMatch, expected: /x/i",
            (
                "a pattern has no slashes around it: write expected: {source: x, flags: i}; "
                'for the slashes as text {source: "/x/i"}'
            ),
        ),
    ],
)
def test_a_check_in_another_tools_words_is_told_what_to_write(tmp_path: Path, check: str, said: str) -> None:
    (error,) = errors_of(written(tmp_path, f"[{{say: a, expect: [{{{check}}}]}}]"))
    assert error.split(": ", 2)[2] == said
    instead = said.rpartition(": write ")[2].partition("; ")[0].removeprefix("expected: ")
    if instead.startswith("{matcher"):
        load_suite(written(tmp_path, f"[{{say: a, expect: [{instead}]}}]"))
    else:
        load_suite(written(tmp_path, f"[{{say: a, expect: [{{matcher: toMatch, expected: {instead}}}]}}]"))


def test_a_pattern_with_slashes_and_no_flags_is_told_both_ways(tmp_path: Path) -> None:
    (error,) = errors_of(written(tmp_path, "[{say: a, expect: [{matcher: toMatch, expected: /rooms/}]}]"))
    assert 'write expected: {source: rooms}; for the slashes as text {source: "/rooms/"}' in error
    load_suite(written(tmp_path, "[{say: a, expect: [{matcher: toMatch, expected: {source: /rooms/}}]}]"))


def test_two_matchers_in_one_check_are_two_checks(tmp_path: Path) -> None:
    (error,) = errors_of(written(tmp_path, "[{say: a, expect: [{toContain: x, toMatch: y}]}]"))
    assert "these are two checks, toContain and toMatch: write each as an item" in error
