"""Where a test has its judge from, and what becomes of its checks when there is none."""

from collections.abc import Callable

import pytest
from inner_projects import JUDGES, Run

Asked = Callable[[], list[str]]

PLACES = """
from judges import Kind, Fussy
from grice import ScriptedLLM

def satisfied(conversation):
    return bool(evaluate(conversation.say("Hi")).to_satisfy("It is kind.").outcome == "pass")

class TestClass:
    @pytest.fixture
    def judge_llm(self):
        return Fussy()
    def test_it(self, conversation):
        assert not satisfied(conversation)

class TestScripted:
    @pytest.fixture(scope="class")
    def judge_llm(self):
        yes = {"requirement": "x", "reasoning": "y", "quote": "", "satisfied": True}
        return ScriptedLLM({"criterion": [yes]})
    def test_first(self, conversation):
        assert satisfied(conversation)
    def test_second(self, conversation, judge_llm):
        assert not judge_llm.unused
        assert not satisfied(conversation)

class TestSettings:
    def test_it(self, conversation, judge_llm):
        assert judge_llm.model == "kind-1"
        assert satisfied(conversation)
"""


@pytest.mark.slow
def test_a_judge_is_overridden_for_a_class_and_a_folder(pytester: pytest.Pytester, judged: Run) -> None:
    folder = pytester.mkdir("strict")
    (folder / "conftest.py").write_text(
        "import pytest\nmade = []\n"
        "@pytest.fixture(scope='session')\ndef judge_llm():\n"
        "    from judges import Fussy\n    made.append(1)\n    assert len(made) == 1\n    return Fussy\n"
    )
    body = "def test_{0}(agent_context, conversation):\n    reply = conversation.say('Hi')\n    {1}\n"
    (folder / "test_strict.py").write_text(
        "import pytest\nfrom grice import expect\n@pytest.fixture\ndef agent(): return lambda text: text\n"
        + body.format("one", "expect(reply).not_to_satisfy('It is kind.')")
        + body.format("two", "expect(reply).not_to_satisfy('It is kind.')")
    )
    judged("-p", "no:randomly", test_it=PLACES).assert_outcomes(passed=6)


FACTORY = """
class Bot:
    def __init__(self, context):
        self.told = context
    def chat(self, messages):
        return f"{self.told['shop']} for {self.told['test_name'].rpartition('::')[2]}"

class Shop:
    @staticmethod
    def build(context): return Bot({"shop": "no shop", **context})
"""


@pytest.mark.slow
def test_the_recipes_for_agents_a_class_more_context_and_full_control(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        bots=FACTORY,
        test_it="""
        import pytest
        from bots import Bot

        def test_global_class(conversation):
            assert conversation.say("Hi").text == "no shop for test_global_class"

        class TestMoreContext:
            @pytest.fixture
            def shop(self): return "the shop"
            @pytest.fixture
            def agent(self, agent_factory, agent_context, shop):
                return agent_factory({**agent_context, "shop": shop})
            def test_more(self, conversation):
                assert conversation.say("Hi").text == "the shop for test_more"

        class TestFullControl:
            @pytest.fixture
            def agent(self, agent_context):
                return Bot({**agent_context, "shop": "own"})
            def test_own(self, conversation):
                assert conversation.say("Hi").text == "own for test_own"
        """,
    )
    pytester.makepyprojecttoml(
        '[tool.grice]\nagent = "bots:Shop"\n[tool.pytest.ini_options]\npythonpath = ["."]\n'
    )
    folder = pytester.mkdir("other")
    (folder / "conftest.py").write_text(
        "import pytest\nfrom bots import Bot\n"
        "@pytest.fixture(scope='session')\ndef agent_factory():\n"
        "    return lambda context: Bot({**context, 'shop': 'a folder'})\n"
    )
    (folder / "test_folder.py").write_text(
        "def test_folder(conversation):\n"
        "    assert conversation.say('Hi').text == 'a folder for test_folder'\n"
    )
    pytester.runpytest_inprocess().assert_outcomes(passed=4)


# -- no judge to be had

NEEDED = """
from grice import criterion
pytestmark = pytest.mark.grice(criteria=[
    criterion("friendly", "It is friendly."), criterion("said", check=lambda conversation: True)])

def test_code(conversation):
    expect(conversation.say("Hi")).to_satisfy("said")

def test_soft(conversation):
    evaluate(conversation.say("Hi")).to_satisfy("said", "friendly")

def test_hard(conversation):
    expect(conversation.say("Hi")).not_to_satisfy("friendly")
"""

FIRST = "every check of the criterion 'friendly' ended in an error: nothing was judged by it"


@pytest.mark.slow
def test_without_an_llm_a_hard_check_fails_with_instructions_and_code_judges(run: Run) -> None:
    result = run(test_it=NEEDED)
    result.assert_outcomes(passed=2, failed=1)
    lines = result.outlines
    assert (
        lines[next(n for n, line in enumerate(lines) if line.startswith("=") and " grice " in line) + 1]
        == FIRST
    )
    result.stdout.fnmatch_lines(
        [
            "E *ExpectationFailed: error: not satisfy friendly: *",
            (
                'E *no LLM is configured as judge*judge_llm = "provider:model" in grice.toml or *'
                "or write a fixture named judge_llm*--grice-record=once*"
            ),
            FIRST,
            "hard checks: 1 pass, 1 error",
            "soft checks: 1 error",
        ]
    )


BROKEN = {
    "raises": ("raise RuntimeError('no key')", "judge_llm: RuntimeError: no key"),
    "fails": ("pytest.fail('the vault is shut')", "the vault is shut"),
    "is none": ("return 7", "7 is not an LLM: expected an object with complete(messages, **options), or *"),
    "cannot be made": (
        "from judges import Bad\n    return Bad",
        "making the LLM with Bad() raised *no port*",
    ),
    "wants a fixture": ("", "fixture 'nothing' not found, which the fixture judge_llm requests"),
}


@pytest.mark.parametrize(("body", "message"), BROKEN.values(), ids=BROKEN.keys())
def test_a_judge_that_cannot_be_had_is_an_error_of_the_checks_that_need_it(
    pytester: pytest.Pytester, run: Run, body: str, message: str
) -> None:
    pytester.makepyfile(
        judges=JUDGES + "\nclass Bad(Kind):\n    def __init__(self): raise OSError('no port')\n"
    )
    fixture = f"\n@pytest.fixture\ndef judge_llm({'' if body else 'nothing'}):\n    {body or 'pass'}\n"
    result = run(test_it=fixture + NEEDED)
    result.assert_outcomes(passed=2, failed=1)
    result.stdout.fnmatch_lines([f"E *the judge gave no answer: {message}", FIRST])


@pytest.mark.slow
def test_a_judge_that_is_skipped_skips_the_test(run: Run) -> None:
    fixture = "\n@pytest.fixture\ndef judge_llm():\n    pytest.skip('no key here')\n"
    body = "\ndef test_it(conversation):\n    {}(conversation.say('Hi')).to_satisfy('It is kind.')\n"
    for check in ("expect", "evaluate"):
        run(test_it=fixture + body.format(check)).assert_outcomes(skipped=1)


SETTINGS = [
    ('judge_llm = "openia:gpt"', 2, "*there is no module 'openia'*(did you mean 'openai'?)"),
    ('judge_llm = "judges"', 2, "expected 'provider:model', 'module:attribute' or a table *, found 'judges'"),
    ('judge_llm = "judges:Knd"', 2, "*judges has no 'Knd' (did you mean 'Kind'?)"),
    ('judge_llm = {provider = "opnai", model = "m"}', 2, "provider: expected *did you mean 'openai'?)"),
    (
        '[tool.grice.judge_llm]\nprovider = "openai"\nmodl = "m"',
        4,
        "an LLM has no 'modl' (did you mean 'mod*",
    ),
]


@pytest.mark.slow
@pytest.mark.parametrize(("setting", "line", "message"), SETTINGS)
def test_a_wrong_setting_is_told_with_its_place(
    pytester: pytest.Pytester, judged: Run, setting: str, line: int, message: str
) -> None:
    pytester.makepyprojecttoml(f"[tool.grice]\n{setting}\n")
    direct = "\ndef test_direct(judge_llm): pass\n"
    result = judged("-p", "no:randomly", test_it=NEEDED + direct)
    result.assert_outcomes(passed=2, failed=1, errors=1)
    told = f"*pyproject.toml:{line}:*: [[]tool.grice[]] judge_llm: {message}"
    result.stdout.fnmatch_lines([told, "E*judge gave no answer: " + told, FIRST])
    assert "Traceback" not in result.stdout.str()


@pytest.mark.slow
@pytest.mark.parametrize("value", ["3", "true", "[]"])
def test_a_setting_of_a_wrong_type_stops_the_session(pytester: pytest.Pytester, run: Run, value: str) -> None:
    pytester.makepyprojecttoml(f"[tool.grice]\njudge_llm = {value}\n")
    result = run(test_it="def test_it(conversation): pass\n")
    assert result.ret == pytest.ExitCode.INTERRUPTED
    result.stdout.fnmatch_lines(["*pyproject.toml:2:1: [[]tool.grice[]] judge_llm: expected a string such *"])


def test_judge_and_user_may_be_tables_of_their_own(pytester: pytest.Pytester, run: Run) -> None:
    pytester.makepyprojecttoml(
        '[tool.grice.judge_llm]\nprovider = "openai"\nmodel = "judge-1"\nbase_url = "http://127.0.0.1:9/v1"\n'
        '[tool.grice.user_llm]\nprovider = "anthropic"\nmodel = "user-1"\n'
    )
    run(
        test_it="""
def test_it(judge_llm, user_llm):
    assert (judge_llm.provider, judge_llm.model) == ("openai", "judge-1")
    assert (user_llm.provider, user_llm.model) == ("anthropic", "user-1")
"""
    ).assert_outcomes(passed=1)


# -- what is asked


def test_samples_come_from_the_settings_and_votes_are_shown(
    pytester: pytest.Pytester, judged: Run, asked: Asked
) -> None:
    pytester.makepyprojecttoml('[tool.grice]\njudge_llm = "judges:Fussy"\njudge_samples = 3\n')
    result = judged(
        "-v",
        test_it="def test_it(conversation):\n    evaluate(conversation.say('Hi')).to_satisfy('So it is.')",
    )
    assert asked() == ["So it is."] * 3
    result.stdout.fnmatch_lines(["*3 of 3 votes: as it should be", "*judged by fussy-1, *, 3 samples, *"])


GRADED = """
from grice import criterion
clear = criterion("clear", "It is clear.", at_least=3.5)

@pytest.fixture
def judge_llm():
    return lambda messages: {"requirement": "x", "reasoning": "half of it", "quote": "", "score": 3}

def test_it(conversation):
    reply = conversation.say("Hi")
    evaluate(reply).to_satisfy(clear)
    expect(reply).to_satisfy(clear)
"""


@pytest.mark.slow
def test_scores_and_uncalibrated_judges_are_shown(run: Run) -> None:
    result = run(test_it=GRADED)
    result.stdout.fnmatch_lines(
        [
            "E *3 of 5, wanted at least 3.5: half of it",
            "E *judged by *, prompt criterion_graded v1, * ms, uncalibrated",
            "  soft fail         turn 1: satisfy clear (score 3)*: 3 of 5, wanted at least 3.5: half of it",
            "1 hard verdict is by an LLM that nobody has compared with people's judgement (uncalibrated)",
        ]
    )


@pytest.mark.slow
def test_a_judge_is_asked_from_threads_and_each_test_has_one(judged: Run, asked: Asked) -> None:
    result = judged(
        "--grice-record",
        test_it="""
from threading import Barrier, Thread

def test_it(conversation):
    reply = conversation.say("Hi")
    ready = Barrier(8)
    def check(number):
        ready.wait()
        evaluate(reply).to_satisfy(f"It is kind, thread {number}.")
        expect(reply).to_satisfy(f"It is good, thread {number}.")
    threads = [Thread(target=check, args=(number,)) for number in range(8)]
    for thread in threads: thread.start()
    for thread in threads: thread.join()
""",
    )
    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines(["hard checks: 8 pass", "soft checks: 8 pass"])
    assert len(asked()) == 16
    judged().assert_outcomes(passed=1)
    assert asked() == []


@pytest.mark.slow
def test_a_broken_judge_leaves_code_to_judge_and_soft_checks_soft(judged: Run, asked: Asked) -> None:
    result = judged(
        "-p",
        "no:randomly",
        "-o",
        "addopts=",
        test_it="from judges import Broken\n"
        + NEEDED
        + "\n@pytest.fixture\ndef judge_llm(): return Broken()\n",
    )
    result.assert_outcomes(passed=2, failed=1)
    assert asked() == ["friendly", "friendly"]
    result.stdout.fnmatch_lines(["E *OSError: no route to the judge", FIRST])
