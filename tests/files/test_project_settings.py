"""`grice.toml` and `[tool.grice]`: what they say, and everything that is wrong with them, with its place."""

from pathlib import Path

import pytest

from grice.files.settings import Settings, find_settings, load_settings
from grice.files.settings_files import SettingsError
from grice.running.projects import Projects


def told(folder: Path, text: str, name: str = "grice.toml") -> list[str]:
    """The lines of the error, without the folder."""
    (folder / name).write_text(text, "utf-8")
    with pytest.raises(SettingsError) as caught:
        load_settings(folder)
    return [line.removeprefix(f"{folder}/") for line in str(caught.value).split("\n")]


def test_a_grice_toml_has_the_same_keys_at_its_top(tmp_path: Path) -> None:
    says = 'goldens = ["chats/*.json"]\ntimeout = 3\nstore = true\ngates.completion = 0.8\n'
    (tmp_path / "grice.toml").write_text(says)
    own = load_settings(tmp_path)
    (tmp_path / "grice.toml").unlink()
    (tmp_path / "pyproject.toml").write_text(f"[tool.grice]\n{says}")
    project = load_settings(tmp_path)
    assert own is not None
    assert project is not None
    names = [name for name in Settings.__struct_fields__ if name not in ("root", "file")]
    assert [getattr(own, name) for name in names] == [getattr(project, name) for name in names]
    assert (own.timeout, own.store, own.gates, own.root) == (3, True, {"completion": 0.8}, tmp_path)


def test_the_nearest_folder_that_has_settings_counts(tmp_path: Path) -> None:
    inner = tmp_path / "shop" / "tests"
    inner.mkdir(parents=True)
    (tmp_path / "pyproject.toml").write_text("[tool.grice]\ntimeout = 1\n")
    (inner.parent / "pyproject.toml").write_text('[project]\nname = "grice-shop"\n')
    assert find_settings(inner).timeout == 1  # type: ignore[union-attr]
    (inner.parent / "grice.toml").write_text("timeout = 2\n")
    assert find_settings(inner).timeout == 2  # type: ignore[union-attr]
    assert Projects(tmp_path).of(inner).root == inner.parent
    (inner.parent / "grice.toml").write_text("")
    assert find_settings(inner).timeout == 600  # type: ignore[union-attr]
    assert find_settings(Path("/nowhere")) is None


def test_two_files_with_settings_in_a_folder_are_an_error_that_names_both(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text('[project]\nname = "x"\n[tool.grice]\ntimeout = 1\n')
    (said,) = told(tmp_path, "timeout = 2\n")
    assert said == (
        f"grice.toml:1:1: the settings stand in two files: {tmp_path}/pyproject.toml:3:1: [tool.grice] "
        "is there too; keep them in one"
    )


def test_everything_wrong_is_told_at_once_in_the_order_of_the_file(tmp_path: Path) -> None:
    text = """\
timeuot = 5
turn_timeout = 0
goldens = ["a", 5]
record = "on"
record_kinds = [
    "judge",  # a comment, [ "and" ] signs
    "usr",
]
model_port = 70000
store = ""
cassettes = "../elsewhere"
require_card = 1.5
strict = 1
judge_samples = true
judge_prompts = { criterion = 0 }
baselines = 2024-01-01

[agent]
type = "http"
url = "127.0.0.1"
headers."a" = 3
"""
    assert told(tmp_path, text) == [
        "grice.toml:1:1: unknown field 'timeuot' (did you mean 'timeout'?)",
        "grice.toml:2:1: turn_timeout: expected a number of seconds above 0, found 0",
        "grice.toml:3:17: goldens[1]: expected a string, found the number 5",
        ("grice.toml:4:1: record: expected one of all, auto, new, none, off, once, found 'on'"),
        (
            "grice.toml:7:5: record_kinds[1]: expected one of agent, judge, model, tools, user, found 'usr'"
            " (did you mean 'user'?)"
        ),
        "grice.toml:9:1: model_port: expected a port from 1 to 65535, found 70000",
        "grice.toml:10:1: store: expected true, false or the name of a folder, found ''",
        (
            "grice.toml:11:1: cassettes: expected the name of a folder, which stands beside the file of a "
            "test, found '../elsewhere'"
        ),
        (
            "grice.toml:12:1: require_card: expected true, false, or the kappa that a card has to show, "
            "such as 0.4, found 1.5"
        ),
        "grice.toml:13:1: strict: expected true or false, found the number 1",
        "grice.toml:14:1: judge_samples: expected a number from 1 up, found true",
        "grice.toml:15:19: judge_prompts.criterion: expected a number from 1 up, found 0",
        "grice.toml:16:1: baselines: expected no date, found 2024-01-01; a text stands in quotes",
        (
            "grice.toml:20:1: agent.url: expected an address such as http://127.0.0.1:8000/chat, found"
            " '127.0.0.1'"
        ),
        "grice.toml:21:1: agent.headers.a: expected a text, found a int",
    ]


def test_the_same_is_told_of_a_pyproject_with_its_table(tmp_path: Path) -> None:
    text = '[tool.grice]\nstrict = 1\n[tool.grice.agent]\ntype = "http"\nurl = "x"\n'
    assert told(tmp_path, text, "pyproject.toml") == [
        "pyproject.toml:2:1: [tool.grice] strict: expected true or false, found the number 1",
        (
            "pyproject.toml:5:1: [tool.grice] agent.url: expected an address such as "
            "http://127.0.0.1:8000/chat, found 'x'"
        ),
    ]


@pytest.mark.parametrize("number", ["nan", "inf", "-1", "0.0", '"5"', "true"])
def test_seconds_are_a_finite_number_above_0(tmp_path: Path, number: str) -> None:
    (said,) = told(tmp_path, f"timeout = {number}")
    assert said.startswith("grice.toml:1:1: timeout: expected a number of seconds above 0, found ")


def test_the_table_of_a_pyproject_is_told_to_be_one_too_many(tmp_path: Path) -> None:
    (said,) = told(tmp_path, "[tool.grice]\ntimeout = 5\n")
    assert said.startswith("grice.toml:1:1: unknown field 'tool'")
    assert said.endswith("; a grice.toml has its settings at the top, without [tool.grice]")


def test_what_is_no_toml_or_no_text_is_told(tmp_path: Path) -> None:
    (said,) = told(tmp_path, "timeout = \n")
    assert said.startswith("grice.toml:1:11: not valid TOML")
    (tmp_path / "grice.toml").write_bytes(b"# f\xfcr alle\n")
    with pytest.raises(SettingsError, match=r"grice\.toml:1:4: not UTF-8"):
        load_settings(tmp_path)
    (tmp_path / "grice.toml").write_bytes(b"\xef\xbb\xbftimeout = 7\n")
    assert load_settings(tmp_path).timeout == 7  # type: ignore[union-attr]


def test_what_turns_out_wrong_later_is_told_with_the_file_that_was_read(tmp_path: Path) -> None:
    (tmp_path / "grice.toml").write_text('timeout = 5\n  matchers = ["nowhere"]\n')
    with pytest.raises(SettingsError) as caught:
        Projects(tmp_path).import_matchers(tmp_path)
    assert str(caught.value).startswith(f"{tmp_path}/grice.toml:2:3: matchers: module 'nowhere': ")
    assert str(Settings(tmp_path).problem_with("scrub", "no name")) == "scrub: no name"


def test_goldens_are_named_from_the_folder_of_the_grice_toml(tmp_path: Path) -> None:
    (tmp_path / "grice.toml").write_text('goldens = ["chats/**/*.json", "chats/*.yaml"]\n')
    file = tmp_path / "chats" / "old" / "a.json"
    file.parent.mkdir(parents=True)
    file.write_text("{}")
    projects = Projects(tmp_path)
    assert projects.names_golden(file)
    assert not projects.names_golden(tmp_path / "a.json")
    with pytest.raises(SettingsError, match=r"grice\.toml:1:31: goldens: no \.json, \.yaml or \.yml file ma"):
        projects.named_goldens(tmp_path)
