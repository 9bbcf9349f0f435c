# ruff: noqa: E501 - tables, one mistake a line
"""What is said of a text that is no YAML, JSON or TOML: where its writer made the mistake, and what to write."""

import pickle
import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grice.files.document import FileError, FileErrors, parse_document
from grice.files.suite_files import SuiteErrors, load_suites
from grice.user_files import TomlError, read_toml

MERGE = "a merge conflict is left here: keep one side, and leave the lines <<<<<<<, ======= and >>>>>>> out"

# the text, the line and column of the mistake, what is said
# fmt: off
YAML = [
    ('scenarios:\n\t- id: a\n', '2:1', 'a tab indents this line: indent with spaces'),
    ('scenarios:\n  - id: a\n\tsay: x\n', '3:1', 'a tab indents this line: indent with spaces'),
    ('a:\n\tb: 1\n', '2:1', 'a tab indents this line: indent with spaces'),
    ('a:\n  -\tid: x\n', '2:4', 'a tab stands here: write a space'),
    ('say: Note: hello\n', '1:10', 'a text with a colon and a space needs quotes: write say: "Note: hello"'),
    ('- expect: Note: hello\n  b: 1\n', '1:15', 'a text with a colon and a space needs quotes: write expect: "Note: hello"'),
    ('id: a\nsay: "Hello\nexpect:\n  - matcher: toContain\n    expected: x\n', '2:6', 'the quote that opens here is not closed: end the text with "'),
    ('id: a\nsay: "Hello\nexpect:\n  - matcher: toContain\n    expected: "x"\n', '2:6', 'the quote that opens here is not closed on its line: end the text with "'),
    ("id: a\nsay: 'Hello\nexpect: 1\n", '2:6', "the quote that opens here is not closed: end the text with '"),
    ("id: a\nsay: 'It's me'\nexpect: 1\n", '2:9', "the text ends at this apostrophe: write it twice, '', or the text in double quotes"),
    ('say: "Hello" world\n', '1:14', 'text stands behind the quote that ends the value: put all of it into the quotes'),
    ('scenarios:\n  -id: x\n   say: y\n', '2:3', "a space is missing behind the dash: write '- id: x' for a list item; a name that begins so needs quotes"),
    ('scenarios:\n  -id: x\n  -id: y\n', '2:3', "a space is missing behind the dash: write '- id: x' for a list item; a name that begins so needs quotes"),
    ('scenarios:\n  -id: x\n', '2:3', "a space is missing behind the dash: write '- id: x' for a list item; a name that begins so needs quotes"),
    ('scenarios:\n  - id: x\n  -id: y\n', '3:3', "a space is missing behind the dash: write '- id: y' for a list item"),
    ('scenarios:\n  — id: x\n    say: y\n', '2:3', "'—' is not the dash of a list: write '- id: x', with a hyphen and a space; a name that begins so needs quotes"),
    ('scenarios:\n  – id: x\n  – id: y\n', '2:3', "'–' is not the dash of a list: write '- id: x', with a hyphen and a space; a name that begins so needs quotes"),
    ('expect:\n    - a: 1\n  - a: 2\n', '3:3', 'this list item stands at column 3, the items above at column 5: indent them alike'),
    ('expect:\n  - a: 1\n    - a: 2\n', '3:5', 'this list item stands at column 5, the items above at column 3: indent them alike'),
    ('expect:\n  - a: 1\n   - a: 2\n', '3:4', 'this list item stands at column 4, the items above at column 3: indent them alike'),
    ('- id: a\n say: x\n', '2:2', 'this line stands at column 2, the fields above at column 3: indent them alike'),
    ('- id: a\n    say: x\n', '2:5', 'this line stands at column 5, the fields above at column 3: indent them alike'),
    ('id: a\n  say: x\n', '2:3', 'this line stands at column 3, the fields above at column 1: indent them alike'),
    ('id: a\nsay hello\nexpect: 1\n', '2:1', "'say hello' is neither 'name: value' nor '- item': is a colon missing?"),
    ('id: a\nsay hello\n', '2:1', "'say hello' is neither 'name: value' nor '- item': is a colon missing?"),
    ('id:a\nsay: hello\n', '1:4', "a space is missing behind the colon: write 'id: a'"),
    ('id: a\nsay:hello\n', '2:5', "a space is missing behind the colon: write 'say: hello'"),
    ('a: [1, 2\nb: 3\n', '1:4', 'the [ that opens here is not closed: ] is missing, or a comma is'),
    ('a: {x: 1\nb: 3\n', '1:4', 'the { that opens here is not closed: } is missing, or a comma is'),
    ('a: [1 2]\nb: {x: 1 y: 2}\n', '2:9', 'a comma is missing here, before the next field'),
    ('a: ["1" "2"]\n', '1:9', 'a comma is missing before this value'),
    ('a: [1]]\n', '1:7', 'nothing opens this ]: leave it out'),
    ('a: }\n', '1:4', 'a text that begins with } needs quotes: write "}"'),
    ('say: @bob\n', '1:6', 'a text that begins with @ needs quotes: write "@bob"'),
    ('say: `x`\n', '1:6', 'a text that begins with ` needs quotes: write "`x`"'),
    ('say: %x\n', '1:6', 'a text that begins with % needs quotes: write "%x"'),
    ('%x: 1\n', '1:1', 'a text that begins with % needs quotes: write "%x: 1"'),
    ('say: *bold*\n', '1:6', 'a text that begins with * needs quotes: write "*bold*"'),
    ('say: **bold** text\n', '1:6', 'a text that begins with * needs quotes: write "**bold** text"'),
    ('say: !important\n', '1:6', 'the tag !important is not taken: write plain values, text in quotes'),
    ('say: {name} hello\n', '1:6', 'a text that begins with { needs quotes: write "{name} hello"'),
    ('say: [hi] there\n', '1:6', 'a text that begins with [ needs quotes: write "[hi] there"'),
    ('say: "C:\\path"\n', '1:9', 'a backslash in double quotes is written \\\\; in single quotes it stands as it is'),
    ('say: > hello\n', '1:6', 'behind > nothing stands on the line: write the text on the lines below, indented, or in quotes'),
    ('say: | hello\n', '1:6', 'behind | nothing stands on the line: write the text on the lines below, indented, or in quotes'),
    ('say: hello:\n  x: 1\n', '1:11', 'a text with a colon and a space needs quotes: write say: "hello:"'),
    ('', '1:1', 'the file is empty'),
    ('# x\n', '1:1', 'the file is empty: it has comments only'),
    ('a: 1\n...\nb: 2\n', '3:1', "this line is no field and no list item of what stands above it"),
    ('- a: 1\nb: 2\n', '2:1', "a list stands above, and this is no item of it: begin the line with '- ', or give the list a name"),
    ('a: 1\n- b\n', '2:1', "a list item stands among the fields of an object: give the list a name, as in 'name:'"),
    ('- "a"\n  b\n', '2:3', 'this line is no field and no list item of what stands above it'),
    ('a: |\n   x\n  y\n', '3:3', 'this line stands at column 3, the fields above at column 4: indent them alike'),
    ('scenarios:\n  - id: a\n    expect:\n      - matcher: x\n        expected: y\n     say: z\n', '6:6', 'this line stands at column 6, the fields above at column 5: indent them alike'),
    ('- {a: x b: y}\n', '1:8', 'a comma is missing here, before the next field'),
    ('- a:\n    x: 1\nb: 2\n', '3:1', "a list stands above, and this is no item of it: begin the line with '- ', or give the list a name"),
    ('a: {b', '1:4', 'the { that opens here is not closed: } is missing'),
    ('- {path: $.items[0].status, x: 1}\n', '1:10', 'a text with [ in it needs quotes: write "$.items[0].status"'),
    ('- {path: $.items[*].status, x: 1}\n', '1:10', 'a text with [ in it needs quotes: write "$.items[*].status"'),
    ('a: [b, *c*]\n', '1:8', 'a text that begins with * needs quotes: write "*c*"'),
    ('say: @bob # to Bob\n', '1:6', 'a text that begins with @ needs quotes: write "@bob"'),
    ('- {a:1, b: 2}\n', '1:6', "a space is missing behind the colon: write 'a: 1'"),
    ('say: “Hi”\n', '1:6', 'YAML has straight quotes only: write " instead of “; a text that begins with “ needs quotes'),
    ('say: “Note: hello”\n', '1:6', 'YAML has straight quotes only: write " instead of “; a text that begins with “ needs quotes'),
    ('- {say: „Note: hello“, b: c}\n', '1:9', 'YAML has straight quotes only: write " instead of „; a text that begins with „ needs quotes'),
    ('a:\n  - b: 1\n    c:\n      - d\n - b: 2\n', '5:2', 'this list item stands at column 2, the items above at column 3: indent them alike'),
    ('a: &one [1]\nb: *oen\n', '2:4', "the alias *oen has no anchor &oen before it (did you mean 'one'?)"),
    ('```yaml\na: 1\n```\n', '1:1', '``` is Markdown: leave this line out, and the ``` below'),
    ('a: 1\n<<<<<<< HEAD\nb: 2\n=======\nb: 3\n>>>>>>> x\n', '2:1', MERGE),
]

JSON = [
    ('{"a": 1,\n "b": 2,\n}', '2:8', 'a comma stands before }: leave it out'),
    ('[1, 2,]', '1:6', 'a comma stands before ]: leave it out'),
    ("{'a': 1}", '1:2', 'JSON has double quotes only: write " instead of \''),
    ('{"a": \'x\'}', '1:7', 'JSON has double quotes only: write " instead of \''),
    ('{\n // hi\n "a": 1}', '2:2', 'JSON has no comments: leave it out, or save the file as .yaml, where # begins one'),
    ('{\n # hi\n "a": 1}', '2:2', 'JSON has no comments: leave it out, or save the file as .yaml, where # begins one'),
    ('{"a": /* x */ 1}', '1:7', 'JSON has no comments: leave it out, or save the file as .yaml, where # begins one'),
    ('{"a": 1\n "b": 2}', '1:8', 'a comma is missing here, between two values'),
    ('["a" "b"]', '1:5', 'a comma is missing here, between two values'),
    ('{"a": "x,\n "b": 2}', '1:7', 'the quote that opens here is not closed on its line: end the text with ", and write a line break in it as \\n'),
    ('{"a": "x', '1:7', 'the quote that opens here is not closed: end the text with "'),
    ('{"a": [1, 2\n', '1:7', 'the [ that opens here is not closed: ] is missing'),
    ('{"a": [1, 2}', '1:12', '} stands where ] is expected: close what was opened last first'),
    ('{"a" 1}', '1:5', 'a colon is missing here, between a name and its value'),
    ('{"a": True}', '1:7', 'JSON has no True: write true'),
    ('{"a": None}', '1:7', 'JSON has no None: write null'),
    ('[undefined]', '1:2', 'JSON has no undefined: write null'),
    ('{"a":1}\n{"b":2}', '2:1', 'a second document starts here: put both into one list, [..., ...]'),
    ('[1]]', '1:4', 'nothing opens this ]: leave it out'),
    ('{a: 1}', '1:2', 'the name of a field needs double quotes: write "a"'),
    ('{"a": hello}', '1:7', 'a text needs double quotes: write "hello"'),
    ('{"a": "C:\\path"}', '1:10', 'a backslash in a text is written \\\\'),
    ('{"a": "x\ny"}', '1:7', 'the quote that opens here is not closed on its line: end the text with ", and write a line break in it as \\n'),
    ('{"a": "x\ty"}', '1:9', 'a control character cannot stand in a text: write \\t'),
    ('[1,,2]', '1:4', 'a value is missing before this comma: write it, or leave the comma out'),
    ('[01]', '1:2', '01 is no JSON number: write it as 1, -1, 0.5 or 1e3, or as a text in quotes'),
    ('[+1]', '1:2', '+1 is no JSON number: write it as 1, -1, 0.5 or 1e3, or as a text in quotes'),
    ('[.5]', '1:2', '.5 is no JSON number: write it as 1, -1, 0.5 or 1e3, or as a text in quotes'),
    ('[5.]', '1:2', '5. is no JSON number: write it as 1, -1, 0.5 or 1e3, or as a text in quotes'),
    ('{“a”: 1}', '1:2', 'JSON has straight quotes only: write " instead of “'),
    ('{"a": }', '1:7', 'a value is missing before this }'),
    ('a: 1', '1:1', 'this is YAML: save the file as .yaml'),
    ('- a: 1\n', '1:1', 'this is YAML: save the file as .yaml'),
    ('[0x1f]', '1:2', '0x1f is no JSON number: write it as 1, -1, 0.5 or 1e3, or as a text in quotes'),
    ('["\\u12"]', '1:4', 'a backslash in a text is written \\\\'),
    ('["""x"""]', '1:3', 'the text ends at this quote: write a quote in a text as \\"'),
    ('["say "hi" now"]', '1:7', 'the text ends at this quote: write a quote in a text as \\"'),
    ('{,"a":1}', '1:2', 'a value is missing before this comma: write it, or leave the comma out'),
    ('[NaN]', '1:2', 'NaN is no JSON number: write null, or a text in quotes'),
    ('```json\n{}\n```\n', '1:1', '``` is Markdown: leave this line out, and the ``` below'),
    ('{\n<<<<<<< HEAD\n"a": 1\n=======\n"a": 2\n>>>>>>> x\n}', '2:1', MERGE),
    ('{"a":1} // x', '1:9', 'JSON has no comments: leave it out, or save the file as .yaml, where # begins one'),
]

TOML = [
    ('[tool.grice]\nagent = shop:agent\n', '2:9', 'a text needs quotes: write "shop:agent"'),
    ('[tool.grice]\nagent: "shop"\n', '2:6', 'a = stands between a name and its value, found :'),
    ('[tool.grice]\nagent = "shop\ntimeout = 3\n', '2:9', 'the quote that opens here is not closed: end the text with "'),
    ("a = 'x\n", '1:5', "the quote that opens here is not closed: end the text with '"),
    ('a = True\n', '1:5', 'TOML has no True: write true'),
    ('a = 1\na = 2\n', '2:1', 'a stands twice: keep one, or put the fields of both together'),
    ('[a]\nb = 1\n[a]\nc = 2\n', '3:2', 'a stands twice: keep one, or put the fields of both together'),
    ('a = [1, 2\nb = 3\n', '1:5', 'the [ that opens here is not closed: ] is missing, or a comma between two values is'),
    ('a = [1, [2], 3\n', '1:5', 'the [ that opens here is not closed: ] is missing, or a comma between two values is'),
    ('[tool.grice\na = 1\n', '1:12', 'the [ of this table is not closed: ] is missing'),
    ('a = null\n', '1:5', 'TOML has no null: leave the line out'),
    ('a = \n', '1:5', 'a value is missing behind the ='),
    ('a = {[\n', '1:6', 'the name of a field is expected here'),
    ('a = "C:\\path"\n', '1:10', 'a backslash in double quotes is written \\\\; in single quotes it stands as it is'),
    ('a = 1,\n', '1:6', 'the value ends here, and a line holds one: leave out what follows'),
    ('// x\na = 1\n', '1:1', "this is no 'name = value' and no [table]; a comment begins with #"),
    ('my key = 1\n', '1:4', 'a = is missing behind the name; a name with blanks or signs in it needs quotes'),
    ('a = “x”\n', '1:5', 'TOML has straight quotes only: write " instead of “'),
    ('“a” = 1\n', '1:1', 'TOML has straight quotes only: write " instead of “'),
    ('[[“rules”]]\n', '1:3', 'TOML has straight quotes only: write " instead of “'),
    ('it’s = 1\n', '1:3', 'a = is missing behind the name; a name with blanks or signs in it needs quotes'),
    ('a = "C:\\users"\n', '1:10', 'a backslash in double quotes is written \\\\; in single quotes it stands as it is'),
    ('a = {x = 1\n', '1:5', 'the { that opens here is not closed: } is missing, or a comma between two values is'),
    ('a = {x = 1, x = 2}\n', '1:18', 'a name stands twice in these braces: keep one'),
    ('a = 1\n<<<<<<< HEAD\n', '2:1', MERGE),
    ('a = "x\x01"', '1:7', 'the character U+0001 cannot stand here'),
]
# fmt: on


def refused(text: str, syntax: str) -> FileError:
    with pytest.raises(FileError) as caught:
        parse_document(text, path="f", syntax=syntax)  # type: ignore[arg-type]
    return caught.value


@pytest.mark.parametrize(("text", "place", "said"), YAML)
def test_yaml_is_told_in_the_words_of_its_writer(text: str, place: str, said: str) -> None:
    error = refused(text, "yaml")
    assert (f"{error.line}:{error.column}", error.message.removeprefix("not valid YAML: ")) == (place, said)


@pytest.mark.parametrize(("text", "place", "said"), JSON)
def test_json_is_told_in_the_words_of_its_writer(text: str, place: str, said: str) -> None:
    error = refused(text, "json")
    assert (f"{error.line}:{error.column}", error.message.removeprefix("not valid JSON: ")) == (place, said)


@pytest.mark.parametrize(("text", "place", "said"), TOML)
def test_toml_is_told_in_the_words_of_its_writer(text: str, place: str, said: str) -> None:
    with pytest.raises(TomlError) as caught:
        read_toml(text)
    assert (f"{caught.value.line}:{caught.value.column}", str(caught.value)) == (place, said)


@pytest.mark.parametrize("syntax", ["yaml", "json"])
def test_every_field_that_stands_twice_is_told(syntax: str) -> None:
    error = refused('{"a": 1,\n"a": 2,\n"b": {"c": 1,\n"c": 2, "c": 3}}', syntax)
    assert [str(one) for one in FileErrors([error]).errors] == [
        "f:2:1: the field 'a' is there twice in one object, first on line 1",
        "f:4:1: the field 'c' is there twice in one object, first on line 3",
        "f:4:9: the field 'c' is there twice in one object, first on line 3",
    ]


def test_what_is_told_of_a_file_is_told_once_when_files_are_read_together(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / f"{name}.grice.yaml").write_text("- {id: x, id: y, say: Hi, say: Bye}\n", "utf-8")
    with pytest.raises(SuiteErrors) as caught:
        load_suites(sorted(tmp_path.iterdir()))
    again = pickle.loads(pickle.dumps(caught.value))
    assert [Path(one.path).name[0] + f"{one.line}:{one.column}" for one in again.errors] == [
        "a1:11",
        "a1:27",
        "b1:11",
        "b1:27",
    ]


def test_fields_that_stand_twice_are_told_with_what_is_wrong_behind_them() -> None:
    error = refused("a: 1\na: 2\nb: @x\n", "yaml")
    assert [one.line for one in FileErrors([error]).errors] == [3, 2]


def test_a_hundred_fields_that_stand_twice_are_enough() -> None:
    error = refused("[" + ", ".join(['{"a": 1, "a": 2}'] * 1_000) + "]", "json")
    assert len(FileErrors([error]).errors) == 100


@pytest.mark.parametrize(
    "text",
    [
        "'-id': 1",
        "--verbose: 1",
        "a: — yes",
        "- — yes",
        "a: -x",
        "a: [-x]",
        "a: '“x”'",
        "a: |\n  “x”",
        "a: ’Tis",
        "{b}",
    ],
)
def test_a_dash_or_typographic_quote_where_it_may_stand_is_no_mistake(text: str) -> None:
    parse_document(text, path="f", syntax="yaml")


WORDS = ["\t", "\n", "  ", " ", "- ", "-", "—", ": ", ":", "a", "b", '"', "'", "{", "}", "[", "]", ",", "#", "@", "*",
         "&", "!", "|", ">", "\\", "1", ".", "True", "//", "é", "\r\n", "%", "?", "---", "..."]  # fmt: skip


@given(st.lists(st.sampled_from(WORDS), max_size=30).map("".join), st.sampled_from(["yaml", "json"]))
def test_any_text_is_taken_or_refused_with_a_place_within_it(text: str, syntax: str) -> None:
    error = None
    try:
        parse_document(text, path="f", syntax=syntax)  # type: ignore[arg-type]
    except FileError as refusal:
        error = refusal
    if error is not None:
        assert 1 <= error.line <= text.count("\n") + 1
        assert 1 <= error.column <= len(text.split("\n")[error.line - 1]) + 1


@given(st.lists(st.sampled_from([*WORDS, " = "]), max_size=30).map("".join))
def test_any_toml_is_taken_or_refused_with_a_place_within_it(text: str) -> None:
    error = None
    try:
        read_toml(text)
    except TomlError as refusal:
        error = refusal
    assert error is None or 1 <= error.line <= text.count("\n") + 1


# what a long text begins with, what is repeated in it, and how it ends
LONG = [
    ("- " * 150 + "a: b: c", " - b", "", "yaml"),
    ("", "a: b\n", "   - c: d", "yaml"),
    ("", "# x\n", " a: b: c", "yaml"),
    ("a: ", "x:", " y: z", "yaml"),
    ("[", '"a", ', "", "json"),
    ("[", "-", "", "json"),
    ('["', '\\"', "\n", "json"),
]


@pytest.mark.parametrize(("start", "again", "end", "syntax"), LONG)
def test_explaining_looks_at_a_text_twice_as_long_no_more_than_twice_as_often(
    start: str, again: str, end: str, syntax: str
) -> None:
    """Lines of Python that run to explain, but for those of the parsers."""
    few, many = (explaining_lines(start + again * times + end, syntax) for times in (400, 800))
    assert few > 0
    assert many <= 2 * few


def explaining_lines(text: str, syntax: str) -> int:
    lines = 0

    def count(frame: FrameType, event: str, _: object) -> Callable[..., Any] | None:
        nonlocal lines
        lines += event == "line"
        return count if "mistake" in frame.f_code.co_filename else None

    before = sys.gettrace()
    sys.settrace(count)
    try:
        refused(text, syntax)
    finally:
        sys.settrace(before)
    return lines


@pytest.mark.parametrize(("start", "again", "end", "syntax"), LONG)
def test_a_very_long_text_is_explained(start: str, again: str, end: str, syntax: str) -> None:
    """A pattern that goes back and forth over one such line would take hours."""
    short, long = (refused(start + again * times + end, syntax) for times in (300, 800_000 // len(again)))
    assert long.message[:90] == short.message[:90]  # behind it the text itself is shown, and how long it is


def test_a_very_long_number_is_refused_in_few_words() -> None:
    assert len(refused("[" + "1" * 3_000 + "x", "json").message) < 200
