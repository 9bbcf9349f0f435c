import pytest
from inner_projects import Run

AGENTS = {
    "function of the text": "return lambda text: 'Hello'",
    "function of the messages": "def chat(messages): return 'Hello'\n    return chat",
    "async function": "async def chat(messages): return 'Hello'\n    return chat",
    "class with chat": "class Bot:\n        def chat(self, messages): return 'Hello'\n    return Bot",
    "object with chat": "class Bot:\n        def chat(self, messages): return 'Hello'\n    return Bot()",
    "object with async chat": (
        "class Bot:\n        async def chat(self, messages): return 'Hello'\n    return Bot()"
    ),
    "factory": "def make(context): return lambda text: 'Hello'\n    return make",
}


@pytest.mark.parametrize("body", AGENTS.values(), ids=AGENTS.keys())
def test_an_agent_fixture_may_return_any_kind_of_agent(run: Run, body: str) -> None:
    result = run(
        test_agent=f"""
@pytest.fixture
def agent():
    {body}

def test_says_hello(conversation):
    expect(conversation.say("Hi")).to_contain("Hello")
"""
    )
    result.assert_outcomes(passed=1)


@pytest.mark.slow
def test_an_agent_fixture_may_be_parametrised(run: Run) -> None:
    result = run(
        test_agent="""
@pytest.fixture(params=["Hello", "Good day"])
def agent(request):
    return lambda text: request.param

def test_greets(conversation):
    expect(conversation.say("Hi")).to_contain("Hello")
"""
    )
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["FAILED test_agent.py::test_greets?Good day? *"])


@pytest.mark.slow
def test_fixtures_of_another_plugin_go_before_those_of_grice(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        my_fixtures="""
        import pytest

        @pytest.fixture
        def scripted_model(scripted_model):
            scripted_model.script("Hello")
            return scripted_model

        @pytest.fixture
        def agent(agent_context):
            ask = agent_context.model.transport
            return lambda text: ask({"messages": [{"role": "user", "content": text}]})["content"][0]["text"]
        """,
        conftest="pytest_plugins = ['my_fixtures']",
        test_it="""
        from grice import expect

        def test_says_hello(conversation):
            expect(conversation.say("Hi")).to_equal("Hello")
        """,
    )
    pytester.runpytest().assert_outcomes(passed=1)


@pytest.mark.slow
def test_the_context_names_the_test_and_holds_the_scripted_model(run: Run) -> None:
    result = run(
        test_agent="""
@pytest.fixture
def agent(agent_context, scripted_model):
    assert agent_context.model is scripted_model
    assert agent_context.test_name == "test_agent.py::test_it"
    assert agent_context.test_file == "test_agent.py"
    assert agent_context.test_line == 18
    assert agent_context.tags == ("xfail",)
    assert {**agent_context, "scenario": 1}["scenario"] == 1
    return lambda text: "Hello"

@pytest.mark.xfail(False, reason="a tag")
def test_it(conversation):
    assert conversation.say("Hi").text == "Hello"
""",
    )
    result.assert_outcomes(passed=1)


def test_the_scripted_model_answers_and_its_requests_are_recorded(run: Run) -> None:
    result = run(
        test_agent="""
@pytest.fixture
def agent(scripted_model):
    def chat(text):
        request = {"messages": [{"role": "user", "content": text}]}
        return scripted_model.transport(request)["content"][0]["text"]
    return chat

def test_it(conversation, scripted_model):
    scripted_model.script("Hello", "Good bye")
    assert conversation.say("Hi").text == "Hello"
    assert conversation.say("Bye").text == "Good bye"
    assert [one.turn for one in conversation.exchanges] == [1, 2]
"""
    )
    result.assert_outcomes(passed=1)


@pytest.mark.parametrize("how", ["settings", "option", "option over settings"])
def test_the_agent_may_be_named_in_the_settings_or_on_the_command_line(
    pytester: pytest.Pytester, how: str
) -> None:
    pytester.makepyfile(
        bots="""
        def right(text): return "right"
        def wrong(text): return "wrong"
        """,
        test_agent="def test_it(conversation): assert conversation.say('Hi').text == 'right'",
    )
    named = {"settings": "bots:right", "option over settings": "bots:wrong"}.get(how)
    pytester.makepyprojecttoml(f'[tool.grice]\nagent = "{named}"\n' if named else "")
    args = [] if how == "settings" else ["--grice-agent", "bots:right"]
    pytester.runpytest_inprocess(*args).assert_outcomes(passed=1)


def test_an_empty_name_of_an_agent_is_not_taken_for_none(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(bots="def right(text): return 'right'", test_agent="def test_it(conversation): pass")
    pytester.makepyprojecttoml('[tool.grice]\nagent = "bots:right"\n')
    result = pytester.runpytest_inprocess("--grice-agent=")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*argument --grice-agent: expected a value, found ''"])


@pytest.mark.slow
def test_settings_are_those_of_the_nearest_project(pytester: pytest.Pytester) -> None:
    for name in ("one", "two"):
        folder = pytester.mkdir(name)
        (folder / "pyproject.toml").write_text(f'[tool.grice]\nagent = "bot_{name}:chat"\n')
        (folder / f"bot_{name}.py").write_text(f"def chat(text): return {name!r}\n")
        (folder / f"test_{name}.py").write_text(
            f"def test_it(conversation): assert conversation.say('Hi').text == {name!r}\n"
        )
    pytester.makepyprojecttoml('[project]\nname = "grice-user"\n')
    pytester.runpytest_inprocess().assert_outcomes(passed=2)


@pytest.mark.parametrize(
    ("option", "message"),
    [
        (
            None,
            "no agent is configured: write a fixture named 'agent' that returns it, or name it with *",
        ),
        ("nowhere:agent", "agent 'nowhere:agent': there is no module 'nowhere'*"),
        ("bots:agnet", "agent 'bots:agnet': bots has no 'agnet' (did you mean 'agent'?)"),
        ("bots", "an agent is named as 'module:attribute', found 'bots'"),
        ("bots:answer", "42 is not an agent: expected a callable*"),
    ],
)
def test_an_agent_that_cannot_be_had_is_an_error_in_words(
    pytester: pytest.Pytester, option: str | None, message: str
) -> None:
    pytester.makepyfile(
        bots="def agent(text): return 'Hello'\nanswer = 42",
        test_agent="def test_it(conversation): conversation.say('Hi')",
    )
    result = pytester.runpytest_inprocess(*(["--grice-agent", option] if option else []))
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines([message])
    assert "session.py" not in result.stdout.str()
    assert "another exception" not in result.stdout.str()
    assert "Traceback" not in result.stdout.str()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (
            "agnet = 'bots:agent'",
            "3:1: ?tool.grice? unknown field 'agnet' (did you mean 'agent'?)",
        ),
        (
            "agent = 3",
            "3:1: ?tool.grice? agent: expected a string such as 'module:attribute', an address, or a table *",
        ),
        (
            "timeout = 0",
            "3:1: ?tool.grice? timeout: expected a number of seconds above 0, found 0",
        ),
        (
            "goldens = [1]",
            "3:12: ?tool.grice? goldens?0?: expected a string, found the number 1",
        ),
    ],
)
def test_wrong_settings_are_named_with_file_and_line(
    pytester: pytest.Pytester, settings: str, message: str
) -> None:
    pytester.makepyprojecttoml(f"agent = 1\n[tool.grice]\n{settings}\n")
    pytester.makepyfile("def test_it(conversation): pass")
    result = pytester.runpytest_inprocess()
    assert result.ret == pytest.ExitCode.INTERRUPTED
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines([f"*pyproject.toml:{message}"])


@pytest.mark.slow
def test_around_is_entered_and_left_when_the_test_fails_too(run: Run) -> None:
    result = run(
        "-s",
        test_agent="""
from contextlib import contextmanager

class Bot:
    @contextmanager
    def around(self):
        print("<entered>")
        yield
        print("<left>")

    def metadata(self):
        return {"version": "2"}

    def chat(self, messages):
        return "Hello"

@pytest.fixture
def agent():
    return Bot()

def test_fails(conversation):
    assert conversation.record.metadata == {"agent": {"version": "2"}}
    expect(conversation.say("Hi")).to_contain("Bye")
""",
    )
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*<entered>*", "*<left>*"])


@pytest.mark.parametrize(
    ("around", "message"),
    [
        ("async def around(self):\n        return 1", "around() is asynchronous, but no context manager: *"),
        ("async def around(self):\n        yield", "around() is asynchronous, but no context manager: *"),
        ("def around(self):\n        return 1", "around() returned 1, expected a context manager"),
    ],
)
def test_an_around_that_is_no_context_manager_is_an_error_in_words(
    run: Run, around: str, message: str
) -> None:
    result = run(
        test_it=f"""
from contextlib import asynccontextmanager

class Bot:
    {around}

    def chat(self, messages):
        return "Hello"

@pytest.fixture
def agent():
    return Bot()

def test_it(conversation): pass
"""
    )
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines([f"E *grice.AgentFailed: around() of Bot: {message}"])


def test_an_asynchronous_around_is_entered_and_left_on_the_agents_loop(run: Run) -> None:
    result = run(
        test_it="""
import asyncio
from contextlib import asynccontextmanager

class Bot:
    @asynccontextmanager
    async def around(self):
        self.loop = asyncio.get_running_loop()
        print("<entered>")
        try:
            yield
        finally:
            assert asyncio.get_running_loop() is self.loop
            print("<left>")

    async def chat(self, messages):
        return f"one loop: {asyncio.get_running_loop() is self.loop}"

@pytest.fixture
def agent():
    return Bot()

def test_it(conversation):
    expect(conversation.say("Hi")).to_equal("one loop: True")
"""
    )
    result.assert_outcomes(passed=1)


def test_an_asynchronous_around_that_raises_is_an_error_in_words(run: Run) -> None:
    result = run(
        test_it="""
from contextlib import asynccontextmanager

class Bot:
    @asynccontextmanager
    async def around(self):
        raise ValueError("no connection")
        yield

    def chat(self, messages):
        return "Hello"

@pytest.fixture
def agent():
    return Bot()

def test_it(conversation): pass
"""
    )
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["E *grice.AgentFailed: around() of Bot: *ValueError: no connection"])
