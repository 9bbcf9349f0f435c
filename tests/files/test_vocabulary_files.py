"""A file of vocabulary adds words to packs, and tells everything that is wrong with it by place."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from grice.files.settings import Settings
from grice.files.settings_files import SettingsError
from grice.files.vocabulary_files import VocabularyErrors, load_vocabulary
from grice.matchers import avoid_boilerplate
from grice.records import Outcome
from grice.running.projects import Projects
from grice.running.vocabularies import added_vocabulary
from grice.text.packs import use_vocabulary
from structure_turns import verdict_on


def written(folder: Path, text: str, name: str = "house.json") -> Path:
    file = folder / name
    file.write_text(text, "utf-8")
    return file


def test_words_are_read_by_language_and_kind(tmp_path: Path) -> None:
    file = written(
        tmp_path, '{"english": {"words": {"units": {"ell": ["ell", "length", 1.143]}}}, "german": {}}'
    )
    found = load_vocabulary(file)
    assert {code: [*kinds] for code, kinds in found.items()} == {"en": ["words"], "de": []}
    assert str(found["en"]["words"].units["ell"][2]) == "1.143"


def test_yaml_is_read_too(tmp_path: Path) -> None:
    file = written(tmp_path, "english:\n  words:\n    greetings: [ahoy]\n", "house.yaml")
    assert load_vocabulary(file)["en"]["words"].greetings == ("ahoy",)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"klingon": {}}', "1:2: no language 'klingon' has a pack; there are german, english"),
        ('{"englisch": {}}', "1:2: no language 'englisch' has a pack (did you mean 'english'?)"),
        ('{"english": {"slot": {}}}', "1:14: english: unknown field 'slot' (did you mean 'slots'?)"),
        (
            '{"english": {"words": {"greeting": []}}}',
            "1:24: english.words: unknown field 'greeting' (did you mean 'greetings'?)",
        ),
        (
            '{"english": {"words": {"stop_words": "a"}}}',
            "1:38: english.words.stop_words: expected a list, found the string 'a'",
        ),
        (
            '{"english": {"words": {"units": {"ell": ["ell", "length", "long"]}}}}',
            "1:59: english.words.units.ell[2]: expected a number, found the string 'long'",
        ),
        (
            '{"english": {"robotic_phrases": {"families": [{"name": "x", "pattern": "(a"}]}}}',
            "1:72: english.robotic_phrases.families[0].pattern: expected a regular expression, found '(a'",
        ),
        (
            '{"german": {"robotic_phrases": {"families": [{"name": "x", "pattern": "<ai>"}]}}}',
            "1:71: german.robotic_phrases.families[0].pattern: the pattern names <ai>, which no list",
        ),
        ("[]", "1:1: the file: expected an object, found a list"),
        ("{", "1:1: not valid JSON"),
    ],
)
def test_what_is_wrong_is_told_by_place(tmp_path: Path, text: str, said: str) -> None:
    file = written(tmp_path, text)
    with pytest.raises(VocabularyErrors) as raised:
        load_vocabulary(file)
    assert str(raised.value).startswith(f"{file}:{said}")


def test_everything_that_is_wrong_is_told(tmp_path: Path) -> None:
    wrong = {"english": {"words": {"greeting": [], "stop_words": 1}, "slots": []}}
    with pytest.raises(VocabularyErrors) as raised:
        load_vocabulary(written(tmp_path, json.dumps(wrong)))
    assert len(raised.value.errors) == 3


def test_settings_name_the_file_beside_them(tmp_path: Path) -> None:
    written(tmp_path, '{"english": {"words": {"greetings": ["ahoy"]}}}')
    assert added_vocabulary(Settings(tmp_path, vocabulary="house.json"))["en"]["words"].greetings == ("ahoy",)
    assert added_vocabulary(Settings(tmp_path)) == {}
    with pytest.raises(SettingsError, match=r"vocabulary: .*there is no such file"):
        added_vocabulary(Settings(tmp_path, vocabulary="other.json"))


JARGON = (
    '{"english": {"robotic_phrases": {"families": [{"name": "jargon", "pattern": "per my last ticket"}]}}}'
)


@pytest.fixture
def no_vocabulary(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A process in which no project has brought its vocabulary in force, also afterwards."""
    monkeypatch.setattr("grice.running.vocabularies._in_force", None)
    yield
    use_vocabulary({})


def project(folder: Path) -> Path:
    folder.mkdir()
    written(folder, 'vocabulary = "house.json"\n', "grice.toml")
    written(folder, JARGON)
    return folder


@pytest.mark.usefixtures("no_vocabulary")
def test_the_words_of_a_project_are_in_force_with_its_settings(tmp_path: Path) -> None:
    text = "Per my last ticket, it ships today."
    assert verdict_on(text, avoid_boilerplate()).outcome is Outcome.PASS
    Projects(tmp_path).of(project(tmp_path / "one"))
    assert verdict_on(text, avoid_boilerplate()).outcome is Outcome.FAIL


@pytest.mark.usefixtures("no_vocabulary")
def test_a_second_vocabulary_in_a_process_is_refused(tmp_path: Path) -> None:
    one, other = project(tmp_path / "one"), project(tmp_path / "other")
    projects = Projects(tmp_path)
    projects.of(one)
    projects.of(one / "deeper.yaml")
    with pytest.raises(SettingsError, match=r"house\.json is in force.*: run the two projects apart"):
        projects.of(other)
