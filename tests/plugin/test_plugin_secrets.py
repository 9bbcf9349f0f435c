"""Secrets that an agent gives away are in no report: pytest writes these to files."""

import pytest
from inner_projects import Run

KEY = "sk-ant-" + "api03-abcdefghijklmnopqrstuvwxyz0123456789"
LEAKS = f"""
@pytest.fixture
def agent():
    return lambda text: "my key is {KEY}"

def test_it(conversation):
    reply = conversation.say("Hi")
    evaluate(reply).to_contain("nothing")
    expect(reply).to_contain("something")
"""


def test_a_key_in_a_reply_is_in_no_output_and_no_file(run: Run, pytester: pytest.Pytester) -> None:
    result = run("--junitxml=out.xml", "-l", test_it=LEAKS)
    result.assert_outcomes(failed=1)
    shown = result.stdout.str()
    written = (pytester.path / "out.xml").read_text()
    assert "my key is [redacted" in shown
    assert "my key is [redacted" in written
    leaked = shown.replace(f'return lambda text: "my key is {KEY}"', "")  # the test's own source
    assert KEY not in leaked
    assert KEY not in written


SECRET = "hunter2-horse"
SHOP = f'''
KEY = """-----BEGIN PRIVATE KEY-----
MIIEab12
cd34
-----END PRIVATE KEY-----"""

def agent(messages, on_tool_call):
    on_tool_call("log_in", {{"user": "bob", "password": "{SECRET}"}})
    if "key" in messages[-1]["content"]:
        raise RuntimeError(f"no such key: \\n{{KEY}}\\nsee the log")
    print("logged in with {SECRET}")
    return "Logged in with {SECRET}"
'''


def test_what_a_tool_was_called_with_is_in_nothing_that_pytest_shows_or_writes(
    run: Run, pytester: pytest.Pytester
) -> None:
    pytester.makepyfile(shop=SHOP)
    result = run(
        "--junitxml=out.xml",
        "-l",
        "-o",
        "junit_logging=all",
        "--grice-store=kept",
        test_it="""
import shop

@pytest.fixture
def agent():
    return shop.agent

def test_soft(conversation):
    evaluate(conversation.say("Hi")).not_to_contain("Logged in")

def test_hard(conversation):
    expect(conversation.say("Hi")).to_contain("something")

def test_plain(conversation):
    arguments = conversation.say("Hi").tool_calls[0].arguments
    assert arguments["password"] == "x"
""",
    )

    result.assert_outcomes(passed=1, failed=2)
    shown = result.stdout.str()
    written = (pytester.path / "out.xml").read_text()
    kept = "".join(path.read_text() for path in pytester.path.glob("kept/*/*.jsonl"))
    for text in (shown, written, kept):
        assert "[redacted: password]" in text
        assert SECRET not in text
    assert "E       AssertionError: assert '[redacted: password]' == 'x'" in shown
    assert "logged in with [redacted: password]" in shown  # what was printed
    assert "log_in(user='bob', password='[redacted: password]')" in shown


def test_a_private_key_in_an_error_is_one_line_of_its_traceback(run: Run, pytester: pytest.Pytester) -> None:
    pytester.makepyfile(shop=SHOP)
    result = run(
        test_it="""
import shop

@pytest.fixture
def agent():
    return shop.agent

def test_it(conversation):
    conversation.say("What is the key?")
"""
    )

    result.assert_outcomes(failed=1)
    shown = result.stdout.str()
    assert "MIIEab12" not in shown
    assert "cd34" not in shown
    result.stdout.fnmatch_lines(
        ["E *RuntimeError: no such key: ", "E * [[]redacted: private key]", "E *see the log"],
        consecutive=True,
    )
