import json

import pytest
from inner_projects import ALONE_AND_XDIST, TALKER, golden, write_golden


@pytest.mark.parametrize("name", ["a.golden.json", "a.golden.yaml", "a.golden.yml", "deep/er/a.golden.json"])
def test_golden_files_are_collected_with_one_item_a_golden(project: pytest.Pytester, name: str) -> None:
    write_golden(project.path / name, golden("one"), golden("two"))
    result = project.runpytest_inprocess("-v")
    result.assert_outcomes(passed=2)
    result.stdout.fnmatch_lines([f"{name}::one PASSED*", f"{name}::two PASSED*", "hard checks: 2 pass"])


@pytest.mark.parametrize(
    ("pattern", "files", "collected"),
    [
        ("cases/*.json", ["cases/a.json", "cases/deep/b.json", "c.json"], {"a"}),
        ("cases/**/*.json", ["cases/a.json", "cases/deep/b.json", "c.json"], {"a", "b"}),
        ("**/case-*.yaml", ["case-a.yaml", "x/y/case-b.yaml", "x/other.yaml"], {"case-a", "case-b"}),
        ("*.json", ["a.json", "cases/b.json"], {"a"}),
    ],
)
def test_other_files_are_collected_when_the_settings_name_them(
    project: pytest.Pytester, pattern: str, files: list[str], collected: set[str]
) -> None:
    project.makepyprojecttoml(f'[tool.grice]\nagent = "talker:Talker"\ngoldens = ["{pattern}"]\n')
    for name in files:
        path = project.path / name
        write_golden(path, golden(path.stem))
    result = project.runpytest_inprocess("-v")
    found = {line.split("::")[1].split()[0] for line in result.outlines if "PASSED" in line}
    assert found == collected


@pytest.mark.slow
def test_no_other_data_file_is_opened(project: pytest.Pytester) -> None:
    for name in ("a.json", "b.yaml", "c.yml", "golden.json", "x.golden.jsonl", "x.golden.toml"):
        project.path.joinpath(name).write_text("{ not valid")
    project.makeconftest(
        """
        import sys

        def refuse(event, args):
            if event == "open" and str(args[0]).endswith((".json", ".yaml", ".yml", ".jsonl")):
                raise AssertionError(f"opened {args[0]}")

        sys.addaudithook(refuse)
        """
    )
    project.makepyfile(test_it="def test_it(): pass")
    result = project.runpytest_subprocess()
    result.assert_outcomes(passed=1)


@pytest.mark.slow
def test_a_wrong_file_is_one_collection_error_with_every_place(project: pytest.Pytester) -> None:
    wrong = golden("greets", asertions={}, userMessage=3)
    write_golden(project.path / "a.golden.json", wrong)
    result = project.runpytest_inprocess()
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(
        [
            "*ERROR collecting a.golden.json*",
            "*a.golden.json:3:17: userMessage: expected a string, found the number 3",
            "*a.golden.json:*: unknown field 'asertions'*",
        ]
    )
    assert "goldens.py" not in result.stdout.str()


@pytest.mark.slow
def test_a_file_that_is_no_json_is_named_with_line_and_column(project: pytest.Pytester) -> None:
    project.path.joinpath("a.golden.json").write_text('{\n  "id": }')
    result = project.runpytest_inprocess()
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*a.golden.json:2:9: not valid JSON: a value is missing before this }"])


def test_a_failed_golden_reads_like_a_bug_report(project: pytest.Pytester) -> None:
    asserted = {"finalText": {"contains": ["Hello"], "notContains": ["bye"]}}
    write_golden(project.path / "a.golden.json", golden("greets", "Good bye", assertions=asserted))
    result = project.runpytest_inprocess()
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        [
            "the final text to contain 'Hello': the text is 'Good bye'",
            "",
            "  1  user       Hi",
            ">    assistant  Good bye",
            "",
            "  fail         the final text to contain 'Hello'",
            "      the text is 'Good bye'",
            "  fail         the final text not to contain 'bye', in any case",
            "      *",
        ],
        consecutive=True,
    )
    assert "Traceback" not in result.stdout.str()
    assert ".py:" not in result.stdout.str()


def test_a_passed_golden_shows_its_checks_when_asked(project: pytest.Pytester) -> None:
    write_golden(project.path / "a.golden.json", golden())
    result = project.runpytest_inprocess("-rP")
    result.stdout.fnmatch_lines(["* grice verdicts *", "pass         the final text to contain 'Hello'"])


def test_a_golden_without_agent_says_what_to_do(pytester: pytest.Pytester) -> None:
    write_golden(pytester.path / "a.golden.json", golden())
    result = pytester.runpytest_inprocess()
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["golden greets: no agent is configured: *, or name it with --grice-agent *"])
    assert "exception" not in result.stdout.str()


def test_the_command_line_wins_over_the_golden_and_that_over_the_settings(project: pytest.Pytester) -> None:
    project.makepyfile(
        bots="""
        class Right:
            def __init__(self, context): self.model = context.model
            def chat(self, messages):
                return self.model.client.messages.create(messages=messages).content[0].text
        def wrong(text): return "wrong"
        """
    )
    project.makepyprojecttoml('[tool.grice]\nagent = "bots:wrong"\n')
    write_golden(project.path / "a.golden.json", golden("own", agent="bots:Right"))
    project.runpytest_inprocess().assert_outcomes(passed=1)
    project.runpytest_inprocess("--grice-agent", "bots:wrong").assert_outcomes(failed=1)


FIXTURES = {
    "class": "return Talker",
    "factory": "return lambda context: Talker(context)",
    "made with the context": "return Talker(agent_context)",
    "made with the client": """
    client = scripted_model.client
    def chat(messages):
        return client.messages.create(messages=[dict(m) for m in messages]).content[0].text
    return chat
""",
}


@pytest.mark.parametrize("body", FIXTURES.values(), ids=FIXTURES.keys())
def test_an_agent_fixture_serves_goldens_and_wins_over_the_settings(
    pytester: pytest.Pytester, body: str
) -> None:
    pytester.makepyprojecttoml('[tool.grice]\nagent = "nowhere:agent"\n')
    pytester.makeconftest(
        f"""{TALKER}
import pytest

@pytest.fixture
def agent(agent_context, scripted_model):
    {body}
"""
    )
    write_golden(pytester.path / "a.golden.json", golden("one"), golden("two", "Hello again"))
    pytester.runpytest_inprocess().assert_outcomes(passed=2)


def test_autouse_fixtures_work_for_goldens(project: pytest.Pytester) -> None:
    project.makeconftest(
        """
        import pytest

        @pytest.fixture(autouse=True)
        def printed(request):
            print("before", request.node.name)
            yield
            print("after", request.node.name)
        """
    )
    write_golden(project.path / "a.golden.json", golden())
    result = project.runpytest_inprocess("-s")
    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines(["*before greets*", "*after greets*"])


@pytest.mark.slow
def test_native_options_keep_their_meaning(project: pytest.Pytester) -> None:
    write_golden(project.path / "a.golden.json", golden("one", "no"), golden("two"), golden("three", "no"))
    project.runpytest_inprocess("-k", "two").assert_outcomes(passed=1, deselected=2)
    project.runpytest_inprocess("a.golden.json::two").assert_outcomes(passed=1)
    project.runpytest_inprocess("-x").assert_outcomes(failed=1)
    project.runpytest_inprocess().assert_outcomes(passed=1, failed=2)
    result = project.runpytest_inprocess("--lf", "-v")
    result.assert_outcomes(failed=2)
    result.stdout.no_fnmatch_line("*two*")
    project.runpytest_inprocess("--ff").assert_outcomes(passed=1, failed=2)


@pytest.mark.slow
def test_goldens_run_under_xdist_with_the_same_summary(project: pytest.Pytester) -> None:
    write_golden(project.path / "a.golden.json", golden("one"), golden("two", "no"), golden("three"))
    result = project.runpytest_inprocess("-p", "xdist", "-n", "2")
    result.assert_outcomes(passed=2, failed=1)
    result.stdout.fnmatch_lines(["the final text to contain 'Hello': *", "hard checks: 2 pass, 1 fail"])


@pytest.mark.slow
def test_time_outs_of_the_settings_hold_for_goldens(project: pytest.Pytester) -> None:
    project.makepyfile(slow="import time\ndef agent(text): time.sleep(5)")
    project.makepyprojecttoml('[tool.grice]\nagent = "slow:agent"\nturn_timeout = 0.05\n')
    write_golden(project.path / "a.golden.json", golden())
    result = project.runpytest_inprocess()
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*the agent did not answer within 0.05 s*"])


@pytest.mark.slow
def test_update_rewrites_what_was_observed(project: pytest.Pytester) -> None:
    asserted = {"finalText": {"equals": "Hello!"}}
    path = project.path / "a.golden.json"
    write_golden(path, golden("greets", "Hello you!", assertions=asserted))
    project.runpytest_inprocess().assert_outcomes(failed=1)
    result = project.runpytest_inprocess("--grice-update", "-rP")
    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines(
        ["* grice update *", "greets: rewrote *a.golden.json", "  equals is the new final text"],
        consecutive=True,
    )
    assert json.loads(path.read_text())["assertions"] == {"finalText": {"equals": "Hello you!"}}
    project.runpytest_inprocess().assert_outcomes(passed=1)


def test_wrong_settings_are_a_collection_error_with_their_place(project: pytest.Pytester) -> None:
    project.makepyprojecttoml("[tool.grice]\ngoldens = 3\n")
    write_golden(project.path / "deep" / "a.golden.json", golden())
    result = project.runpytest_inprocess()
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(
        ["*pyproject.toml:2:1: ?tool.grice? goldens: expected a list of file patterns*"]
    )
    assert "Traceback" not in result.stdout.str()


@pytest.mark.slow
@pytest.mark.parametrize("args", [["."], *ALONE_AND_XDIST])
def test_a_pattern_that_matches_nothing_is_an_error_of_the_whole_project(
    project: pytest.Pytester, args: list[str]
) -> None:
    project.makepyprojecttoml('[tool.grice]\nagent = "talker:Talker"\ngoldens = ["cses/*.json"]\n')
    write_golden(project.path / "cases" / "a.json", golden())
    project.makepyfile(test_it="def test_it(): pass")
    result = project.runpytest_inprocess(*args)
    result.stdout.fnmatch_lines(["*pyproject.toml:3:12: * matches 'cses/?.json'; *(did you mean 'cases'?)"])
    assert result.ret != pytest.ExitCode.OK
    project.runpytest_inprocess("test_it.py").assert_outcomes(passed=1)


def test_the_model_of_a_golden_s_fixtures_tells_what_it_was_asked(pytester: pytest.Pytester) -> None:
    pytester.makeconftest(
        f"""{TALKER}
import pytest

@pytest.fixture
def agent(agent_context):
    return Talker(agent_context)

@pytest.fixture(autouse=True)
def told(scripted_model):
    yield
    (exchange,) = scripted_model.exchanges
    told = exchange.reply["content"][0]["text"]
    print(f"told {{told}} {{scripted_model.asked}} {{scripted_model.problems}} {{scripted_model.unused}}")
"""
    )
    write_golden(pytester.path / "a.golden.json", golden())
    result = pytester.runpytest_inprocess("-s")
    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines(["*told Hello! 1 [[]] 0"])


@pytest.mark.slow
def test_a_failed_golden_keeps_its_lines_where_the_terminal_is_ascii(
    project: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONIOENCODING", "ascii")
    write_golden(project.path / "a.golden.json", golden("greets", "Good bye \u00e9"))
    result = project.runpytest_subprocess()
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["  1  user       Hi", ">    assistant  Good bye \\xe9"], consecutive=True)
    assert "\\n" not in result.stdout.str()
