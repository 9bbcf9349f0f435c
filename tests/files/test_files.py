import json
import subprocess
import sys
from typing import Any

import msgspec
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from grice.files.document import FileError, load_file, parse_document
from grice.files.typed import errors_in
from grice.typed import Closed

JSON = """{
  "name": "a",
  "tags": ["x", {"deep": null}],
  "n": -1.5e3
}
"""
YAML = """# head
name: a  # why
tags:
- x
- deep:
    more: |
      two
      lines

# tail
flow: {q, "r": [1, 2]}
"""


def error_of(text, syntax="json"):
    with pytest.raises(FileError) as caught:
        parse_document(text, path="f", syntax=syntax)
    return str(caught.value)


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("", "f:1:1: the file is empty"),
        ('{"a": 1,\n "b" 2}', "f:2:5: not valid JSON: a colon is missing here, between a name and its value"),
        ('{"a": 1,\n "a": 2}', "f:2:2: the field 'a' is there twice in one object, first on line 1"),
        (
            '{"a": {"b": 1, "\\u0062": 2}}',
            "f:1:16: the field 'b' is there twice in one object, first on line 1",
        ),
        ("[1,\n NaN]", "f:2:2: NaN is no JSON number: write null, or a text in quotes"),
        ("[-Infinity]", "f:1:2: -Infinity is no JSON number: write null, or a text in quotes"),
        ("[1e999]", "f:1:2: the number 1e999 is too large"),
        ("[" + "9" * 5000 + "]", "f:1:2: a number of 5000 digits is too large"),
        ("[1,\n -" + "9" * 400 + "]", "f:2:2: a number of 400 digits is too large"),
        ("[" * 201 + "]" * 201, "f:1:201: nested deeper than 200 levels"),
        ("[" * 1_000_000, "f:1:201: nested deeper than 200 levels"),
        ('{"a":' * 1_000_000, "f:1:1001: nested deeper than 200 levels"),
        ('["a\ud800"]', "f:1:4: a surrogate stands alone: not valid Unicode"),
        ("[" + " " * 10_000_000, "f:1:1: larger than 10 MB"),
    ],
)
def test_refuses_json_that_is_not_plain_data_and_says_where(text, error):
    assert error_of(text) == error


@pytest.mark.parametrize("syntax", ["json", "yaml"])
def test_takes_200_levels(syntax):
    value = parse_document("[" * 200 + "]" * 200, path="f", syntax=syntax).value
    for _ in range(199):
        (value,) = value
    assert value == []


@pytest.mark.slow
def test_importing_the_reader_loads_no_third_party_module():
    code = "import sys, grice.files.document, grice.identity, grice.text; print(*sys.modules)"
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.split()
    assert not {"yaml", "msgspec", "rfc8785", "sentencex", "re2"}.intersection(loaded)


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("a: 1\nb: 2\na: 3", "f:3:1: the field 'a' is there twice in one object"),
        (
            "a: [1, 2\nb: 3",
            "f:1:4: not valid YAML: the [ that opens here is not closed: ] is missing, or a comma is",
        ),
        (
            "a: b: c",
            'f:1:5: not valid YAML: a text with a colon and a space needs quotes: write a: "b: c"',
        ),
        (
            "a: !!python/object:os.system x",
            "f:1:4: the tag tag:yaml.org,2002:python/object:os.system is not taken",
        ),
        ("a: 1\n---\nb: 2", "f:2:1: a second document starts here (---): put it into a file of its own"),
        ("a:\n  1: x", "f:2:3: the name of a field must be text, found 1: put it into quotes"),
        ("true: x", "f:1:1: the name of a field must be text, found true: put it into quotes"),
        ("? [a]\n: x", "f:1:3: the name of a field must be text, found a collection"),
        ("a: *b", "f:1:4: the alias *b has no anchor &b before it"),
        ("a: &a [*a]", "f:1:8: the alias *a stands inside what it names"),
        ("a: &a {x: 1}\nb: {<<: *a}", "f:2:5: merge keys (<<) are not taken"),
        ("a: x\x07", "f:1:5: the character U+0007 cannot stand in YAML"),
        ("a: 1e999", "f:1:4: the number 1e999 is too large"),
        ("[" * 100_000, "f:1:201: nested deeper than 200 levels"),
        (
            "- &a0 [x]\n" + "".join(f"- &a{n + 1} [*a{n}]\n" for n in range(300)),
            "f:200:10: nested deeper than",
        ),
        (
            "- &a0 [x]\n" + "".join(f"- &a{n + 1} [{', '.join([f'*a{n}'] * 9)}]\n" for n in range(20)),
            "aliases stand for more than 100,000 values",
        ),
    ],
)
def test_refuses_yaml_that_is_not_plain_data_and_says_where(text, error):
    assert error in error_of(text, "yaml")


def test_yaml_reads_as_text_what_yaml_1_1_made_something_else():
    words = [
        "yes",
        "no",
        "on",
        "off",
        "y",
        "1:30",
        "010",
        "0x1f",
        "0o17",
        "2024-01-31",
        "1_000",
        ".inf",
        ".nan",
        "1.2.3",
        "=",
    ]
    text = "".join(f"- {word}\n" for word in words)
    assert parse_document(text, path="f", syntax="yaml").value == words


def test_yaml_reads_the_plain_types():
    text = "[true, False, null, ~, , 1, -2, +3, 1.5, -.5, 1e3, '1', \"true\"]".replace(", ,", ",")
    value = parse_document(text, path="f", syntax="yaml").value
    assert json.dumps(value) == '[true, false, null, null, 1, -2, 3, 1.5, -0.5, 1000.0, "1", "true"]'


def test_yaml_aliases_give_separate_copies():
    value = parse_document("a: &x [1]\nb: *x", path="f", syntax="yaml").value
    assert value == {"a": [1], "b": [1]}
    assert value["a"] is not value["b"]


@pytest.mark.parametrize(
    ("text", "syntax", "path", "written", "position"),
    [
        (JSON, "json", (), JSON.strip(), (1, 1)),
        (JSON, "json", ("name",), '"a"', (2, 11)),
        (JSON, "json", ("tags",), '["x", {"deep": null}]', (3, 11)),
        (JSON, "json", ("tags", 1, "deep"), "null", (3, 26)),
        (JSON, "json", ("n",), "-1.5e3", (4, 8)),
        (YAML, "yaml", ("name",), "a", (2, 7)),
        (YAML, "yaml", ("tags",), YAML[YAML.index("- x") : YAML.index("\n\n# tail")], (4, 1)),
        (YAML, "yaml", ("tags", 1, "deep", "more"), "|\n      two\n      lines", (6, 11)),
        (YAML, "yaml", ("flow", "r", 1), "2", (11, 20)),
        ('{"é😀": "ü", "b": 1}', "json", ("b",), "1", (1, 18)),
        ("é😀: ü\r\nb: 1\r\n", "yaml", ("b",), "1", (2, 4)),
    ],
)
def test_knows_where_a_value_stands(text, syntax, path, written, position):
    document = parse_document("\ufeff" + text, path="f", syntax=syntax)
    start, end = document.span(path)
    assert document.text[start:end] == written
    assert document.position(path) == position


def test_the_position_of_a_name_and_of_what_is_not_there():
    document = parse_document(JSON, path="f")
    assert document.position(("n",), key=True) == (4, 3)
    assert document.position(("tags", 1, "none", "at all")) == (3, 17)
    assert document.position(("tags", 1, "none"), key=True) == (3, 17)
    with pytest.raises(KeyError):
        document.span(("tags", 7))


def test_replaces_a_json_value_in_the_files_own_indent():
    document = parse_document(JSON.replace("\n", "\r\n"), path="f")
    assert document.with_value(("tags",), {"b": [1]}) == JSON.replace(
        '["x", {"deep": null}]', '{\n    "b": [\n      1\n    ]\n  }'
    ).replace("\n", "\r\n")


def test_replaces_a_value_of_a_json_file_on_one_line():
    assert parse_document('{"a": [1]}', path="f").with_value(("a", 0), {"b": "é"}) == '{"a": [{"b": "é"}]}'


@pytest.mark.parametrize(
    ("path", "value", "old", "new"),
    [
        (("name",), "it's: #1", "name: a ", 'name: "it\'s: #1" '),
        (("tags",), [], "- x\n- deep:\n    more: |\n      two\n      lines", "  []"),
        (("tags", 1), {"k": None}, "deep:\n    more: |\n      two\n      lines", '{"k": null}'),
        (("tags", 1, "deep", "more"), "a\nb\x85", "|\n      two\n      lines", '"a\\nb\\u0085"'),
        (("flow", "q"), 1, "{q,", "{q: 1,"),
    ],
)
def test_replaces_a_yaml_value_and_keeps_the_comments(path, value, old, new):
    assert parse_document(YAML, path="f", syntax="yaml").with_value(path, value) == YAML.replace(old, new)


@pytest.mark.parametrize(
    "text", ["a:\nb: 1", "a: # why\nb: 1", "a: ~\nb: 1", "{a: , b: 1}", "---\na:\nb: 1\n...\n"]
)
def test_replaces_an_empty_yaml_value(text):
    changed = parse_document(text, path="f", syntax="yaml").with_value(("a",), {"x": [1]})
    assert parse_document(changed, path="f", syntax="yaml").value == {"a": {"x": [1]}, "b": 1}
    assert changed.count("# why") == text.count("# why")


def test_says_when_an_alias_keeps_a_value_from_being_replaced():
    document = parse_document("a: &x [1]\nb: *x", path="f", syntax="yaml")
    assert document.with_value(("b",), 2) == "a: &x [1]\nb: 2"
    with pytest.raises(FileError, match=r"^f:1:4: .*aliases"):
        document.with_value(("a",), 2)


# No digits: PyYAML writes the text "1e3" without quotes, and for us, as in YAML 1.2, that is a number.
characters = st.characters(exclude_categories=["Cs", "Nd"])
texts = st.text(st.sampled_from("ab:#-'\"\\{}[],&*!?|> \n\t\x85\u2028\ufeffé😀") | characters, max_size=8)
scalars = (
    st.none()
    | st.booleans()
    | st.integers(-(2**60), 2**60)
    | st.floats(allow_nan=False, allow_infinity=False)
    | texts
)
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=8,
)


def paths_of(value, path=()):
    yield path
    children = (
        value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    )
    for step, child in children:
        yield from paths_of(child, (*path, step))


def at(value, path):
    for step in path:
        value = value[step]
    return value


def replaced(value, path, new):
    if not path:
        return new
    copy = value.copy()
    copy[path[0]] = replaced(copy[path[0]], path[1:], new)
    return copy


def check_round_trip(text, value, new, syntax, path):
    document = parse_document(text, path="f", syntax=syntax)
    assert json.dumps(document.value) == json.dumps(value)
    line, column = document.position(path)
    start, end = document.span(path)
    assert start == sum(len(each) + 1 for each in text.split("\n")[: line - 1]) + column - 1
    if syntax == "json":
        assert json.loads(text[start:end]) == at(value, path)
    changed = document.with_value(path, new)
    found = parse_document(changed, path="f", syntax=syntax).value
    assert json.dumps(found) == json.dumps(replaced(value, path, new))


@given(values, values, st.sampled_from([None, 1, 2, "\t"]), st.booleans(), st.data())
def test_any_json_value_can_be_found_and_replaced(value, new, indent, ascii_only, data):
    path = data.draw(st.sampled_from(list(paths_of(value))))
    check_round_trip(json.dumps(value, indent=indent, ensure_ascii=ascii_only), value, new, "json", path)


@given(values, values, st.booleans(), st.data())
def test_any_yaml_value_can_be_found_and_replaced(value, new, flow, data):
    import yaml

    value = {"root": value}
    text = yaml.safe_dump(value, default_flow_style=flow, allow_unicode=True, sort_keys=False)
    assume(
        "? " not in text and yaml.load(text, Loader=yaml.CSafeLoader) == value
    )  # the writer is not perfect
    path = data.draw(st.sampled_from(list(paths_of(value))))
    check_round_trip(text, value, new, "yaml", path)


@pytest.mark.parametrize("syntax", ["json", "yaml"])
def test_a_new_value_is_made_to_fit_json_first(syntax):
    text = parse_document('{"a": 1}', path="f", syntax=syntax).with_value(
        ("a",), ["\ud800", float("nan"), ("x",)]
    )
    assert parse_document(text, path="f", syntax=syntax).value == {"a": ["\ufffd", "NaN", ["x"]]}


def test_yaml_takes_a_name_of_more_than_a_thousand_characters():
    text = parse_document("a: 1", path="f", syntax="yaml").with_value(("a",), {"k" * 3000: 1})
    assert parse_document(text, path="f", syntax="yaml").value == {"a": {"k" * 3000: 1}}


def test_loads_a_file_by_its_suffix(tmp_path):
    (tmp_path / "a.golden.json").write_bytes(b'\xef\xbb\xbf{"on": 1}')
    (tmp_path / "b.yml").write_bytes(b"on: 1")
    for name, syntax in (("a.golden.json", "json"), ("b.yml", "yaml")):
        document = load_file(tmp_path / name)
        assert (document.value, document.syntax, document.path) == ({"on": 1}, syntax, str(tmp_path / name))


@pytest.mark.parametrize(
    ("name", "data", "error"),
    [
        ("a.json", b'{"a":\n "\xff"}', ":2:3: not UTF-8: byte 0xff; save the file as UTF-8"),
        ("a.json", '{"é": '.encode() + b"\xe9}", ":1:7: not UTF-8: byte 0xe9; save the file as UTF-8"),
        ("a.json", "{}".encode("utf-16"), "byte 0xff; it looks like UTF-16; save the file as UTF-8"),
        ("a.toml", b"", ":1:1: expected a .json, .yaml or .yml file"),
        ("a.json", b" " * 10_000_001, ":1:1: larger than 10 MB"),
        ("a.json", None, ": there is no such file"),
    ],
)
def test_a_file_that_cannot_be_loaded_says_why(tmp_path, name, data, error):
    file = tmp_path / name
    if data is not None:
        file.write_bytes(data)
    with pytest.raises(FileError) as caught:
        load_file(file)
    assert str(caught.value).startswith(str(file))
    assert str(caught.value).endswith(error)


CHECKED = """scenarios:
  - id: 3
    sya: hello
    flag: 1
    share: true
    list: {}
    any: null
"""


class Fields(Closed, kw_only=True, frozen=True):
    id: str
    say: str
    any: Any
    flag: bool = False
    share: float = 0
    list: tuple[Any, ...] | None = None


class Free(msgspec.Struct):
    """What may have further fields of any name."""

    id: str


def test_reports_everything_wrong_with_the_fields_at_once():
    document = parse_document(CHECKED, path="f", syntax="yaml")
    errors = errors_in(document, document.value["scenarios"][0], Fields, ("scenarios", 0))
    assert [str(error) for error in errors] == [
        "f:2:9: scenarios[0].id: expected a string, found the number 3",
        "f:3:5: scenarios[0]: unknown field 'sya' (did you mean 'say'?)",
        "f:4:11: scenarios[0].flag: expected true or false, found the number 1",
        "f:5:12: scenarios[0].share: expected a number, found true",
        "f:6:11: scenarios[0].list: expected a list, found an object: put it into [ ]",
    ]


@pytest.mark.parametrize(
    ("text", "found"),
    [("[]", "a list"), ('"x\\u001b"', r"the string 'x\x1b'"), ("null", "null"), ("1.5", "the number 1.5")],
)
def test_fields_are_asked_of_an_object(text, found):
    document = parse_document(text, path="f")
    errors = errors_in(document, document.value, Fields)
    assert [str(error) for error in errors] == [f"f:1:1: the file: expected an object, found {found}"]


@pytest.mark.parametrize(
    ("type_", "found"),
    [
        (Fields, r"f:2:2: scenarios[0]: unknown field 'x\ud800'"),
        (Free, r"f:2:2: scenarios[0]: the name of a field has half a character: 'x\ud800'"),
    ],
)
def test_half_a_character_in_the_name_of_a_field_is_told_with_its_line(type_, found):
    text = '{"scenarios": [{"id": "1", "say": "", "any": null,\n "x\\ud800": 1}]}'
    document = parse_document(text, path="f")
    errors = errors_in(document, document.value["scenarios"][0], type_, ("scenarios", 0))
    assert [str(error) for error in errors] == [found]


def test_good_fields_give_no_errors():
    document = parse_document('{"id": "1", "say": "", "any": null, "share": 2, "list": null}', path="f")
    assert errors_in(document, document.value, Fields) == []
