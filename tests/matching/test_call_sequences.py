"""call_tools and have_called_tools: five orders, three ways to compare arguments, and what they say."""

import pytest
from dirty_equals import IsInt, IsStr

from grice.matching.calls.matchers import call_tools, have_called_tools
from grice.matching.calls.spec import call
from grice.matching.context import resolve_subject
from grice.matching.judge import judge
from grice.matching.matcher import ArgumentError
from grice.records import Conversation, Message, Reply, ToolCall, Turn

ORDERS = ("exact", "in_order", "unordered", "superset", "subset")


def turn_with(*calls, number=1, **fields):
    return Turn(number, (Message("user", "Hi"), Message("assistant", tool_calls=calls)), calls, **fields)


def judged(subject, matcher):
    seen = resolve_subject(subject)
    return judge(matcher, seen.subject, seen.context)


def verdict_on(calls, matcher, **fields):
    return judged(turn_with(*calls, **fields), matcher)


def named(letters):
    return [ToolCall(letter) for letter in letters]


@pytest.mark.parametrize(
    ("expected", "actual", "holds"),
    [
        ("ab", "ab", "exact in_order unordered superset subset"),
        ("ab", "ba", "unordered superset subset"),
        ("ab", "axb", "in_order superset"),
        ("ab", "bxa", "superset"),
        ("ab", "a", "subset"),
        ("ab", "", "subset"),
        ("ab", "aab", "in_order superset"),
        ("aab", "ab", "subset"),
        ("aab", "aba", "unordered superset subset"),
        ("aba", "aba", "exact in_order unordered superset subset"),
        ("ab", "x", ""),
    ],
)
def test_each_order_lets_through_what_its_name_says(expected, actual, holds):
    turn = turn_with(*named(actual))
    turns = tuple(turn_with(one, number=number) for number, one in enumerate(named(actual), 1))
    for order in ORDERS:
        wanted = "pass" if order in holds.split() else "fail"
        for subject, factory in (
            (turn, call_tools),
            (Reply(Conversation(turns=(turn,)), 1), call_tools),
            (Conversation(turns=turns or (turn,)), have_called_tools),
        ):
            verdict = judged(subject, factory(list(expected), order=order))
            assert (order, verdict.outcome) == (order, wanted)


def test_in_order_is_the_default_and_named_arguments_are_compared():
    calls = [ToolCall("a", {"x": 1, "y": 2}), ToolCall("b")]
    assert verdict_on(calls, call_tools([call("a", x=1)])).outcome == "pass"
    assert verdict_on(calls, call_tools(["b", "a"])).outcome == "fail"
    assert verdict_on(calls, call_tools([call("a", x=2)])).outcome == "fail"


@pytest.mark.parametrize(
    ("args", "expected", "outcome"),
    [
        ("subset", call("a", x=1), "pass"),
        ("exact", call("a", x=1), "fail"),
        ("exact", call("a", x=1, y={"z": 2, "w": 3}), "pass"),
        ("exact", call("a", x=1, y={"z": 2}), "fail"),
        ("subset", call("a", y={"z": 2}), "pass"),
        ("subset", call("a", y={}), "fail"),
        ("ignore", call("a", x=5), "pass"),
        ("ignore", call("b", x=5), "fail"),
        ("ignore", call("a", x=5).exactly(), "fail"),
        ("exact", call("a", x=1).args("subset"), "pass"),
        ("exact", call("a", x=5).args("ignore"), "pass"),
        ("ignore", call("a").where(lambda arguments: arguments["x"] == 5), "fail"),
    ],
)
def test_arguments_are_compared_as_args_says_unless_a_call_says_it_itself(args, expected, outcome):
    calls = [ToolCall("a", {"x": 1, "y": {"z": 2, "w": 3}})]
    assert verdict_on(calls, call_tools([expected], args=args)).outcome == outcome


OTHER = {"pass": "fail", "fail": "pass"}
SEARCH = ToolCall("search", {"city": "Rome"})
RED = ToolCall("book", {"room": "Red", "guest": {"name": "Ann"}})
BLUE = ToolCall("book", {"room": "Blue"}, result={"ok": True})
PAY = ToolCall("pay", error="card declined")
TRIP = ["search", call("book", room="Blue"), "pay"]

MADE = """\
all 3 expected calls were made
1  search             = call 1  search(city='Rome')
2  book(room='Blue')  = call 2  book(room='Blue')
3  pay                = call 3  pay()"""
SWAPPED = """\
1 of 3 expected calls is out of order
1  search             = call 2  search(city='Rome')
2  book(room='Blue')  out of order: call 1 came before call 2
3  pay                = call 3  pay()"""
LEFT_OUT = """\
2 of 3 expected calls are missing
1  search             = call 1  search(city='Rome')
2  book(room='Blue')  missing; nearest: call 2   room 'Red', expected 'Blue'
3  pay                missing"""
TOO_MANY = """\
2 of 5 calls are not expected
1  search             = call 1  search(city='Rome')
2  book(room='Blue')  = call 3  book(room='Blue')
3  pay                = call 4  pay()
not expected: call 2  book(room='Red', guest={'name': 'Ann'})
not expected: call 5  pay()   once more than expected, see 3"""
BOTH = """\
1 of 3 expected calls is missing; 1 of 3 calls is not expected
1  search             = call 1  search(city='Rome')
2  book(room='Blue')  missing; nearest: call 2   room 'Red', expected 'Blue'
3  pay                = call 3  pay()
not expected: call 2  book(room='Red', guest={'name': 'Ann'})"""
BEYOND = """\
1 of 2 calls is not expected
1  search             = call 1  search(city='Rome')
2  book(room='Blue')  not called
3  pay                not called
not expected: call 2  book(room='Red', guest={'name': 'Ann'})   nearest: 2   room 'Red', expected 'Blue'"""
ALL_EXPECTED = """\
all 2 calls are expected
1  search             = call 1  search(city='Rome')
2  book(room='Blue')  not called
3  pay                = call 2  pay()"""


@pytest.mark.parametrize(
    ("order", "calls", "outcome", "reason"),
    [
        ("exact", [SEARCH, BLUE, PAY], "pass", MADE),
        ("in_order", [SEARCH, BLUE, PAY], "pass", MADE),
        ("unordered", [SEARCH, BLUE, PAY], "pass", MADE),
        ("superset", [SEARCH, BLUE, PAY], "pass", MADE),
        ("subset", [SEARCH, PAY], "pass", ALL_EXPECTED),
        ("subset", [], "pass", "no tool was called"),
        ("exact", [BLUE, SEARCH, PAY], "fail", SWAPPED),
        ("in_order", [BLUE, SEARCH, PAY], "fail", SWAPPED),
        ("in_order", [SEARCH, RED], "fail", LEFT_OUT),
        ("superset", [SEARCH, RED], "fail", LEFT_OUT),
        ("exact", [SEARCH, RED, BLUE, PAY, PAY], "fail", TOO_MANY),
        ("unordered", [SEARCH, RED, BLUE, PAY, PAY], "fail", TOO_MANY),
        ("exact", [SEARCH, RED, PAY], "fail", BOTH),
        ("unordered", [SEARCH, RED, PAY], "fail", BOTH),
        ("subset", [SEARCH, RED], "fail", BEYOND),
        ("superset", [], "fail", "no tool was called"),
    ],
)
def test_the_reason_says_which_call_was_which_expected_one(order, calls, outcome, reason):
    matcher = call_tools(TRIP, order=order)
    verdict = verdict_on(calls, matcher)
    assert (verdict.outcome, verdict.reason) == (outcome, reason)
    negated = verdict_on(calls, ~matcher)
    assert (negated.outcome, negated.reason) == (OTHER[outcome], reason)


@pytest.mark.parametrize(
    ("calls", "matcher", "reason"),
    [
        (
            [ToolCall("b"), ToolCall("c"), ToolCall("a")],
            call_tools(["a", "b", "c"]),
            (
                "1 of 3 expected calls is out of order\n1  a  out of order: call 3 came after call 1\n"
                "2  b  = call 1  b()\n3  c  = call 2  c()"
            ),
        ),
        (
            [SEARCH],
            call_tools(["serch"]),
            "the expected call is missing\n1  serch  missing (did you mean 'search'?)",
        ),
        (
            [RED],
            call_tools([call("book", room=IsStr(regex="B.*"), guest={"name": "Bob"})], order="superset"),
            (
                "the expected call is missing\n"
                "1  book(room=IsStr(regex='B.*'), guest={'name': 'Bob'})  missing; nearest: call 1   "
                "room 'Red', expected IsStr(regex='B.*')   guest.name 'Ann', expected 'Bob'"
            ),
        ),
        (
            [RED],
            call_tools([call("book", guest={"name": "Ann"})], args="exact"),
            (
                "the expected call is missing\n1  book(guest={'name': 'Ann'})  missing; nearest: call 1   "
                "guest {'name': 'Ann'} ok   room 'Red', expected no such argument"
            ),
        ),
        (
            [SEARCH, PAY],
            call_tools([], order="exact"),
            (
                "all 2 calls are not expected\nnot expected: call 1  search(city='Rome')\n"
                "not expected: call 2  pay()"
            ),
        ),
        (
            [SEARCH, PAY, PAY],
            call_tools(["search"], forbid=["pay", "drop"]),
            "forbidden: call 2  pay(), call 3  pay()",
        ),
        (
            [SEARCH, ToolCall("serch")],
            call_tools(["search"], only=True),
            "only search may be called, found call 2  serch() (did you mean 'search'?)",
        ),
        ([SEARCH], call_tools([], only=True), "no tool may be called, found call 1  search(city='Rome')"),
        (
            [SEARCH, BLUE, PAY],
            call_tools(["search"], only=["search", "book"], forbid=["pay"]),
            "forbidden: call 3  pay()\nonly search, book may be called, found call 3  pay()",
        ),
    ],
)
def test_a_failure_names_what_is_wrong(calls, matcher, reason):
    verdict = verdict_on(calls, matcher)
    assert (verdict.outcome, verdict.reason) == ("fail", reason)


@pytest.mark.parametrize(
    ("matcher", "phrase"),
    [
        (call_tools(TRIP), "call these tools in this order: search, book(room='Blue'), pay"),
        (call_tools(["a"], order="exact"), "call exactly these tools in this order: a"),
        (call_tools(["a"], order="unordered"), "call exactly these tools in any order: a"),
        (call_tools(["a"], order="superset"), "call at least these tools: a"),
        (~call_tools(["a"], order="subset"), "not call at most these tools: a"),
        (call_tools([], order="exact"), "call no tool"),
        (call_tools([], forbid=["b"]), "call not b"),
        (call_tools([], only=["b"]), "call no tool but b"),
        (call_tools([], only=True), "call no tool"),
        (
            call_tools(["a"], args="exact", forbid=["b", "c"], only=["a"]),
            "call these tools in this order: a; arguments exact; none of b, c; no tool but a",
        ),
        (
            have_called_tools(["a"], args="ignore", only=True),
            "have called these tools in this order: a; whatever the arguments; no other tool",
        ),
        (
            call_tools([str(number) for number in range(12)]),
            "call these tools in this order: 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, ... and 2 more",
        ),
        (
            call_tools([call("a", x=IsInt(ge=1)).exactly().returning({"ok": True}), call("b").failing("no")]),
            (
                "call these tools in this order: a(x=IsInt(ge=1)) with exactly these arguments, "
                "returning {'ok': True}, b failing with 'no'"
            ),
        ),
    ],
)
def test_the_claim_says_what_is_asked(matcher, phrase):
    assert matcher.phrase == phrase


@pytest.mark.parametrize(
    ("matcher", "reason"),
    [
        (call_tools([], forbid=["drop", "delete"]), "no call of drop, delete"),
        (call_tools([], only=["search", "book"]), "no call but of search, book"),
        (
            call_tools(["search"], only=True, forbid=["pay"]),
            (
                "the expected call was made\n1  search  = call 1  search(city='Rome')\n"
                "no call of pay\nno call but of search"
            ),
        ),
    ],
)
def test_what_is_not_there_is_said_when_it_passes(matcher, reason):
    verdict = verdict_on([SEARCH], matcher)
    assert (verdict.outcome, verdict.reason) == ("pass", reason)


def test_the_evidence_is_the_call_with_its_turn_and_its_place():
    turns = (turn_with(SEARCH), turn_with(BLUE, PAY, number=2))
    verdict = judged(Conversation(turns=turns), have_called_tools([], forbid=["pay"]))
    (evidence,) = verdict.evidence
    assert (evidence.quote, evidence.turn, evidence.path) == ("pay()", 2, "tool_calls[2]")
    assert verdict.turn == 2  # the transcript marks it


def test_long_lists_are_cut_and_what_is_wrong_is_shown_first():
    verdict = verdict_on(named(["a"] * 40), call_tools([*["a"] * 30, "b"], order="exact"))
    lines = verdict.reason.split("\n")
    assert lines[0] == "1 of 31 expected calls is missing; 10 of 40 calls are not expected"
    assert lines[20] == "31  b  missing"
    assert lines[21] == "... and 11 more expected calls"
    assert lines[22] == "not expected: call 31  a()   once more than expected, see 1"
    assert len(lines) == 32
    assert len(verdict.evidence) <= 20


# Questions that are none.


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        (["book"], {}, "calls is a list, at most 1,000, found 'book'"),
        ([[5]], {}, "calls[0] is a text that is not empty or an ExpectedCall, found 5"),
        ([["a", ""]], {}, "calls[1] is a text that is not empty or an ExpectedCall, found ''"),
        (
            [["a"]],
            {"order": "strict"},
            (
                "order is 'exact', 'in_order', 'unordered', 'superset' or 'subset', "
                "found 'strict' (here that is 'exact')"
            ),
        ),
        (
            [["a"]],
            {"order": "ANY_ORDER"},
            (
                "order is 'exact', 'in_order', 'unordered', 'superset' or 'subset', "
                "found 'ANY_ORDER' (here that is 'superset')"
            ),
        ),
        (
            [["a"]],
            {"order": "inorder"},
            (
                "order is 'exact', 'in_order', 'unordered', 'superset' or 'subset', "
                "found 'inorder' (did you mean 'in_order'?)"
            ),
        ),
        (
            [["a"]],
            {"args": "superset"},
            "args is 'exact', 'subset' or 'ignore', found 'superset' (here that is 'subset')",
        ),
        (
            [["a"]],
            {"args": "exat"},
            "args is 'exact', 'subset' or 'ignore', found 'exat' (did you mean 'exact'?)",
        ),
        ([["a"]], {"args": None}, "args is 'exact', 'subset' or 'ignore', found None"),
        ([["a"]], {"forbid": "b"}, "forbid is a list of texts, found 'b'"),
        ([["a"]], {"forbid": [""]}, "forbid[0] is a text that is not empty, found ''"),
        (
            [["a"]],
            {"forbid": [call("b")]},
            ("forbid[0] is a text that is not empty, found call('b') (give its name, 'b')"),
        ),
        ([["a"]], {"forbid": ["a"]}, "'a' is expected and forbidden at once"),
        ([["a"]], {"only": "a"}, "only is true or false or a list of texts, found 'a'"),
        ([["book"]], {"only": ["bok"]}, "only leaves out 'book', which is expected (did you mean 'bok'?)"),
        (
            [[]],
            {},
            (
                "no call is expected, and order='in_order' allows others: there is nothing to check; "
                "for no call at all use order='exact'"
            ),
        ),
        (
            [["a"] * 1_001],
            {},
            "calls is a list, at most 1,000, found 1,001",
        ),
    ],
)
def test_a_question_that_is_none_is_refused_when_it_is_asked(arguments, options, message):
    for factory in (call_tools, have_called_tools):
        with pytest.raises(ArgumentError) as refused:
            factory(*arguments, **options)
        assert str(refused.value) == message


@pytest.mark.parametrize("order", ["exact", "unordered", "subset"])
def test_an_empty_list_means_no_call_where_others_are_not_allowed(order):
    assert verdict_on([], call_tools([], order=order)).outcome == "pass"
    assert verdict_on([SEARCH], call_tools([], order=order)).outcome == "fail"


def test_too_many_calls_are_an_error_and_not_a_long_wait():
    verdict = verdict_on([SEARCH] * 1_001, call_tools(["search"]))
    assert verdict.outcome == "error"
    assert verdict.reason == "there are 1,001 calls, and at most 1,000 can be matched"


def test_before_any_turn_it_is_an_error():
    assert judged(Conversation(), have_called_tools(["a"])).outcome == "error"
