import sys

import pytest

from grice.agents import AgentLoadError, load_target


@pytest.fixture
def project(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "path", list(sys.path))
    files = {
        "loadme.py": "class Shop:\n    agent = 'inner'\n\ndef agent(messages):\n    return 'hi'\n",
        "needs_missing.py": "import not_installed_anywhere\n",
        "raises_at_import.py": "raise ValueError('broken')\n",
        "exits_at_import.py": "import sys\nsys.exit(0)\n",
        "bad_syntax.py": "def agent(:\n",
        "folder/deep.py": "agent = 1\n",
    }
    for name, text in files.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    yield tmp_path
    for name in ("loadme", "folder", "folder.deep"):  # only these: what others import must stay imported
        sys.modules.pop(name, None)


@pytest.mark.parametrize(
    ("name", "value"),
    [("loadme:Shop.agent", "inner"), ("folder.deep:agent", 1), ("math:pi", 3.141592653589793)],
)
def test_finds_an_attribute_of_a_module(project, name, value):
    assert load_target(name, root=project) == value


def test_puts_the_root_on_the_import_path_once(project):
    load_target("loadme:agent", root=project)
    load_target("loadme:Shop", root=project)
    assert sys.path.count(str(project)) == 1


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("loadme", "an agent is named as 'module:attribute', found 'loadme'"),
        (":agent", "named as 'module:attribute'"),
        ("loadme:", "named as 'module:attribute'"),
        ("loadme:agnet", "agent 'loadme:agnet': loadme has no 'agnet' (did you mean 'agent'?)"),
        ("loadme:Shop.agnt", "has no 'agnt' (did you mean 'agent'?)"),
        ("loadmee:agent", "there is no module 'loadmee' (looked in"),
        ("nowhere.deep:agent", "there is no module 'nowhere'"),
        ("folder.other:agent", "there is no module 'folder.other'"),
        ("loadme.py:agent", "name the module, not its file: 'loadme:agent'"),
        ("folder/deep.py:agent", "name the module, not its file: 'folder.deep:agent'"),
        ("needs_missing:agent", "importing needs_missing failed: No module named 'not_installed_anywhere'"),
        ("raises_at_import:agent", "importing raises_at_import raised ValueError: broken"),
        ("exits_at_import:agent", "importing exits_at_import raised SystemExit: 0"),
        ("bad_syntax:agent", "importing bad_syntax raised SyntaxError"),
        (".loadme:agent", "importing .loadme raised TypeError"),
    ],
)
def test_says_which_part_of_the_name_is_wrong(project, name, message):
    with pytest.raises(AgentLoadError) as caught:
        load_target(name, root=project)
    assert message in str(caught.value)
