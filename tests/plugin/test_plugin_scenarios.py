"""Tests that are run once for each scenario of a set."""

import json
from pathlib import Path

import pytest
from inner_projects import ECHO, Run

from grice.identity import stable_id

VENUES = [
    {"id": "munich", "goal": "Find a hall", "opening": "A hall in Munich?"},
    {"id": "berlin", "goal": "Find a boat", "opening": "A boat in Berlin?"},
]
TEST = """
from grice import scenarios

@scenarios("data/venues.json")
def test_it(conversation, scenario):
    assert conversation.say(scenario["opening"]).text == f"you said {scenario.opening}"
"""


@pytest.fixture
def venues(pytester: pytest.Pytester) -> Path:
    """The file of scenarios that the tests name."""
    path = pytester.path / "data" / "venues.json"
    path.parent.mkdir()
    path.write_text(json.dumps(VENUES))
    return path


@pytest.mark.usefixtures("venues")
def test_a_test_is_run_once_for_each_scenario_under_its_key(run: Run) -> None:
    result = run("-v", "-p", "no:randomly", test_it=TEST)
    result.assert_outcomes(passed=2)
    result.stdout.fnmatch_lines(
        ["test_it.py::test_it[[]munich[]] PASSED*", "test_it.py::test_it[[]berlin[]] *"]
    )


@pytest.mark.usefixtures("venues")
@pytest.mark.parametrize(
    "choice",
    [["-k", "berlin"], ["test_it.py::test_it[berlin]"], ["--deselect", "test_it.py::test_it[munich]"]],
)
def test_one_scenario_can_be_chosen(run: Run, choice: list[str]) -> None:
    result = run("-v", *choice, test_it=TEST)
    assert result.parseoutcomes()["passed"] == 1
    result.stdout.fnmatch_lines(["test_it.py::test_it[[]berlin[]] PASSED*"])


@pytest.mark.slow
@pytest.mark.usefixtures("venues")
def test_only_those_that_failed_run_again(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(test_it=ECHO + TEST + "    assert scenario.key != 'munich'\n")
    pytester.runpytest_inprocess().assert_outcomes(passed=1, failed=1)
    again = pytester.runpytest_inprocess("--lf", "-v")
    assert again.parseoutcomes() == {"failed": 1}
    again.stdout.fnmatch_lines(["test_it.py::test_it[[]munich[]] FAILED*"])


@pytest.mark.slow
@pytest.mark.usefixtures("venues")
def test_workers_share_them(run: Run) -> None:
    run("-p", "xdist", "-n", "1", test_it=TEST).assert_outcomes(passed=2)


def test_a_path_begins_at_the_file_of_the_test(pytester: pytest.Pytester, venues: Path) -> None:
    deeper = pytester.mkdir("deeper")
    venues.parent.rename(deeper / "data")
    deeper.joinpath("test_it.py").write_text(
        "from grice import scenarios\n@scenarios('data/venues.json')\ndef test_it(): pass\n"
    )
    pytester.runpytest_inprocess().assert_outcomes(passed=2)


def test_it_goes_with_other_parameters_on_either_side_and_with_classes(run: Run) -> None:
    result = run(
        "-v",
        test_it="""
from grice import scenarios
two = scenarios([{"id": "a"}, {"id": "b"}])

@pytest.mark.parametrize("n", [1, 2])
@two
@pytest.mark.parametrize("m", [3])
def test_it(n, m, scenario): assert scenario.key in "ab"

@two
class TestAll:
    def test_one(self, scenario): assert scenario["id"] in "ab"
    def test_other(self): pass

    @pytest.mark.parametrize("n", [1, 2])
    def test_third(self, n): pass

@two
async def test_async(scenario): pass
""",
    )
    assert result.parseoutcomes()["passed"] == 4 + 2 + 2 + 4
    result.stdout.fnmatch_lines_random(
        [
            "test_it.py::test_it[[]a-3-1[]] PASSED*",
            "test_it.py::TestAll::test_other[[]b[]] PASSED*",
            "test_it.py::TestAll::test_third[[]b-2[]] PASSED*",
        ]
    )


def test_a_test_may_do_without_the_argument(run: Run) -> None:
    result = run(
        test_it="""
from grice import scenarios

@scenarios([{"id": "a", "shop": "books"}])
def test_it(conversation, agent_context, request):
    assert agent_context.scenario == {"id": "a", "shop": "books"}
    assert request.getfixturevalue("scenario").key == "a"
"""
    )
    result.assert_outcomes(passed=1)


def test_agents_are_built_for_the_scenario_and_cannot_change_it(run: Run) -> None:
    result = run(
        test_it="""
from grice import scenarios

@pytest.fixture(scope="session")
def agent_factory():
    def build(context):
        shop = context["scenario"].pop("shop")
        return lambda text: f"Welcome to {shop}"
    return build

@pytest.fixture
def agent(agent_factory, agent_context):
    return agent_factory(agent_context)

@scenarios([{"id": "a", "shop": "Books"}])
def test_it(conversation, scenario):
    assert conversation.say("Hi").text == f"Welcome to {scenario.shop}"

def test_without(agent_context):
    assert agent_context.scenario is None
"""
    )
    result.assert_outcomes(passed=2)


def test_the_stable_id_has_the_key_and_the_other_parameters(run: Run) -> None:
    ids = [stable_id(f"test_it::TestShop::test_it[{n}]@café one") for n in (1, 2)]
    result = run(
        test_it=f"""
from grice import scenarios

class TestShop:
    @scenarios([{{"id": "cafe\\u0301 one"}}])
    @pytest.mark.parametrize("n", [1, 2])
    def test_it(self, conversation, n):
        assert conversation.record.id == {ids!r}[n - 1]

@scenarios([{{"id": "a"}}])
def test_alone(conversation):
    assert conversation.record.id == {stable_id("test_it::test_alone@a")!r}
"""
    )
    result.assert_outcomes(passed=3)


@pytest.mark.slow
def test_two_scenario_tests_with_one_stable_id_are_a_collection_error(pytester: pytest.Pytester) -> None:
    pytester.makeconftest(ECHO)
    source = "from grice import scenarios\n@scenarios([{'id': 'a'}])\ndef test_it(conversation): pass\n"
    for folder in ("one", "two"):
        pytester.mkpydir(folder).joinpath("test_shop.py").write_text(source)
    result = pytester.runpytest_inprocess()
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(
        [
            "two tests have one stable id (test_shop::test_it@a):",
            "  one/test_shop.py::test_it[[]a[]]",
            "  two/test_shop.py::test_it[[]a[]]",
        ],
        consecutive=True,
    )


def test_keys_with_odd_characters_are_ids_as_pytest_writes_them(run: Run) -> None:
    result = run(
        "-v",
        test_it="""
from grice import scenarios

@scenarios([{"id": "münchen"}, {"id": "a/b [c]"}, {"id": "会"}])
def test_it(conversation, scenario): assert scenario.key
""",
    )
    result.assert_outcomes(passed=3)
    result.stdout.fnmatch_lines_random(
        ["test_it.py::test_it[[]m\\xfcnchen[]] PASSED*", "*[[]a/b [[]c[]][]] PASSED*"]
    )


def test_everything_wrong_with_the_scenarios_of_a_module_is_one_error_without_a_traceback(
    run: Run, venues: Path
) -> None:
    venues.write_text('[\n {"goal": 1},\n {"id": "x", "tags": 2}\n]')
    result = run(
        test_it="""
from grice import scenarios

@scenarios("data/venues.json")
def test_it(): pass

@scenarios([])
class TestOther:
    @scenarios("data/venue.json")
    def test_it(self): pass
"""
    )
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(
        [
            "*ERROR collecting test_it.py*",
            "data/venues.json:2:11: [[]0].goal: expected a text that is not blank, found the number 1",
            "data/venues.json:3:22: [[]1].tags: expected a list, found the number 2",
            "inline: there are no scenarios: a test over them would test nothing",
            "*/data/venue.json: there is no such file (did you mean 'venues.json'?)",
            "*short test summary info*",
        ],
        consecutive=True,
    )


@pytest.mark.slow
def test_a_test_and_its_class_cannot_both_have_scenarios(run: Run) -> None:
    result = run(
        test_it="""
from grice import scenarios

@scenarios([{"id": "a"}])
class TestAll:
    @scenarios([{"id": "b"}])
    def test_it(self): pass
"""
    )
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(
        ["TestAll.test_it and its class TestAll both have @scenarios; keep one of the two"]
    )


def test_a_test_without_scenarios_that_asks_for_one_is_told_what_to_do(run: Run) -> None:
    result = run(test_it="def test_it(scenario): pass\n")
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(
        [
            "test_it asks for `scenario`, and nothing gives it one.",
            "Put @scenarios(?scenarios/venues.json?) before it or its class; `from grice import scenarios`.",
        ],
        consecutive=True,
    )
    result.stdout.no_fnmatch_line("*Traceback*")


def test_a_parameter_or_fixture_of_that_name_is_left_alone(run: Run) -> None:
    result = run(
        test_it="""
from grice.identity import stable_id

@pytest.mark.parametrize("scenario", ["mine"])
def test_it(conversation, scenario):
    assert conversation.record.id == stable_id("test_it::test_it[mine]")

class TestOwn:
    @pytest.fixture
    def scenario(self): return "ours"

    def test_it(self, scenario): assert scenario == "ours"
"""
    )
    result.assert_outcomes(passed=2)


def test_a_field_that_looks_misspelt_is_noted_once_at_the_end(run: Run) -> None:
    result = run(
        test_it="""
from grice import scenarios

@scenarios([{"id": "a", "personalty": "rude"}])
class TestAll:
    def test_one(self): pass
    def test_two(self): pass
"""
    )
    result.assert_outcomes(passed=2)
    note = "inline[0]: the field 'personalty' is kept as data (did you mean 'personality'?)"
    assert result.stdout.str().count(note) == 1
