"""Personas in files."""

import pytest

from grice.files.persona_files import PersonaErrors, load_personas

YAML = """\
personas:
  - name: brief
    description: Says little.
    behaviours:
      - {name: short, instruction: Be short., rule: {max_words: 5}}
  - name: kind
"""


@pytest.mark.parametrize(
    ("name", "text"),
    [("p.yaml", YAML), ("p.json", '[{"name": "brief", "behaviours": []}, {"name": "kind"}]')],
)
def test_personas_are_read_by_name(tmp_path, name, text):
    file = tmp_path / name
    file.write_text(text, "utf-8")
    assert list(load_personas(file)) == ["brief", "kind"]


def test_everything_wrong_in_a_file_is_named_with_its_place(tmp_path):
    file = tmp_path / "p.yaml"
    file.write_text(YAML.replace("max_words: 5", "max_wrods: 5").replace("name: kind", "nmae: kind"), "utf-8")
    with pytest.raises(PersonaErrors) as caught:
        load_personas(file)
    rule = "personas[0].behaviours[0].rule"
    assert str(caught.value).splitlines() == [
        f"{file}:5:54: {rule}: unknown field 'max_wrods' (did you mean 'max_words'?)",
        f"{file}:6:5: personas[1]: unknown field 'nmae' (did you mean 'name'?)",
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "1:1: the file is empty"),
        ("[", "not valid YAML"),
        ("[]", "expected a list"),
    ],
)
def test_a_file_without_personas_is_refused(tmp_path, text, message):
    file = tmp_path / "p.yaml"
    file.write_text(text, "utf-8")
    with pytest.raises(PersonaErrors, match=message):
        load_personas(file)


def test_a_file_that_is_not_there_is_named(tmp_path):
    with pytest.raises(PersonaErrors, match=r"p\.yaml: there is no such file"):
        load_personas(tmp_path / "p.yaml")
