"""Exceptions cross processes: xdist, multiprocessing and logs pickle them."""

import copy
import pickle

import pytest

import grice
from grice.formats import FormatError
from grice.matching.equality import TooDeep
from grice.matching.expectation import UnrecordedVerdict
from grice.matching.failure import ExpectationFailed
from grice.matching.matcher import Unsuitable
from grice.matching.patterns import PatternError
from grice.records import RecordFormatError, failed


@pytest.mark.parametrize(
    "error",
    [
        ExpectationFailed("expected the text to contain 'x'", failed("the text is 'y'")),
        FormatError("has no role", 3),
        FormatError("found null; expected a list of messages"),
        PatternError("'(' is not a pattern"),
        TooDeep("nested deeper than 200 levels"),
        Unsuitable("a text, found int"),
        RecordFormatError("not a record of Grice"),
        UnrecordedVerdict("no test or conversation records this verdict"),
    ],
    ids=lambda error: type(error).__name__,
)
def test_an_exception_comes_back_with_its_words_and_parts(error):
    for copied in (pickle.loads(pickle.dumps(error)), copy.copy(error)):
        assert type(copied) is type(error)
        assert str(copied) == str(error)
        assert vars(copied) == vars(error)


def test_public_exceptions_are_called_by_their_public_names():
    kinds = [getattr(grice, name) for name in grice.__all__]
    raised = [kind for kind in kinds if isinstance(kind, type) and issubclass(kind, BaseException)]
    assert {kind.__module__ for kind in raised} == {"grice"}
    assert all(vars(kind)["__module__"] == "grice" for kind in raised)
