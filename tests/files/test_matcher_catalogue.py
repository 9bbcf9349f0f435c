"""The catalogue of matchers that editors are made of."""

import msgspec
import pytest

import grice
from grice.files.matcher_catalogue import CatalogueEntry, editor_of, matcher_catalogue

BY_NAME = {one.name: one for one in matcher_catalogue()}
NEEDS_A_CONVERSATION = {
    "toAskNewClarifiers",
    "toClarifyEfficiently",
    "toDifferFromPrevious",
    "toOpenDifferently",
    "toPerformWithin",
    "toRememberAnswers",
    "toStayOnTopic",
}


@pytest.mark.parametrize("entry", [one for one in BY_NAME.values() if one.passing], ids=lambda one: one.name)
def test_the_example_rows_come_out_as_they_say(entry: CatalogueEntry) -> None:
    for row in (entry.passing, entry.failing):
        assert row is not None
        asked = {"matcher": entry.name, "path": row.path, "expected": row.expected}
        found = grice.evaluate_assertions(
            row.actual, [{name: one for name, one in asked.items() if one is not msgspec.UNSET}]
        )
        assert found.outcome == ("pass" if row.passed else "fail"), found.results


def test_every_built_in_matcher_of_texts_and_values_has_example_rows() -> None:
    values = {"Any", "Mapping", "Sequence", "float", "str"}
    without = {
        one.name
        for one in BY_NAME.values()
        if values & {*one.subjects} and not (one.judged or one.own or one.passing)
    }
    assert without == NEEDS_A_CONVERSATION


@pytest.mark.parametrize(
    ("name", "arity", "required", "editor"),
    [
        ("toBeNull", "none", False, "none"),
        ("toEqual", "one", True, "json"),
        ("toBeOneOf", "one", True, "list"),
        ("toMatch", "one", True, "pattern"),
        ("toMatchSchema", "one", True, "schema"),
        ("toSatisfyAll", "one", True, "matcher"),
        ("toHaveLength", "one", True, "number"),
        ("toStartWith", "one", True, "text"),
        ("toMeet", "one", True, "choice"),
        ("toHaveEnvelope", "one", False, "object"),
        ("toCallTool", "one", True, "text"),
    ],
)
def test_the_schema_of_the_argument_tells_how_it_is_edited(
    name: str, arity: str, required: bool, editor: str
) -> None:
    entry = BY_NAME[name]
    assert (entry.arity, entry.required, entry.editor) == (arity, required, editor)


def test_what_has_no_type_is_edited_as_json() -> None:
    assert [editor_of({}), editor_of({"type": "object"})] == ["json", "json"]
    assert editor_of({"type": "boolean"}) == "boolean"


def test_a_check_of_a_suite_shows_how_it_is_written() -> None:
    assert BY_NAME["toHaveTurnCount"].check["matcher"] == "toHaveTurnCount"
    assert not BY_NAME["toEqual"].own
