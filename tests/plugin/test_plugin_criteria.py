"""Criteria: where a test has them from, and what is refused before anything runs."""

import json
from collections.abc import Callable

import pytest
from inner_projects import Run

LEVELS = """
from grice import criterion

def rule(name, text):
    return criterion(name, text)

pytestmark = pytest.mark.grice(criteria=[rule("polite", "module"), rule("short", "module")])

class Base:
    criteria = [rule("short", "base"), rule("tidy", "base")]

    def test_of_base(self, conversation, judge_llm):
        expect(conversation.say("Hi")).to_satisfy("polite", "short", "tidy")

@pytest.mark.grice(criteria={"warm": rule("warm", "class marker")})
class TestOuter(Base):
    criteria = [rule("tidy", "outer")]

    class TestInner:
        criteria = rule("warm", "inner")

        @pytest.mark.grice(criteria=[rule("short", "function")])
        @pytest.mark.parametrize("word", ["one"])
        def test_inner(self, conversation, word):
            expect(conversation.say(word)).to_satisfy(["polite", ("short", "tidy")], "warm", "everywhere")
"""

KEEPER = """
import json

class Keeper:
    provider = model = "test"
    def complete(self, messages, subject=""):
        asked = messages[-1]["content"].split("In the words of its author:")[1].split()[0]
        with open("asked.jsonl", "a") as file:
            file.write(json.dumps([subject, asked]) + "\\n")
        return {"requirement": "x", "reasoning": "y", "quote": "", "satisfied": True}
"""


def test_criteria_add_up_from_settings_to_function_and_the_innermost_of_a_name_counts(
    pytester: pytest.Pytester, run: Run
) -> None:
    pytester.makepyfile(
        rules="""
        from grice import criterion
        KEPT = [criterion("everywhere", "settings"), criterion("polite", "settings")]
        """,
        keeper=KEEPER,
    )
    pytester.makepyprojecttoml('[tool.grice]\njudge_llm = "keeper:Keeper"\ncriteria = "rules:KEPT"\n')
    run(test_it=LEVELS).assert_outcomes(passed=2)
    asked = [json.loads(line) for line in (pytester.path / "asked.jsonl").read_text().splitlines()]
    assert sorted(asked[:3]) == [["polite", "module"], ["short", "base"], ["tidy", "outer"]]
    assert sorted(asked[3:]) == [
        ["everywhere", "settings"],
        ["polite", "module"],
        ["short", "function"],
        ["tidy", "outer"],
        ["warm", "inner"],
    ]


DECLARED = """
import functools
from grice import criterion
from grice.matchers import satisfy as meets
import grice.matchers as matchers

def told(function):
    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        return function(*args, **kwargs)
    return wrapper

class satisfy:
    def __init__(self, name): pass

pytestmark = pytest.mark.grice(criteria=[criterion("friendly", "It is friendly.")])
"""

UNKNOWN = [
    ("def test_it(conversation):\n    expect(conversation.say('Hi')).to_satisfy('freindly')", 2),
    ("@told\n@told\ndef test_it(conversation):\n    expect('x').not_to_satisfy('freindly')", 4),
    ("async def test_it(async_conversation):\n    await expect('x').to_satisfy('freindly')", 2),
    ("class TestIt:\n    def test_it(self, conversation):\n        expect('x').to_satisfy('freindly')", 3),
    (
        (
            "@pytest.mark.parametrize('n', [1, 2])\ndef test_it(conversation, n):\n"
            "    expect('x').to_satisfy(\n        ['friendly',\n         'freindly '])"
        ),
        5,
    ),
    ("def test_it():\n    expect('x').to_satisfy(('friendly', 'freindly'))", 2),
    ("def test_it():\n    expect('x').to_satisfy(*['freindly'])", 2),
    ("def test_it():\n    expect('x').to(meets('freindly'))", 2),
    ("def test_it():\n    expect('x').to(~matchers.satisfy('friendly', 'freindly'))", 2),
    (
        "def test_it():\n    def check(text):\n        evaluate(text).to_satisfy('freindly')\n    check('x')",
        3,
    ),
]


@pytest.mark.parametrize(("source", "line"), UNKNOWN)
def test_an_unknown_name_in_a_test_is_a_collection_error_with_its_place(
    pytester: pytest.Pytester, judged: Run, source: str, line: int
) -> None:
    result = judged(test_it=f"{DECLARED}\n{source}\n")
    result.assert_outcomes(errors=1)
    assert result.ret == pytest.ExitCode.INTERRUPTED
    lines = (pytester.path / "test_it.py").read_text().splitlines()
    first = next(n for n, text in enumerate(lines, 1) if text == source.splitlines()[0])
    result.stdout.fnmatch_lines(
        [
            (
                f"*test_it.py:{first + line - 1}: unknown criterion 'freindly' (did you mean 'friendly'?); "
                "known here: friendly; a text of several words is a criterion of its own"
            )
        ]
    )


def test_every_unknown_name_is_told_once_and_those_of_a_base_class_where_they_stand(
    pytester: pytest.Pytester, judged: Run
) -> None:
    pytester.makepyfile(
        bases="""
        from grice import expect
        class Shared:
            def test_shared(self, conversation):
                expect(conversation.say("Hi")).to_satisfy("plite")
        """
    )
    result = judged(
        test_it="""
from bases import Shared
from grice import criterion

class TestHere(Shared):
    criteria = [criterion("polite", "It is polite.")]
    def test_own(self, conversation):
        expect(conversation.say("Hi")).to_satisfy("polit", "politer")

class TestThere(Shared):
    pass
"""
    )
    shown = result.stdout.str().split("short test summary")[0]
    assert shown.count("bases.py:4: unknown criterion 'plite' (did you mean 'polite'?)") == 1
    assert shown.count("bases.py:4: unknown criterion 'plite'; no criteria are declared here") == 1
    assert shown.count("unknown criterion 'polit' ") == 1
    assert shown.count("unknown criterion 'politer' ") == 1


FINE = """
def plain(text): return True

class Solver:
    def satisfy(self, name): return name

class TestNotOurs:
    criteria = ["weight", "height"]   # another library's
    def test_it(self):
        assert Solver().satisfy("weight") == "weight"
        assert isinstance(satisfy("weight"), satisfy)

def test_known():
    evaluate("some text").to_satisfy("friendly", " friendly ", "It is kind.")

def test_pairs():
    expect("some text").to_satisfy(("named", plain))
    expect("some text").to_satisfy([("named", lambda text: True)], plain)
"""


def test_what_names_no_criterion_is_left_alone(judged: Run) -> None:
    judged(test_it=DECLARED + FINE).assert_outcomes(passed=3)


@pytest.mark.slow
def test_tests_that_do_not_use_it_may_have_words_like_that(judged: Run, pytester: pytest.Pytester) -> None:
    own = "class Own:\n    def to_satisfy(self, name):\n        assert name\n"
    pytester.makepyfile(test_own=f"{own}\ndef test_it():\n    Own().to_satisfy('demand')\n")
    judged(test_it=DECLARED + FINE).assert_outcomes(passed=4)


def test_names_that_are_built_are_looked_up_when_the_check_is_made(judged: Run) -> None:
    result = judged(
        test_it=f"""{DECLARED}
NAME = "freind" + "ly"

def test_soft(conversation):
    evaluate(conversation.say("Hi")).to_satisfy(NAME)

def test_hard(conversation):
    expect(conversation.say("Hi")).not_to_satisfy(NAME)
"""
    )
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(
        [
            "*Failed: error: not satisfy freindly: unknown criterion 'freindly' (did you mean 'friendly'?)*",
            "every check of the criterion 'freindly' ended in an error: nothing was judged by it",
        ]
    )


@pytest.mark.parametrize(
    ("declared", "message"),
    [
        (
            "pytestmark = pytest.mark.grice(criteria=[criterion('a', 'one'), criterion('a', 'two')])",
            "two different criteria are named 'a'",
        ),
        (
            "pytestmark = pytest.mark.grice(criteria=['friendly'])",
            "expected a criterion, made with criterion(...), found 'friendly'",
        ),
        (
            "pytestmark = pytest.mark.grice(criteria={'b': criterion('a', 'one')})",
            "the criterion 'a' is listed under 'b': use its own name",
        ),
        (
            "pytestmark = pytest.mark.grice(criteria=7)",
            "expected criteria, made with criterion(...), found 7",
        ),
    ],
)
@pytest.mark.parametrize("arguments", ["", "conversation"])
def test_what_is_no_criterion_is_a_collection_error(
    run: Run, declared: str, message: str, arguments: str
) -> None:
    result = run(
        test_it=f"from grice import criterion\n{declared}\ndef test_it({arguments}): pass\n"
        "def test_other(): pass\n"
    )
    assert result.ret == pytest.ExitCode.INTERRUPTED
    result.stdout.fnmatch_lines([f"test_it.py::test_it: {message}"])


def test_a_wrong_marker_is_refused_without_a_conversation_too(run: Run) -> None:
    result = run(test_it="@pytest.mark.grice(criterion=[])\ndef test_it(): expect('a').to_contain('a')\n")
    assert result.ret == pytest.ExitCode.INTERRUPTED
    result.stdout.fnmatch_lines(["*the marker grice takes *, found 'criterion' (did you mean 'criteria'?)"])


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ('criteria = "rules:NONE"', "[[]tool.grice[]] criteria: *rules has no 'NONE'*"),
        ('criteria = "nowhere:ALL"', "[[]tool.grice[]] criteria: *there is no module 'nowhere'*"),
        ('criteria = "rules:WRONG"', "[[]tool.grice[]] criteria: expected a criterion*, found 3"),
        (
            "criteria = 3",
            "[[]tool.grice[]] criteria: expected a string such as 'module:attribute', found the n*",
        ),
    ],
)
def test_wrong_criteria_in_the_settings_are_told_with_their_place(
    pytester: pytest.Pytester, run: Run, setting: str, message: str
) -> None:
    pytester.makepyfile(rules="WRONG = [3]")
    pytester.makepyprojecttoml(f"[tool.grice]\n{setting}\n")
    result = run(test_it="def test_it(conversation): expect('a').to_satisfy('rule')\n")
    assert result.ret == pytest.ExitCode.INTERRUPTED
    result.stdout.fnmatch_lines([f"*pyproject.toml:2:1: {message}"])


@pytest.mark.slow
def test_a_file_in_another_encoding_is_read_as_python_reads_it(
    pytester: pytest.Pytester, judged: Run
) -> None:
    source = (
        "# -*- coding: latin-1 -*-\nfrom grice import expect\n"
        "def test_gr\xfc\xdfe():\n    expect('x').to_satisfy('gr\xfc\xdfig')\n"
    )
    pytester.path.joinpath("test_other.py").write_bytes(source.encode("latin-1"))
    pytester.path.joinpath("test_broken.py").write_text("def test_it(:\n    expect('x').to_satisfy('rule')\n")
    result = judged(test_it="")
    result.assert_outcomes(errors=2)
    result.stdout.fnmatch_lines(["*test_other.py:4: unknown criterion 'gr\xfc\xdfig'; no criteria are *"])


CODE = """
from grice import criterion

def raises(conversation): raise ValueError("no such field")

pytestmark = pytest.mark.grice(criteria=[
    criterion("two_turns", check=lambda conversation: len(conversation.turns) == 2),
    criterion("asks", check_messages=lambda messages: messages[-1].content.endswith("?")),
    criterion("breaks", check=raises),
])

def test_it(conversation):
    conversation.say("Hi")
    reply = conversation.say("Really?")
    expect(reply).to_satisfy("two_turns", "asks", ("hi", lambda turn: turn.text.startswith("you")))
    expect(conversation).to_satisfy("two_turns", "asks", len)

def test_breaks(conversation):
    expect(conversation.say("Hi")).not_to_satisfy("breaks")
"""


def test_criteria_of_code_need_no_llm_and_their_exceptions_are_errors(run: Run) -> None:
    result = run(test_it=CODE)
    result.assert_outcomes(failed=2)
    result.stdout.fnmatch_lines(
        [
            "*len raised TypeError*",
            "*breaks raised ValueError: no such field*",
            "every check of the criterion 'breaks' ended in an error: nothing was judged by it",
            "every check of the criterion 'len' ended in an error: nothing was judged by it",
            "hard checks: 1 pass, 2 error",
        ]
    )


BEFORE = """
from grice import criterion
fine = criterion("fine", check=lambda conversation: True)

@pytest.mark.parametrize("method", ["to_satisfy", "not_to_satisfy"])
def test_before_any_turn(conversation, judge_llm, method):
    getattr(expect(conversation), method)(fine)

@pytest.mark.parametrize("method", ["to_satisfy", "not_to_satisfy"])
def test_judged_before_any_turn(conversation, method):
    getattr(expect(conversation), method)("It is kind to everybody.")

@pytest.mark.parametrize("method", ["to_satisfy", "not_to_satisfy"])
def test_empty(conversation, method):
    getattr(expect(conversation.say("Hi")), method)(" ")
"""


def test_expecting_before_any_turn_and_an_empty_text_are_errors_in_both_polarities(
    judged: Run, asked: Callable[[], list[str]]
) -> None:
    result = judged(test_it=BEFORE)
    result.assert_outcomes(failed=6)
    shown = result.stdout.str()
    assert shown.count("the conversation has no turn yet: say something first") == 4
    assert shown.count("a criterion is said in words, found an empty text") == 2
    assert asked() == []


@pytest.mark.slow
def test_a_criterion_of_both_kinds_of_code_is_refused_where_it_is_made(run: Run) -> None:
    result = run(
        test_it="from grice import criterion\ncriterion('both', check=len, check_messages=len)\n"
        "def test_it(): pass\n"
    )
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(
        ["*CriterionError: criterion 'both' has both check and check_messages: give one of them"]
    )
