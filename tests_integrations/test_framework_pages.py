"""The code of the page on frameworks runs against the frameworks themselves."""

import re
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[1] / "docs" / "frameworks.md"
FILES = dict(re.findall(r"^`(test_\w+\.py)`:\n\n```python\n(.*?)^```", PAGE.read_text("utf-8"), re.M | re.S))

pytest_plugins = ["pytester"]


@pytest.mark.parametrize("name", FILES)
def test_the_code_of_the_page_runs(pytester, name):
    pytester.path.joinpath(name).write_text(FILES[name], "utf-8")
    result = pytester.runpytest_inprocess("-q", "-p", "no:cacheprovider", "-W", "ignore")
    outcomes = result.parseoutcomes()
    assert outcomes.get("passed"), result.stdout.str()
    assert not {"failed", "errors"} & set(outcomes)
