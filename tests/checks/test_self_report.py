# ruff: noqa: E501 - tables, one case a line

"""report_what_it_did compares what an agent says of its turn with what was measured."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from refusals import refusal_of
from turns_judged import FAILED, asked_for, conversation_of, turn_of, verdict_on

from grice import ExpectationFailed, expect
from grice.checks.reported_meta import Reported, reported
from grice.checks.self_report import report_what_it_did
from grice.matching.assertions.data_arguments import arguments_of
from grice.matching.recording import CURRENT
from grice.records import AgentResponse, Exchange, Reply, ToolCall, Turn
from grice.running.live import LiveConversation

SEEN = (Exchange({"messages": [{"role": "user", "content": "Hi"}]}, {"content": []}),)


def reporting(*calls, exchanges=SEEN, number=1, failure=None, **meta):
    return turn_of(*calls, exchanges=exchanges, number=number, failure=failure, data={"meta": meta})


def outcome_and_reason(subject, **options):
    verdict = verdict_on(subject, report_what_it_did(**options))
    assert verdict.layer == 2
    return verdict.outcome, verdict.reason


# -- reading


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (None, None),
        ("text", None),
        ([1], None),
        ({}, None),
        ({"meta": None}, None),
        ({"meta": {}}, None),
        ({"meta": {"other": 1, "tools_used": None}}, None),
        ({"meta": {"tools_used": []}}, Reported(())),
        ({"meta": {"tools_used": ["a", "a"], "store_card_used": False, "retrieval_ids": ["1"], "reason_for_tools": ""}}, Reported(("a", "a"), False, ("1",), "")),
        ({"meta": "x"}, Reported(faults=("$.meta is an object, found 'x'",))),
        ({"meta": {"tools_used": "a"}}, Reported(faults=("$.meta.tools_used is a list of texts, found 'a'",))),
        ({"meta": {"tools_used": ["a", 5, ""]}}, Reported(faults=("$.meta.tools_used[1] is a text that is not empty, found 5", "$.meta.tools_used[2] is a text that is not empty, found ''"))),
        ({"meta": {"store_card_used": "false"}}, Reported(faults=("$.meta.store_card_used is true or false, found 'false'",))),
        ({"meta": {"store_card_used": 0, "reason_for_tools": []}}, Reported(faults=("$.meta.store_card_used is true or false, found 0", "$.meta.reason_for_tools is a text, found []"))),
        ({"meta": {"retrieval_ids": [[1]], "tools_used": ["a"]}}, Reported(("a",), faults=("$.meta.retrieval_ids[0] is a text that is not empty, found [1]",))),
    ],
)  # fmt: skip
def test_reading_what_an_agent_reports(data, expected):
    assert reported(Turn(1, data=data)) == expected


def test_what_is_malformed_fails_with_what_was_found():
    turn = reporting("a", tools_used=["a"], store_card_used="no")
    assert outcome_and_reason(turn) == ("fail", "$.meta.store_card_used is true or false, found 'no'")
    evidence = verdict_on(turn, report_what_it_did()).evidence
    assert [one.path for one in evidence] == ["$.meta.store_card_used"]
    turn = turn_of(exchanges=SEEN, data={"meta": [1]})
    assert outcome_and_reason(turn) == ("fail", "$.meta is an object, found [1]")


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (None, "nothing is reported in $.meta of the data"),
        ({"meta": {"toolsUsed": ["a"], "x": 1}}, "nothing is reported in $.meta of the data; $.meta.toolsUsed is not read (did you mean 'tools_used'?)"),
        ({"meta": {"reason_for_tools": "to look"}}, "nothing that $.meta reports can be compared"),
        ({"meta": {"store_card_used": True}}, "nothing that $.meta reports can be compared"),
        ({"meta": {"retrieval_ids": []}}, "nothing that $.meta reports can be compared"),
    ],
)  # fmt: skip
def test_nothing_reported_is_inconclusive(data, reason):
    assert outcome_and_reason(turn_of("a", exchanges=SEEN, data=data)) == ("inconclusive", reason)
    assert (
        verdict_on(conversation_of(turn_of("a", data=data)), report_what_it_did()).outcome == "inconclusive"
    )


# -- tools


@pytest.mark.parametrize(
    ("called", "claimed", "outcome", "reason"),
    [
        ("", [], "pass", "measured as reported: tools_used"),
        ("ab", ["b", "a"], "pass", "measured as reported: tools_used"),
        ("aa", ["a"], "pass", "measured as reported: tools_used"),
        ("a", ["a", "a"], "pass", "measured as reported: tools_used"),
        ("a", ["a", "b"], "fail", "$.meta.tools_used[1] 'b' was not called"),
        ("", ["b", "b"], "fail", "$.meta.tools_used[0] 'b' was not called"),
        ("ab", ["a"], "fail", "$.meta.tools_used does not name 'b', which was called"),
        ("ab", [], "fail", "$.meta.tools_used does not name 'a', which was called\n$.meta.tools_used does not name 'b', which was called"),
    ],
)  # fmt: skip
def test_the_tools_that_were_called_are_those_that_are_reported(called, claimed, outcome, reason):
    assert outcome_and_reason(reporting(*called, tools_used=claimed)) == (outcome, reason)


def test_another_separator_is_another_name():
    turn = reporting("product_search", tools_used=["product.search"])
    verdict = verdict_on(turn, report_what_it_did())
    assert verdict.outcome == "fail"
    assert verdict.reason == (
        "$.meta.tools_used[0] 'product.search' was not called (did you mean 'product_search'?)\n"
        "$.meta.tools_used does not name 'product_search', which was called"
    )
    assert [(one.quote, one.path) for one in verdict.evidence] == [
        ("product.search", "$.meta.tools_used[0]"),
        ("product_search()", "tool_calls[0]"),
    ]


UNSEEN = "$.meta.tools_used: tool calls cannot be seen: none is on record, and no request to the model"


@pytest.mark.parametrize("claimed", [[], ["search"]])
def test_where_no_call_could_be_seen_nobody_can_tell(claimed):
    turn = reporting(exchanges=(), tools_used=claimed)
    assert outcome_and_reason(turn) == ("inconclusive", UNSEEN)
    embedding = Exchange({"input": "x"}, dialect="openai_embeddings")
    assert outcome_and_reason(reporting(exchanges=(embedding,), tools_used=claimed))[1] == UNSEEN
    told = conversation_of(turn, turn_of("search", number=2))
    outcome = "fail" if claimed else "pass"
    assert verdict_on(told, report_what_it_did()).outcome == outcome
    assert verdict_on(Reply(told, 1), report_what_it_did()).outcome == outcome


def test_a_call_that_nobody_reported_leaves_it_open():
    asked = (asked_for("book"),)
    doubt = "in turn 1 the model asked for book, and the agent reported no call of it"
    claimed = reporting(exchanges=asked, tools_used=["book"])
    assert outcome_and_reason(claimed) == ("inconclusive", f"$.meta.tools_used[0] 'book': {doubt}")
    silent = reporting(exchanges=asked, tools_used=[])
    assert outcome_and_reason(silent) == ("inconclusive", f"$.meta.tools_used: {doubt}")
    wrong = reporting(exchanges=asked, tools_used=["pay"])
    assert outcome_and_reason(wrong) == ("fail", "$.meta.tools_used[0] 'pay' was not called")
    broken = reporting(exchanges=asked, tools_used=["pay"], failure=FAILED)
    assert outcome_and_reason(broken)[0] == "inconclusive"


def test_of_a_conversation_every_turn_that_reports_is_judged():
    fine = reporting("a", tools_used=["a"])
    silent = turn_of("b", number=2)
    wrong = reporting("a", number=3, tools_used=["a", "b"])
    assert outcome_and_reason(conversation_of(fine, silent)) == ("pass", "measured as reported: tools_used (1 of 2 turns report)")  # fmt: skip
    verdict = verdict_on(conversation_of(fine, silent, wrong), report_what_it_did())
    assert (verdict.outcome, verdict.turn) == ("fail", 3)
    assert verdict.reason == "turn 3: $.meta.tools_used[1] 'b' was not called"


# -- ids


def returning(result, **meta):
    return reporting(ToolCall("search", result=result), **meta)


@pytest.mark.parametrize(
    ("result", "id_", "outcome"),
    [
        ([{"id": "p1"}], "p1", "pass"),
        ("p1", "p1", "pass"),
        ({"p1": {}}, "p1", "pass"),
        ([{"id": 30}], "30", "pass"),
        ([{"id": 130}], "30", "fail"),
        ([{"id": True}], "True", "fail"),
        ('[{"id": "caf\\u00e9"}]', "café", "pass"),
        ("found p1, p2 and p3.", "p3", "pass"),
        ("found p1: a board", "p1", "pass"),
        ("see /products/p1", "p1", "pass"),
        ("found (p1)", "p1", "pass"),
        ("found p1", "P1", "fail"),
        ("found p12", "p1", "fail"),
        ("found xp1", "p1", "fail"),
        ("found p1-red", "p1", "fail"),
        ("found old-p1", "p1", "fail"),
        ("found p1.2", "p1", "fail"),
        ("found p1:red", "p1", "fail"),
        ("found p1_red", "p1", "fail"),
        ("found p1é", "p1", "fail"),
        ("found p.1", "p.1", "pass"),
        ("found pX1", "p.1", "fail"),
        (["p", "1"], "p1", "fail"),
        (None, "None", "fail"),
    ],
)
def test_an_id_stands_in_a_result_as_a_value_or_a_word_of_its_own(result, id_, outcome):
    assert outcome_and_reason(returning(result, retrieval_ids=[id_]))[0] == outcome


def test_an_id_that_no_tool_returned_is_named_with_its_path():
    turn = returning([{"id": "prod-12"}], retrieval_ids=["prod-12", "prod-13", "prod-13"])
    assert outcome_and_reason(turn) == ("fail", "$.meta.retrieval_ids[1] 'prod-13' is in no result of a tool")  # fmt: skip


def test_results_of_turns_before_count_and_those_of_later_ones_do_not():
    first = returning(["p1"])
    second = reporting(number=2, retrieval_ids=["p1"])
    assert outcome_and_reason(conversation_of(first, second))[0] == "pass"
    assert outcome_and_reason(Reply(conversation_of(first, second), 2))[0] == "pass"
    early = reporting(retrieval_ids=["p1"])
    later = reporting(ToolCall("search", result=["p1"]), number=2)
    assert outcome_and_reason(conversation_of(early, later))[0] == "fail"
    assert outcome_and_reason(second) == (
        "inconclusive",
        "$.meta.retrieval_ids[0] 'p1' is in no result of a tool on record: the turns before it are not known",
    )


def test_results_that_are_not_on_record_leave_it_open():
    said = "$.meta.retrieval_ids[0] 'p1' is in no result of a tool on record: "
    pending = reporting(ToolCall("search", id="t1"), retrieval_ids=["p1"])
    assert outcome_and_reason(pending) == (
        "inconclusive",
        f"{said}what search returned in turn 1 is not known",
    )
    unseen = reporting(exchanges=(), retrieval_ids=["p1"])
    assert outcome_and_reason(unseen) == ("inconclusive", f"{said}{UNSEEN.partition(': ')[2]}")
    silent = reporting(exchanges=(asked_for("search"),), retrieval_ids=["p1"])
    assert outcome_and_reason(silent)[0] == "inconclusive"
    failing = reporting(ToolCall("search", error="down: p1"), retrieval_ids=["p1"])
    assert outcome_and_reason(failing)[0] == "fail"


@pytest.mark.parametrize("content", ['[{"id": "p1"}]', [{"type": "text", "text": "found p1"}]])
def test_results_that_the_model_was_told_count(content):
    result = {"type": "tool_result", "tool_use_id": "t1", "content": content}
    call = {"type": "tool_use", "id": "t1", "name": "search", "input": {}}
    messages = [{"role": "user", "content": "p9"}, {"role": "assistant", "content": [call]}, {"role": "user", "content": [result]}]  # fmt: skip
    told = (Exchange({"messages": messages}, {"content": []}),)
    asked = ToolCall("search", id="t1")
    assert outcome_and_reason(reporting(asked, exchanges=told, retrieval_ids=["p1"]))[0] == "pass"
    assert outcome_and_reason(reporting(asked, exchanges=told, retrieval_ids=["p9"]))[0] == "fail"
    malformed = (Exchange({"messages": [5, *messages]}),)
    assert (
        outcome_and_reason(reporting(asked, exchanges=malformed, retrieval_ids=["p1"]))[0] == "inconclusive"
    )


# -- the store card


def shown(*prompts):
    return tuple(Exchange({"system": one, "messages": [{"role": "user", "content": "Hi"}]}, {"content": []}) for one in prompts)  # fmt: skip


TOOL = {"store_card_tool": "store.info"}
TEXT = {"store_card_text": "Returns: 30 days"}
SAID = "$.meta.store_card_used is"


@pytest.mark.parametrize(
    ("turn", "options", "outcome", "reason"),
    [
        (reporting("store.info", store_card_used=True), TOOL, "pass", "measured as reported: store_card_used"),
        (reporting("search", store_card_used=False), TOOL, "pass", "measured as reported: store_card_used"),
        (reporting("store_info", store_card_used=True), TOOL, "fail", f"{SAID} true, and store.info was not called (did you mean 'store_info'?)"),
        (reporting("store.info", store_card_used=False), TOOL, "fail", f"{SAID} false, and store.info was called"),
        (reporting(exchanges=(), store_card_used=True), TOOL, "inconclusive", f"{SAID} true: {UNSEEN.partition(': ')[2]}"),
        (reporting(exchanges=(), store_card_used=False), TOOL, "inconclusive", f"{SAID} false: {UNSEEN.partition(': ')[2]}"),
        (reporting(number=2, store_card_used=True), TOOL, "inconclusive", f"{SAID} true: the turns before it are not known"),
        (reporting(number=2, store_card_used=False), TOOL, "pass", "measured as reported: store_card_used"),
        (reporting(exchanges=(asked_for("store.info"),), store_card_used=True), TOOL, "inconclusive", f"{SAID} true: in turn 1 the model asked for store.info, and the agent reported no call of it"),
        (reporting(exchanges=shown("", "Card.\nReturns: 30 days."), store_card_used=True), TEXT, "pass", "measured as reported: store_card_used"),
        (reporting(exchanges=shown("", ""), store_card_used=True), TEXT, "fail", f"{SAID} true, and no request of the turn holds 'Returns: 30 days'"),
        (reporting(exchanges=shown("Returns: 30 days"), store_card_used=False), TEXT, "fail", f"{SAID} false, and a request to the model holds 'Returns: 30 days'"),
        (reporting(exchanges=shown(""), store_card_used=False), TEXT, "pass", "measured as reported: store_card_used"),
        (reporting("a", exchanges=(), store_card_used=True), TEXT, "inconclusive", f"{SAID} true: no request to the model is on record in this turn"),
        (reporting("store.info", exchanges=(), store_card_used=True), {**TOOL, **TEXT}, "pass", "measured as reported: store_card_used"),
        (reporting(exchanges=shown("Returns: 30 days"), store_card_used=True), {**TOOL, **TEXT}, "pass", "measured as reported: store_card_used"),
        (reporting(exchanges=shown(""), store_card_used=True), {**TOOL, **TEXT}, "fail", f"{SAID} true, and store.info was not called and no request of the turn holds 'Returns: 30 days'"),
        (reporting("a", exchanges=(), store_card_used=False), {**TOOL, **TEXT}, "inconclusive", f"{SAID} false: no request to the model is on record in this turn"),
        (reporting("a", tools_used=["a"]), TOOL, "inconclusive", "$.meta.store_card_used is not reported"),
        (reporting("a", tools_used=["a"], store_card_used=True), {}, "pass", "measured as reported: tools_used"),
        (reporting(exchanges=(Exchange({"messages": [5, "Returns: 30 days"]}),), store_card_used=True), TEXT, "pass", "measured as reported: store_card_used"),
    ],
)  # fmt: skip
def test_the_store_card_was_read_as_reported(turn, options, outcome, reason):
    assert outcome_and_reason(turn, **options) == (outcome, reason)


def test_a_card_that_a_turn_before_read_stands_in_the_history():
    first = reporting("store.info", store_card_used=True)
    for claimed in (True, False):
        second = reporting(number=2, store_card_used=claimed)
        assert outcome_and_reason(conversation_of(first, second), **TOOL)[0] == "pass"
        assert outcome_and_reason(Reply(conversation_of(first, second), 2), **TOOL)[0] == "pass"


# -- the matcher


@pytest.mark.parametrize("wrong", ["", " ", 5, True, ["a"]])
@pytest.mark.parametrize("name", ["store_card_tool", "store_card_text"])
def test_where_a_card_is_seen_is_a_text(name, wrong):
    problem = f"{name} is a text that is not blank, found {wrong!r}"
    assert refusal_of(report_what_it_did, **{name: wrong}) == problem


def test_the_words_of_a_claim():
    assert report_what_it_did().words == "report what it did"
    words = "report what it did, the store card from the tool 'a', the store card from the text 'b'"
    assert report_what_it_did(store_card_tool="a", store_card_text="b").words == words


def test_as_data():
    args, named = arguments_of(report_what_it_did, {"expected": {"storeCardTool": "store.info"}})
    assert report_what_it_did(*args, **named) == report_what_it_did(**TOOL)
    args, named = arguments_of(report_what_it_did, {})
    assert report_what_it_did(*args, **named) == report_what_it_did()


@pytest.mark.parametrize("subject", ["text", SEEN[0], [1], {"meta": {}}])
def test_what_has_no_turn_is_an_error(subject):
    reason = "report_what_it_did judges a Reply, a Turn or a Conversation, found "
    assert outcome_and_reason(subject) == ("error", reason + type(subject).__name__)


def test_a_long_report_is_cut():
    turn = reporting(
        tools_used=[f"tool {n}" for n in range(1_000)], retrieval_ids=[f"p{n}" for n in range(1_000)]
    )
    reason = outcome_and_reason(turn)[1]
    assert reason.splitlines()[-1] == "... and 1980 more"


@pytest.mark.parametrize(("count", "more"), [(100, 80), (1_000, 980), (5_000, 980)])
def test_only_so_many_ids_that_no_tool_returned_are_looked_up(count, more):
    turn = reporting(ToolCall("search", result=["p1"]), retrieval_ids=[f"x{n}" for n in range(count)])
    outcome, reason = outcome_and_reason(turn)
    assert (outcome, reason.splitlines()[-1]) == ("fail", f"... and {more} more")
    unknown = reporting(ToolCall("search"), retrieval_ids=[f"x{n}" for n in range(count)])
    assert outcome_and_reason(unknown)[0] == "inconclusive"


NAMES = st.lists(st.sampled_from(["a", "b", "store"]), max_size=4)


@given(
    called=NAMES,
    claimed=st.none() | NAMES | st.just("a"),
    ids=st.none() | st.lists(st.sampled_from(["p1", "p2"]), max_size=3),
    returned=st.lists(st.sampled_from(["p1", "p2"])),
    card=st.none() | st.booleans(),
    where=st.sampled_from([{}, {"store_card_tool": "store"}]),
    exchanges=st.sampled_from([(), SEEN, (asked_for("a"),)]),
)
def test_negation_swaps_pass_and_fail_and_no_lie_passes(
    called, claimed, ids, returned, card, where, exchanges
):
    calls = [ToolCall(name, result=returned) for name in called]
    turn = reporting(*calls, exchanges=exchanges, tools_used=claimed, retrieval_ids=ids, store_card_used=card)
    outcome = verdict_on(turn, report_what_it_did(**where)).outcome
    assert verdict_on(conversation_of(turn), report_what_it_did(**where)).outcome == outcome
    lies = (
        claimed == "a"
        or (claimed is not None and set(claimed) != set(called))
        or (ids is not None and not set(ids) <= set(returned if called else ()))
        or (where and card is not None and card != ("store" in called))
    )
    assert outcome != ("pass" if lies else "fail")


def test_a_live_conversation():
    def agent(messages, on_tool_call):
        if "board" not in messages[-1]["content"]:
            return AgentResponse("Hello!", data={"meta": {"tools_used": [], "store_card_used": False}})
        on_tool_call("product.search", {"q": "board"}, result=[{"id": "prod-1"}])
        meta = {"tools_used": ["product.search", "product.details"], "store_card_used": False, "retrieval_ids": ["prod-1", "prod-7"]}  # fmt: skip
        return AgentResponse("Take this.", data={"meta": meta})

    with LiveConversation(agent) as conversation:
        hello = conversation.say("Hi")
        reply = conversation.say("A board, please")
        expect(hello).to(report_what_it_did(store_card_tool="store.info"))
        with pytest.raises(ExpectationFailed) as failed:
            unrecorded(reply, report_what_it_did())
        assert "$.meta.tools_used[1] 'product.details' was not called" in str(failed.value)
        assert "$.meta.retrieval_ids[1] 'prod-7' is in no result of a tool" in str(failed.value)
        assert "Take this." in str(failed.value)


def unrecorded(reply, matcher):
    """A check whose failure is not one of this test run."""
    from refusals import Nowhere

    token = CURRENT.set(Nowhere())
    try:
        expect(Reply(reply.conversation.record, reply.number)).to(matcher)
    finally:
        CURRENT.reset(token)
