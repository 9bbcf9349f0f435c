"""Valid arrays pass the lint without a word; each single fault is found, named, and found alone."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import faults
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from hypothesis.errors import UnsatisfiedAssumption
from message_arrays import SHAPES, TURNS, WRITERS, Array, request

from grice import lint_messages
from grice.checks.message_lint import RULES


@pytest.mark.parametrize("shape", SHAPES)
@given(turns=TURNS, ends=st.sampled_from(["answered", "open"]))
def test_a_valid_array_has_no_findings(shape: str, turns: Any, ends: str) -> None:
    array = WRITERS[shape](turns, ends)
    assert lint_messages(array, dialect=shape) == ()
    assert lint_messages({"id": "a log", "messages": array}, dialect=shape) == ()
    if any(steps for _, steps, _ in turns) or shape == "openai_responses":
        assert lint_messages(array) == ()


@pytest.mark.parametrize("shape", SHAPES)
@given(turns=TURNS)
@example(turns=[("a", [], "?"), ("a ", [], "?")])
def test_a_valid_request_has_no_findings(shape: str, turns: Any) -> None:
    array = WRITERS[shape](turns, "open")
    body = request(shape, array)
    before = copy.deepcopy(body)
    last = turns[-1][0]
    assert lint_messages(body) == lint_messages(body, user=last) == ()
    assert lint_messages(body, user=f"  {last.upper()} ") == ()
    assert body == before, "the lint changes nothing"


BOTH = ("openai_chat", "openai_responses")
NOT_RESPONSES = ("anthropic", "openai_chat")
CORRUPTORS: list[tuple[str, Callable[[Array], int], tuple[str, ...]]] = [
    ("unanswered-tool-call", faults.unanswered, SHAPES),
    ("orphan-tool-result", faults.orphaned, SHAPES),
    ("duplicate-tool-result", faults.answered_twice, SHAPES),
    ("tool-result-misplaced", faults.answered_later, NOT_RESPONSES),
    ("tool-result-before-call", faults.answered_before, SHAPES),
    ("tool-call-id-reused", faults.id_reused, SHAPES),
    ("duplicate-tool-call-id", faults.id_twice, SHAPES),
    ("missing-tool-call-id", faults.call_without_id, SHAPES),
    ("missing-tool-result-id", faults.result_without_id, SHAPES),
    ("input-not-object", faults.list_for_arguments, SHAPES),
    ("input-not-object", faults.text_for_arguments, SHAPES),
    ("input-not-object", faults.broken_arguments, BOTH),
    ("input-not-object", faults.object_for_arguments_text, BOTH),
    ("nested-empty-list", faults.nested_list_elsewhere_object, SHAPES),
    ("malformed-tool-call", faults.call_without_name, SHAPES),
    ("malformed-tool-call", faults.no_calls_in_list, ("openai_chat",)),
    ("malformed-tool-result", faults.result_of_an_object, SHAPES),
    ("malformed-tool-result", faults.result_of_data, SHAPES),
    ("text-before-tool-result", faults.text_first, ("anthropic",)),
    ("text-after-tool-call", faults.text_last, ("anthropic",)),
    ("tool-block-in-wrong-role", faults.result_of_assistant, ("anthropic",)),
    ("tool-block-in-wrong-role", faults.result_as_user, ("openai_chat",)),
    ("malformed-tool-call", faults.later_calls_unread, ("openai_chat",)),
    ("foreign-block", faults.foreign_image, SHAPES),
    ("unknown-item", faults.unknown_item, ("openai_responses",)),
    ("empty-content", faults.empty_text, SHAPES),
    ("empty-content", faults.empty_user, SHAPES),
    ("malformed-content", faults.numeric_content, SHAPES),
    ("malformed-content", faults.no_blocks, SHAPES),
    ("same-role-neighbours", faults.spoken_twice, SHAPES),
    ("missing-role", faults.without_role, SHAPES),
    ("missing-role", faults.empty_role, SHAPES),
    ("unknown-role", faults.wrong_role, SHAPES),
    ("message-not-object", faults.no_object, SHAPES),
    ("system-message-late", faults.late_system, BOTH),
    ("system-role-in-array", faults.late_system, ("anthropic",)),
    ("system-text-relabelled", faults.relabelled, SHAPES),
    ("first-message-not-user", faults.begins_with_the_answer, SHAPES),
    ("current-user-message-missing", faults.never_asked, SHAPES),
]
WITH_CALLS = TURNS.filter(lambda turns: any(steps for _, steps, _ in turns))
CALL: Any = ("update", {"slug": "x", "tags": []})
OTHER_CALL: Any = ("search", {"tags": []})
ONE_CALL = [("Update it", [("", [CALL])], "Done.")]
SEVERAL_CALLS = [
    ("Update it", [("", [CALL]), ("Now both.", [CALL, OTHER_CALL])], "Done."),
    ("And the other one", [("", [OTHER_CALL])], "Done too."),
]
"""In one of these two there is a place for every fault."""


@pytest.mark.slow
@pytest.mark.parametrize("shape", SHAPES)
def test_each_single_fault_is_found_and_nothing_else(shape: Any) -> None:
    faults_of_shape = [(rule, corrupt) for rule, corrupt, shapes in CORRUPTORS if shape in shapes]
    placed = set()

    @given(turns=WITH_CALLS, ends=st.sampled_from(["answered", "open"]))
    @example(turns=ONE_CALL, ends="answered")
    @example(turns=SEVERAL_CALLS, ends="open")
    @settings(suppress_health_check=[*HealthCheck])  # many arrays have no place for a fault
    def each(turns: Any, ends: str) -> None:
        array = WRITERS[shape](turns, ends)
        for rule, corrupt in faults_of_shape:
            faulty = copy.deepcopy(array)
            try:
                index = corrupt(faulty)
            except UnsatisfiedAssumption:
                continue  # there is no place for it
            placed.add(corrupt)
            assert_found_alone(shape, rule, corrupt, index, lint_messages(faulty, dialect=shape))

    each()
    assert placed == {corrupt for _, corrupt in faults_of_shape}


def assert_found_alone(shape: Any, rule: str, corrupt: Any, index: int, findings: Any) -> None:
    assert [(one.rule, one.index) for one in findings] == [(rule, index)], (corrupt.__name__, findings)
    (finding,) = findings
    assert finding.severity == RULES[rule].severity_for(shape)
    assert f"[{index}]" in finding.path
    assert finding.found
    assert finding.why == RULES[rule].why_for(shape)
    assert finding.fix.startswith(RULES[rule].fix) or corrupt is faults.result_as_user


REQUEST_CORRUPTORS: list[tuple[str, Callable[[Array], int]]] = [
    ("nested-input-not-object", faults.nested_list),
    ("tool-not-offered", faults.unoffered),
    ("last-message-from-assistant", faults.answers_itself),
    ("system-text-relabelled", faults.prompt_as_user),
    ("system-text-relabelled", faults.prompt_as_assistant),
]


@pytest.mark.parametrize("shape", SHAPES)
@given(turns=WITH_CALLS)
@settings(suppress_health_check=[*HealthCheck])  # many arrays have no place for a fault
def test_each_single_fault_of_a_request_is_found_and_nothing_else(shape: Any, turns: Any) -> None:
    array = WRITERS[shape](turns, "open")
    for rule, corrupt in REQUEST_CORRUPTORS:
        faulty = copy.deepcopy(array)
        index = corrupt(faulty)
        findings = lint_messages(request(shape, faulty), dialect=shape)
        expected = [(rule, index)]
        assert [(one.rule, one.index) for one in findings] == expected, (corrupt.__name__, findings)


def test_every_rule_has_a_corruptor_or_a_test_of_its_own() -> None:
    covered = {rule for rule, *_ in CORRUPTORS} | {rule for rule, _ in REQUEST_CORRUPTORS}
    own = {
        "no-messages",
        "messages-not-list",
        "current-user-message-misplaced",
        "current-user-message-behind-calls",
        "foreign-messages",
        "tool-schema-not-object",
        "current-user-message-buried",
    }
    assert covered | own == set(RULES)


KEYS = [
    *("role", "content", "type", "text", "id", "name", "input", "tool_calls", "tool_use_id", "function"),
    *("tool_call_id", "call_id", "output", "arguments", "tools", "system", "messages"),
]
ODD = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(KEYS),
            inner
            | st.sampled_from(["user", "assistant", "tool_use", "tool_result", "text", "function_call"]),
            max_size=6,
        )
    ),
    max_leaves=30,
)


@given(
    array=st.lists(ODD, max_size=5), body=st.dictionaries(st.sampled_from(["tools", "system", "input"]), ODD)
)
def test_no_array_makes_the_lint_raise(array: Array, body: dict[str, Any]) -> None:
    for shape in (*SHAPES, None):
        for subject in (array, {"messages": array, **body}, body):
            try:
                findings = lint_messages(subject, dialect=shape, user="Hello")  # type: ignore[arg-type]
            except ValueError:
                assert shape is None, "only where the content tells, it may tell of a log's format"
                continue
            assert all(one.rule in RULES for one in findings)
            places = [-1 if one.index is None else one.index for one in findings]
            assert places == sorted(places)
