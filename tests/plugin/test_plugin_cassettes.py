"""Cassettes of tests: recorded once, then replayed without asking anybody."""

from collections.abc import Callable
from pathlib import Path

import pytest
from inner_projects import ECHO, Run

Asked = Callable[[], list[str]]
Cassettes = Callable[[], dict[str, list[str]]]

TWO = """
from grice import criterion
pytestmark = pytest.mark.grice(criteria=[criterion("friendly", "It is friendly.")])

class TestClass:
    @pytest.mark.parametrize("word", ["Hi", "hi"])
    def test_it(self, conversation, word):
        reply = conversation.say(word)
        evaluate(reply).to_satisfy("friendly", "It is kind.")
        expect(reply).to_satisfy("friendly")

def test_code(conversation):
    expect(conversation.say("Hi")).to_contain("Hi")
"""


@pytest.mark.slow
def test_a_test_is_recorded_beside_its_file_and_replayed_without_asking(
    pytester: pytest.Pytester,
    judged: Run,
    asked: Asked,
    cassettes: Cassettes,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    judged(test_it=TWO).assert_outcomes(passed=3)
    assert len(asked()) == 6
    assert cassettes() == {}  # nothing is written unless it is asked for

    result = judged("--grice-record")
    result.assert_outcomes(passed=3)
    recorded = cassettes()
    paths = list(recorded)
    assert [path.startswith("cassettes/test_it/TestClass.test_it-") for path in paths] == [True, True]
    assert len({path.lower() for path in paths}) == 2  # also where case does not count
    assert all(
        sorted(calls) == ["judge It is kind.", "judge friendly", "judge friendly"]
        for calls in recorded.values()
    )
    result.stdout.fnmatch_lines([f"recorded {path}: 3 added, 0 removed, 0 changed" for path in paths])
    assert len(asked()) == 6

    for args in (
        [],
        ["--grice-record"],
        ["--grice-record=none"],
        ["--grice-record=new"],
        ["-p", "xdist", "-n2"],
    ):
        result = judged(*args)
        result.assert_outcomes(passed=3)
        result.stdout.no_fnmatch_line("recorded *")
    monkeypatch.setenv("CI", "1")
    judged("--junitxml=x.xml").assert_outcomes(passed=3)
    assert asked() == []
    assert cassettes() == recorded

    for path in paths:
        (pytester.path / path).unlink()
    result = judged()
    result.assert_outcomes(passed=1, failed=2)
    result.stdout.fnmatch_lines(
        [
            (
                f"*{paths[0]}: there is no such cassette, and nothing is asked live in mode none *, "
                "so this judge call (criterion friendly) has no answer: *; record it with pytest *"
            )
        ]
    )
    assert asked() == []


ONE = """
def test_it(conversation):
    expect(conversation.say("Hi")).to_satisfy("It is kind.")
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("mode", "written", "live"), [("none", 1, 0), ("once", 1, 0), ("new", 2, 1), ("all", 1, 1), ("off", 1, 1)]
)
def test_each_mode_with_a_cassette_that_lacks_a_call(
    judged: Run, asked: Asked, cassettes: Cassettes, mode: str, written: int, live: int
) -> None:
    judged("--grice-record", test_it=ONE)
    asked()
    result = judged(f"--grice-record={mode}", test_it=ONE.replace("It is kind.", "It is good."))
    assert len(asked()) == live
    assert {path: len(calls) for path, calls in cassettes().items()} == {
        "cassettes/test_it/test_it.jsonl": written
    }
    result.assert_outcomes(passed=live, failed=1 - live)


@pytest.mark.parametrize("where", ["marker", "settings", "command line over marker", "marker over settings"])
def test_the_mode_comes_from_command_line_marker_or_settings(
    pytester: pytest.Pytester, judged: Run, cassettes: Cassettes, where: str
) -> None:
    settings = {"settings": "once", "marker over settings": "none"}.get(where, "auto")
    marker = {"settings": "", "command line over marker": "none"}.get(where, "once")
    args = ["--grice-record"] if where == "command line over marker" else []
    pytester.makepyprojecttoml(
        f'[tool.grice]\njudge_llm = "judges:Kind"\nrecord = "{settings}"\ncassettes = "tapes"\n'
    )
    mark = f"@pytest.mark.grice(record={marker!r})" if marker else ""
    judged(*args, test_it=f"{mark}{ONE}").assert_outcomes(passed=1)
    assert cassettes() == {"tapes/test_it/test_it.jsonl": ["judge It is kind."]}


@pytest.mark.slow
def test_a_test_that_leaves_cassettes_alone_does_so_whatever_the_command_line_says(
    judged: Run, cassettes: Cassettes
) -> None:
    judged("--grice-record=all", test_it=f"@pytest.mark.grice(record='off')\n{ONE}").assert_outcomes(passed=1)
    assert cassettes() == {}


@pytest.mark.slow
def test_a_reply_or_a_criterion_that_changed_is_an_error_that_shows_the_difference(
    judged: Run, asked: Asked
) -> None:
    judged("--grice-record", test_it=ONE)
    asked()
    result = judged(test_it=ONE.replace('"Hi"', '"Good day"').replace("expect", "evaluate"))
    result.assert_outcomes(failed=1)  # the recorded call is left over
    result.stdout.fnmatch_lines(
        [
            (
                "*cassettes/test_it/test_it.jsonl:2: nothing asked for this judge call (*) "
                "any more: *; record it anew with --grice-update"
            ),
            "soft error *",
            "*the judge gave no answer: *this judge call (criterion It is kind.) is not recorded: *",
            "*it differs from the nearest, the judge call (*) in line 2 (not used yet), in",
            "*messages[[]1].content*",
            "*if that is meant, record it anew with --grice-update",
        ]
    )
    assert asked() == []


@pytest.mark.slow
def test_calls_left_over_fail_a_test_that_passes_otherwise(judged: Run) -> None:
    judged("--grice-record", test_it=ONE + "    expect(conversation.last).to_satisfy('It is good.')\n")
    result = judged(test_it=ONE)
    result.assert_outcomes(failed=1)
    told = "*.jsonl:3: nothing asked for this judge call (criterion It is good.) any more: *"
    result.stdout.fnmatch_lines([told + "; record it anew with --grice-update"])
    result = judged(test_it=ONE + "    assert 0, 'my own'\n")
    result.stdout.fnmatch_lines(["E       AssertionError: my own"])
    result.stdout.no_fnmatch_line(told)
    judged(test_it=ONE + "    pytest.skip('later')\n").assert_outcomes(skipped=1)


@pytest.mark.slow
def test_update_records_anew_what_exists_and_says_what_changed(
    judged: Run, asked: Asked, cassettes: Cassettes
) -> None:
    judged("--grice-update", test_it=ONE)
    assert cassettes() == {}
    judged("--grice-record")
    asked()
    changed = ONE.replace('"Hi"', '"Good day"')
    result = judged("--grice-update", test_it=changed + ONE.replace("test_it", "test_new"))
    result.assert_outcomes(passed=2)
    assert asked() == ["It is kind.", "It is kind."]
    assert list(cassettes()) == ["cassettes/test_it/test_it.jsonl"]
    result.stdout.fnmatch_lines(
        [
            "recorded cassettes/test_it/test_it.jsonl: 0 added, 0 removed, 1 changed",
            "  changed judge call (criterion It is kind.): *",
            "    request.messages[[]1].content*",
        ]
    )
    judged("--grice-update", "--grice-record=none").assert_outcomes(passed=1, failed=1)
    assert asked() == []  # none is none


@pytest.mark.slow
@pytest.mark.parametrize("where", ["marker", "settings"])
def test_update_wins_over_a_mode_that_is_written_down(
    pytester: pytest.Pytester, judged: Run, asked: Asked, where: str
) -> None:
    judged("--grice-record", test_it=ONE)
    asked()
    written = "none" if where == "settings" else "auto"
    pytester.makepyprojecttoml(f'[tool.grice]\njudge_llm = "judges:Kind"\nrecord = "{written}"\n')
    mark = "@pytest.mark.grice(record='none')" if where == "marker" else ""
    changed = f"{mark}{ONE}".replace("kind", "good")
    judged(test_it=changed).assert_outcomes(failed=1)
    assert asked() == []
    judged("--grice-update").assert_outcomes(passed=1)
    assert asked() == ["It is good."]
    judged().assert_outcomes(passed=1)
    assert asked() == []


def test_an_llm_that_fails_is_not_recorded(judged: Run, cassettes: Cassettes) -> None:
    broken = "from judges import Broken\n@pytest.fixture\ndef judge_llm(): return Broken()\n"
    judged("--grice-record", test_it=broken + ONE).assert_outcomes(failed=1)
    assert cassettes() == {}


@pytest.mark.slow
def test_a_judge_that_cannot_be_made_is_not_missed_where_all_is_recorded(judged: Run) -> None:
    judged("--grice-record", test_it=ONE)
    nobody = "\n@pytest.fixture\ndef judge_llm(): raise KeyError('API_KEY')\n"
    judged(test_it=nobody + ONE).assert_outcomes(passed=1)


def _truncated(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-40])


def _shortened(path: Path) -> None:
    path.write_bytes(path.read_bytes().splitlines(keepends=True)[0])


def _edited(path: Path) -> None:
    path.write_text(path.read_text().replace('"satisfied":true', '"satisfied":false'))


def _with_secret(path: Path) -> None:
    path.write_text(path.read_text().replace("as it should be", "the key is sk-ant-api03-" + "a1B2" * 12))


def _no_cassette(path: Path) -> None:
    path.write_text("no cassette\n")


@pytest.mark.slow
@pytest.mark.parametrize("spoil", [_truncated, _shortened, _edited, _with_secret, _no_cassette])
def test_a_broken_cassette_is_a_clear_error_and_stays_as_it_is(
    pytester: pytest.Pytester, judged: Run, asked: Asked, spoil: Callable[[Path], None]
) -> None:
    judged("--grice-record", test_it=ONE)
    asked()
    path = pytester.path / "cassettes" / "test_it" / "test_it.jsonl"
    spoil(path)
    before = path.read_bytes()
    for args in ([], ["--grice-record"], ["--grice-record=new"]):
        result = judged(*args)
        result.assert_outcomes(failed=1)
        result.stdout.fnmatch_lines(["E*the judge gave no answer: *cassettes/test_it/test_it.jsonl:[12]*: *"])
        assert "sk-ant-api03" not in result.stdout.str()
    assert path.read_bytes() == before
    assert asked() == []
    judged("--grice-update").assert_outcomes(passed=1)
    judged("--grice-record=none").assert_outcomes(passed=1)


@pytest.mark.slow
def test_secrets_are_not_written(pytester: pytest.Pytester, judged: Run) -> None:
    key = "sk-ant-api03-" + "a1B2" * 12
    judged("--grice-record", test_it=ONE.replace('"Hi"', f'"Hi, my key is {key}"')).assert_outcomes(passed=1)
    written = (pytester.path / "cassettes" / "test_it" / "test_it.jsonl").read_text()
    assert key not in written
    judged("--grice-record=none").assert_outcomes(passed=1)


@pytest.mark.slow
def test_what_is_scrubbed_may_change(pytester: pytest.Pytester, judged: Run) -> None:
    pytester.makepyprojecttoml(
        '[tool.grice]\njudge_llm = "judges:Kind"\n'
        'scrub = ["dates", {pattern = "order [0-9]+", replacement = "order N"}]\n'
    )
    said = ONE.replace('"Hi"', '"On 2026-11-22 I made order 17"')
    judged("--grice-record", test_it=said).assert_outcomes(passed=1)
    later = said.replace("2026-11-22", "2027-01-03").replace("order 17", "order 4711")
    judged("--grice-record=none", test_it=later).assert_outcomes(passed=1)


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ('scrub = ["date"]', "scrub: *'date'*did you mean 'dates'?*"),
        ('scrub = [{pattern = "("}]', "scrub: *"),
        ('record = "alway"', "record: expected one of all, auto, *, found 'alway'*"),
        (
            'record_kinds = ["judges"]',
            "record_kinds[[]0]: expected one of agent, judge, *, found 'judges' (did you mean 'judge'?)",
        ),
        ("cassettes = 3", "cassettes: expected the name of a folder, *, found the number 3"),
        ('cassettes = ""', "cassettes: expected the name of a folder, *, found ''"),
        ('cassettes = "../outside"', "cassettes: *"),
    ],
)
def test_wrong_settings_of_cassettes_are_told_with_their_place(
    pytester: pytest.Pytester, judged: Run, setting: str, message: str
) -> None:
    pytester.makepyprojecttoml(f'[tool.grice]\njudge_llm = "judges:Kind"\n{setting}\n')
    result = judged(test_it=ONE)
    assert result.ret != 0
    result.stdout.fnmatch_lines([f"*pyproject.toml:3:*: [[]tool.grice[]] {message}"])
    assert "Traceback" not in result.stdout.str()


@pytest.mark.slow
def test_odd_names_have_files_of_their_own(judged: Run, cassettes: Cassettes) -> None:
    names = [
        "a/b",
        "a:b",
        "a b",
        "A B",
        "..",
        "CON",
        "ä",
        "ö",
        "x" * 300,
        "x" * 299 + "y",
        "",
        "a\\nb",
        "nul",
        "\\x00",
    ]
    listed = ", ".join(f"pytest.param({name!r}, id={name!r})".replace("\\\\", "\\") for name in names)
    source = f"@pytest.mark.parametrize('word', [{listed}])\n" + ONE.strip().replace(
        "(conversation)", "(conversation, word)"
    )
    result = judged("--grice-record", test_it=source)
    result.assert_outcomes(passed=len(names))
    paths = list(cassettes())
    assert len({path.lower() for path in paths}) == len(names)
    assert max(len(Path(path).name) for path in paths) < 120
    assert all(path.isascii() and len(Path(path).parts) == 3 for path in paths)
    judged("--grice-record=none").assert_outcomes(passed=len(names))


@pytest.mark.slow
def test_files_of_one_name_in_two_folders_have_cassettes_of_their_own(
    pytester: pytest.Pytester, judged: Run, cassettes: Cassettes
) -> None:
    for name in ("one", "two"):
        folder = pytester.mkpydir(name)
        source = f"{ECHO}\n"
        suite = f"pytestmark = pytest.mark.grice(suite='{name}')\n"
        (folder / "test_same.py").write_text(source + suite + ONE)
    judged("--grice-record", "-p", "xdist", "-n", "2").assert_outcomes(passed=2)
    assert list(cassettes()) == [f"{name}/cassettes/test_same/test_it.jsonl" for name in ("one", "two")]


@pytest.mark.slow
def test_two_tests_at_once_never_take_each_other_s_answers(judged: Run, asked: Asked) -> None:
    source = """
@pytest.fixture
def judge_llm(request):
    name = request.node.name
    return lambda messages: {"requirement": "x", "reasoning": f"for {name}", "quote": "", "satisfied": False}

@pytest.mark.parametrize("n", range(8))
def test_it(conversation, n):
    verdict = evaluate(conversation.say("Hi")).to_satisfy("It is kind.")
    assert verdict.reason == f"for test_it[{n}]"
"""
    judged("--grice-record", "-p", "xdist", "-n", "2", test_it=source).assert_outcomes(passed=8)
    judged("--grice-record=none", "-p", "xdist", "-n", "2").assert_outcomes(passed=8)


@pytest.mark.slow
def test_an_exit_in_the_middle_writes_nothing(judged: Run, cassettes: Cassettes) -> None:
    judged("--grice-record", test_it=ONE + "    pytest.exit('enough')\n")
    assert cassettes() == {}


@pytest.mark.slow
def test_a_failing_test_is_recorded_as_far_as_it_came(
    judged: Run, asked: Asked, cassettes: Cassettes
) -> None:
    judged("--grice-record", test_it=ONE.replace("It is kind", "bad manners")).assert_outcomes(failed=1)
    assert cassettes() == {"cassettes/test_it/test_it.jsonl": ["judge bad manners."]}
    asked()
    judged().assert_outcomes(failed=1)
    assert asked() == []
