# ruff: noqa: E501 - tables, one case a line
"""Suites whose checks name matchers of the project's own."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from grice.agents import AgentLoadError
from grice.files.matcher_modules import load_matchers
from grice.files.settings_files import SettingsError
from grice.files.suite_files import SuiteErrors, load_suite
from grice.matchers import contain  # noqa: F401 - a name that is taken
from grice.matching.matcher import REGISTRY
from grice.running.projects import Projects
from project_matchers import CHECKED, NAME, forgotten, write_project, write_suite

SUITE = "a.grice.yaml"
OWN = "; for one of your own write matchers: [your_project.your_module], in the suite or in [tool.grice]"


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """The folder of a project with a matcher of its own, of which nothing is imported."""
    with forgotten():
        write_project(tmp_path)
        yield tmp_path


def loaded(path: Path, *, agent: str | None = None) -> list[str]:
    """The matchers of the first scenario's checks, read as both doors read them."""
    modules = Projects(path.parent, agent=agent).matcher_modules(path)
    return [check.matcher.factory.name for check in load_suite(path, modules=modules)[0].checks]


def refused(path: Path) -> list[str]:
    """What is wrong with the suite, without the folder that it stands in."""
    with pytest.raises(SuiteErrors) as caught:
        loaded(path)
    return [str(one).removeprefix(f"{path.parent}/") for one in caught.value.errors]


def test_a_suite_names_the_module_of_its_matchers(folder: Path) -> None:
    assert loaded(write_suite(folder / SUITE, "matchers: [own_project.matchers]")) == [NAME, NAME]


def test_settings_name_it_for_every_suite(folder: Path) -> None:
    settings = folder / "pyproject.toml"
    settings.write_text(settings.read_text() + 'matchers = ["own_project.matchers"]\n')
    assert loaded(write_suite(folder / SUITE)) == [NAME, NAME]


def test_a_matcher_of_a_module_that_the_agent_imports_needs_no_naming(folder: Path) -> None:
    with (folder / "own_project" / "app.py").open("a") as app:
        app.write("from own_project import matchers\n")
    assert loaded(write_suite(folder / SUITE)) == [NAME, NAME]


@pytest.mark.parametrize("head", ["agent: own_project.bot:agent", ""])
def test_so_it_is_beside_the_agent_that_the_suite_or_a_scenario_names(folder: Path, head: str) -> None:
    (folder / "own_project" / "matchers.py").rename(folder / "own_project" / "bot.py")
    with (folder / "own_project" / "bot.py").open("a") as bot:
        bot.write("def agent(text):\n    return text\n")
    own = "" if head else "agent: own_project.bot:agent, "
    text = f"\nscenarios: [{{{own}say: Hi, expect: [{{matcher: {NAME}}}]}}]"
    assert loaded(write_suite(folder / SUITE, head, text)) == [NAME]


def test_the_agent_of_the_suite_counts_where_the_command_line_names_another(folder: Path) -> None:
    with (folder / "own_project" / "app.py").open("a") as app:
        app.write("import own_project.matchers\n")
    folder.joinpath("elsewhere.py").write_text("def agent(text):\n    return text\n")
    suite = write_suite(folder / SUITE, "agent: own_project.app:agent")
    assert loaded(suite, agent="elsewhere:agent") == [NAME, NAME]
    assert "elsewhere" not in sys.modules


def test_a_matcher_inside_a_matcher_is_looked_for_too(folder: Path) -> None:
    (folder / "own_project" / "app.py").write_text(
        "from own_project.matchers import name_its_source\n\ndef agent(text):\n    return text\n"
    )
    text = f"scenarios: [{{say: Hi, expect: [{{path: '$.all', matcher: toSatisfyAll, expected: {{matcher: {NAME}}}}}]}}]"
    assert loaded(write_suite(folder / SUITE, text=text)) == ["toSatisfyAll"]


def test_no_agent_is_imported_for_matchers_that_are_known(folder: Path) -> None:
    (folder / "own_project" / "app.py").write_text("raise RuntimeError('imported')\n")
    assert loaded(write_suite(folder / SUITE, "matchers: [own_project.matchers]")) == [NAME, NAME]
    assert "own_project.app" not in sys.modules


def test_without_a_project_modules_are_found_on_the_import_path(folder: Path) -> None:
    suite = write_suite(folder / SUITE, "matchers: [own_project.matchers]")
    with pytest.raises(SuiteErrors, match=r"there is no module 'own_project'"):
        load_suite(suite)
    sys.path.insert(0, str(folder))
    assert load_suite(suite)[0].checks[0].matcher.factory.name == NAME


@pytest.mark.parametrize(
    ("named", "said"),
    [
        ("own_projct.matchers", "module 'own_projct.matchers': there is no module 'own_projct' (looked in FOLDER and on sys.path) (did you mean 'own_project'?)"),
        ("own_project.matchrs", "module 'own_project.matchrs': there is no module 'own_project.matchrs' (looked in FOLDER and on sys.path) (did you mean 'own_project.matchers'?)"),
        ("own_project/matchers.py", "expected the name of a module, such as 'my_project.matchers'; found 'own_project/matchers.py' (did you mean 'own_project.matchers'?)"),
        ("matchers.py", "expected the name of a module, such as 'my_project.matchers'; found 'matchers.py' (did you mean 'matchers'?)"),
        ("own_project.matchers:name_its_source", "expected the name of a module, such as 'my_project.matchers'; found 'own_project.matchers:name_its_source' (did you mean 'own_project.matchers'?)"),
        ("our matchers", "expected the name of a module, such as 'my_project.matchers'; found 'our matchers'"),
        ("..matchers", "expected the name of a module, such as 'my_project.matchers'; found '..matchers'"),
        ("7", "expected the name of a module, found the number 7"),
        ("own_project.app", "module 'own_project.app': it registers no matcher, as @matcher(\"toCiteSources\") above a function does"),
        ("os", "module 'os': os belongs to Python, and a name imports only modules of your project and entry points; import it in a module of yours and name that"),
        ("__main__", "module '__main__': '__main__' is a name of Python's own; expected one that your project gives"),
        ("own_project.raises", "module 'own_project.raises': importing own_project.raises raised ZeroDivisionError: division by zero"),
        ("own_project.clashes", "module 'own_project.clashes': importing own_project.clashes raised ValueError: the matcher name 'toContain' is taken by grice.matching.jest.texts.contain"),
    ],
)  # fmt: skip
def test_a_module_that_gives_no_matcher_is_refused_where_it_is_named(
    folder: Path, named: str, said: str
) -> None:
    package = folder / "own_project"
    package.joinpath("raises.py").write_text("1 / 0\n")
    package.joinpath("clashes.py").write_text(
        "from grice.matchers import matcher\n\n@matcher('toContain')\ndef has(text, ctx):\n    return True\n"
    )
    text = "\nscenarios: [{say: Hi, expect: [{matcher: toBeTruthy}]}]"
    said = said.replace("FOLDER", str(folder))
    assert refused(write_suite(folder / SUITE, f"matchers: [{named}]", text)) == [
        f"{SUITE}:1:12: matchers[0]: {said}"
    ]


def test_a_module_of_settings_that_gives_none_is_refused_on_its_line(folder: Path) -> None:
    (folder / "pyproject.toml").write_text('[tool.grice]\nmatchers = ["own_project.matchrs"]\n')
    with pytest.raises(SettingsError) as caught:
        loaded(write_suite(folder / SUITE))
    assert str(caught.value).startswith(f"{folder}/pyproject.toml:2:1: [tool.grice] matchers: module ")
    assert str(caught.value).endswith("(did you mean 'own_project.matchers'?)")


def test_settings_name_a_list_of_modules(folder: Path) -> None:
    (folder / "pyproject.toml").write_text('[tool.grice]\nmatchers = "own_project.matchers"\n')
    with pytest.raises(
        SettingsError, match=r"expected a list of modules, such as \['my_project\.matchers'\]"
    ):
        loaded(write_suite(folder / SUITE))


def test_an_unknown_matcher_says_how_one_of_your_own_is_made_known(folder: Path) -> None:
    suite = write_suite(folder / SUITE, text="scenarios: [{say: Hi, expect: [{matcher: toZigzag}]}]")
    assert refused(suite) == [
        f"{SUITE}:1:42: scenarios[0].expect[0].matcher: unknown matcher 'toZigzag'{OWN}"
    ]
    write_suite(suite, text="scenarios: [{say: Hi, expect: [{matcher: toContian, expected: x}]}]")
    assert refused(suite)[0].endswith("unknown matcher 'toContian' (did you mean 'toContain'?)")


def test_an_agent_that_cannot_be_imported_is_told_of_beside_a_matcher_that_is_unknown(folder: Path) -> None:
    (folder / "own_project" / "bot.py").write_text("1 / 0\n")
    errors = refused(write_suite(folder / SUITE, "agent: own_project.bot:agent"))
    assert errors[0] == (
        f"{SUITE}:1:8: agent: agent 'own_project.bot:agent': importing own_project.bot raised "
        "ZeroDivisionError: division by zero"
    )
    assert "unknown matcher" in errors[1]


@pytest.mark.parametrize(
    "source",
    [
        "from own_project.matchers import name_its_source",
        "from own_project.matchers import re, Reply, name_its_source as mine",
        "import own_project.matchers as others",
        "import own_project.matchers",
        "from own_project.deeper import helper",
    ],
)
def test_a_module_may_import_its_matchers_from_another(folder: Path, source: str) -> None:
    package = folder / "own_project"
    package.joinpath("deeper.py").write_text(
        "from grice.matchers import matcher\n\n@matcher('toBeDeep')\ndef deep(text, ctx):\n    return True\n\n"
        "def helper():\n    pass\n"
    )
    package.joinpath("all.py").write_text(f"{source}\n")
    for _ in range(2):  # the second time everything is imported already
        load_matchers("own_project.all", root=folder)
        assert REGISTRY.keys() & {"toNameItsSource", "toBeDeep"}


def test_a_module_that_only_uses_built_in_matchers_registers_none(folder: Path) -> None:
    (folder / "own_project" / "uses.py").write_text("from grice.matchers import contain, matcher\n")
    with pytest.raises(AgentLoadError, match="it registers no matcher"):
        load_matchers("own_project.uses", root=folder)


def test_two_projects_whose_modules_have_one_name_are_told_apart(tmp_path: Path) -> None:
    with forgotten():
        for one in ("a", "b"):
            write_project(tmp_path / one)
            write_suite(tmp_path / one / SUITE, "matchers: [own_project.matchers]")
        projects = Projects(tmp_path)
        load_suite(tmp_path / "a" / SUITE, modules=projects.matcher_modules(tmp_path / "a" / SUITE))
        with pytest.raises(SuiteErrors, match="rename one of them, or run the two projects apart"):
            load_suite(tmp_path / "b" / SUITE, modules=projects.matcher_modules(tmp_path / "b" / SUITE))


def test_a_list_of_scenarios_finds_matchers_beside_the_agent(folder: Path) -> None:
    with (folder / "own_project" / "app.py").open("a") as app:
        app.write("import own_project.matchers\n")
    text = CHECKED.partition("scenarios:\n")[2]
    assert loaded(write_suite(folder / SUITE, text=text)) == [NAME, NAME]
