"""The methods of an expectation: which there are, what they say, and what a wrong one answers."""

import inspect
import pydoc
import traceback

import pytest

from grice import Conversation, ExpectationFailed, Message, Reply, Turn, evaluate, expect
from grice.matchers import call_tool, contain, match_object, matcher
from grice.matching.matcher import REGISTRY
from grice.matching.recording import CURRENT
from grice.records import Exchange

JSON = '{"a": 1}'


class Recorder:
    name = ""

    def __init__(self):
        self.begun = []

    def add(self, verdict):
        pass

    def add_begun(self, begun):
        self.begun.append(begun)


@pytest.fixture(autouse=True)
def recorder():
    recorder = Recorder()
    token = CURRENT.set(recorder)
    yield recorder
    CURRENT.reset(token)


def a_reply(text="Hello"):
    turn = Turn(1, (Message("user", "Hi"), Message("assistant", text)))
    return Reply(Conversation(turns=(turn,)), 1)


reply, conversation, exchange = a_reply(), a_reply().conversation, Exchange({"messages": []})


def refusal(check, kind=AttributeError):
    with pytest.raises(kind) as caught:
        check()
    return str(caught.value)


def test_dir_lists_the_methods_for_the_subject_and_no_others():
    assert {"to", "not_to", "to_call_tool", "not_to_call_tool", "to_contain"} <= set(dir(expect(reply)))
    assert "to_have_called_tool" not in dir(expect(reply))
    assert "to_call_tool" not in dir(expect("text"))
    assert "to_be_greater_than" in dir(expect(5))
    assert [name for name in dir(expect(5)) if not name.startswith(("_", "to", "not_to"))] == []


def test_help_shows_the_parameters_and_the_documentation_of_the_matcher():
    shown = pydoc.render_doc(expect(reply).to_contain, renderer=pydoc.plaintext)
    assert "to_contain(expected: 'JsonValue', *, after: 'Text | None' = None, ignore_case" in shown
    assert "The text contains the text `expected`" in shown
    shown = pydoc.render_doc(expect(reply).not_to_contain, renderer=pydoc.plaintext)
    assert "not_to_contain(expected" in shown
    assert (
        "The opposite of `to_contain`: pass and fail swap, other outcomes stay.\n    \n    The text" in shown
    )
    assert list(inspect.signature(expect(reply).to_call_tool).parameters) == ["tool", "arguments"]


def test_a_traceback_names_the_method_and_no_class_made_for_it():
    with pytest.raises(ExpectationFailed) as caught:
        expect("x").not_to_contain("x")
    shown = "".join(traceback.format_exception(caught.value))
    assert "in not_to_contain\n" in shown
    assert "Expectation." not in shown.replace("grice.ExpectationFailed", "")
    assert "_Text" not in shown


def test_two_methods_of_one_matcher_are_made_apart():
    expect("x").to_contain("x")
    expect("x").not_to_contain("y")
    assert expect("x").to_contain.__name__ == "to_contain"
    assert expect("x").not_to_contain.__name__ == "not_to_contain"
    assert expect([1]).to_contain.__func__.__doc__ == contain.__doc__.replace("\n    ", "\n").rstrip()


@pytest.mark.parametrize(
    ("name", "right"),
    [
        ("to_contian", "to_contain"),
        ("to_contains", "to_contain"),
        ("not_to_contian", "not_to_contain"),
        ("contain", "to_contain"),
        ("not_contain", "not_to_contain"),
        ("to_not_contain", "not_to_contain"),
        ("to_not_contian", "not_to_contain"),
        ("toContain", "to_contain"),
        ("toNotContain", "not_to_contain"),
        ("notToContain", "not_to_contain"),
        ("toContian", "to_contain"),
        ("tocontain", "to_contain"),
        ("toCallTool", "to_call_tool"),
        ("to_call_tol", "to_call_tool"),
    ],
)
def test_a_misspelt_method_is_answered_with_the_right_one(name, right):
    for begin in (expect, evaluate):
        said = refusal(lambda begin=begin: getattr(begin(reply), name))
        assert said == f"a reply has no method {name} (did you mean '{right}'?)"


@pytest.mark.parametrize(
    ("name", "instead"),
    [
        ("to_include", "write to_contain"),
        ("toInclude", "write to_contain"),
        ("not_to_include", "write not_to_contain"),
        ("to_be", "write to_equal"),
        ("to_be_true", "write to_equal(True)"),
        ("not_to_be_true", "write not_to_equal(True)"),
        ("to_be_empty", "write to_have_length(0)"),
        ("to_be_empty_object", "write to_equal({})"),
        ("to_be_nan", 'JSON has no NaN; what is no number is not_to_match_schema({"type": "number"})'),
        ("to_be_instance_of", 'write to_match_schema({"type": "string"})'),
        ("to_be_within", "write to_be_greater_than_or_equal and to_be_less_than"),
        ("to_have_been_called", "write to_call_tool"),
        ("to_have_been_called_with", "write to_call_tool with arguments"),
        ("not_to_have_been_called_with", "write not_to_call_tool with arguments"),
        ("to_have_been_called_times", 'write to_call_tool(call("book"), times=2)'),
        ("to_throw", 'nothing is thrown here; for a failed call write to_call_tool(call("book").failing())'),
        ("to_match_snapshot", "a golden or a cassette keeps what was said before"),
    ],
)
def test_a_method_of_jest_leads_to_the_right_one(name, instead):
    assert refusal(lambda: getattr(expect(reply), name)) == f"a reply has no method {name}: {instead}"


def test_a_method_of_jest_leads_to_the_one_for_a_conversation():
    said = refusal(lambda: expect(conversation).to_have_been_called_with)
    assert said.endswith(": write to_have_called_tool with arguments")


@pytest.mark.parametrize(
    ("check", "said"),
    [
        (
            lambda: expect(conversation).to_call_tool("book"),
            (
                "to_call_tool judges a reply or a turn, and this is a conversation: "
                "write to_have_called_tool(...) here, or expect(conversation.last).to_call_tool(...)"
            ),
        ),
        (
            lambda: expect(reply).not_to_have_called_tool("book"),
            (
                "not_to_have_called_tool judges a conversation, and this is a reply: "
                "write not_to_call_tool(...) here, or expect(reply.conversation).not_to_have_called_tool(...)"
            ),
        ),
        (
            lambda: expect(reply.text).to_call_tool("book"),
            (
                "to_call_tool judges a reply or a turn, and this is a text, which has no tool calls, turns "
                "or requests: write expect(reply).to_call_tool(...)"
            ),
        ),
        (
            lambda: expect(reply, path="$.a").to_call_tool("book"),
            (
                "to_call_tool judges a reply or a turn, and these are the values at a path: "
                "write expect(reply).to_call_tool(...) without a path"
            ),
        ),
        (
            lambda: expect(reply).to_match_object({}),
            (
                "to_match_object judges a list, an object or the values at a path, and this is a reply: "
                "write expect(reply.data) or expect(reply, parse='json').to_match_object(...)"
            ),
        ),
        (
            lambda: expect(JSON).to_match_object({}),
            (
                "to_match_object judges a list, an object or the values at a path, and this is a text: "
                "write expect(text, parse='json').to_match_object(...)"
            ),
        ),
        (
            lambda: expect({"name": "Ada"}).to_start_with("A"),
            (
                "to_start_with judges a text, a reply, a turn or the values at a path, and this is an "
                "object: write expect(data, path='$.name').to_start_with(...)"
            ),
        ),
        (
            lambda: expect(reply).to_pair_tool_calls(),
            (
                "to_pair_tool_calls judges a request to the model, a list or the values at a path, "
                "and this is a reply: write expect(reply.exchanges[-1]).to_pair_tool_calls(...)"
            ),
        ),
        (
            lambda: expect(exchange).to_have_turn_count(max=3),
            (
                "to_have_turn_count judges a conversation, and this is a request to the model: "
                "write expect(conversation).to_have_turn_count(...)"
            ),
        ),
    ],
)
def test_a_misplaced_method_says_what_it_judges_and_how_to_get_at_one(check, said):
    assert refusal(check) == said


def test_a_misspelt_method_that_is_misplaced_too_is_answered_with_both():
    said = refusal(lambda: expect(conversation).toCallTol)
    assert said.startswith(
        "a conversation has no method toCallTol (did you mean 'to_call_tool'?): to_call_tool"
    )
    assert said.endswith(
        "write to_have_called_tool(...) here, or expect(conversation.last).to_call_tool(...)"
    )


def test_every_method_is_there_or_explained_for_every_kind_of_subject():
    from grice._catalogue import METHODS
    from grice.matching.unknown_methods import KINDS, explain_unknown

    for kind, words in KINDS.items():
        for name, (_, kinds) in METHODS.items():
            if kind not in kinds.split():
                assert f"{words}" in explain_unknown(f"not_to_{name}", kind)
                assert f"not_to_{name} judges" in explain_unknown(f"to_not_{name}", kind)


def test_a_matcher_of_one_s_own_is_no_method():
    before = dict(REGISTRY)
    try:
        matcher("toCountGoats")(lambda subject, ctx: True)
        REGISTRY["toCountGoats"].python_name = "count_goats"
        said = "is not a method, but a matcher of your own: write"
        assert refusal(lambda: expect(reply).to_count_goats()) == (
            f"to_count_goats {said} .to(count_goats(...))"
        )
        assert refusal(lambda: expect(reply).notToCountGoats()) == (
            f"notToCountGoats {said} .not_to(count_goats(...))"
        )
    finally:
        REGISTRY.clear()
        REGISTRY.update(before)


def test_a_name_that_is_like_nothing_is_no_method(recorder):
    said = refusal(lambda: expect(5).frobnicate)
    assert said == (
        "a value has no method frobnicate: dir(expect(...)) lists those that there are, and .to(...) takes "
        "any matcher"
    )
    assert not hasattr(expect(5), "x" * 10_000)
    assert "has no attribute '_private'" in refusal(lambda: expect(5)._private)


def test_a_wrong_method_is_told_once(recorder):
    refusal(lambda: expect(reply).to_contian("x"))
    refusal(lambda: expect(reply).to_have_called_tool("x"))
    assert [begun.called for begun in recorder.begun] == [True, True]


@pytest.mark.parametrize(
    ("check", "said"),
    [
        (
            lambda: expect(reply).to_call_tool("book", {"room": "Blue"}),
            "to_call_tool takes these arguments by name: write to_call_tool('book', room='Blue')",
        ),
        (
            lambda: expect(reply).not_to_call_tool("book", {"room": "Blue", "a-b": 1}),
            (
                "not_to_call_tool takes these arguments by name: "
                "write not_to_call_tool('book', room='Blue', **{'a-b': 1})"
            ),
        ),
        (
            lambda: expect(conversation).to_have_called_tool("book", {"room": "Blue"}, people=2),
            (
                "to_have_called_tool takes these arguments by name: "
                "write to_have_called_tool('book', room='Blue', people=2)"
            ),
        ),
        (
            lambda: expect(reply).to_contain("x", {"ignoreCase": True}),
            "to_contain takes these arguments by name: write to_contain('x', ignore_case=True)",
        ),
        (
            lambda: expect(exchange).to_contain_message({"role": "user"}),
            "to_contain_message takes these arguments by name: write to_contain_message(role='user')",
        ),
        (
            lambda: expect(conversation).to_avoid_factual_contradiction({"tool_results": False}),
            (
                "to_avoid_factual_contradiction takes these arguments by name: "
                "write to_avoid_factual_contradiction(tool_results=False)"
            ),
        ),
        (
            lambda: call_tool("book", {"room": "Blue"}),
            "call_tool takes these arguments by name: write call_tool('book', room='Blue')",
        ),
    ],
)
def test_a_dict_in_the_place_of_keywords_is_answered_with_the_keywords(check, said):
    assert refusal(check, TypeError) == said


@pytest.mark.parametrize(
    ("check", "called", "said"),
    [
        (lambda: expect(reply).to_call_tool(), "to_call_tool(tool", "missing a required argument: 'tool'"),
        (
            lambda: expect(reply).not_to_contain("x", ignorecase=True),
            "not_to_contain(expected",
            "got an unexpected keyword argument 'ignorecase' (did you mean 'ignore_case'?)",
        ),
        (lambda: evaluate("x").to_match("x", "i"), "to_match(pattern", "too many positional arguments"),
        (
            lambda: expect("x").to_match("x", {"flag": "i"}),
            "to_match(pattern",
            "too many positional arguments",
        ),
        (lambda: expect("x").to_match("x", {1: "i"}), "to_match(pattern", "too many positional arguments"),
        (lambda: contain("x", cas=True), "contain(expected", "got an unexpected keyword argument 'cas'"),
    ],
)
def test_wrong_arguments_name_the_method_and_what_is_wrong(check, called, said):
    message = refusal(check, TypeError)
    assert message.startswith(called)
    assert message.endswith(f": {said}")


def test_a_type_error_of_the_check_of_arguments_is_passed_on():
    before = dict(REGISTRY)

    def check(limit):
        raise TypeError("unhashable limit")

    try:
        broken = matcher("toCountSheep", check=check)(lambda subject, ctx, limit: True)
        with pytest.raises(TypeError, match="unhashable limit"):
            expect("x")._check(broken, 1, negated=False, named={})
    finally:
        REGISTRY.clear()
        REGISTRY.update(before)


def test_parse_alone_reads_the_whole_text():
    expect(JSON, parse="json").to_match_object({"a": 1})
    expect(a_reply(JSON), parse="json").to_equal({"a": 1})
    expect(a_reply(JSON), parse="json").not_to_equal({"a": 2})
    expect(f"Here:\n```json\n{JSON}\n```", parse="fenced").to_equal({"a": 1})
    expect(JSON, parse="text").to_equal(JSON)
    expect({"a": 1}, parse="json").to_equal({"a": 1})
    assert "nothing resolved: it is not JSON" in refusal(
        lambda: expect("Hello", parse="json").to_equal({}), ExpectationFailed
    )


@pytest.mark.parametrize(
    "check",
    [
        lambda: expect(JSON).to_equal({"a": 1}),
        lambda: expect(a_reply(JSON)).to_equal({"a": 1}),
        lambda: expect("[1]").to_equal([1]),
        lambda: expect(a_reply(JSON)).to(match_object({"a": 1})),
        lambda: expect(a_reply(JSON)).not_to(match_object({"a": 1})),
        lambda: expect(JSON).to_match_schema({"type": "object"}),
    ],
)
def test_an_object_expected_of_a_json_text_says_how_to_read_it(check):
    with pytest.raises(ExpectationFailed) as caught:
        check()
    assert caught.value.verdict.reason.endswith(", which is JSON in a text: add path='$', parse='json'")


@pytest.mark.parametrize(
    "check",
    [
        lambda: expect("Hello").to_equal({"a": 1}),
        lambda: expect("{broken").to_equal({"a": 1}),
        lambda: expect(JSON).to_equal("x"),
        lambda: expect("5").to_equal([5]),
        lambda: expect({"a": 2}).to_equal({"a": 1}),
        lambda: expect(JSON).to_match_schema({"type": "number"}),
    ],
)
def test_nothing_else_does(check):
    assert "parse='json'" not in refusal(check, ExpectationFailed)


def test_json_in_a_text_somewhere_in_data_says_what_reads_it():
    said = refusal(lambda: expect({"body": JSON}, path="$.body").to_equal({"a": 1}), ExpectationFailed)
    assert said.endswith(f"it is '{JSON}', which is JSON in a text: add parse='json'")
    expect({"body": JSON}, path="$.body", parse="json").to_equal({"a": 1})
