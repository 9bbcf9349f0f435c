# ruff: noqa: E501, ISC004 - files as they are written
"""`grice suite convert`: expected outputs become checks, and the rest of the file stays as it is."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from grice import evaluate_assertions
from grice.files.document import parse_document
from grice.files.suite_convert import converted_suite
from grice.files.suite_files import SuiteErrors, load_suite


def written(folder: Path, text: str, name: str = "x.grice.yaml") -> Path:
    path = folder / name
    path.write_bytes(text.encode())
    return path


CASES = {
    "a text": (
        """\
# Orders.   The file's own comment.
scenarios:
  - id: a   # the first
    say: Hi
    expected_output: Hello, {you}.  # word for word
    output_type: string
    description:   spaces   stay
""",
        """\
# Orders.   The file's own comment.
scenarios:
  - id: a   # the first
    say: Hi
    expect:
      - matcher: toEqual
        expected: Hello, {you}.  # word for word
    description:   spaces   stay
""",
    ),
    "texts over several lines": (
        """\
- say: a
  id: a
  expected_output: |+
    One

      Two

  description: x
- say: b
  id: b
  expected_output: >-
    folded
    text
- say: c
  id: c
  "expected_output": "quoted
    text"
""",
        """\
- say: a
  id: a
  expect:
    - matcher: toEqual
      expected: |+
        One

          Two

  description: x
- say: b
  id: b
  expect:
    - matcher: toEqual
      expected: >-
        folded
        text
- say: c
  id: c
  expect:
    - matcher: toEqual
      expected: "quoted
        text"
""",
    ),
    "JSON values and JSON in texts": (
        """\
- id: a
  output_type: json  # not a text
  expected_output:
    status: READY   # or PENDING
    items: [1, 2]
  say: a
- output_type: json
  id: b
  say: b
  expected_output: '{"a": 1.0}'
- id: c
  say: c
  expected_output: |
    {"a": 1,
     "b": [2]}
  output_type: json
# the end
""",
        """\
- id: a
  # not a text
  expect:
    - matcher: toEqual
      parse: json
      expected:
        status: READY   # or PENDING
        items: [1, 2]
  say: a
- id: b
  say: b
  expect:
    - matcher: toEqual
      parse: json
      expected: {"a": 1.0}
- id: c
  say: c
  expect:
    - matcher: toEqual
      parse: json
      expected:
        {"a": 1,
         "b": [2]}
# the end
""",
    ),
    "turns, flow style, empty lists of checks, soft checks": (
        """\
- id: a
  turns:
  - say: x
    expect: []
    expected_output:
    - 1
    - 2
    output_type: json
  - {output_type: json, say: y, expect: [], expected_output: '42', evaluate: [{matcher: toBeNull}]}
  - {say: z, expected_output: Ho, output_type: string}
  expected_output: end
""",
        """\
- id: a
  turns:
  - say: x
    expect:
      - matcher: toEqual
        parse: json
        expected:
        - 1
        - 2
  - {say: y, expect: [{matcher: toEqual, parse: json, expected: 42}], evaluate: [{matcher: toBeNull}]}
  - {say: z, expect: [{matcher: toEqual, expected: Ho}]}
  expect:
    - matcher: toEqual
      expected: end
""",
    ),
    "JSON": (
        """\
{
  "scenarios": [
    {
      "id": "a",
      "say": "x",
      "expected_output": "Hello",
      "output_type": "string"
    },
    {"output_type": "json", "id": "b", "expected_output": {
        "a":  1
    }, "say": "y"}
  ]
}
""",
        """\
{
  "scenarios": [
    {
      "id": "a",
      "say": "x",
      "expect": [{"matcher": "toEqual", "expected": "Hello"}]
    },
    {"id": "b", "expect": [{"matcher": "toEqual", "parse": "json", "expected": {
        "a":  1
    }}], "say": "y"}
  ]
}
""",
    ),
    "an alias": (
        "- {id: a, say: x, expected_output: &hello Hello}\n- {id: b, say: y, expected_output: *hello }\n",
        "- {id: a, say: x, expect: [{matcher: toEqual, expected: &hello Hello}]}\n"
        "- {id: b, say: y, expect: [{matcher: toEqual, expected: *hello}] }\n",
    ),
    "Windows line ends": (
        "- id: a\r\n  say: x\r\n  expected_output: |\r\n    One\r\n    Two\r\n  output_type: string\r\n",
        "- id: a\r\n  say: x\r\n  expect:\r\n    - matcher: toEqual\r\n      expected: |\r\n        One\r\n        Two\r\n",
    ),
}


@pytest.mark.parametrize(("before", "after"), CASES.values(), ids=CASES)
def test_expected_outputs_become_checks_and_the_rest_stays(tmp_path: Path, before: str, after: str) -> None:
    name = "x.grice.json" if before.startswith("{") else "x.grice.yaml"
    path = written(tmp_path, before, name)
    meant = [one.checks + tuple(turn.checks for turn in one.turns) for one in load_suite(path)]
    conversion = converted_suite(path)
    assert conversion.text == after
    assert conversion.converted == before.count("expected_output")
    assert conversion.notes == ()
    path.write_bytes(after.encode())
    assert len(load_suite(path)) == len(meant)
    again = converted_suite(path)
    assert (again.text, again.converted) == (after, 0)


def test_an_expected_output_beside_expect_is_not_brought_to_life(tmp_path: Path) -> None:
    text = "- id: a\n  say: x\n  expect: [{matcher: toBeTruthy}]\n  expected_output: old\n"
    path = written(tmp_path, text)
    conversion = converted_suite(path)
    assert (conversion.text, conversion.converted) == (text, 0)
    assert conversion.notes == (f"{path}:4:3: expected_output stays: it is not looked at beside 'expect'",)


def test_a_layout_that_cannot_be_kept_is_said(tmp_path: Path) -> None:
    text = "- ? expected_output\n  : Hi\n  say: x\n  id: a\n- {say: y, id: b, expected_output: Ho} # stays\n"
    path = written(tmp_path, text)
    conversion = converted_suite(path)
    assert conversion.converted == 2
    assert conversion.notes == (f"{path}:1:5: its layout could not be kept: it is on one line now",)
    assert conversion.text.endswith(
        "\n- {say: y, id: b, expect: [{matcher: toEqual, expected: Ho}]} # stays\n"
    )
    assert yaml.safe_load(conversion.text)[0]["expect"] == [{"matcher": "toEqual", "expected": "Hi"}]


@pytest.mark.slow
def test_one_unusual_layout_does_not_make_the_others_slow(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    usual = "".join(f"- {{say: y, id: b{n}, expected_output: Ho}} # stays\n" for n in range(300))
    path = written(tmp_path, "- ? expected_output\n  : Hi\n  say: x\n  id: a\n" + usual)
    parsed = []

    def counted(*args: Any, **kwargs: Any) -> Any:
        parsed.append(1)
        return parse_document(*args, **kwargs)

    monkeypatch.setattr("grice.files.suite_convert.parse_document", counted)
    conversion = converted_suite(path)
    assert conversion.converted == 301
    assert conversion.text.count(" # stays\n") == 300
    assert len(conversion.notes) == 1
    assert len(parsed) < 10


def test_an_expected_output_that_no_check_can_say_stays(tmp_path: Path) -> None:
    text = "- {id: a, say: x, output_type: json, expected_output: '1E400'}\n- {id: b, say: x, expected_output: Hi}\n"
    path = written(tmp_path, text)
    conversion = converted_suite(path)
    assert conversion.text == text.replace(
        "expected_output: Hi", "expect: [{matcher: toEqual, expected: Hi}]"
    )
    assert conversion.converted == 1
    assert conversion.notes == (f"{path}:1:38: expected_output stays: a check cannot say the same",)


def test_a_comment_that_goes_with_the_output_type_is_said(tmp_path: Path) -> None:
    text = "- {id: a, say: x, # why\n   output_type: string, # for now\n   expected_output: Hi}\n"
    path = written(tmp_path, text)
    conversion = converted_suite(path)
    assert conversion.converted == 1
    assert conversion.notes == (f"{path}:3:4: a comment in it is lost",)


def test_comments_that_one_line_has_no_room_for_are_said(tmp_path: Path) -> None:
    path = written(tmp_path, "- id: a\n  # why\n  say: x\n  ? expected_output\n  : Hi\n")
    note = f"{path}:4:5: its layout could not be kept: it is on one line now, without its comments"
    assert converted_suite(path).notes == (note,)


def test_what_an_alias_repeats_is_noted_once(tmp_path: Path) -> None:
    text = (
        "- id: a\n  turns:\n  - &t {say: x, expect: [{matcher: toBeTruthy}], expected_output: old}\n  - *t\n"
    )
    path = written(tmp_path, text)
    assert len(converted_suite(path).notes) == 1


def test_json_in_a_text_that_yaml_would_read_differently_is_written_anew(tmp_path: Path) -> None:
    text = '- id: a   # stays\n  say: x\n  output_type: json\n  expected_output: \'{"face": "\\ud83d\\ude00"}\'\n'
    path = written(tmp_path, text)
    conversion = converted_suite(path)
    assert conversion.text == (
        "- id: a   # stays\n  say: x\n  expect:\n    - matcher: toEqual\n      parse: json\n"
        '      expected: {"face": "\U0001f600"}\n'
    )
    assert conversion.notes == (f"{path}:4:3: its layout could not be kept: it is on one line now",)


def test_a_scenario_that_an_alias_repeats_is_converted_wherever_it_stands(tmp_path: Path) -> None:
    text = (
        "- id: a\n  turns:\n  - &turn\n    say: x\n    expected_output: Hi\n"
        "- id: b\n  turns: [*turn, {say: y}]\n"
    )
    conversion = converted_suite(written(tmp_path, text))
    converted = yaml.safe_load(conversion.text)
    assert converted[1]["turns"][0] == {"say": "x", "expect": [{"matcher": "toEqual", "expected": "Hi"}]}
    assert "*turn" in conversion.text


@pytest.mark.parametrize(
    ("scenarios", "note"),
    [
        ("- {say: x, expected_output: a}", "1 scenario has no id: "),
        ("- {say: x, expected_output: a}\n- {turns: [{say: x, expected_output: a}, {say: y, expected_output: b}]}", "2 scenarios have no id: "),
    ],
)  # fmt: skip
def test_derived_ids_that_change_are_said(tmp_path: Path, scenarios: str, note: str) -> None:
    path = written(tmp_path, scenarios)
    told = f"{path}: {note}the one derived from the content is another one now"
    assert converted_suite(path).notes == (told,)


def test_a_file_that_is_no_suite_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SuiteErrors, match="missing field 'scenarios'"):
        converted_suite(written(tmp_path, "a: b\n"))


TEXTS = st.text(st.characters(codec="utf-8", exclude_characters="\x85\u2028\u2029"), max_size=40)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**60), 2**60) | st.floats(allow_nan=False, allow_infinity=False) | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=6,
)  # fmt: skip
OUTPUTS = st.one_of(
    st.tuples(TEXTS, st.just("string")),
    st.tuples(VALUES, st.just("json")),
    st.tuples(VALUES.map(json.dumps), st.just("json")),
)


def dumped(scenario: dict[str, Any], style: str) -> str:
    if style == "json":
        return json.dumps([scenario], ensure_ascii=False, indent=1)
    styles = {"block": False, "flow": True, "mixed": None}
    return yaml.safe_dump([scenario], default_flow_style=styles[style], allow_unicode=True, sort_keys=False)


@pytest.mark.slow
@given(
    output=OUTPUTS,
    actual=VALUES | VALUES.map(json.dumps) | TEXTS,
    style=st.sampled_from(["json", "block", "flow", "mixed"]),
    order=st.permutations(["say", "id", "expected_output", "output_type", "expect"]),
)
def test_the_converted_file_judges_every_output_as_before(
    tmp_path: Path, output: tuple[Any, str], actual: Any, style: str, order: list[str]
) -> None:
    expected, output_type = output
    fields = {"say": "x", "id": "a", "expected_output": expected, "output_type": output_type, "expect": []}
    text = dumped({name: fields[name] for name in order}, style)
    path = written(tmp_path, text, "x.grice.json" if style == "json" else "x.grice.yaml")
    try:
        load_suite(path)
    except SuiteErrors:  # YAML's and our reader differ on what may stand in a file
        return
    conversion = converted_suite(path)
    assert conversion.converted == 1
    assert not any("stays" in note for note in conversion.notes)
    (scenario,) = load_suite(written(tmp_path, conversion.text, path.name))
    (check,) = scenario.content["expect"]
    for candidate in (actual, expected, json.dumps(expected)):
        before = evaluate_assertions(candidate, expected_output=expected, output_type=output_type)  # type: ignore[arg-type]
        parse = check.get("parse", "auto")
        asked = {name: item for name, item in check.items() if name != "parse"}
        after = evaluate_assertions(candidate, [asked], parse=parse)
        assert after.outcome is before.outcome
