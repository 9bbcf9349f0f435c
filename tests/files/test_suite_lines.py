# ruff: noqa: E501 - tables, one case a line
"""The lines of checks, whatever stands beside them in the text."""

from pathlib import Path

import pytest

from grice.files.suite_files import load_suite


@pytest.mark.parametrize(
    ("text", "name", "lines"),
    [
        ("- say: 'matcher: x'\n  expect:\n  - on: reply\n    matcher: toBeNull\n  - {matcher: toBeNull}\n", "a.grice.yaml", [4, 5]),
        ("- say: x\n  expect: &c\n  - {'matcher': toBeNull}\n- say: y\n  evaluate: *c\n", "a.grice.yaml", [3, 3]),
        ("- say: x\n  expect:\n  - matcher: toSatisfyAll\n    parse: json\n    expected:\n      matcher: toBeNull\n  - {\"matcher\": toBeNull}\n", "a.grice.yaml", [3, 7]),
        ("- say: x\n  # matcher: old\n  expect:\n  - ? matcher\n    : toBeNull\n", "a.grice.yaml", [4]),
        ('[{"say": "\\"matcher\\": x",\n"expect": [\n{"matcher"\n: "toBeNull"}]}]', "a.grice.json", [3]),
        ('[{"say": "x",\n"expect": [\n{"\\u006datcher": "toBeNull"}]}]', "a.grice.json", [3]),
    ],
)  # fmt: skip
def test_a_check_knows_its_line(tmp_path: Path, text: str, name: str, lines: list[int]) -> None:
    path = tmp_path / name
    path.write_text(text, "utf-8")
    found = [one.line for scenario in load_suite(path) for one in scenario.checks]
    assert found == lines
