# ruff: noqa: E501 - a table, a message a line
"""What is often written wrong, what Grice says, and what to do: the table of docs/mistakes.md.

The page is made of it by `python tests/files/told_mistakes.py`.
"""

from __future__ import annotations

import contextlib
import io
import os
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from grice import evaluate_assertions
from grice.cli.app import app
from grice.files.goldens import load_goldens
from grice.files.phrase_rule_files import load_rules
from grice.files.scenario_sets import load_scenarios
from grice.files.settings import load_settings
from grice.files.suite_files import load_suite

PAGE = Path(__file__).parents[2] / "docs" / "mistakes.md"


class Mistake(NamedTuple):
    """A mistake: the file or path, what was written, what is said, and what to do.

    `name` is "" for a command; for a path into a JSON value, `written` is the value.
    """

    title: str
    name: str
    written: str
    said: str
    do: str


READERS: dict[str, Callable[[Path], object]] = {
    "shop.grice.yaml": load_suite,
    "order.golden.json": load_goldens,
    "order.golden.yaml": load_goldens,
    "rules.toml": load_rules,
    "set.csv": load_scenarios,
    "pyproject.toml": lambda path: load_settings(path.parent),
}
SUITE = "- {id: greeting, say: Hi, expect: [{matcher: toContain, expected: Hello}]}\n"


def told(mistake: Mistake) -> str:
    """What is said of the mistake; the file is written into the current folder."""
    if not mistake.name:
        return _told_by_the_command(shlex.split(mistake.written)[1:])
    if mistake.name.startswith("$"):
        check = {"path": mistake.name, "matcher": "toEqual", "expected": "x"}
        return evaluate_assertions(mistake.written, [check]).results[0].message
    path = Path(mistake.name).absolute()
    path.write_text(mistake.written, "utf-8")
    try:
        READERS[mistake.name](path)
    except ValueError as error:
        return str(error).replace(f"{path.parent}{os.sep}", "")
    return "nothing is wrong"


def _told_by_the_command(words: list[str]) -> str:
    Path("shop.grice.yaml").write_text(SUITE, "utf-8")
    with contextlib.redirect_stderr(io.StringIO()) as written, contextlib.suppress(SystemExit):
        app.main(words)
    return written.getvalue().strip().splitlines()[-1]


def rendered() -> str:
    """The page."""
    parts = [INTRODUCTION]
    for group, mistakes in MISTAKES.items():
        parts.append(f"## {group}")
        parts += [_section(one) for one in mistakes]
    return "\n\n".join(parts) + "\n"


def _section(mistake: Mistake) -> str:
    written = mistake.written.expandtabs(8).rstrip("\n") or "(nothing)"
    where = "On the command line"
    if mistake.name:
        where = f"The path `{mistake.name}` into" if mistake.name.startswith("$") else f"In `{mistake.name}`"
    shown = f"{where}:\n\n```text\n{written}\n```"
    return f"### {mistake.title}\n\n{shown}\n\nGrice says:\n\n```text\n{mistake.said}\n```\n\n{mistake.do}"


INTRODUCTION = """# Mistakes in files and commands

What is often written wrong, what Grice says, and what to do. A message about a file begins with the file, the line and
the column, from 1, at which the mistake was made. Everything that is wrong with a file is told at once, unless it
cannot be read at all. `grice check` says it too, and runs nothing.

A name is offered ("did you mean 'status'?") for a typo only: a letter too many, too few or wrong, two in the wrong
order, another case, `_` or `-`. Where nothing is offered, no known name is that near.

This page is made of a table that the tests run: `tests/files/told_mistakes.py`."""

MISTAKES: dict[str, list[Mistake]] = {
    "YAML": [
        Mistake(
            "A tab indents a line",
            "shop.grice.yaml",
            "scenarios:\n\t- id: greeting\n",
            "shop.grice.yaml:2:1: not valid YAML: a tab indents this line: indent with spaces",
            "Indent with spaces; set the editor to insert them for the Tab key.",
        ),
        Mistake(
            "A tab after the dash",
            "shop.grice.yaml",
            "- id: greeting\n  expect:\n  -\tmatcher: toBeDefined\n",
            "shop.grice.yaml:3:4: not valid YAML: a tab stands here: write a space",
            "Write one space.",
        ),
        Mistake(
            "A colon in a text without quotes",
            "shop.grice.yaml",
            "- id: greeting\n  say: Note: we are late\n",
            'shop.grice.yaml:2:12: not valid YAML: a text with a colon and a space needs quotes: write say: "Note: we are late"',
            "Put the text into quotes.",
        ),
        Mistake(
            "A quote that is not closed",
            "shop.grice.yaml",
            '- id: greeting\n  say: "Hello\n  expect:\n  - {matcher: toContain, expected: Hi}\n',
            'shop.grice.yaml:2:8: not valid YAML: the quote that opens here is not closed: end the text with "',
            "Close the quote on the line where it opens; the error names that line, not the end of the file.",
        ),
        Mistake(
            "A quote that is closed by the next one",
            "shop.grice.yaml",
            '- id: greeting\n  say: "Hello\n  expect:\n  - matcher: toContain\n    expected: "Hi"\n',
            'shop.grice.yaml:2:8: not valid YAML: the quote that opens here is not closed on its line: end the text with "',
            "Close the quote on the line where it opens.",
        ),
        Mistake(
            "An apostrophe in single quotes",
            "shop.grice.yaml",
            "- id: greeting\n  say: 'It's me'\n",
            "shop.grice.yaml:2:11: not valid YAML: the text ends at this apostrophe: write it twice, '', or the text in double quotes",
            "Write `\"It's me\"` or `'It''s me'`.",
        ),
        Mistake(
            "A quote in a quoted text",
            "shop.grice.yaml",
            '- id: greeting\n  say: "Say "hello" to Ann"\n',
            'shop.grice.yaml:2:13: not valid YAML: the text ends at this quote: write a quote in a text as \\"',
            'Write `\\"` for a quote in double quotes, or put the text into single quotes.',
        ),
        Mistake(
            "A dash without a space",
            "shop.grice.yaml",
            "scenarios:\n  -id: greeting\n   say: Hi\n",
            "shop.grice.yaml:2:3: a space is missing behind the dash: write '- id: greeting' for a list item; a name that begins so needs quotes",
            "Write a space after the dash.",
        ),
        Mistake(
            "An em dash for a hyphen",
            "shop.grice.yaml",
            "scenarios:\n  — id: greeting\n    say: Hi\n",
            "shop.grice.yaml:2:3: '—' is not the dash of a list: write '- id: greeting', with a hyphen and a space; a name that begins so needs quotes",
            "Write a hyphen and a space; switch the editor's typographic dashes off.",
        ),
        Mistake(
            "A list item further left than its siblings",
            "shop.grice.yaml",
            "scenarios:\n    - id: greeting\n      say: Hi\n  - id: parting\n    say: Bye\n",
            "shop.grice.yaml:4:3: not valid YAML: this list item stands at column 3, the items above at column 5: indent them alike",
            "Give all items of a list the same indentation.",
        ),
        Mistake(
            "A list item further right than its siblings",
            "shop.grice.yaml",
            "scenarios:\n  - id: greeting\n    - id: parting\n",
            "shop.grice.yaml:3:5: not valid YAML: this list item stands at column 5, the items above at column 3: indent them alike",
            "Give all items of a list the same indentation.",
        ),
        Mistake(
            "A field further right than its siblings",
            "shop.grice.yaml",
            "- id: greeting\n    say: Hi\n",
            "shop.grice.yaml:2:5: not valid YAML: this line stands at column 5, the fields above at column 3: indent them alike",
            "Begin the field below the one above it.",
        ),
        Mistake(
            "A field further left than its siblings",
            "shop.grice.yaml",
            "- id: greeting\n say: Hi\n",
            "shop.grice.yaml:2:2: not valid YAML: this line stands at column 2, the fields above at column 3: indent them alike",
            "Begin the field below the one above it.",
        ),
        Mistake(
            "A colon without a space",
            "shop.grice.yaml",
            "- id:greeting\n  say: Hi\n",
            "shop.grice.yaml:1:6: not valid YAML: a space is missing behind the colon: write 'id: greeting'",
            "Write a space after the colon.",
        ),
        Mistake(
            "A line without a colon",
            "shop.grice.yaml",
            "id: greeting\nsay Hi\nexpect: []\n",
            "shop.grice.yaml:2:1: not valid YAML: 'say Hi' is neither 'name: value' nor '- item': is a colon missing?",
            "Write `name: value`.",
        ),
        Mistake(
            "A bracket that is not closed",
            "shop.grice.yaml",
            "- id: greeting\n  say: [Hi, Bye\n  expect: []\n",
            "shop.grice.yaml:2:8: not valid YAML: the [ that opens here is not closed: ] is missing, or a comma is",
            "Close the bracket; the error names the one that is open.",
        ),
        Mistake(
            "A comma missing in braces",
            "shop.grice.yaml",
            "- id: greeting\n  say: Hi\n  expect:\n  - {matcher: toContain expected: Hi}\n",
            "shop.grice.yaml:4:24: not valid YAML: a comma is missing here, before the next field",
            "Write a comma between two fields in braces.",
        ),
        Mistake(
            "A text that begins with a brace",
            "shop.grice.yaml",
            "- id: greeting\n  say: {name} says hello\n",
            'shop.grice.yaml:2:8: not valid YAML: a text that begins with { needs quotes: write "{name} says hello"',
            "Put the text into quotes.",
        ),
        Mistake(
            "A text that begins with `@`",
            "shop.grice.yaml",
            "- id: greeting\n  say: @ann hello\n",
            'shop.grice.yaml:2:8: not valid YAML: a text that begins with @ needs quotes: write "@ann hello"',
            "Put the text into quotes; so too with `` ` ``, `%`, `*`, `&` and `!`.",
        ),
        Mistake(
            "A backslash in double quotes",
            "shop.grice.yaml",
            '- id: greeting\n  say: "C:\\pictures"\n',
            "shop.grice.yaml:2:11: not valid YAML: a backslash in double quotes is written \\\\; in single quotes it stands as it is",
            "Write two backslashes, or single quotes.",
        ),
        Mistake(
            "A text behind `>`",
            "shop.grice.yaml",
            "- id: greeting\n  say: > Hello\n",
            "shop.grice.yaml:2:8: not valid YAML: behind > nothing stands on the line: write the text on the lines below, indented, or in quotes",
            "Begin the text on the next line.",
        ),
        Mistake(
            "Typographic quotes",
            "shop.grice.yaml",
            "- id: greeting\n  say: “Hello”\n",
            'shop.grice.yaml:2:8: YAML has straight quotes only: write " instead of “; a text that begins with “ needs quotes',
            "Write straight quotes; where a typographic one is part of the text, `'“Hello” is a greeting'`.",
        ),
        Mistake(
            "A colon without a space, in braces",
            "shop.grice.yaml",
            "- id: greeting\n  say: Hi\n  expect:\n  - {matcher:toContain, expected: Hello}\n",
            "shop.grice.yaml:4:14: a space is missing behind the colon: write 'matcher: toContain'",
            "Write a space after the colon.",
        ),
        Mistake(
            "A path with brackets, in braces",
            "shop.grice.yaml",
            "- id: greeting\n  say: Hi\n  expect:\n  - {path: $.items[0].status, matcher: toBeDefined}\n",
            'shop.grice.yaml:4:12: not valid YAML: a text with [ in it needs quotes: write "$.items[0].status"',
            "Put the path into quotes, or write the check on lines of its own.",
        ),
        Mistake(
            "A list item of an outer list",
            "shop.grice.yaml",
            "scenarios:\n  - id: greeting\n    expect:\n      - matcher: toBeDefined\n - id: parting\n",
            "shop.grice.yaml:5:2: not valid YAML: this list item stands at column 2, the items above at column 3: indent them alike",
            "Indent it as the list that it belongs to; the nearest one is named.",
        ),
        Mistake(
            "A merge conflict",
            "shop.grice.yaml",
            "- id: greeting\n<<<<<<< HEAD\n  say: Hello\n=======\n  say: Hi\n>>>>>>> main\n",
            "shop.grice.yaml:2:1: not valid YAML: a merge conflict is left here: keep one side, and leave the lines <<<<<<<, ======= and >>>>>>> out",
            "Keep one side. JSON and TOML are told the same.",
        ),
        Mistake(
            "The fence of Markdown",
            "shop.grice.yaml",
            "```yaml\n- id: greeting\n  say: Hi\n```\n",
            "shop.grice.yaml:1:1: not valid YAML: ``` is Markdown: leave this line out, and the ``` below",
            "Copy what stands between the fences.",
        ),
        Mistake(
            "An alias that is misspelt",
            "shop.grice.yaml",
            "- id: greeting\n  say: &hello Hello\n- id: again\n  say: *helo\n",
            "shop.grice.yaml:4:8: the alias *helo has no anchor &helo before it (did you mean 'hello'?)",
            "Take the name that is offered.",
        ),
        Mistake(
            "Fields that stand twice",
            "shop.grice.yaml",
            "- id: greeting\n  say: Hi\n  id: parting\n  say: Bye\n",
            "shop.grice.yaml:3:3: the field 'id' is there twice in one object, first on line 1\nshop.grice.yaml:4:3: the field 'say' is there twice in one object, first on line 2",
            "Keep one of them; all of the file are told at once.",
        ),
        Mistake(
            "An empty file",
            "shop.grice.yaml",
            "",
            "shop.grice.yaml:1:1: the file is empty",
            "Write the scenarios, or delete the file.",
        ),
    ],
    "Checks of a suite": [
        Mistake(
            "The matcher as the name of the field",
            "shop.grice.yaml",
            "- id: greeting\n  say: Hi\n  expect:\n  - toContain: Hello\n",
            "shop.grice.yaml:4:5: [0].expect[0]: a matcher is no field: write {matcher: toContain, expected: Hello}",
            "Write the check as the message has it.",
        ),
        Mistake(
            "A pattern in slashes",
            "shop.grice.yaml",
            "- id: greeting\n  say: Hi\n  expect:\n  - {matcher: toMatch, expected: /hello/i}\n",
            'shop.grice.yaml:4:34: [0].expect[0].expected: a pattern has no slashes around it: write expected: {source: hello, flags: i}; for the slashes as text {source: "/hello/i"}',
            "Write source and flags.",
        ),
        Mistake(
            "A matcher that is misspelt",
            "shop.grice.yaml",
            "- id: greeting\n  say: Hi\n  expect:\n  - {matcher: toContian, expected: Hello}\n",
            "shop.grice.yaml:4:15: [0].expect[0].matcher: unknown matcher 'toContian' (did you mean 'toContain'?)",
            "Take the name that is offered, when it is the one that was meant.",
        ),
        Mistake(
            "Checks without a dash",
            "shop.grice.yaml",
            "- id: greeting\n  say: Hi\n  expect:\n    matcher: toContain\n    expected: Hello\n",
            "shop.grice.yaml:4:5: [0].expect: expected a list, found an object: begin each item with '- '",
            "Write a dash and a space before the first field.",
        ),
        Mistake(
            "A text that begins with `#`",
            "shop.grice.yaml",
            "- id: order\n  say: #42 is my order\n  expect: [{matcher: toBeDefined}]\n",
            "shop.grice.yaml:2:7: [0].say: expected a text that is not empty or a list, found null: # begins a comment, a text with it needs quotes",
            "Put the text into quotes.",
        ),
        Mistake(
            "A field that is misspelt",
            "shop.grice.yaml",
            "- id: greeting\n  say: Hi\n  expct:\n  - {matcher: toContain, expected: Hello}\n",
            "shop.grice.yaml:3:3: [0]: unknown field 'expct' (did you mean 'expect'?)",
            "Take the name that is offered.",
        ),
        Mistake(
            "Another field that is misspelt",
            "order.golden.yaml",
            "id: order\nuserMessage: Where is it?\nmockLlmResponses:\n- {step: chat, content: On its way.}\nassertion:\n  finalText: {contains: way}\n",
            "order.golden.yaml:5:1: unknown field 'assertion' (did you mean 'assertions'?)",
            "Take the name that is offered.",
        ),
    ],
    "JSON": [
        Mistake(
            "A comma before the closing brace",
            "order.golden.json",
            '{\n  "id": "order",\n  "userMessage": "Where is it?",\n}\n',
            "order.golden.json:3:32: not valid JSON: a comma stands before }: leave it out",
            "Leave the comma out.",
        ),
        Mistake(
            "A comma that is missing",
            "order.golden.json",
            '{\n  "id": "order"\n  "userMessage": "Where is it?"\n}\n',
            "order.golden.json:2:16: not valid JSON: a comma is missing here, between two values",
            "Write a comma; the error names the end of the value before it.",
        ),
        Mistake(
            "Single quotes",
            "order.golden.json",
            "{'id': 'order'}\n",
            "order.golden.json:1:2: not valid JSON: JSON has double quotes only: write \" instead of '",
            "Write double quotes.",
        ),
        Mistake(
            "A comment",
            "order.golden.json",
            '{\n  // the first one\n  "id": "order"\n}\n',
            "order.golden.json:2:3: not valid JSON: JSON has no comments: leave it out, or save the file as .yaml, where # begins one",
            "Leave it out, or write YAML.",
        ),
        Mistake(
            "A quote that is not closed",
            "order.golden.json",
            '{\n  "id": "order,\n  "userMessage": "Where is it?"\n}\n',
            'order.golden.json:2:9: not valid JSON: the quote that opens here is not closed on its line: end the text with ", and write a line break in it as \\n',
            "Close the quote on the line where it opens.",
        ),
        Mistake(
            "A bracket that is not closed",
            "order.golden.json",
            '{\n  "id": "order",\n  "turns": [\n    {"userMessage": "Where is it?"}\n',
            "order.golden.json:3:12: not valid JSON: the [ that opens here is not closed: ] is missing",
            "Close the bracket that the error names; those around it too.",
        ),
        Mistake(
            "Python's True",
            "order.golden.json",
            '{"id": "order", "assertions": {"lint": True}}\n',
            "order.golden.json:1:40: not valid JSON: JSON has no True: write true",
            "Write `true`, `false` or `null`.",
        ),
        Mistake(
            "Two documents in one file",
            "order.golden.json",
            '{"id": "order"}\n{"id": "return"}\n',
            "order.golden.json:2:1: not valid JSON: a second document starts here: put both into one list, [..., ...]",
            "Write a list.",
        ),
    ],
    "TOML": [
        Mistake(
            "A text without quotes",
            "rules.toml",
            "version = 1\n[[rules]]\nid = order-number\n",
            'rules.toml:3:6: not valid TOML: a text needs quotes: write "order-number"',
            "Put the text into quotes.",
        ),
        Mistake(
            "A colon for the equals sign",
            "rules.toml",
            "version: 1\n",
            "rules.toml:1:8: not valid TOML: a = stands between a name and its value, found :",
            "Write `=`.",
        ),
        Mistake(
            "A quote that is not closed",
            "rules.toml",
            '[[rules]]\nid = "order-number\nany_of = ["order"]\n',
            'rules.toml:2:6: not valid TOML: the quote that opens here is not closed: end the text with "',
            "Close the quote on its line.",
        ),
        Mistake(
            "A path of Windows in double quotes",
            "rules.toml",
            '[[rules]]\nid = "C:\\users"\n',
            "rules.toml:2:11: not valid TOML: a backslash in double quotes is written \\\\; in single quotes it stands as it is",
            "Write single quotes.",
        ),
        Mistake(
            "A number that begins with 0",
            "pyproject.toml",
            "[tool.grice]\nconcurrency = 05\n",
            "pyproject.toml:2:15: not valid TOML: a number does not begin with 0: leave it out, or put the text in quotes",
            "Write `5`.",
        ),
        Mistake(
            "A comma before a closing brace",
            "pyproject.toml",
            '[tool.grice]\nserver = {command = "node server.js",}\n',
            "pyproject.toml:2:37: not valid TOML: a comma stands before }: leave it out",
            "Leave the comma out.",
        ),
        Mistake(
            "A setting that is misspelt",
            "pyproject.toml",
            '[tool.grice]\nagnet = "shop:agent"\n',
            "pyproject.toml:2:1: [tool.grice] unknown field 'agnet' (did you mean 'agent'?)",
            "Take the name that is offered.",
        ),
    ],
    "CSV": [
        Mistake(
            "Semicolons between the columns",
            "set.csv",
            "id;goal\nvenue;Find a room\n",
            "set.csv:1:1: the header is one column 'id;goal': expected commas between the columns",
            "Save it with commas.",
        ),
        Mistake(
            "A row with a cell too many",
            "set.csv",
            "id,goal\nvenue,Find a room, quickly\n",
            "set.csv:2:1: a row of 3 cells, expected 2 as in the header; a cell with a comma in it needs double quotes",
            "Put a text with a comma into double quotes.",
        ),
        Mistake(
            "A quote that is not closed",
            "set.csv",
            'id,goal\nvenue,"Find a room\nbar,Find a bar\n',
            'set.csv:2:1: not valid CSV: a quote that opens in this row is not closed: end the cell with "',
            "Close the quote in the row that is named.",
        ),
        Mistake(
            "A quote in a quoted cell",
            "set.csv",
            'id,goal\nvenue,"Find a "quiet" room"\n',
            'set.csv:2:1: not valid CSV: a cell ends at a quote within it: write a quote in a cell twice, ""',
            "Write two quotes for a quote in a quoted cell.",
        ),
        Mistake(
            "A cell that only looks like JSON",
            "set.csv",
            "id,tags\nvenue,\"['quiet', 'cheap']\"\n",
            "set.csv:2:1: tags: begins with [ as JSON does: not valid JSON: JSON has double quotes only: write \" instead of '",
            "Write JSON: double quotes, doubled as CSV asks for.",
        ),
    ],
    "Paths": [
        Mistake(
            "A name that is misspelt",
            "$.statos",
            '{"status": "open"}',
            "$.statos toEqual \"x\" expected an equal value, got nothing: nothing resolved at $.statos: there is no 'statos' (did you mean 'status'?)",
            "Take the name that is offered, when it is the one that was meant.",
        ),
        Mistake(
            "The length of a list",
            "$.items.length",
            '{"items": [1, 2]}',
            '$.items.length toEqual "x" expected an equal value, got nothing: nothing resolved at $.items.length: a path has no lengths, toHaveLength counts what stands before it',
            "Write `path: $.items` and `matcher: toHaveLength`.",
        ),
        Mistake(
            "Another name",
            "$.refund_order",
            '{"get_order": 1}',
            '$.refund_order toEqual "x" expected an equal value, got nothing: nothing resolved at $.refund_order',
            "Look at the value: no name in it is a typo's distance away, so none is offered.",
        ),
    ],
    "Command line": [
        Mistake(
            "A command that is misspelt",
            "",
            "grice rnu shop.grice.yaml",
            "Error: No such command 'rnu' (did you mean 'run'?).",
            "Take the name that is offered; `grice --help` lists them.",
        ),
        Mistake(
            "A file that is misspelt",
            "",
            "grice run shp.grice.yaml",
            "shp.grice.yaml: there is no such file or folder (did you mean 'shop.grice.yaml'?)",
            "Take the name that is offered.",
        ),
        Mistake(
            "An option that is misspelt",
            "",
            "grice run shop.grice.yaml --recrod once",
            "Error: No such option '--recrod' (did you mean '--record'?).",
            "Take the option that is offered; `grice run --help` lists them.",
        ),
        Mistake(
            "A value that is misspelt",
            "",
            "grice run shop.grice.yaml --record onec",
            "Error: --record: expected one of none, once, new, all, off, found 'onec' (did you mean 'once'?)",
            "Take the value that is offered.",
        ),
        Mistake(
            "An agent without its attribute",
            "",
            "grice run shop.grice.yaml --agent shop",
            "an agent is named as 'module:attribute', found 'shop'",
            "Write `shop:agent`: the module, and the name of the agent in it.",
        ),
        Mistake(
            "An argument too many",
            "",
            "grice report latest before",
            "Error: nothing more is expected, found before",
            "Leave it out; `grice report --help` says what it takes.",
        ),
        Mistake(
            "A word in place of a comparison",
            "",
            "grice scan shop.grice.yaml --where 'lang is \"de\"'",
            "error: --where 'lang is \"de\"': 'is' is no comparison: there are == != < <= > >=; expected comparisons such as 'meta.rating < 3' or 'lang == \"de\" and rating >= 2'",
            'Write `lang == "de"`.',
        ),
        Mistake(
            "A matcher that is misspelt",
            "",
            "grice matchers toContian",
            "error: unknown matcher 'toContian' (did you mean 'toContain'?)",
            "Take the name that is offered; `grice matchers` lists them.",
        ),
    ],
}


if __name__ == "__main__":
    PAGE.write_text(rendered(), "utf-8")
