import pytest
from inner_projects import ECHO, Run


def test_a_failure_shows_the_user_s_line_and_no_frame_of_grice(run: Run) -> None:
    result = run(
        test_it="""
def test_it(conversation):
    reply = conversation.say("Hi")
    expect(reply).to_contain("Bye")
"""
    )
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        [
            '>       expect(reply).to_contain("Bye")',
            "E       grice.ExpectationFailed: contain 'Bye': the text is 'you said Hi'",
            "E       ",
            "E         1  user       Hi",
            "E       >    assistant  you said Hi",
            "",
            "test_it.py:*: ExpectationFailed",
        ],
        consecutive=True,
    )
    assert "src/grice" not in result.stdout.str()


@pytest.mark.parametrize(
    ("line", "error"),
    [
        ('expect(reply).to_contian("x")', "AttributeError: a reply has no method to_contian (did you mean*"),
        ('expect(conversation).to_call_tool("x")', "AttributeError: to_call_tool judges a reply or a turn*"),
        ('expect(reply).to_contain("x", befor="y")', "TypeError: to_contain(*'befor'"),
        ('expect(reply).to_call_tool("x", {"a": 1})', "TypeError: to_call_tool takes these arguments*"),
    ],
)
def test_a_wrong_method_or_argument_shows_the_user_s_line_alone(run: Run, line: str, error: str) -> None:
    result = run(
        test_it=f"""
def test_it(conversation):
    reply = conversation.say("Hi")
    {line}
"""
    )
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines([f">       {line.replace('[', '[[]')}", f"E       {error}"])
    assert "src/grice" not in result.stdout.str()
    assert "checks nothing" not in result.stdout.str()


RAISING = """
@pytest.fixture
def agent():
    {kind} chat(messages):
        raise ValueError("no stock")
    return chat

def test_it(conversation):
    conversation.say("Hi")
"""


@pytest.mark.parametrize("kind", ["def", "async def"])
def test_an_agent_that_raises_shows_its_own_line_and_the_transcript(run: Run, kind: str) -> None:
    result = run(test_it=RAISING.format(kind=kind))
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        [
            '>       raise ValueError("no stock")',
            "E       ValueError: no stock",
            "The above exception was the direct cause of the following exception:",
            '>       conversation.say("Hi")',
            "E       grice.AgentFailed: test_it.py::test_it: turn 1: the agent raised ValueError: no stock",
            "E         1  user       Hi",
            "E       >    failure    raised: the agent raised ValueError: no stock",
            "test_it.py:*: AgentFailed",
        ]
    )
    for frame in ("src/grice", "grice/running", "asyncio", "concurrent", "anyio"):
        assert frame not in result.stdout.str()


@pytest.mark.slow
def test_an_agent_that_returns_nothing_shows_no_cause_without_lines(run: Run) -> None:
    result = run(
        test_it="""
@pytest.fixture
def agent():
    return lambda text: None

def test_it(conversation):
    conversation.say("Hi")
"""
    )
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["E       grice.AgentFailed: *: turn 1: the agent returned None*"])
    assert "direct cause" not in result.stdout.str()


SCRIPTED = """
@pytest.fixture
def agent(scripted_model):
    def chat(text):
        try:
            return scripted_model.transport({"messages": [{"role": "user", "content": text}]})
        except Exception:
            return "I am sorry, something went wrong"
    return chat
"""


def test_unused_replies_fail_the_test_in_its_call(run: Run) -> None:
    result = run(
        test_it=f"""{SCRIPTED}
def test_it(conversation, scripted_model):
    scripted_model.script("Hello", "never asked for")
    conversation.say("Hi")
"""
    )
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        ["grice.UnusedReplies: 1 of 2 scripted model replies were never asked for; *'never asked for'*"]
    )


def test_unused_replies_fail_a_test_without_conversation_too(run: Run) -> None:
    result = run(test_it="def test_it(scripted_model): scripted_model.script('Hello')")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["grice.UnusedReplies: 1 of 1 *"])


def test_an_unscripted_request_fails_the_test_even_when_the_agent_hides_it(run: Run) -> None:
    result = run(
        test_it=f"""{SCRIPTED}
def test_it(conversation):
    conversation.say("Hi")
"""
    )
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        [
            '>       conversation.say("Hi")',
            "E       grice.UnscriptedRequest: *: turn 1: model request 1 has no scripted reply (0 scripted)*",
        ]
    )


def test_a_script_that_does_not_fit_says_nothing_when_the_test_fails_already(run: Run) -> None:
    result = run(
        test_it="""
def test_it(conversation, scripted_model):
    scripted_model.script("Hello")
    assert 1 == 2
"""
    )
    result.assert_outcomes(failed=1)
    assert "UnusedReplies" not in result.stdout.str()


def test_a_script_that_does_not_fit_says_nothing_when_the_test_never_begins(run: Run) -> None:
    result = run(
        test_it="""
@pytest.fixture
def prepared(conversation, scripted_model):
    scripted_model.script("Hello")
    pytest.skip("not today")

def test_it(prepared): pass
"""
    )
    result.assert_outcomes(skipped=1)


def test_an_around_that_raises_is_an_error_in_words(run: Run) -> None:
    result = run(
        test_it="""
class Bot:
    def around(self):
        raise OSError("no database")

    def chat(self, messages):
        return "Hello"

@pytest.fixture
def agent():
    return Bot()

def test_it(conversation): pass
"""
    )
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["E *grice.AgentFailed: around() of Bot: *no database*"])


SLOW = """
import time

@pytest.fixture
def agent():
    return lambda text: time.sleep(10)
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("settings", "marker"),
    [
        ("", "@pytest.mark.grice(turn_timeout=0.05)"),
        ("", "@pytest.mark.grice(timeout=0.05)"),
        ("turn_timeout = 0.05", ""),
        ("turn_timeout = 10", "@pytest.mark.grice(turn_timeout=0.05)"),
        ("timeout = 0.05", ""),
    ],
)
def test_a_time_out_comes_from_the_marker_or_the_settings(
    pytester: pytest.Pytester, run: Run, settings: str, marker: str
) -> None:
    pytester.makepyprojecttoml(f"[tool.grice]\n{settings}\n")
    result = run(test_it=f"{SLOW}\n{marker}\ndef test_it(conversation):\n    conversation.say('Hi')\n")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        ["E       grice.AgentFailed: test_it.py::test_it: turn 1: the agent did not answer within *0.05 s*"]
    )


@pytest.mark.parametrize(
    ("marker", "message"),
    [
        (
            "turn_timout=1",
            (
                "turn_timeout, timeout, suite, record, criteria, user, topics, found 'turn_timout' "
                "(did you mean 'turn_timeout'?)"
            ),
        ),
        ("3", "only keywords (turn_timeout, timeout, suite, record, criteria, user, topics), found 3"),
        ("timeout='1'", "a number of seconds above 0 as timeout, found '1'"),
        ("suite=''", "a text as suite, found ''"),
    ],
)
def test_a_wrong_marker_stops_the_session_before_any_test(run: Run, marker: str, message: str) -> None:
    result = run(test_it=f"@pytest.mark.grice({marker})\ndef test_it(conversation): pass\n")
    assert result.ret == pytest.ExitCode.INTERRUPTED
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines([f"test_it.py::test_it: the marker grice takes {message}"])


def test_the_synchronous_fixture_in_a_running_loop_is_a_clear_error(run: Run) -> None:
    result = run(
        "-p",
        "pytest_asyncio.plugin",
        "-W",
        "ignore",
        test_it="""
@pytest.mark.asyncio
async def test_it(conversation):
    conversation.say("Hi")
""",
    )
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["E       grice.LoopIsRunning: *running event loop*"])


INTERRUPTED = """
def test_one(conversation):
    evaluate(conversation.say("Hi")).to_contain("x")

def test_two(conversation):
    evaluate(conversation.say("How are you?")).to_contain("z")
    expect(conversation.last).to_contain("you")
    HOW

def test_three(conversation):
    pass
"""


@pytest.mark.slow
@pytest.mark.parametrize("how", ["raise KeyboardInterrupt", "pytest.exit('enough')"])
def test_ctrl_c_inside_a_test_loses_none_of_its_verdicts_and_shows_its_conversation(
    pytester: pytest.Pytester, how: str
) -> None:
    pytester.makepyfile(test_it=ECHO + INTERRUPTED.replace("HOW", how))
    result = pytester.runpytest_inprocess(no_reraise_ctrlc=True)
    assert result.ret == pytest.ExitCode.INTERRUPTED
    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines(
        [
            "=* grice =*",
            "hard checks: 1 pass",
            "soft checks: 2 fail",
            "test_it.py::test_one",
            "*'x'*",
            "test_it.py::test_two",
            "*'z'*",
            "interrupted: test_it.py::test_two",
            "    1  user       How are you?",
            "       assistant  you said How are you?",
            "!!!*",
        ],
        consecutive=True,
    )


def test_ctrl_c_while_the_agent_answers_shows_what_was_said_to_it(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        test_it="""
import pytest

@pytest.fixture
def agent():
    def chat(text):
        raise KeyboardInterrupt
    return chat

def test_it(conversation):
    conversation.say("Hi")
"""
    )
    result = pytester.runpytest_inprocess(no_reraise_ctrlc=True)
    result.stdout.fnmatch_lines(
        ["interrupted: test_it.py::test_it", "    1  user       Hi"], consecutive=True
    )
    result.assert_outcomes()


def test_ctrl_c_in_a_test_without_conversation_says_nothing_of_grice(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        test_it=ECHO + "def test_one(conversation): pass\ndef test_two(): raise KeyboardInterrupt\n"
    )
    result = pytester.runpytest_inprocess(no_reraise_ctrlc=True)
    result.stdout.no_fnmatch_line("interrupted: *")


@pytest.mark.parametrize("style", ["long", "short", "native", "line", "no"])
def test_what_an_agent_raises_cannot_act_on_the_terminal(run: Run, style: str) -> None:
    result = run(
        "--tb",
        style,
        "--color=yes",
        test_it="""
@pytest.fixture
def agent():
    def chat(text):
        raise ValueError("no \\x1b]0;title\\x07 stock\\nsecond \\u202e line")
    return chat

def test_it(conversation):
    conversation.say("Hi")
""",
    )
    result.assert_outcomes(failed=1)
    shown = result.stdout.str()
    assert not {"\x07", "\u202e"} & set(shown)
    assert "\x1b]" not in shown
    assert r"no \x1b]0;title" in shown
    if style in ("long", "short"):
        assert r"ValueError: no \x1b]0;title\x07 stock" in shown
        assert r"second \u202e line" in shown


def test_a_failure_without_grice_is_shown_as_it_is(run: Run) -> None:
    result = run(test_it="def test_one(conversation): pass\ndef test_it(): raise ValueError('a\\u202eb')")
    assert "\u202e" in result.stdout.str()


@pytest.mark.slow
def test_a_session_inside_a_test_leaves_the_outer_one_as_it_was(run: Run) -> None:
    result = run(
        "-p",
        "pytester",
        test_it="""
INNER = "from grice import evaluate\\ndef test_it(): evaluate('text').to_contain('inner')"

def test_it(conversation, pytester):
    evaluate(conversation.say("Hi")).to_contain("before")
    pytester.makepyfile(test_inner=INNER)
    pytester.runpytest_inprocess().assert_outcomes(passed=1)
    evaluate("text").to_contain("after")
    evaluate(conversation.say("Hi")).to_contain("again")
""",
    )
    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines(
        ["soft checks: 3 fail", "test_it.py::test_it", "*'before'*", "*'after'*", "*'again'*"]
    )


@pytest.mark.slow
def test_a_test_that_is_skipped_or_expected_to_fail_keeps_its_outcome(run: Run) -> None:
    result = run(
        test_it="""
def test_skipped(conversation, scripted_model):
    scripted_model.script("Hello")
    pytest.skip("not today")

@pytest.mark.xfail(strict=True)
def test_expected(conversation):
    expect(conversation.say("Hi")).to_contain("Bye")
"""
    )
    result.assert_outcomes(skipped=1, xfailed=1)


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ("[" * 3_000 + "]" * 3_000, "1:1: not valid TOML: nested too deep"),
        ("9" * 5_000, "3:5: not valid TOML: a number of thousands of digits"),
    ],
    ids=["deep", "digits"],
)
def test_settings_that_cannot_be_read_stop_the_tests_that_use_grice_only(
    pytester: pytest.Pytester, value: str, said: str
) -> None:
    folder = pytester.mkdir("sub")  # of its own: pytest reads the file of the session itself
    (folder / "pyproject.toml").write_text(f"[tool.grice]\n[tool.other]\nx = {value}\n")
    (folder / "test_plain.py").write_text("def test_plain(): pass\n")
    options = ("-p", "no:cacheprovider", "-c", pytester.makeini("[pytest]\n"))
    pytester.runpytest_inprocess(*options, folder).assert_outcomes(passed=1)
    (folder / "test_it.py").write_text("def test_it(conversation): pass\n")
    result = pytester.runpytest_inprocess(*options, folder)
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines([f"*pyproject.toml:{said}"])


LOUD = """
@pytest.fixture
def agent():
    def chat(messages):
        raise ValueError({message})
    return chat

def test_it(conversation):
    conversation.say("Hi")
"""


@pytest.mark.parametrize("style", ["auto", "short", "line"])
@pytest.mark.parametrize("message", ['"x\\n" * 100_000', '"x" * 200_000'])
def test_a_long_message_of_an_agent_is_cut(run: Run, message: str, style: str) -> None:
    result = run(f"--tb={style}", test_it=LOUD.format(message=message))
    result.assert_outcomes(failed=1)
    assert len(result.outlines) < 200
    assert max(map(len, result.outlines)) < 3_000
    result.stdout.fnmatch_lines(["*ValueError: x*", "*... (100001 lines)" if "n" in message else "*x... (*"])


def test_what_a_test_says_itself_is_not_cut(run: Run) -> None:
    result = run(test_it="def test_it(conversation):\n    raise ValueError('x\\n' * 500)\n")
    assert result.outlines.count("E       x") == 499
