"""Commands that reports name can be pasted into a shell."""

import shlex
from pathlib import Path

from grice.reporting.next_steps import how_to_compare, how_to_see


def test_folders_with_blanks_are_one_word():
    assert shlex.split(how_to_see(Path("my runs/exp_a"))) == ["grice", "report", "my runs/exp_a"]
    command = how_to_compare("exp_a", "Prompt v1", Path("it's here"))
    assert shlex.split(command) == (
        ["grice", "compare", "exp_a", "--baseline", "Prompt v1", "--runs", "it's here"]
    )


def test_plain_words_stay_as_they_are():
    assert how_to_compare("latest", "exp_a") == "grice compare latest --baseline exp_a"
