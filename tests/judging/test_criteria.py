"""criterion(...) makes a named rule, of text or of code, and refuses what can judge nothing."""

import msgspec
import pytest

from grice.judging.criterion import CriterionError, Example, collect_criteria, criterion


def long_enough(conversation):
    return len(conversation.turns) > 1


def test_examples_are_kept_with_their_verdicts():
    friendly = criterion(
        "friendly",
        " The reply is warm. ",
        good=[("Happy to help!", "warm")],
        bad=[("Date?", "curt")],
        edge=[("Sure.", True, "short but kind"), ["No.", False, "true but cold"]],
    )
    assert friendly.text == "The reply is warm."
    assert friendly.examples == (
        Example("Happy to help!", True, "warm", "good"),
        Example("Date?", False, "curt", "bad"),
        Example("Sure.", True, "short but kind", "edge"),
        Example("No.", False, "true but cold", "edge"),
    )
    assert not friendly.by_code


def test_code_may_have_a_text_that_documents_it():
    documented = criterion("long", "Has two turns.", check=long_enough)
    assert (documented.text, documented.by_code) == ("Has two turns.", True)
    assert criterion("long", check_messages=len).by_code


def test_code_may_have_examples_which_are_its_unit_tests():
    tested = criterion("long", check=long_enough, good=[("a", "two turns")], edge=[("b", False, "one")])
    assert [one.verdict for one in tested.examples] == [True, False]
    assert tested.fingerprint != criterion("long", check=long_enough).fingerprint


GRADED = {"at_least": 3.5}


@pytest.mark.parametrize(
    ("name", "text", "named", "said"),
    [
        ("", "Be kind.", {}, "a criterion is named with letters, digits, _ and -"),
        ("two words", "Be kind.", {}, "found 'two words'"),
        (7, "Be kind.", {}, "found 7"),
        ("x", "", {}, "criterion 'x' has neither a text nor code"),
        ("x", " \n", {}, "has neither a text nor code"),
        ("x", None, {}, "the text is a str, found None"),
        ("x", "", {"check": long_enough, "check_messages": len}, "both check and check_messages"),
        ("x", "", {"check": "f"}, "check is a function, found 'f'"),
        ("x", "", {"check": long_enough, "at_least": 4}, "has at_least beside check: scores are an LLM's"),
        ("x", "", {"check_messages": len, "at_least": 4}, "has at_least beside check_messages"),
        (
            "x",
            "Be kind.",
            {"good": [("Hello", "")]},
            "an example of good is (reply, why), none of them empty",
        ),
        ("x", "Be kind.", {"good": [("Hello",)]}, "found ('Hello',)"),
        ("x", "Be kind.", {"good": ["Hello"]}, "found 'Hello'"),
        ("x", "Be kind.", {"bad": "Hello"}, "bad is a list of (reply, why), found 'Hello'"),
        ("x", "Be kind.", {"edge": [("Hello", "why")]}, "an example of edge is (reply, True or False, why)"),
        ("x", "Be kind.", {"edge": [("Hello", "yes", "why")]}, "found ('Hello', 'yes', 'why')"),
        ("x", "Be kind.", {"at_least": 5.1}, "at_least is a score from 1 to 5, found 5.1"),
        ("x", "Be kind.", {"at_least": True}, "found True"),
        ("x", "Be kind.", {"at_least": float("nan")}, "found nan"),
        ("x", "Be kind.", {"anchors": {1: "bad"}}, "has anchors for scores, but no at_least"),
        ("x", "Be kind.", {**GRADED, "anchors": {6: "best"}}, "found 6: 'best'"),
        ("x", "Be kind.", {**GRADED, "anchors": {1: " "}}, "found 1: ' '"),
        ("x", "Be kind.", {**GRADED, "anchors": {}}, "anchors are {score: what it means}"),
    ],
)
def test_what_can_judge_nothing_is_refused(name, text, named, said):
    with pytest.raises(CriterionError) as refused:
        criterion(name, text, **named)
    assert said in str(refused.value)
    assert isinstance(refused.value, ValueError)


def test_a_name_may_be_of_any_script():
    assert criterion("höflich-1", "Sei freundlich.").name == "höflich-1"


def test_the_fingerprint_follows_the_content():
    first = criterion("x", "Be kind.", good=[("a", "b")])
    same = criterion("x", "Be kind. ", good=(("a", "b"),))
    others = [
        criterion("y", "Be kind.", good=[("a", "b")]),
        criterion("x", "Be very kind.", good=[("a", "b")]),
        criterion("x", "Be kind.", bad=[("a", "b")]),
        criterion("x", "Be kind.", good=[("a", "c")]),
        criterion("x", "Be kind.", good=[("a", "b")], at_least=3),
        criterion("x", "Be kind.", good=[("a", "b")], at_least=3, anchors={5: "kind"}),
        criterion("x", "Be kind.", check=long_enough),
        criterion("x", "Be kind.", check=lambda conversation: True),
        criterion("x", "Be kind.", check_messages=len),
    ]
    assert first.fingerprint == same.fingerprint
    assert len({first.fingerprint, *(one.fingerprint for one in others)}) == 1 + len(others)
    assert first.fingerprint.startswith("sha256:")


def test_a_criterion_is_a_value():
    first, same = criterion("x", "Be kind."), criterion("x", "Be kind.")
    assert first == same
    assert hash(first) == hash(same)
    with pytest.raises(AttributeError):
        first.text = "Be rude."
    assert msgspec.to_builtins(first)["name"] == "x"


KIND, KINDER = criterion("kind", "Be kind."), criterion("kind", "Be kinder.")
BRIEF = criterion("brief", "Be brief.")


def test_inner_levels_win_by_name():
    assert collect_criteria() == {}
    assert collect_criteria(None, [KIND, BRIEF], {"kind": KINDER}) == {"kind": KINDER, "brief": BRIEF}
    assert collect_criteria(KINDER, (KIND,), []) == {"kind": KIND}
    assert collect_criteria([KIND, criterion("kind", "Be kind.")]) == {"kind": KIND}


@pytest.mark.parametrize(
    ("level", "said"),
    [
        ("kind", "expected criteria, made with criterion(...), found 'kind'"),
        (7, "found 7"),
        ([KIND, "brief"], "expected a criterion, made with criterion(...), found 'brief'"),
        ({"kind": "Be kind."}, "found 'Be kind.'"),
        ({"warm": KIND}, "the criterion 'kind' is listed under 'warm'"),
        ([KIND, KINDER], "two different criteria are named 'kind'"),
    ],
)
def test_a_level_that_holds_something_else_is_refused(level, said):
    with pytest.raises(CriterionError) as refused:
        collect_criteria(level)
    assert said in str(refused.value)


@pytest.mark.slow
def test_judging_comes_without_third_party_modules():
    import subprocess
    import sys

    code = (
        "import sys, grice.judging.satisfy_criteria, grice.judging.grounding, grice.judging.goal_matchers, "
        "grice.judging.quality, grice.judging.topics\n"
        "print(*[m for m in ('aiohttp', 'yaml', 'asyncio', 'jsonschema', 'rfc8785') "
        "if m in sys.modules])"
    )
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert loaded.strip() == ""
