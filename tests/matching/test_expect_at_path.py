"""`expect(subject, path=..., match=...)`: matchers on the values that a path finds."""

import pytest

from grice import Conversation, ExpectationFailed, Message, Reply, ToolCall, Turn, evaluate, expect
from grice.matchers import be_one_of, match_object, satisfy_all
from grice.matching.recording import CURRENT

ORDERS = {"items": [{"status": "READY"}, {"status": "FAILED"}, {"status": "PENDING"}]}


class Recorder:
    name = ""

    def __init__(self):
        self.verdicts = []

    def add(self, verdict):
        self.verdicts.append(verdict)


@pytest.fixture(autouse=True)
def recorded():
    recorder = Recorder()
    token = CURRENT.set(recorder)
    yield recorder.verdicts
    CURRENT.reset(token)


def why(check):
    with pytest.raises(ExpectationFailed) as failed:
        check()
    return str(failed.value)


def test_the_example_of_the_issue():
    statuses = expect(ORDERS, path="$.items[*].status", match="ALL")
    statuses.not_to_be_one_of(["READY", "PENDING"])
    assert why(lambda: expect(ORDERS, path="$.items[*].status").not_to_be_one_of(["READY"])) == (
        "no value at $.items[*].status of the value to be one of ['READY']: "
        "$.items[0].status (value 1 of 3, 2 not examined): it is 'READY'"
    )


@pytest.mark.parametrize(
    ("match", "negated", "options", "message"),
    [
        (
            "ANY",
            False,
            ["X"],
            (
                "some value at $.items[*].status of the value to be one of ['X']: "
                "none of 3 values does; $.items[0].status: it is 'READY'"
            ),
        ),
        (
            "ALL",
            False,
            ["READY"],
            (
                "every value at $.items[*].status of the value to be one of ['READY']: "
                "$.items[1].status (value 2 of 3, 1 not examined): it is 'FAILED'"
            ),
        ),
        (
            "ALL",
            True,
            ["READY", "FAILED", "PENDING"],
            (
                "some value at $.items[*].status of the value not to be one of "
                "['READY', 'FAILED', 'PENDING']: all 3 values do; $.items[0].status: it is 'READY'"
            ),
        ),
    ],
)
def test_a_failure_paraphrases_the_mode_and_names_the_value(match, negated, options, message):
    at = expect(ORDERS, path="$.items[*].status", match=match)
    check = at.not_to_be_one_of if negated else at.to_be_one_of
    assert why(lambda: check(options)) == message


def test_one_value_is_called_the_value():
    message = why(lambda: expect(ORDERS, path="items[0].status").to_equal("DONE"))
    assert message == "the value at items[0].status of the value to equal 'DONE': found 'READY'"


def test_nothing_resolved_is_said_and_kept_in_the_verdict(recorded):
    message = why(lambda: expect(ORDERS, path="$.nope").to_equal(1))
    assert message.endswith(": nothing resolved at $.nope")
    expect(ORDERS, path="$.nope").not_to_equal(1)
    expect(ORDERS, path="$.items").to_be_defined()
    assert [verdict.unresolved for verdict in recorded] == [True, True, False]
    assert recorded[1].outcome == "pass"
    assert recorded[1].reason == "nothing resolved at $.nope"


def test_matcher_values_work_at_a_path_too():
    expect(ORDERS, path="$.items[*].status").to(be_one_of(["FAILED"]))
    expect(ORDERS, path="$.items[*].status", match="ALL").to(~be_one_of(["DONE"]))
    expect(ORDERS, path="$.items").to(satisfy_all(match_object({})))


def _reply(text, **fields):
    turn = Turn(1, (Message("user", "Hi"), Message("assistant", text)), **fields)
    return Reply(Conversation(turns=(turn,)), 1)


def test_the_text_of_a_reply_is_read_as_json_below_its_root():
    reply = _reply('Here:\n```json\n{"user": {"name": "Ada"}}\n```')
    expect(reply, path="user.name").to_match("^[A-Z]")
    expect(reply, path="$", parse="fenced").to_equal({"user": {"name": "Ada"}})
    expect(reply, path="$").to_contain("Here:")
    assert "1  user       Hi" in why(lambda: expect(reply, path="$.user.name").to_equal("Bob"))


def test_records_are_seen_as_the_json_that_files_hold():
    calls = (ToolCall("book", {"room": "Blue"}, id="a"), ToolCall("pay", {"sum": 5}))
    reply = _reply("Done", tool_calls=calls, data={"ok": True})
    expect(reply.tool_calls, path="$[*].name", match="ALL").to_be_one_of(["book", "pay"])
    expect(reply.tool_calls, path="$[?@.name == 'book'].arguments.room").to_equal("Blue")
    expect(reply.conversation, path="$.turns[0].messages[*].role").to_contain("assistant")
    expect(reply.turn, path="$").to_equal("Done")


def test_an_empty_value_is_a_value_and_an_empty_reply_is_nothing():
    expect({"note": ""}, path="$.note").not_to_contain("x")
    expect({"note": ""}, path="$.note").to_match("^$")
    assert why(lambda: expect(_reply("")).not_to_contain("x")).startswith(
        "inconclusive: not contain 'x': the text is empty"
    )


@pytest.mark.parametrize(
    ("check", "reason"),
    [
        (lambda: expect({}, path="$[").to_be_null(), "(at character 1)"),
        (lambda: expect({}, path="").to_be_null(), "it is empty"),
        (lambda: expect({}, path="$", match="SOME").to_be_null(), "match: expected ANY or ALL, found 'SOME'"),
        (
            lambda: expect({}, path="$", parse="yaml").to_be_null(),
            "parse: expected auto, text, json or fenced",
        ),
        (lambda: expect("x").to_match("("), "'(' is not a pattern"),
        (lambda: expect("x").not_to_match("("), "'(' is not a pattern"),
        (
            lambda: expect("x").not_to_be_one_of([]),
            "options is a list that is not empty, found []",
        ),
        (lambda: expect(5, path="$").not_to_match("x"), "match judges a text"),
    ],
)
def test_a_broken_question_is_an_error_and_never_passes(check, reason):
    message = why(check)
    assert message.startswith("error: ")
    assert reason in message


def test_a_soft_broken_question_is_recorded_and_the_test_goes_on(recorded):
    assert evaluate("x").to_match("(").outcome == "error"
    assert evaluate({}, path="$[").not_to_be_null().outcome == "error"
    assert [verdict.mode for verdict in recorded] == ["soft", "soft"]


def test_match_without_a_path_is_refused():
    with pytest.raises(TypeError, match="give a path too"):
        expect([1], match="ALL")
