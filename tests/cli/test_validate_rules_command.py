"""`grice validate rules` as its user sees it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from grice_command import Grice

HOUSE = """
rules:
  - id: no-slugs
    any_of: [slug, "/job[- ]id/i"]
    why: users must not see our internals
    good: ["Your plugin is up to date."]
    bad: ["The slug akismet was updated."]
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_each_rule_is_shown_with_its_examples(grice: Grice) -> None:
    Path("house.yaml").write_text(HOUSE)
    run = grice("validate", "rules", "house.yaml")
    assert (run.code, run.err) == (0, "")
    assert run.out.splitlines() == [
        "1 rule, right on all of 2 examples.",
        "",
        "no-slugs  users must not see our internals",
        "  pass  good  Your plugin is up to date.",
        "  pass  bad   The slug akismet was updated.  found slug",
    ]


def test_a_rule_that_is_wrong_about_its_own_example_is_named_with_its_line(grice: Grice) -> None:
    Path("house.yaml").write_text(HOUSE.replace("The slug akismet", "The plugin akismet"))
    run = grice("validate", "rules", "house.yaml")
    assert run.code == 1
    assert run.err.startswith("error: house.yaml:7:")
    assert "The plugin akismet was updated." in run.err


def test_the_report_has_the_forms_of_its_siblings(grice: Grice) -> None:
    Path("house.yaml").write_text(HOUSE)
    said = grice("validate", "rules", "house.yaml", "nowhere.yaml", "--markdown")
    assert said.out.startswith(
        "<!-- grice.validation -->\n\n### \u2717 Grice: 1 problem; 1 rule, right on all of"
    )
    assert "**nowhere.yaml: there is no such file" in said.out
    written = json.loads(grice("validate", "rules", "house.yaml", "--json", "-").out)
    (rule,) = written["rules"]
    assert (rule["id"], [one["right"] for one in rule["examples"]]) == ("no-slugs", [True, True])
    assert grice("validate", "rules", "nowhere.yaml").out == "1 problem; no rule was tried.\n"
    assert grice("validate", "rules", "house.yaml", "--markdown", "--json", "-").code == 2


def test_a_file_that_is_not_there_is_told_and_others_are_tried(grice: Grice) -> None:
    Path("house.yaml").write_text(HOUSE)
    run = grice("validate", "rules", "nowhere.yaml", "house.yaml")
    assert run.code == 2
    assert "error: nowhere.yaml: there is no such file" in run.err
    assert "1 rule, right on all of 2 examples." in run.out
