"""Prompts: each placeholder is replaced in one pass, and what fits no input is told with its line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from grice.files.document import FileError, parse_document
from grice.files.prompt_files import (
    MOST_CHARACTERS,
    PromptErrors,
    input_problems,
    load_prompt,
    prompt_fingerprint,
    prompt_name,
    read_prompt,
)
from grice.files.schemas import suite_schema
from grice.files.suite_files import SuiteErrors, load_suite

FILLED: list[tuple[str, dict[str, Any], str]] = [
    ("Hi {{name}}!", {"name": "Ada"}, "Hi Ada!"),
    ("{{a}}{{a}} {{ b }}", {"a": "x", "b": "y"}, "xx y"),
    ("{{a}} {{b}}", {"a": "{{b}}", "b": "$& $1 \\1 {{a}}"}, "{{b}} $& $1 \\1 {{a}}"),
    ("{{a.b}} {{a(}}", {"a.b": "dot", "a(": "bracket"}, "dot bracket"),
    ('{"city": {{city}}}', {"city": {"name": "Köln", "at": [1, 2.5, None, True]}},
     '{"city": {"name":"Köln","at":[1,2.5,null,true]}}'),
    ('{"a": {"b": {"c": {{n}}}}}', {"n": 1}, '{"a": {"b": {"c": 1}}}'),
    ('{"a": {"b": {"c": {"d": 1}}}} {{n}}', {"n": "007"}, '{"a": {"b": {"c": {"d": 1}}}} 007'),
    ("{{{x}}}", {"x": "set"}, "{set}"),
    ("{{{{x}}}} and {{{{ alone", {}, "{{x}} and {{ alone"),
    ("{{{{{{x}}", {"x": "1"}, "{{1"),
    ("{ {x} } }} { {", {}, "{ {x} } }} { {"),
    ("a\r\nb {{x}}\r\n", {"x": "\n"}, "a\r\nb \n\r\n"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "inputs", "filled"), FILLED)
def test_placeholders_are_replaced_once_and_literally(text: str, inputs: dict[str, Any], filled: str) -> None:
    prompt = read_prompt(text)
    assert list(input_problems(prompt, inputs)) == []
    assert prompt.fill(inputs) == filled


@given(
    st.lists(st.tuples(st.text("ab${}\\& \n"), st.text("ab.($", min_size=1)), max_size=6),
    st.data(),
)
def test_a_prompt_is_its_pieces_with_the_inputs_between(
    parts: list[tuple[str, str]], data: st.DataObject
) -> None:
    texts = [text.replace("{", "[") for text, _ in parts]
    inputs = {name: data.draw(st.text(alphabet="ab{}$&\\")) for _, name in parts}
    template = "".join(f"{text}{{{{{name}}}}}" for text, (_, name) in zip(texts, parts, strict=True)) + "end"
    wanted = "".join(f"{text}{inputs[name]}" for text, (_, name) in zip(texts, parts, strict=True)) + "end"
    assert read_prompt(template).fill(inputs) == wanted


@given(st.text(alphabet="a{}\n", max_size=60))
def test_every_text_is_read_or_refused_with_a_place(text: str) -> None:
    try:
        prompt = read_prompt(text, "p.md")
    except PromptErrors as refused:
        prompt, places = None, [(one.path, one.line <= text.count("\n") + 1) for one in refused.errors]
    else:
        places = []
    assert places == [("p.md", True)] * len(places)
    if prompt is not None:
        assert len(prompt.fill(dict.fromkeys(prompt.lines, ""))) <= len(text)


OPEN = "{{ is not closed by }} on its line; write {{{{ where two braces are meant"
NAMELESS = "a placeholder has a name, as in {{city}}; write {{{{ where two braces are meant"
WRONG = [
    ("Hi {{name", [f"p.md:1:4: {OPEN}"]),
    ("a\n {{a\n}} {{b}}", [f"p.md:2:2: {OPEN}"]),
    ("{{}}", [f"p.md:1:1: {NAMELESS}"]),
    ("{{ }} {{", [f"p.md:1:1: {NAMELESS}",
                  f"p.md:1:7: {OPEN}"]),
    (" \n", ["p.md: the prompt is empty"]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "errors"), WRONG)
def test_what_only_begins_a_placeholder_is_refused(text: str, errors: list[str]) -> None:
    with pytest.raises(PromptErrors) as found:
        read_prompt(text, "p.md")
    assert list(map(str, found.value.errors)) == errors


def problems(text: str, inputs: dict[str, Any]) -> list[str]:
    return [f"{one.key or '-'}: {one.message}" for one in input_problems(read_prompt(text, "p.md"), inputs)]


def test_missing_and_unused_inputs_are_told_with_the_nearest_name() -> None:
    assert problems("\nIn {{country}}\n{{notes}}", {"county": 1, "notes": 2, "zzz": 3}) == [
        "-: missing input 'country', for which p.md:2 has a placeholder (did you mean 'county'?)",
        "county: p.md has no placeholder {{county}} (did you mean 'country'?)",
        "zzz: p.md has no placeholder {{zzz}}; it has {{country}}, {{notes}}",
    ]
    assert problems("Hi", {"a": 1}) == ["a: p.md has no placeholder {{a}}; it has none"]
    assert problems("{{a}}", {"a": " "}) == ["-: p.md: the filled prompt says nothing"]


def test_a_prompt_and_what_is_filled_in_have_a_limit() -> None:
    read_prompt("x" * MOST_CHARACTERS)
    with pytest.raises(PromptErrors, match="at most 1,000,000 characters, found 1,000,001"):
        read_prompt("x" * (MOST_CHARACTERS + 1))
    ten = "{{a}}" * 10
    assert problems(ten, {"a": "x" * MOST_CHARACTERS}) == []
    assert problems(f"{ten}.", {"a": "x" * MOST_CHARACTERS}) == [
        "-: the filled prompt has 10,000,001 characters, at most 10,000,000 are sent"
    ]


def test_the_fingerprint_is_that_of_the_bytes_without_a_mark(tmp_path: Path) -> None:
    plain, marked = tmp_path / "a.md", tmp_path / "b.md"
    plain.write_bytes("Grüße {{x}}\r\n".encode())
    marked.write_bytes(b"\xef\xbb\xbf" + plain.read_bytes())
    assert load_prompt(plain).fingerprint == load_prompt(marked).fingerprint
    assert prompt_fingerprint("a") == (
        "sha256:ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb"
    )
    assert prompt_fingerprint("a") != prompt_fingerprint("a\n")


def test_a_prompt_is_called_by_its_path_in_the_project(tmp_path: Path) -> None:
    assert prompt_name(tmp_path / "x" / ".." / "prompts" / "a.md", tmp_path) == "prompts/a.md"


def test_a_file_that_is_not_utf_8_is_refused_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_bytes(b"a\n\xff")
    with pytest.raises(FileError, match=r"a\.md:2:1: not UTF-8"):
        load_prompt(path)


# -- in suites

NOT_WITH = "does not go with the suite's prompt"
CHECK = "expect: [{matcher: toBeTruthy}]"


def errors_in(folder: Path, text: str) -> list[str]:
    """What is said of a suite beside the prompt `Name {{thing}}.`, without the folder."""
    (folder / "suites").mkdir(exist_ok=True)
    (folder / "grice.toml").write_text("")
    (folder / "name.md").write_text("Name {{thing}}.\n")
    path = folder / "suites" / "a.grice.yaml"
    path.write_text(text)
    try:
        load_suite(path)
    except SuiteErrors as error:
        return [str(one).replace(f"{folder}/", "") for one in error.errors]
    return []


def test_a_scenario_says_the_filled_prompt(tmp_path: Path) -> None:
    text = f"prompt: ../name.md\nscenarios:\n- {{id: a, inputs: {{thing: [1]}}, model: ['1'], {CHECK}}}\n"
    assert errors_in(tmp_path, text) == []
    (found,) = load_suite(tmp_path / "suites" / "a.grice.yaml")
    assert [turn.say for turn in found.turns] == ["Name [1].\n"]
    assert found.prompt is not None
    assert found.content == {
        "id": "a",
        "inputs": {"thing": [1]},
        "model": ["1"],
        "expect": [{"matcher": "toBeTruthy"}],
    }


@pytest.mark.parametrize(
    ("head", "scenario", "errors", "by_schema"),
    [
        ("prompt: ../nam.md", "inputs: {thing: 1}",
         ["1:9: prompt: nam.md: there is no such file (did you mean 'name.md'?)"], True),
        ("prompt: ''", "inputs: {thing: 1}",
         ["1:9: prompt: expected a text that is not empty, found ''"], False),
        ("prompt: ../suites", "inputs: {thing: 1}",
         ["1:9: prompt: suites: cannot be read: Is a directory"], True),
        ("prompt: ../name.md", "inputs: {}",
         ["3:12: scenarios[0].inputs: missing input 'thing', for which name.md:1 has a placeholder"], True),
        ("prompt: ../name.md", "inputs: {thing: 1, ting: 2}",
         ["3:23: scenarios[0].inputs: name.md has no placeholder {{ting}} (did you mean 'thing'?)"], True),
        ("prompt: ../name.md", "inputs: [thing]",
         ["3:12: scenarios[0].inputs: expected an object, found a list"], False),
        ("prompt: ../name.md", "say: Hi",
         [f"3:4: scenarios[0]: 'say' {NOT_WITH}: the filled prompt is what the user says; write 'inputs'"],
         False),
        ("prompt: ../name.md", "turns: [{say: Hi}]",
         [f"3:4: scenarios[0]: 'turns' {NOT_WITH}: the filled prompt is the only turn; write 'inputs'"],
         False),
        ("prompt: ../name.md", "inputs: {thing: 1}, tools: {a: 1}",
         ["3:24: scenarios[0]: 'tools' does not go beside 'inputs': a prompt is sent without tools"], False),
        ("prompt: ../name.md", "inputs: {thing: 1}, agent: 'a:b'",
         ["3:24: scenarios[0]: 'agent' does not go beside 'inputs': an LLM answers the prompt"], False),
        ("{prompt: ../name.md, agent: 'a:b'", "inputs: {thing: 1}",
         ["1:22: 'agent' does not go beside 'prompt': an LLM answers the prompt"], False),
    ],
)  # fmt: skip
def test_a_suite_with_a_prompt_that_is_wrong(
    tmp_path: Path, head: str, scenario: str, errors: list[str], *, by_schema: bool
) -> None:
    listed = f"{{{scenario}, {CHECK}}}"
    text = f"{head},\nscenarios: [{listed}]}}\n" if head[0] == "{" else f"{head}\nscenarios:\n- {listed}\n"
    assert errors_in(tmp_path, text) == [f"suites/a.grice.yaml:{one}" for one in errors]
    value = parse_document(text, path="x", syntax="yaml").value
    assert jsonschema.Draft202012Validator(suite_schema(["toBeTruthy"])).is_valid(value) is by_schema


def test_the_schema_takes_a_suite_with_a_prompt() -> None:
    validator = jsonschema.Draft202012Validator(suite_schema(["toBeTruthy"]))
    scenario = {"inputs": {"thing": 1}, "model": ["a"], "expect": [{"matcher": "toBeTruthy"}]}
    suite = {"prompt": "name.md", "scenarios": [scenario]}
    validator.validate(suite)
    for wrong in ({**suite, "agent": "a:b"}, {"agent": "a:b", "scenarios": [scenario]}, [scenario]):
        assert not validator.is_valid(wrong)
    said = {**suite, "scenarios": [{"say": "Hi", "expect": scenario["expect"]}]}
    assert not validator.is_valid(said)


def test_a_suite_reads_no_file_outside_of_its_project(tmp_path: Path) -> None:
    project = tmp_path / "project"
    project.mkdir()
    (tmp_path / "secret.txt").write_text("a key")
    (project / "link.md").symlink_to(tmp_path / "secret.txt")
    for said in ("../../secret.txt", str(tmp_path / "secret.txt"), "../link.md"):
        scenarios = f"scenarios:\n- {{inputs: {{}}, {CHECK}}}\n"
        (error,) = errors_in(project, f"prompt: {json.dumps(said)}\n{scenarios}")
        assert error.endswith(": a suite reads no file outside of its project")


@pytest.mark.parametrize("said", ["../.env", "../.git/config"])
def test_a_suite_reads_no_hidden_file(tmp_path: Path, said: str) -> None:
    path = tmp_path / said.removeprefix("../")
    path.parent.mkdir(exist_ok=True)
    path.write_text("KEY=secret")
    (error,) = errors_in(tmp_path, f"prompt: {said}\nscenarios:\n- {{inputs: {{}}, {CHECK}}}\n")
    assert error.endswith(": a suite reads no hidden file, nor one in a hidden folder")
