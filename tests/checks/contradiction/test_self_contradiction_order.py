"""What is found does not hang on the order of sets, which is another in every process."""

import json
import os
import subprocess
import sys

import pytest

TALK = (
    ("user", "Should nurses be allowed to prescribe antibiotics?"),
    (
        "assistant",
        "Yes, nurses should be allowed to prescribe antibiotics. They know routine cases well.",
    ),
    ("user", "Doctors train for years to do that, and resistance is a real problem."),
    ("assistant", "You're right, nurses shouldn't be allowed to prescribe antibiotics."),
)
JUDGE = """
import json, sys
from grice import expect
from grice.records import Conversation, Message, Turn
told = [Message(role, text) for role, text in json.load(sys.stdin)]
talk = Conversation("talk", (Turn(1, tuple(told[:2])), Turn(2, tuple(told[2:]))))
try:
    expect(talk).to_avoid_self_contradiction()
except AssertionError as failure:
    print(failure)
"""


@pytest.mark.slow
def test_the_same_reversal_is_told_in_every_process():
    told = {
        subprocess.run(
            [sys.executable, "-c", JUDGE],
            input=json.dumps(TALK),
            env=os.environ | {"PYTHONHASHSEED": str(seed)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in range(8, 14)
    }
    assert len(told) == 1
    assert "turn 2 says no" in told.pop()
