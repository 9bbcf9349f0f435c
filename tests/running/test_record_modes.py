"""The modes of cassettes are listed where nothing may be imported: the lists agree."""

from grice.cli import run as cli
from grice.files.settings import RECORD_KINDS, RECORD_MODES
from grice.pytest_plugin import option_values
from grice.wire.cassettes import KINDS
from grice.wire.cassettes.tape import MODES


def test_every_door_knows_the_same_modes_and_kinds():
    assert set(RECORD_MODES) == set(MODES)
    assert set(RECORD_KINDS) == set(KINDS)
    assert set(option_values.RECORD_MODES) == set(cli.RECORD_MODES) == set(MODES) - {"auto"}
