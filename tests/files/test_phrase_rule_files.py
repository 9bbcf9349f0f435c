"""Files of rules on wording: three syntaxes, and errors at their place."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from grice.checks.phrase_rules.rule import PhraseRule, RuleExample, RuleWhen
from grice.files.phrase_rule_files import RuleErrors, load_rules

HOUSE = """\
rules:
  - id: no-internal-names
    when: {tool_status: success, called: update_plugin}
    any_of: ["slug", "/\\\\bjob[- ]id\\\\b/i"]
    none_of: ["banana slug"]
    why: users must not see our internals
    good: ["Your plugin is up to date."]
    bad: ["The slug akismet was updated.", {text: "Your Job-ID is 5.", tool_status: success}]
"""
RULE = PhraseRule(
    id="no-internal-names",
    when=RuleWhen(tool_status=("success",), called=("update_plugin",)),
    any_of=("slug", r"/\bjob[- ]id\b/i"),
    none_of=("banana slug",),
    why="users must not see our internals",
    good=("Your plugin is up to date.",),
    bad=("The slug akismet was updated.", RuleExample(text="Your Job-ID is 5.", tool_status="success")),
)
TOML = """\
[[rules]]
id = "no-internal-names"
any_of = ["slug", '/\\bjob[- ]id\\b/i']
none_of = ["banana slug"]
why = "users must not see our internals"
good = ["Your plugin is up to date."]
bad = ["The slug akismet was updated.", {text = "Your Job-ID is 5.", tool_status = "success"}]
when = {tool_status = "success", called = "update_plugin"}
"""


def written(folder: Path, text: str, name: str = "house.yaml") -> Path:
    file = folder / name
    file.write_text(text, "utf-8")
    return file


def errors_of(file: Path) -> list[str]:
    with pytest.raises(RuleErrors) as caught:
        load_rules(file)
    return [str(one).removeprefix(f"{file}:") for one in caught.value.errors]


def test_yaml_json_and_toml_say_the_same(tmp_path: Path) -> None:
    fields = {
        "id": RULE.id,
        "any_of": RULE.any_of,
        "none_of": RULE.none_of,
        "why": RULE.why,
        "good": RULE.good,
        "bad": [RULE.bad[0], {"text": "Your Job-ID is 5.", "tool_status": "success"}],
        "when": {"tool_status": "success", "called": "update_plugin"},
    }
    files = [
        written(tmp_path, HOUSE),
        written(tmp_path, json.dumps({"rules": [fields]}), "house.json"),
        written(tmp_path, json.dumps([fields]), "list.json"),
        written(tmp_path, TOML, "house.toml"),
    ]
    assert [load_rules(file) for file in files] == [(RULE,)] * len(files)


def test_everything_wrong_is_said_at_once_where_it_stands(tmp_path: Path) -> None:
    text = """\
rules:
  - id: a
    anyof: ["x"]
    good: ["y"]
    bad: ["x"]
  - id: b
    any_of: ["/(a)\\\\1/"]
    good: ["y"]
  - id: c
    any_of: ["foo"]
    good: ["a foo is here"]
    bad: ["bar", "foo"]
  - id: d
    any_of: ["x"]
    good: ["q"]
    bad: ["q"]
"""
    assert errors_of(written(tmp_path, text)) == [
        "3:5: rules[0]: unknown field 'anyof' (did you mean 'any_of'?)",
        "6:5: rules[1]: missing field 'bad', expected a text that breaks the rule, or a list of them",
        (
            "7:14: rules[1].any_of[0]: the pattern '(a)\\\\1' uses a back-reference; RE2 has none, so that "
            "no text can make it hang: write the text out (at character 3)"
        ),
        "11:12: rules[2].good[0]: its good example 'a foo is here' breaks it: found 'foo'",
        "12:11: rules[2].bad[0]: its bad example 'bar' does not break it: found nothing that counts",
        "16:11: rules[3].bad[0]: 'q' is a good example and a bad one",
    ]


def test_an_id_is_used_once(tmp_path: Path) -> None:
    one = "- {id: a, any_of: [x], good: [y], bad: [x]}\n"
    assert errors_of(written(tmp_path, one * 2)) == ["2:8: [1].id: the id 'a' is that of [0] too"]


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("r.yaml", "", "the file is empty"),
        ("r.yaml", "rules: []", "rules: expected a list of rules, found []"),
        ("r.yaml", "[]", "the file: expected a list of rules, found []"),
        ("r.yaml", "rules: 5", "rules: expected a list of rules, found the number 5"),
        ("r.yaml", "5", "the file: expected a list of rules, found the number 5"),
        ("r.yaml", "rule: []", "unknown field 'rule' (did you mean 'rules'?)"),
        ("r.yaml", "rules: [x]", "rules[0]: expected an object, found the string 'x'"),
        (
            "r.yaml",
            "rules: [{id: a, any_of: [x], good: [y], bad: [x]}]\nverzion: 1",
            "unknown field 'verzion' (did you mean 'version'?)",
        ),
        ("r.json", "{", "not valid JSON"),
        ("r.toml", "rules = [", "not valid TOML"),
        ("r.toml", "", "missing field 'rules', expected a list of rules"),
        ("r.txt", "x", "expected a .json, .yaml, .yml or .toml file"),
    ],
)
def test_a_file_without_rules_is_refused(tmp_path: Path, name: str, text: str, said: str) -> None:
    [error] = errors_of(written(tmp_path, text, name))
    assert said in error


def test_a_missing_file_names_the_nearest(tmp_path: Path) -> None:
    written(tmp_path, HOUSE)
    for name in ("hause.yaml", "house.toml"):
        [error] = errors_of(tmp_path / name)
        assert "there is no such file (did you mean 'house.yaml'?)" in error


def test_errors_of_toml_name_the_line_of_the_field(tmp_path: Path) -> None:
    second = '\n[[rules]]\nid = "b"\nany_of = ["x"]\ngood = ["fine"]\nbad = ["y"]\n'
    [error] = errors_of(written(tmp_path, TOML + second, "house.toml"))
    assert error == "14:8: rules[1].bad[0]: its bad example 'y' does not break it: found nothing that counts"


@pytest.mark.slow
def test_a_thousand_rules_are_read_with_their_places(tmp_path: Path) -> None:
    lines = [f"- {{id: r{n}, any_of: [word{n}], good: [fine], bad: [a word{n}]}}\n" for n in range(1_000)]
    assert len(load_rules(written(tmp_path, "".join(lines)))) == 1_000
    lines[700] = lines[700].replace("a word700", "nothing")
    [error] = errors_of(written(tmp_path, "".join(lines), "other.yaml"))
    assert error.startswith("701:")
