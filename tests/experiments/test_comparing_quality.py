"""Quality that could not be compared is named in the answer, and nowhere left out."""

from __future__ import annotations

import io
import json
import re

import pytest
from made_experiments import attempts, between, judged, soft

from grice.experiments.attempts import Attempt, CheckTally
from grice.experiments.comparison.records import Comparison
from grice.reporting.comparison.answer import answer
from grice.reporting.comparison.as_json import comparison_json
from grice.reporting.console import screen_for
from grice.reporting.documents.comparison import comparison_document
from grice.reporting.renderers.markdown import document_markdown
from grice.reporting.renderers.terminal import print_document

ALL = "++++++----"


def asked(*names: str, version: str = "1", outcome: str = "") -> list[Attempt]:
    """Attempts that were judged softly by these criteria; `outcome` is that of all these checks."""
    broken = tuple(CheckTally("toSatisfy", "soft", outcome, 1, name) for name in names)
    rows = broken if outcome else tuple(row for name in names for row in soft(name, 2, 1))
    return attempts(ALL, checks=rows, judged=judged(dict.fromkeys(names, version)))


def checked(matcher: str, outcome: str = "pass") -> list[Attempt]:
    """Attempts with a soft check that has no criterion."""
    return attempts(ALL, checks=(CheckTally(matcher, "soft", outcome, 1),))


CASES = [
    (asked("polite"), asked("polite", version="2"), "polite was changed"),
    (asked("brief", "polite"), asked("brief", "polite", version="2"), "brief and polite were changed"),
    (
        asked("polite"),
        asked("politeness"),
        "politeness is only in the current experiment, polite is only in the baseline",
    ),
    (attempts(ALL), asked("polite"), "polite is only in the current experiment"),
    (asked("polite"), attempts(ALL), "polite is only in the baseline"),
    (
        attempts(ALL),
        asked("a", "b", "c", "d", "e"),
        "a, b, c and 2 more are only in the current experiment",
    ),
    (asked("polite"), asked("polite", outcome="error"), "polite got no answer in the current experiment"),
    (asked("polite", outcome="inconclusive"), asked("polite"), "polite got no answer in the baseline"),
    (
        asked("polite", outcome="error"),
        asked("polite", outcome="error"),
        "polite got no answer on either side",
    ),
    (
        checked("toContain"),
        checked("toContain", "error"),
        "soft checks got no answer in the current experiment",
    ),
    (
        checked("toContain", "error"),
        checked("toContain", "error"),
        "soft checks got no answer on either side",
    ),
    (checked("toContain"), checked("toMatch"), "no kind of soft check was made on both sides"),
    (attempts(ALL), checked("toMatch"), "no kind of soft check was made on both sides"),
]
IDS = [why for _, _, why in CASES]


def on_terminal(found: Comparison) -> str:
    raw = io.BytesIO()
    stream = io.TextIOWrapper(raw, encoding="utf-8", newline="\n")
    print_document(screen_for(stream), comparison_document(found))
    stream.flush()
    return raw.getvalue().decode()


@pytest.mark.parametrize(("before", "after", "why"), CASES, ids=IDS)
def test_the_answer_says_why_quality_was_not_compared(
    before: list[Attempt], after: list[Attempt], why: str
) -> None:
    found = between(before, after)
    assert f" Quality was not compared: {why}." in answer(found)
    assert json.loads(comparison_json(found))["answer"] == answer(found)


@pytest.mark.parametrize(("before", "after", "why"), CASES, ids=IDS)
def test_it_keeps_its_place_on_the_page(before: list[Attempt], after: list[Attempt], why: str) -> None:
    found = between(before, after)
    folded = " ".join(on_terminal(found).split())
    assert f"Quality (soft evaluations) Quality was not compared: {why}." in folded
    page = document_markdown(comparison_document(found))
    told = re.sub(r"\\(.)", r"\1", page.partition("#### Quality (soft evaluations)\n\n")[2])
    assert told.startswith(f"**Quality was not compared: {why}.**")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (attempts(ALL), attempts(ALL)),
        (asked("polite"), asked("polite")),
        (asked("brief", "polite"), asked("brief")),
        (asked("polite")[:1], asked("polite", version="2")[1:]),
    ],
    ids=["never asked", "compared", "partly compared", "nothing shared"],
)
def test_nothing_is_said_where_it_was_compared_or_never_asked(
    before: list[Attempt], after: list[Attempt]
) -> None:
    found = between(before, after)
    assert "Quality was not compared" not in answer(found)
    assert "Quality was not compared" not in on_terminal(found)
    assert "Quality was not compared" not in document_markdown(comparison_document(found))


def test_one_scenario_decides_nothing_about_quality() -> None:
    found = between(asked("polite")[:1], asked("polite")[:1])
    assert answer(found).endswith("Nothing is decided about quality: one scenario says nothing of others.")


def test_a_name_is_one_line() -> None:
    found = between(attempts(ALL), asked("po\x1b[31m\nlite"))
    said = on_terminal(found)
    assert "\x1b[31m" not in said
    assert "po\\x1b[31m\\nlite is only in the current experiment" in said


def test_soft_checks_that_are_left_out_are_counted() -> None:
    found = between(checked("toContain"), checked("toMatch"))
    assert found.soft_left_out == 20
    assert json.loads(comparison_json(found))["soft_left_out"] == 20
