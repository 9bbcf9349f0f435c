"""Up to how many changed scenarios all signs are counted, and what stands in for it from there on."""

import pytest

from grice.stats.paired import PairedSums, mcnemar_exact, paired_difference

EXACT = "exact sign-flip permutation over scenarios"
BY_T = "paired t over scenarios"


def repeated(gained: int, lost: int, kept: int) -> list[PairedSums]:
    """Scenarios of two attempts, of which one is gained, lost, or neither."""
    changes = [PairedSums(0, 2, 1, 2)] * gained + [PairedSums(1, 2, 0, 2)] * lost
    return changes + [PairedSums(1, 2, 1, 2)] * kept


@pytest.mark.parametrize(
    ("gained", "lost", "kept", "test"),
    [
        (40, 11, 0, EXACT),
        (140, 110, 0, EXACT),
        (140, 110, 500, EXACT),  # those that did not change are not counted
        (140, 111, 0, BY_T),
        (140, 111, 500, BY_T),
    ],
)
def test_signs_are_counted_up_to_250_changes(gained: int, lost: int, kept: int, test: str) -> None:
    found = paired_difference(repeated(gained, lost, kept), bounds=(0, 1))
    assert found is not None
    assert found.p is not None
    assert (found.test, found.changed) == (test, gained + lost)
    assert found.why.endswith("; there are many") is (test == BY_T)
    # Changes of one size are coins, whose exact test is McNemar's. It counts the outcome itself as a whole.
    exact, beyond = mcnemar_exact(gained, lost), mcnemar_exact(gained + 1, lost - 1)
    if test == EXACT:
        assert found.p == exact
    else:
        assert beyond < found.p < exact
