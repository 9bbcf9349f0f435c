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
