"""What is recorded and no longer asked for is told, also where nobody opens the cassette any more."""

from collections.abc import Callable

import pytest
from inner_projects import Run

Asked = Callable[[], list[str]]
Cassettes = Callable[[], dict[str, list[str]]]

JUDGED = """
def test_it(conversation):
    expect(conversation.say("Hi")).to_satisfy("It is kind.")
"""
UNJUDGED = """
def test_it(conversation):
    expect(conversation.say("Hi")).to_contain("Hi")
"""
VOTES = """
def test_it(conversation):
    expect(conversation.say("Hi")).to_satisfy("It is kind.", samples={})
"""
SUITE = """
scenarios:
  - {{id: hi, say: Hi, expect: [{{matcher: {0}, expected: {1}}}]}}
"""


@pytest.mark.slow
def test_a_cassette_that_a_passed_test_does_not_open_fails_it(judged: Run, asked: Asked) -> None:
    judged("--grice-record=once", test_it=JUDGED).assert_outcomes(passed=1)
    result = judged(test_it=UNJUDGED)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*cassettes/test_it/test_it.jsonl:2: nothing asked for this judge call *"])
    judged("--grice-record=off").assert_outcomes(passed=1)
    result = judged("--grice-record=new")
    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines(["*nothing asked for this judge call (criterion It is kind.)*'you said Hi*"])


@pytest.mark.slow
def test_a_cassette_in_a_folder_of_folders_is_looked_for_there(
    judged: Run, cassettes: Cassettes, pytester: pytest.Pytester
) -> None:
    pytester.makepyprojecttoml('[tool.grice]\njudge_llm = "judges:Kind"\ncassettes = "data/recorded"\n')
    judged("--grice-record=once", test_it=JUDGED).assert_outcomes(passed=1)
    assert list(cassettes()) == ["data/recorded/test_it/test_it.jsonl"]
    result = judged(test_it=UNJUDGED)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*nothing asked for this judge call *any more: 'you said Hi'; *"])


@pytest.mark.slow
def test_a_failed_test_is_not_told_of_its_cassette_too(judged: Run) -> None:
    judged("--grice-record=once", test_it=JUDGED).assert_outcomes(passed=1)
    result = judged(test_it=UNJUDGED.replace('"Hi")\n', '"Bye")\n'))
    result.assert_outcomes(failed=1)
    result.stdout.no_fnmatch_line("*nothing asked for*")


@pytest.mark.slow
def test_recording_anew_removes_a_cassette_without_calls(judged: Run, cassettes: Cassettes) -> None:
    judged("--grice-record=once", test_it=JUDGED).assert_outcomes(passed=1)
    result = judged("--grice-update", test_it=UNJUDGED)
    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines(["recorded cassettes/test_it/test_it.jsonl: 0 added, 1 removed, 0 changed"])
    assert cassettes() == {}
    judged().assert_outcomes(passed=1)


@pytest.mark.slow
def test_recording_anew_what_is_the_same_leaves_the_file_alone(
    judged: Run, asked: Asked, pytester: pytest.Pytester
) -> None:
    judged("--grice-record=once", test_it=JUDGED).assert_outcomes(passed=1)
    path = pytester.path / "cassettes" / "test_it" / "test_it.jsonl"
    before = path.stat().st_mtime_ns, path.read_bytes()
    asked()
    result = judged("--grice-record=all")
    result.assert_outcomes(passed=1)
    result.stdout.no_fnmatch_line("recorded *")
    assert asked() == ["It is kind."]
    assert (path.stat().st_mtime_ns, path.read_bytes()) == before


@pytest.mark.slow
def test_scenarios_are_held_to_their_cassettes_too(
    judged: Run, cassettes: Cassettes, pytester: pytest.Pytester
) -> None:
    suite = pytester.path / "talk.grice.yaml"
    pytester.makepyprojecttoml('[tool.grice]\njudge_llm = "judges:Kind"\nagent = "echo:echo"\n')
    pytester.makepyfile(echo="def echo(text):\n    return f'you said {text}'\n")
    suite.write_text(SUITE.format("toSatisfy", "It is kind."))
    judged("--grice-record=once", suite).assert_outcomes(passed=1)
    assert list(cassettes()) == ["cassettes/talk/hi.jsonl"]
    suite.write_text(SUITE.format("toContain", "Hi"))
    result = judged(suite)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        ["*error*the cassette to fit the scenario*", "*nothing asked for this judge call*"]
    )
    judged("--grice-record=all", suite).assert_outcomes(passed=1)
    assert cassettes() == {}


@pytest.mark.slow
def test_one_vote_that_is_not_recorded_makes_the_verdict_an_error(judged: Run) -> None:
    judged("--grice-record=once", test_it=VOTES.format(3)).assert_outcomes(passed=1)
    judged().assert_outcomes(passed=1)
    result = judged(test_it=VOTES.format(4))
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*error: satisfy *", "*is not recorded*"])


OWN = """
from grice import Judge, ScriptedLLM, criterion, use_judge
KIND = {"requirement": "be kind", "reasoning": "it is", "quote": "", "satisfied": True}

def test_it(conversation):
    judge = Judge(ScriptedLLM({"criterion": KIND}), criteria=[criterion("kind", "It is kind.")])
    with use_judge(judge):
        expect(conversation.say("Hi")).to_satisfy("kind")
"""

SCRIPTED = """
from grice import ScriptedLLM
KIND = {"requirement": "be kind", "reasoning": "it is", "quote": "", "satisfied": True}

@pytest.fixture(SCOPE)
def judge_llm():
    return ScriptedLLM({"criterion": [KIND, KIND]})

def test_it(conversation):
    expect(conversation.say("Hi")).to_satisfy("It is kind.")
"""


@pytest.mark.parametrize(("scope", "failed"), [("", 1), ("scope='module'", 0)])
def test_answers_scripted_for_one_test_have_to_be_asked_for(judged: Run, scope: str, failed: int) -> None:
    result = judged(test_it=SCRIPTED.replace("SCOPE", scope))
    result.assert_outcomes(failed=failed, passed=1 - failed)
    if failed:
        result.stdout.fnmatch_lines(
            ["judge_llm: scripted answers were never asked for: 1 of 2 for 'criterion'*"]
        )


def test_names_are_left_to_a_judge_that_the_test_brings(judged: Run) -> None:
    judged(test_it=OWN).assert_outcomes(passed=1)


@pytest.mark.slow
def test_cassettes_of_tests_that_are_gone_are_named(judged: Run, pytester: pytest.Pytester) -> None:
    judged("--grice-record=once", test_a=JUDGED, test_b=JUDGED).assert_outcomes(passed=2)
    (pytester.path / "test_b.py").unlink()
    renamed = JUDGED.replace("test_it", "test_renamed")
    result = judged(test_a=renamed)
    result.stdout.fnmatch_lines(
        [
            "2 cassettes belong to no test any more, renamed or removed as it may be:",
            "  cassettes/test_a/test_it.jsonl",
            "  cassettes/test_b/test_it.jsonl",
        ]
    )


@pytest.mark.slow
def test_nobody_knows_of_tests_that_were_left_out(judged: Run) -> None:
    both = JUDGED + JUDGED.replace("test_it", "test_other")
    judged("--grice-record=once", test_a=both).assert_outcomes(passed=2)
    for args in (["-k", "other"], ["test_a.py::test_other"]):
        judged(*args).stdout.no_fnmatch_line("*to no test any more*")


def test_a_failing_test_says_that_its_cassette_could_not_be_written(
    judged: Run, pytester: pytest.Pytester
) -> None:
    pytester.makefile("", cassettes="a file where the folder should be")
    source = JUDGED + "    assert 0\n"
    result = judged("--grice-record=once", test_it=source)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        ["*Captured grice cassette call*", "*cassettes/test_it/test_it.jsonl: *cannot be written*"]
    )
