import pytest
from inner_projects import Run, golden, write_golden

TEST = "def test_it(conversation): pass\n"
AGENT = "import pytest\n@pytest.fixture\ndef agent(): return lambda text: text\n"


@pytest.mark.parametrize("mode", ["importlib", "prepend"])
def test_two_tests_with_one_stable_id_are_a_collection_error_that_names_both(
    pytester: pytest.Pytester, mode: str
) -> None:
    pytester.makeconftest(AGENT)
    for folder in ("one", "two"):
        pytester.mkpydir(folder).joinpath("test_shop.py").write_text(TEST)
    result = pytester.runpytest_inprocess(f"--import-mode={mode}")
    assert result.ret == pytest.ExitCode.INTERRUPTED
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(
        [
            "two tests have one stable id (test_shop::test_it):",
            "  one/test_shop.py::test_it",
            "  two/test_shop.py::test_it",
            "rename one*pytestmark = pytest.mark.grice(suite='...')",
        ],
        consecutive=True,
    )


@pytest.mark.slow
def test_the_error_reaches_the_user_under_xdist_too(pytester: pytest.Pytester) -> None:
    pytester.makeconftest(AGENT)
    for folder in ("one", "two"):
        pytester.mkpydir(folder).joinpath("test_shop.py").write_text(TEST)
    result = pytester.runpytest_inprocess("-p", "xdist", "-n", "1")
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.assert_outcomes(errors=1, passed=2)  # xdist runs what it collected all the same
    result.stdout.fnmatch_lines(["two tests have one stable id (test_shop::test_it):"])
    result.stdout.no_fnmatch_line("*INTERNALERROR*")


def test_a_suite_of_its_own_resolves_it(pytester: pytest.Pytester) -> None:
    pytester.makeconftest(AGENT)
    pytester.mkpydir("one").joinpath("test_shop.py").write_text(TEST)
    marked = f"import pytest\npytestmark = pytest.mark.grice(suite='second shop')\n{TEST}"
    pytester.mkpydir("two").joinpath("test_shop.py").write_text(marked)
    pytester.runpytest_inprocess().assert_outcomes(passed=2)


def test_tests_without_conversations_are_left_alone(pytester: pytest.Pytester) -> None:
    for folder in ("one", "two"):
        pytester.mkpydir(folder).joinpath("test_shop.py").write_text("def test_it(): pass")
    pytester.runpytest_inprocess().assert_outcomes(passed=2)


@pytest.mark.slow
def test_classes_and_parameters_tell_tests_apart(run: Run) -> None:
    result = run(
        test_it="""
@pytest.mark.parametrize("n", [1, 2])
def test_it(conversation, n): pass

class TestOne:
    def test_it(self, conversation): pass

    class TestInner:
        def test_it(self, conversation): pass

class TestTwo:
    def test_it(self, conversation): pass
"""
    )
    result.assert_outcomes(passed=5)


def test_the_same_test_named_twice_is_one_test(run: Run) -> None:
    result = run("--keep-duplicates", "test_it.py", "test_it.py", test_it=TEST)
    result.assert_outcomes(passed=2)


def test_only_selected_tests_can_collide(pytester: pytest.Pytester) -> None:
    pytester.makeconftest(AGENT)
    for folder in ("one", "two"):
        pytester.mkpydir(folder).joinpath("test_shop.py").write_text(TEST)
    pytester.runpytest_inprocess("-k", "one").assert_outcomes(passed=1, deselected=1)


def test_one_golden_id_in_two_files_is_an_error_that_names_both(project: pytest.Pytester) -> None:
    write_golden(project.path / "a.golden.json", golden("greets"))
    write_golden(project.path / "deeper" / "b.golden.json", golden("greets"))
    result = project.runpytest_inprocess()
    assert result.ret == pytest.ExitCode.INTERRUPTED
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(
        [
            "two tests have one stable id (golden::greets):",
            "  a.golden.json::greets",
            "  deeper/b.golden.json::greets",
            "give one of the goldens another id",
        ],
        consecutive=True,
    )


def test_a_conversation_has_the_stable_id_of_its_test_and_its_node_id_as_name(run: Run) -> None:
    result = run(
        test_it="""
from grice.identity import stable_id

class TestShop:
    @pytest.mark.parametrize("n", [1])
    def test_it(self, conversation, n):
        assert conversation.record.id == stable_id("test_it::TestShop::test_it[1]")
        assert conversation.record.name == "test_it.py::TestShop::test_it[1]"
"""
    )
    result.assert_outcomes(passed=1)
