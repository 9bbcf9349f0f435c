"""What a kept run knows tests and its configuration by, and what that survives."""

from __future__ import annotations

import shutil
from collections.abc import Callable

import pytest
from inner_projects import ECHO

from grice.identity import stable_id, stable_path
from grice.records import Result
from grice.running.journal.experiment import Experiment
from grice.running.journal.reading import read_run

TESTS = """
from grice import criterion, scenarios

kind = criterion("kind", "It is kind.")
brief = criterion("brief", check=lambda conversation: len(conversation.turns) < 3)

@scenarios("rooms.json")
def test_rooms(conversation, scenario):
    evaluate(conversation.say(scenario["say"])).to_satisfy(brief)

class TestMore:
    polite = criterion("polite", "It is polite.")

    @pytest.mark.parametrize("word", ["yes", "no"])
    def test_words(self, conversation, word):
        conversation.say(word)

def test_plain(conversation):
    conversation.say("Hi")
"""
ROOMS = '[{"id": "munich", "say": "A room in Munich"}, {"id": "berlin", "say": "A room in Berlin"}]'

Keep = Callable[..., tuple[Experiment, dict[str, Result]]]


@pytest.fixture
def keep(pytester: pytest.Pytester) -> Keep:
    """Run the tests in a folder of their own and keep that: the head, and the results by key."""

    def keep(
        tests: str = TESTS, rooms: str = ROOMS, folder: str = "tests", args: tuple[str, ...] = ()
    ) -> tuple[Experiment, dict[str, Result]]:
        runs = pytester.path / ".grice"
        shutil.rmtree(runs, ignore_errors=True)
        place = pytester.path / folder
        place.mkdir(parents=True)
        place.joinpath("test_it.py").write_text(ECHO + tests)
        place.joinpath("rooms.json").write_text(rooms)
        pytester.runpytest_inprocess(folder, "--grice-store", *args).assert_outcomes(passed=5)
        shutil.rmtree(place)
        (found,) = (runs / "runs").iterdir()
        run = read_run(found)
        assert all(head == run.experiment for head in run.heads)
        return run.experiment, {one.key: one for one in run.results}

    return keep


def ids(results: dict[str, Result]) -> dict[str, str]:
    return {key.rpartition(".")[2]: one.id for key, one in results.items()}


def prints(results: dict[str, Result]) -> dict[str, str]:
    return {key.rpartition(".")[2]: one.fingerprint for key, one in results.items()}


def config(head: Experiment) -> tuple[object, ...]:
    return head.config_hash, head.criteria_hash, head.criteria, head.opaque


@pytest.mark.slow
def test_ids_survive_a_move_to_another_folder(keep: Keep) -> None:
    (head, before), (moved, after) = keep(), keep(folder="other/deeper")
    assert ids(before) == ids(after)
    assert len(set(ids(before).values())) == 5
    assert prints(before) == prints(after)
    assert config(head) == config(moved)


@pytest.mark.slow
def test_ids_survive_tests_and_scenarios_in_another_order(keep: Keep) -> None:
    head, before = keep()
    places = [TESTS.index(begin) for begin in ("@scenarios", "class TestMore", "def test_plain")]
    rooms, more, plain = (TESTS[begin:end] for begin, end in zip(places, [*places[1:], None], strict=True))
    other = f"{TESTS[: places[0]]}{plain}\n{more}\n{rooms}"
    room, another = ROOMS[1:-1].split(", {")
    moved, after = keep(other, f"[{{{another}, {room}]")
    assert ids(before) == ids(after)
    assert prints(before) == prints(after)
    assert config(head) == config(moved)


@pytest.mark.slow
def test_ids_survive_edits_of_lines_above_and_inside(keep: Keep) -> None:
    head, before = keep()
    edited = "import os\n\n# a comment\n\n" + TESTS.replace(
        'conversation.say("Hi")', 'reply = conversation.say("Ho")\n    # more\n    assert reply'
    ).replace("lambda conversation: len", "lambda conversation:  \\\n    len")
    moved, after = keep(edited)
    assert ids(before) == ids(after)
    assert config(head) == config(moved)


@pytest.mark.slow
def test_ids_survive_an_edit_of_a_scenarios_data_and_its_fingerprint_does_not(keep: Keep) -> None:
    (head, before), (moved, after) = keep(), keep(rooms=ROOMS.replace("in Munich", "near Munich"))
    assert ids(before) == ids(after)
    changed = {key for key, value in prints(before).items() if prints(after)[key] != value}
    assert changed == {"munich"}
    assert config(head) == config(moved)


@pytest.mark.slow
def test_without_an_id_the_data_is_the_identity(keep: Keep) -> None:
    rooms = ROOMS.replace('"id": "munich", ', "")
    _, before = keep(rooms=rooms)
    _, after = keep(rooms=rooms.replace("in Munich", "near Munich"))
    assert len(set(ids(before).values()) - set(ids(after).values())) == 1


@pytest.mark.slow
def test_criteria_of_modules_and_classes_are_known_before_anything_runs(keep: Keep) -> None:
    head, results = keep()
    assert list(head.criteria) == ["brief", "kind", "polite"]
    assert head.opaque == ("criterion brief",)
    (verdict,) = results["munich"].verdicts
    assert verdict.criterion == "brief"
    changed, _ = keep(TESTS.replace("< 3", "< 4"))
    assert {name for name, one in head.criteria.items() if changed.criteria[name] != one} == {"brief"}
    assert changed.criteria_hash != head.criteria_hash


@pytest.mark.slow
def test_the_heads_of_all_workers_agree_with_that_of_one_process(keep: Keep) -> None:
    (one, before), (several, after) = keep(), keep(args=("-p", "xdist", "-n", "2"))
    assert ids(before) == ids(after)
    assert config(one) == config(several)
    assert one.planned == several.planned == 5


PARAMETERS = """
import pytest
from grice import scenarios

WORDS = ["caf\\u00e9", "a\\\\n", "a\\n", "a b", "a\\u00a0b", "\\U0001f600", "C:\\\\xe9"]

@pytest.mark.parametrize("word", WORDS)
def test_words(conversation, word): conversation.say("Hi")

@pytest.mark.parametrize("word", ["b\\u00e9"])
@scenarios([{"id": "\\u00e9"}])
def test_rooms(conversation, scenario, word): conversation.say("Hi")
"""


@pytest.mark.slow
def test_ids_of_parameters_are_those_of_their_letters(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(test_it=ECHO + PARAMETERS)
    option = "disable_test_id_escaping_and_forfeit_all_rights_to_community_support"
    found = []
    for number, value in enumerate(("false", "true")):
        args = (f"--grice-store=runs{number}", "-o", f"{option}={value}")
        pytester.runpytest_inprocess(*args).assert_outcomes(passed=8)
        (folder,) = (pytester.path / f"runs{number}").iterdir()
        found.append({one.id for one in read_run(folder).results})
    assert found[0] == found[1]
    assert len(found[0]) == 8
    paths = [
        stable_path("test_it", "test_words", params=word) for word in ("cafe\u0301", "\U0001f600", "a b")
    ]
    paths.append(stable_path("test_it", "test_rooms", params="b\u00e9", scenario="\u00e9"))
    assert {stable_id(path) for path in paths} <= found[0]
