"""Criteria in suite files, and the names that checks use."""

from pathlib import Path
from typing import Any

import jsonschema
import pytest

from grice.files.document import parse_document
from grice.files.schemas import suite_schema
from grice.files.suite_files import SuiteErrors, load_suite
from grice.judging.criterion import Criterion, criterion

VALIDATOR = jsonschema.Draft202012Validator(suite_schema())

FULL = """\
criteria:
  friendly: It is friendly.
  clear:
    text: It is clear.
    good: [[Come at two., says when]]
    bad: [[It depends., says nothing]]
    edge: [[Two-ish., true, close enough]]
    at_least: 3.5
    anchors: {"1": nobody understands it, "5": everybody does}
scenarios:
  - id: greets
    say: Hi
    expect:
      - {matcher: toSatisfy, expected: friendly}
      - {matcher: toSatisfy, expected: [clear, polite, The reply is short.], not: true}
"""


def load(tmp_path: Path, text: str, *known: Criterion) -> Any:
    path = tmp_path / "a.grice.yaml"
    path.write_text(text, "utf-8")
    return load_suite(path, {one.name: one for one in known})


def valid(text: str) -> bool:
    return VALIDATOR.is_valid(parse_document(text, path="x", syntax="yaml").value)


def test_a_suite_has_criteria_of_its_own_beside_those_of_its_project(tmp_path: Path) -> None:
    (scenario,) = load(tmp_path, FULL, criterion("polite", "It is polite."), criterion("clear", "other"))
    assert scenario.criteria == (
        criterion("friendly", "It is friendly."),
        criterion(
            "clear",
            "It is clear.",
            good=[("Come at two.", "says when")],
            bad=[("It depends.", "says nothing")],
            edge=[("Two-ish.", True, "close enough")],
            at_least=3.5,
            anchors={1: "nobody understands it", 5: "everybody does"},
        ),
    )
    assert valid(FULL)


def test_every_unknown_name_is_told_at_once_with_its_place(tmp_path: Path) -> None:
    text = FULL.replace("expected: friendly}", "expected: freindly}") + (
        "  - id: other\n    turns:\n      - say: Hi\n"
        "        evaluate: [{matcher: toSatisfy, expected: clearr, not: true}]\n"
    )
    with pytest.raises(SuiteErrors) as caught:
        load(tmp_path, text)
    said = [str(error).partition("a.grice.yaml:")[2] for error in caught.value.errors]
    assert said == [
        f"{place}: scenarios{field}: unknown criterion {name}; known are clear, friendly"
        for place, field, name in (
            ("14:40", "[0].expect[0].expected", "'freindly' (did you mean 'friendly'?)"),
            ("15:48", "[0].expect[1].expected[1]", "'polite'"),
            ("19:51", "[1].turns[0].evaluate[0].expected", "'clearr' (did you mean 'clear'?)"),
        )
    ]


def test_names_are_not_looked_up_where_nobody_knows_the_project(tmp_path: Path) -> None:
    path = tmp_path / "a.grice.yaml"
    path.write_text(FULL)
    assert len(load_suite(path)) == 1


SCORES = "expected a whole score from 1 to 5, found"
WRONG = [
    ("friendly: ''", "2:13: criteria.friendly: expected a text that is not empty, found ''"),
    (
        "friendly: 3",
        "2:13: criteria.friendly: expected a text that is not empty or an object, found the number 3",
    ),
    (
        "friendly: {}",
        "2:13: criteria.friendly: missing field 'text', expected a text that is not empty",
    ),
    (
        "two words: It is.",
        "2:3: criteria: expected a name of letters, digits, _ and -, such as 'on_topic', found 'two words'",
    ),
    ("a: {text: x, check: f}", "2:16: criteria.a: unknown field 'check'"),
    ("a: {text: x, godo: []}", "2:16: criteria.a: unknown field 'godo' (did you mean 'good'?)"),
    (
        "a: {text: x, good: [[one]]}",
        "2:23: criteria.a.good[0]: expected a pair [reply, why], found ['one']",
    ),
    ("a: {text: x, good: word}", "2:22: criteria.a.good: expected a list, found the string 'word'"),
    (
        "a: {text: x, good: [[one, ' ']]}",
        "2:29: criteria.a.good[0][1]: expected a text that is not empty, found ' '",
    ),
    (
        "a: {text: x, edge: [[one, 1, two]]}",
        "2:29: criteria.a.edge[0][1]: expected true or false, found the number 1",
    ),
    ("a: {text: x, at_least: 6}", "2:26: criteria.a.at_least: expected a score from 1 to 5, found 6"),
    (
        "a: {text: x, anchors: {'1': low}}",
        "2:25: criteria.a.anchors: there are anchors for scores, but no at_least: it is not graded",
    ),
    ("a: {text: x, at_least: 3, anchors: {'7': low}}", f"2:39: criteria.a.anchors: {SCORES} '7'"),
    (
        "a: {text: x, at_least: 3, anchors: {? '%s' : low}}" % ("9" * 5_000),
        f"2:41: criteria.a.anchors: {SCORES} '9999*",
    ),
    ("a: {text: 3}", "2:13: criteria.a.text: expected a text that is not empty, found the number 3"),
]


def test_every_mistake_of_all_criteria_is_told_at_once(tmp_path: Path) -> None:
    text = """\
criteria:
  a: {text: 3, good: [[one]], at_least: 6}
  b: {godo: []}
  two words: ""
scenarios: [{say: Hi, expect: [{matcher: toContain, expected: x}]}]
"""
    with pytest.raises(SuiteErrors) as caught:
        load(tmp_path, text)
    assert [(one.line, one.column) for one in caught.value.errors] == [
        (2, 13),
        (2, 23),
        (2, 41),
        (3, 6),
        (3, 7),
        (4, 3),
        (4, 14),
    ]


@pytest.mark.parametrize(("block", "message"), WRONG)
def test_a_wrong_criterion_is_told_with_its_place(tmp_path: Path, block: str, message: str) -> None:
    text = (
        f"criteria:\n  {block}\nscenarios:\n  - {{say: Hi, expect: [{{matcher: toContain, expected: x}}]}}\n"
    )
    with pytest.raises(SuiteErrors) as caught:
        load(tmp_path, text)
    (error,) = caught.value.errors
    said = str(error).partition("a.grice.yaml:")[2]
    assert said.startswith(message.removesuffix("*"))
    assert said == message or message.endswith("*")
    if "anchors for" not in message:  # a schema does not say what goes beside what here
        assert not valid(text)


def test_criteria_are_an_object(tmp_path: Path) -> None:
    text = "criteria: [friendly]\nscenarios:\n  - {say: Hi, expect: [{matcher: toContain, expected: x}]}\n"
    with pytest.raises(SuiteErrors, match=r"a.grice.yaml:1:11: criteria: expected an object"):
        load(tmp_path, text)
    assert not valid(text)


@pytest.mark.parametrize("expected", ["''", "[]", "3", "{text: x}", "[friendly, 3]", "' '"])
def test_what_names_no_criterion_is_refused(tmp_path: Path, expected: str) -> None:
    text = f"scenarios:\n  - {{say: Hi, expect: [{{matcher: toSatisfy, expected: {expected}}}]}}\n"
    with pytest.raises(SuiteErrors, match=r"a\.grice\.yaml:2:\d+: scenarios\[0\]\.expect\[0\]"):
        load(tmp_path, text)
