"""`--grice-resume` and `--grice-repeat`: a kept session that goes on, and tests that are repeated."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import cast

import pytest
from inner_projects import ALONE_AND_XDIST, ECHO, Run, golden, write_golden

from grice.running.journal.reading import read_run

TESTS = (
    ECHO
    + """
from grice import UserScript, scenarios, simulated

@scenarios([{"id": "munich"}, {"id": "berlin"}], name="cities")
def test_city(conversation, scenario):
    with open("held.txt", "a") as held:
        held.write(f"{scenario.key}\\n")
    expect(conversation.say(scenario.key)).to_contain(scenario.key)

@simulated(UserScript("Hi"), runs=2)
def test_simulated(conversation):
    expect(conversation.last).to_contain("Hi")

@pytest.mark.parametrize("word", ["a", "b"])
def test_words(conversation, word):
    expect(conversation.say(word)).to_contain(word)

def test_plain():
    pass
"""
)
AGENT = """
import pytest

@pytest.fixture
def agent():
    return lambda text: f"you said {text}"
"""
SUITE = """
scenarios:
  - {id: greets, say: Hello, expect: [{matcher: toContain, expected: Hello}]}
"""
EACH = {"munich": 1, "berlin": 1, "test_simulated": 2, "test_words[a]": 1, "test_words[b]": 1, "greets": 1}


@pytest.fixture
def run(pytester: pytest.Pytester) -> Run:
    """A session in the project as it is."""
    return lambda *args: pytester.runpytest_inprocess("-p", "no:cacheprovider", *args)


@pytest.fixture
def project(pytester: pytest.Pytester) -> pytest.Pytester:
    """Python tests and a suite."""
    pytester.makepyfile(test_cities=TESTS)
    pytester.makeconftest(AGENT)
    Path("some.grice.yaml").write_text(SUITE)
    return pytester


def journal() -> Path:
    (folder,) = Path("kept").iterdir()
    return folder


def kept() -> dict[str, int]:
    """How often each key is among the results."""
    return dict(Counter(one.key for one in read_run(journal()).results))


@pytest.mark.parametrize("options", ALONE_AND_XDIST)
def test_each_test_with_a_conversation_is_repeated(
    project: pytest.Pytester, run: Run, options: tuple[str, ...]
) -> None:
    result = run("--grice-store=kept", "--grice-repeat=3", *options)
    result.assert_outcomes(passed=3 * 6 + 1)
    assert kept() == {key: 3 * count for key, count in EACH.items()}
    found = read_run(journal())
    assert found.complete
    assert Counter(one.repeat for one in found.results if one.key == "test_simulated") == dict.fromkeys(
        range(1, 7), 1
    )
    assert len({one.id for one in found.results}) == len(EACH)
    assert found.experiment.repeat == 6


def cut(lines: int) -> None:
    """Leave only the first lines of the journal, and half of another."""
    (file,) = journal().glob("*.jsonl")
    text = file.read_bytes().splitlines(keepends=True)
    file.write_bytes(b"".join(text[:lines]) + text[lines][:20])


def test_only_what_is_unfinished_is_run(project: pytest.Pytester, run: Run) -> None:
    run("--grice-store=kept", "--grice-name=first").assert_outcomes(passed=7)
    before = kept()
    assert before == EACH
    cut(5)  # the head, and two tests with two lines each
    finished = kept()
    assert sum(finished.values()) == 2
    result = run("--grice-store=kept", "--grice-resume=first", "--grice-only")
    assert result.ret == 0
    result.stdout.fnmatch_lines(["2 of 7 were finished before", "*its torn last line (20 bytes) was cut off"])
    found = read_run(journal())
    assert kept() == EACH
    assert (found.complete, len(found.heads), found.heads[-1].name) == (True, 2, "first")
    again = run("--grice-store=kept", "--grice-resume=latest", "--grice-only")
    again.stdout.fnmatch_lines(["7 of 7 were finished before"])
    assert again.ret == pytest.ExitCode.OK  # all of it had passed
    assert kept() == EACH


def test_a_failure_of_before_is_not_green_when_the_rest_passes(project: pytest.Pytester, run: Run) -> None:
    run("--grice-store=kept").assert_outcomes(passed=7)
    (file,) = journal().glob("*.jsonl")
    file.write_text(file.read_text().replace('"outcome":"pass"', '"outcome":"fail"', 1))
    again = run("--grice-store=kept", "--grice-resume=latest", "--grice-only")  # nothing is left to run
    assert again.ret == pytest.ExitCode.TESTS_FAILED


@pytest.mark.slow
def test_workers_agree_on_what_is_left(project: pytest.Pytester, run: Run) -> None:
    run("--grice-store=kept").assert_outcomes(passed=7)
    cut(5)
    again = run("--grice-store=kept", "--grice-resume=latest", "-p", "xdist", "-n", "2")
    again.stdout.fnmatch_lines(["* of * were finished before"])
    found = read_run(journal())
    assert (kept(), found.complete, found.done) == (EACH, True, 7)


def test_another_configuration_is_refused_and_mixed_where_that_is_allowed(
    project: pytest.Pytester, run: Run
) -> None:
    run("--grice-store=kept").assert_outcomes(passed=7)
    cut(5)
    before = next(journal().glob("*.jsonl")).read_bytes()
    changed = ("--grice-store=kept", "--grice-resume=latest", "--grice-seed=7")
    refused = run(*changed)
    assert refused.ret == pytest.ExitCode.INTERRUPTED
    refused.stdout.fnmatch_lines(["*the run cannot go on as it began:", "  another seed: 0 before, 7 now"])
    assert next(journal().glob("*.jsonl")).read_bytes() == before
    mixed = run(*changed, "--grice-mix")
    assert mixed.ret == 0
    mixed.stdout.fnmatch_lines(["the run goes on with another seed: 0 before, 7 now"])
    assert kept() == EACH


def test_a_run_of_other_tests_is_not_gone_on_with(project: pytest.Pytester, run: Run) -> None:
    run("--grice-store=kept", "-k", "test_words").assert_outcomes(passed=2, deselected=5)
    result = run("--grice-store=kept", "--grice-resume=latest", "-k", "test_city")
    result.stdout.fnmatch_lines(["*it is a run of other conversations, such as 'test_words[[]?]'*"])


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--grice-resume=latest",), "--grice-resume is for a run that is kept, and none is"),
        (("--grice-mix", "--grice-store=kept"), "--grice-mix goes with --grice-resume"),
        (("--grice-repeat=0",), "argument --grice-repeat: expected a number from 1, found '0'"),
        (("--grice-concurrency=x",), "expected a number from 1, found 'x'"),
    ],
)
def test_wrong_options_are_refused(
    project: pytest.Pytester, run: Run, options: tuple[str, ...], said: str
) -> None:
    result = run(*options)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines([f"*{said}*"])


FILES = {
    "some.grice.yaml": """
scenarios:
  - {id: greets, say: Hello, expect: [{matcher: toContain, expected: Hello}]}
  - {id: fails, say: Hello, expect: [{matcher: toContain, expected: Bye}]}
  - {id: skipped, run_mode: SKIP, say: Hello, expect: [{matcher: toContain, expected: Bye}]}
"""
}


def without_times(value: object) -> object:
    """The same without what a clock said."""
    if isinstance(value, dict):
        return {name: without_times(one) for name, one in value.items() if name not in TIMES}
    return [without_times(one) for one in value] if isinstance(value, list | tuple) else value


TIMES = {"duration", "latency", "started", "ended"}


def test_files_are_kept_as_grice_run_keeps_them(
    pytester: pytest.Pytester, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    from grice.cli import main

    Path("bots.py").write_text("def agent(text):\n    return f'you said {text}'\n")
    Path("pyproject.toml").write_text('[tool.grice]\nagent = "bots:agent"\n')
    monkeypatch.syspath_prepend(str(pytester.path))
    for name, text in FILES.items():
        Path(name).write_text(text)
    write_golden(Path("one.golden.json"), golden())  # whose model nobody asks
    run("--grice-store=kept")
    with pytest.raises(SystemExit):
        main(["run", ".", "--runs", "other"])
    one, other = (read_run(next(Path(folder).iterdir())) for folder in ("kept", "other"))

    def plain(result: object) -> dict[str, object]:
        import msgspec

        found: dict[str, object] = msgspec.to_builtins(result)
        return cast("dict[str, object]", without_times(found))

    assert len(one.results) >= 3
    by_id = {result.id: plain(result) for result in other.results}
    for result in one.results:
        if result.key != "skipped":  # pytest says why in its own words
            assert plain(result) == by_id[result.id]
