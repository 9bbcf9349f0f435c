import json
import sys
from pathlib import Path

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
        "reexports.py": "import json\nfrom json import dumps\nimport folder.deep\n",
    }
    for name, text in files.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    yield tmp_path
    for name in (
        "loadme",
        "folder",
        "folder.deep",
        "reexports",
    ):  # only these: what others import must stay imported
        sys.modules.pop(name, None)


@pytest.mark.parametrize(
    ("name", "value"),
    [("loadme:Shop.agent", "inner"), ("folder.deep:agent", 1), ("reexports:dumps", json.dumps)],
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
        (".loadme:agent", "named as 'module:attribute', found '.loadme:agent'"),
    ],
)
def test_says_which_part_of_the_name_is_wrong(project, name, message):
    with pytest.raises(AgentLoadError) as caught:
        load_target(name, root=project)
    assert message in str(caught.value)


# -- whose modules are imported


SHOP = "shop_of_others"


def install(folder: Path, monkeypatch, *, entry_points="", direct_url="", top=SHOP):
    """A package in a site-packages of its own, as pip leaves it; its import would be noticed."""
    site = folder / "lib" / "site-packages"
    info = site / f"{top}-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {top}\nVersion: 1.0\n")
    (info / "top_level.txt").write_text(f"{top}\n")
    (info / "entry_points.txt").write_text(entry_points)
    if direct_url:
        (info / "direct_url.json").write_text(direct_url)
    (site / top).mkdir()
    (site / top / "__init__.py").write_text("")
    (site / top / "app.py").write_text("agent = 'theirs'\nother = 'another'\n")
    monkeypatch.syspath_prepend(site)


@pytest.fixture(autouse=True)
def _forgotten():
    yield
    for name in [one for one in sys.modules if one.partition(".")[0] in (SHOP, "elsewhere", "names")]:
        del sys.modules[name]


@pytest.mark.parametrize(
    "name",
    [
        "os:system",
        "os.path:join",
        "subprocess:run",
        "builtins:print",
        "builtins:eval",
        "sys:exit",
        "_thread:interrupt_main",
        "code:interact",
        "importlib:import_module",
    ],
)
def test_what_belongs_to_python_is_not_imported(project, name):
    with pytest.raises(
        AgentLoadError, match=f"agent '{name}': .* belongs to Python, .* only modules of your"
    ):
        load_target(name, root=project)


def test_a_root_above_python_itself_makes_nothing_its_own():
    with pytest.raises(AgentLoadError, match="belongs to Python"):
        load_target("subprocess:run", root=Path(Path(sys.prefix).anchor))


@pytest.mark.parametrize(
    "name", ["loadme:agent.__globals__", "loadme:__builtins__.eval", "__main__:agent", "folder.__init__:x"]
)
def test_pythons_own_names_are_refused(project, name):
    with pytest.raises(AgentLoadError, match=r"'__\w+__' is a name of Python's own"):
        load_target(name, root=project)


def test_an_attribute_leads_out_of_the_project_through_no_module(project):
    with pytest.raises(AgentLoadError, match=r"'reexports:json\.dumps': json belongs to Python"):
        load_target("reexports:json.dumps", root=project)
    assert load_target("reexports:folder.deep.agent", root=project) == 1


@pytest.mark.parametrize("below", ["", ".venv"])
def test_an_installed_package_is_refused_before_anything_of_it_is_imported(project, monkeypatch, below):
    install(project / below, monkeypatch)
    if not below:
        project = project / "project"  # the packages stand beside the project
    with pytest.raises(AgentLoadError) as caught:
        load_target(f"{SHOP}.app:agent", root=project)
    assert f"{SHOP} is an installed package" in str(caught.value)
    assert 'have the package offer it as an entry point (group "grice.agents")' in str(caught.value)
    assert SHOP not in sys.modules


@pytest.mark.slow
def test_what_an_installed_package_offers_is_imported_and_no_more(project, monkeypatch):
    install(project, monkeypatch, entry_points=f"[grice.agents]\nshop = {SHOP}.app:agent\n")
    assert load_target(f"{SHOP}.app:agent", root=project) == "theirs"
    with pytest.raises(AgentLoadError, match="is an installed package"):
        load_target(f"{SHOP}.app:other", root=project)


def test_an_entry_point_for_somebody_else_offers_nothing(project, monkeypatch):
    install(project, monkeypatch, entry_points=f"[console_scripts]\nshop = {SHOP}.app:agent\n")
    with pytest.raises(AgentLoadError, match="is an installed package"):
        load_target(f"{SHOP}.app:agent", root=project)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("direct_url", "taken"),
    [
        ('{"url": "file:///work/shop", "dir_info": {}}', True),
        ('{"url": "file:///work/shop", "dir_info": {"editable": true}}', True),
        ('{"url": "https://shop.example/shop.whl", "archive_info": {}}', False),
    ],
)
def test_a_package_that_was_installed_from_a_folder_is_the_users_own(project, monkeypatch, direct_url, taken):
    install(project, monkeypatch, direct_url=direct_url)
    if taken:
        assert load_target(f"{SHOP}.app:agent", root=project) == "theirs"
    else:
        with pytest.raises(AgentLoadError, match="is an installed package"):
            load_target(f"{SHOP}.app:agent", root=project)


def test_a_folder_that_was_put_on_the_import_path_is_the_users_own(project, tmp_path_factory, monkeypatch):
    other = tmp_path_factory.mktemp("monorepo")
    (other / "elsewhere.py").write_text("agent = 'beside'\n")
    monkeypatch.syspath_prepend(other)
    assert load_target("elsewhere:agent", root=project) == "beside"


def test_a_project_inside_site_packages_is_a_project(project, monkeypatch):
    install(project, monkeypatch)
    inside = project / "lib" / "site-packages" / SHOP
    assert load_target("app:agent", root=inside) == "theirs"
    del sys.modules["app"]


def test_a_package_without_a_file_is_judged_by_the_first_file_below(project, monkeypatch):
    install(project, monkeypatch, top="names")
    (project / "lib" / "site-packages" / "names" / "__init__.py").unlink()
    (project / "names").mkdir()
    (project / "names" / "own.py").write_text("agent = 'own'\n")
    with pytest.raises(AgentLoadError, match=r"names is an installed package .*app\.py"):
        load_target("names.app:agent", root=project)
    assert load_target("names.own:agent", root=project) == "own"


@pytest.mark.parametrize("name", ["no_init_here.bot:agent", "no_init_here.inner.bot:agent"])
def test_folders_without_init_are_packages_at_any_depth(project, monkeypatch, name):
    monkeypatch.setattr(sys, "modules", dict(sys.modules))
    for folder in (project / "no_init_here", project / "no_init_here" / "inner"):
        folder.mkdir()
        folder.joinpath("bot.py").write_text("agent = 7\n")
    assert load_target(name, root=project) == 7


def test_a_project_may_have_a_module_that_is_called_as_one_of_python(project):
    (project / "this.py").write_text("agent = 'ours'\n")
    assert load_target("this:agent", root=project) == "ours"
    del sys.modules["this"]
