"""Criteria in suite files, and the names that checks use."""

from pathlib import Path
from typing import Any

import jsonschema
import pytest

from grice.files.document import parse_document
from grice.files.suite_files import SuiteErrors, load_suite
from grice.files.suite_schema import suite_schema
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


WRONG = [
    ("friendly: ''", "criteria.friendly", "2:13", "criterion 'friendly' has neither a text nor code: *"),
    ("friendly: 3", "criteria.friendly", "2:13", "expected a text, or an object with one, found 3"),
    ("friendly: {}", "criteria.friendly", "2:13", "criterion 'friendly' has neither a text nor code: *"),
    ("two words: It is.", "criteria.two words", "2:14", "a criterion is named with letters*"),
    ("a: {text: x, check: f}", "criteria.a", "2:6", "unknown field 'check'; known are text, good, *"),
    ("a: {text: x, godo: []}", "criteria.a", "2:6", "unknown field 'godo' (did you mean 'good'?); known*"),
    ("a: {text: x, good: [[one]]}", "criteria.a", "2:6", "*an example of good is (reply, why)*"),
    ("a: {text: x, good: word}", "criteria.a", "2:6", "*good is a list of (reply, why), found 'word'"),
    ("a: {text: x, edge: [[one, 1, two]]}", "criteria.a", "2:6", "*edge is (reply, True or False, why)*"),
    ("a: {text: x, at_least: 6}", "criteria.a", "2:6", "*at_least is a score from 1 to 5, found 6"),
    ("a: {text: x, anchors: {'1': low}}", "criteria.a", "2:6", "*has anchors for scores, but no at_least*"),
    ("a: {text: x, at_least: 3, anchors: {'7': low}}", "criteria.a", "2:6", "*a whole score from 1 to 5*"),
    (
        "a: {text: x, at_least: 3, anchors: {? '%s' : low}}" % ("9" * 5_000),
        "criteria.a",
        "2:6",
        "*a whole score from 1 to 5*",
    ),
    ("a: {text: 3}", "criteria.a", "2:6", "*the text is a str, found 3"),
]


@pytest.mark.parametrize(("block", "where", "place", "message"), WRONG)
def test_a_wrong_criterion_is_told_with_its_place(
    tmp_path: Path, block: str, where: str, place: str, message: str
) -> None:
    from fnmatch import fnmatchcase

    text = (
        f"criteria:\n  {block}\nscenarios:\n  - {{say: Hi, expect: [{{matcher: toContain, expected: x}}]}}\n"
    )
    with pytest.raises(SuiteErrors) as caught:
        load(tmp_path, text)
    (error,) = caught.value.errors
    said = str(error).partition("a.grice.yaml:")[2]
    assert said.startswith(f"{place}: {where}: ")
    assert fnmatchcase(said.removeprefix(f"{place}: {where}: "), message), said
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
