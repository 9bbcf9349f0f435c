"""`[tool.grice]` in pyproject.toml: what cannot be read is told with its place."""

import os
from pathlib import Path

import pytest

from grice.files.settings import load_settings
from grice.files.settings_files import SettingsError
from grice.running.projects import Projects

LONG, HUGE = "9" * 400, "0x" + "f" * 5_000
DEEP = "[" * 3_000 + "]" * 3_000


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            '[tool.grice]\nagent = "a:b"\n[tool.other]\nx = ',
            "4:5: not valid TOML: a value is missing behind the =",
        ),
        (f"[tool.grice]\n[tool.other]\nx = {DEEP}", "1:1: not valid TOML: nested too deep"),
        (f"[tool.grice]\nx = {'9' * 5_000}", "2:5: not valid TOML: a number of thousands of digits"),
        (f"[tool]\ngrice = {HUGE}", "2:1: [tool.grice] expected a table, found <int>"),
        (f"[tool.grice]\ntimeout = {LONG}", "2:1: [tool.grice] timeout: a number is too large"),
        (f"[tool.grice]\nconcurrency = {HUGE}", "2:1: [tool.grice] concurrency: a number is too large"),
        (f"[tool.grice]\nscrub = [[{LONG}]]", "2:11: [tool.grice] scrub[0][0]: a number is too large"),
        (f"[tool.grice.gates]\ncompletion = {LONG}", "2:1: [tool.grice] gates.completion: a number is too"),
        ("[tool.grice]\ntimeout = 1e400", "2:1: [tool.grice] timeout: expected a number of seconds above 0"),
        (f"[tool.grice]\ntimeout.{'a.' * 1_500}b = 1", "2:1: [tool.grice] timeout: expected a number of"),
    ],
    ids=["half", "deep", "digits", "table", "timeout", "count", "inside", "gates", "infinite", "dots"],
)
def test_what_cannot_be_a_setting_is_told_with_its_place(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "pyproject.toml").write_text(text, "utf-8")
    with pytest.raises(SettingsError) as caught:
        load_settings(tmp_path)
    assert str(caught.value).startswith(f"{tmp_path / 'pyproject.toml'}:{said}")


def test_a_file_that_does_not_speak_of_grice_may_be_anything(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text(f"x = {DEEP}", "utf-8")
    assert load_settings(tmp_path) is None


@pytest.mark.skipif(os.name == "nt", reason="links need rights there")
def test_a_loop_of_links_has_the_settings_around_it(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("[tool.grice]\ntimeout = 3\n", "utf-8")
    (tmp_path / "loop.py").symlink_to("loop.py")
    assert Projects(tmp_path).of(tmp_path / "loop.py").timeout == 3


def test_settings_that_are_not_utf_8_are_refused_and_not_left_out(tmp_path: Path) -> None:
    path = tmp_path / "pyproject.toml"
    path.write_bytes(b"[tool.grice]\nstrict = true  # f\xfcr alle\n")
    with pytest.raises(SettingsError, match=r"pyproject\.toml:2:19: not UTF-8"):
        load_settings(tmp_path)
    path.write_bytes(b"# f\xfcr andere\n")
    assert load_settings(tmp_path) is None
