"""What an unrelated session pays. Times are in benchmarks/; here is what may not be loaded."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from inner_projects import golden, write_golden

LIST_MODULES = """
import json, sys
import pytest
pytest.main([*sys.argv[2:], "-q", "-p", "no:cacheprovider"])
own = {name for name in sys.modules if name.startswith("grice.")}
json.dump(sorted(own | {name.partition(".")[0] for name in sys.modules}), open(sys.argv[1], "w"))
"""


def loaded(folder: Path, *args: str) -> set[str]:
    """The packages that a session in a fresh interpreter loads, and the modules of Grice."""
    out = folder / "modules.txt"
    command = [sys.executable, "-c", LIST_MODULES, str(out), *args]
    subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True)
    return set(json.loads(out.read_text()))


@pytest.mark.slow
def test_an_unrelated_session_loads_nothing_but_the_plugin(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(test_it="def test_it(): pass")
    pytester.makepyprojecttoml('[project]\nname = "x"\ndependencies = ["grice"]\n')
    pytester.path.joinpath("data.json").write_text("{}")
    pytester.path.joinpath("data.yaml").write_text("")
    bare = loaded(pytester.path, "-p", "no:grice.pytest_plugin")
    added = {name for name in loaded(pytester.path) - bare if not name.startswith("grice.")}
    assert added <= {"grice", "contextvars", "_contextvars"}
    assert "grice" not in bare


@pytest.mark.slow
@pytest.mark.parametrize("file", ["pyproject.toml", "grice.toml"])
def test_settings_are_not_read_before_there_is_a_conversation(pytester: pytest.Pytester, file: str) -> None:
    pytester.makepyfile(test_it="def test_it(): pass")
    table = "[tool.grice]\n" if file == "pyproject.toml" else ""
    pytester.path.joinpath(file).write_text(f'{table}timeout = 5\ngoldens = ["chats/*.json"]\nstore = true\n')
    pytester.path.joinpath("chats").mkdir()
    pytester.path.joinpath("chats", "a.json.txt").write_text("{}")
    pytester.path.joinpath("data.json").write_text("{}")
    found = loaded(pytester.path, "test_it.py", "data.json")
    assert not found & {"msgspec", "grice.typed", "grice.files.settings"}


@pytest.mark.slow
def test_a_scripted_test_loads_only_what_it_uses(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        test_it="""
        import pytest
        from grice import expect

        @pytest.fixture
        def agent(scripted_model):
            scripted_model.script("Hello")
            return lambda text: scripted_model.transport(
                {"messages": [{"role": "user", "content": text}]}
            )["content"][0]["text"]

        def test_it(conversation):
            expect(conversation.say("Hi")).to_contain("Hello")
        """
    )
    heavy = {"aiohttp", "yaml", "jsonpath", "jsonpath_rfc9535", "sqlalchemy"}
    unused = {"anyio", "asyncio", "rich", "click", "re2", "sentencex", "rfc8785"}
    found = loaded(pytester.path)
    assert found & (heavy | unused) == set()
    played = ("grice.users", "grice.topics", "grice.running.simulat", "grice.pytest_plugin.prefetch")
    assert not [name for name in found if name.startswith(played)]


@pytest.mark.slow
def test_what_lies_beside_a_test_is_not_read_for_it(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(test_it="def test_it(): pass")
    write_golden(pytester.path / "a.golden.json", golden())
    pytester.path.joinpath("a.grice.json").write_text("{}")
    found = loaded(pytester.path, "test_it.py")
    assert found & {"msgspec", "grice.pytest_plugin.goldens", "grice.pytest_plugin.suites"} == set()


@pytest.mark.slow
def test_a_json_golden_needs_no_yaml_and_no_console(project: pytest.Pytester) -> None:
    write_golden(project.path / "a.golden.json", golden())
    assert not loaded(project.path) & {"aiohttp", "anyio", "rich", "click", "sqlalchemy"}


@pytest.mark.slow
def test_the_plugin_is_an_entry_point_that_can_be_left_out(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD")
    monkeypatch.delenv("PYTEST_PLUGINS")
    pytester.makepyfile(test_it="def test_it(): pass")
    with_it = pytester.runpytest_subprocess("-p", "no:randomly", "--markers")
    with_it.stdout.fnmatch_lines(["@pytest.mark.grice(turn_timeout=seconds, *"])
    without = pytester.runpytest_subprocess("-p", "no:grice", "--markers")
    without.stdout.no_fnmatch_line("*pytest.mark.grice*")
    assert without.ret == 0
