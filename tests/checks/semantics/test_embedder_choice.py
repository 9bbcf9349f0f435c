"""Which embedder a project's checks use: that of its settings, in pytest, in suites and in grice.run."""

import pytest

import grice
from grice.checks.semantics.lexical_embedder import LexicalEmbedder
from grice.checks.semantics.topicality import stay_on_topic
from grice.files.settings import Settings, find_settings
from grice.files.settings_files import SettingsError
from grice.llm.openai_embedder import OpenAIEmbedder
from grice.records import Conversation, Reply
from grice.running.embedders import embedder_of

MODULE = """
class Fixed:
    name, threshold = "fixed", 0.5

    def embed(self, texts):
        return [[1.0, 0.0] for text in texts]

made = Fixed()

def broken():
    raise RuntimeError("no model file")

NUMBER = 7
"""


def settings_with(folder, embedder):
    (folder / "pyproject.toml").write_text(f'[tool.grice]\nconcurrency = 5\nembedder = "{embedder}"\n')
    return find_settings(folder)


@pytest.fixture
def project(tmp_path, monkeypatch):
    name = f"own_vectors_{tmp_path.name.replace('-', '_')}"
    (tmp_path / f"{name}.py").write_text(MODULE)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    return tmp_path, name


def test_settings_name_an_embedder_once_for_all(project):
    folder, name = project
    assert embedder_of(settings_with(folder, "lexical")) == LexicalEmbedder()
    assert isinstance(embedder_of(settings_with(folder, "openai:text-embedding-3-small")), OpenAIEmbedder)
    made = embedder_of(settings_with(folder, f"{name}:made"))
    assert (made.name, made) == ("fixed", embedder_of(settings_with(folder, f"{name}:made")))
    assert embedder_of(settings_with(folder, f"{name}:Fixed")).name == "fixed"
    assert embedder_of(Settings(folder)) is None


@pytest.mark.parametrize(
    ("setting", "said"),
    [
        ("lexcal", "did you mean 'lexical'"),
        ("{name}:mad", "did you mean 'made'"),
        ("no_such_module_here:made", "there is no module"),
        ("{name}:broken", "raised RuntimeError: no model file"),
        ("{name}:NUMBER", "embed(texts)"),
        ("math:pi", "import it in a module of yours"),
    ],
)
def test_a_wrong_setting_is_told_with_its_line(project, setting, said):
    folder, name = project
    with pytest.raises(SettingsError) as caught:
        embedder_of(settings_with(folder, setting.format(name=name)))
    assert "pyproject.toml:3:1: [tool.grice] embedder" in str(caught.value)
    assert said in str(caught.value)


def test_a_setting_that_is_no_text_is_refused(tmp_path):
    (tmp_path / "pyproject.toml").write_text("[tool.grice]\nembedder = 7\n")
    with pytest.raises(SettingsError, match="embedder: expected 'lexical', 'minilm'"):
        find_settings(tmp_path)


def test_grice_run_uses_the_embedder_of_the_settings(project):
    folder, name = project
    settings_with(folder, f"{name}:made")
    seen = []

    def on_topic(conversation: Conversation):
        reply = Reply(conversation, len(conversation.turns))
        seen.append(grice.evaluate(reply).to(stay_on_topic()).detail["embedder"])
        return True

    user = grice.UserScript("Do you have boots?")
    grice.run([{"id": "one", "goal": "Boots"}], echo, [on_topic], user=user, journal=False)
    assert seen == ["fixed"]


def echo(messages):
    return "Something else entirely"
