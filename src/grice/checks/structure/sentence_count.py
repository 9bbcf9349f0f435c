"""How long a reply is."""

from __future__ import annotations

from grice.matching.context import Context
from grice.matching.matcher import ArgumentError, matcher
from grice.matching.subjects import Speech, nothing_in, text_of
from grice.records import Verdict, failed, inconclusive, passed
from grice.text import sentences, shorten, value_text

__all__ = ["have_at_most_sentences"]


def _check(limit: object) -> None:
    if isinstance(limit, bool) or not isinstance(limit, int) or limit < 1:
        raise ArgumentError(f"the limit is a number of sentences from 1 up, found {limit!r}")


@matcher(
    "toHaveAtMostSentences",
    layer=1,
    check=_check,
    describe=lambda limit: f"have at most {limit} sentence{'' if limit == 1 else 's'}",
)
def have_at_most_sentences(subject: Speech, ctx: Context, limit: int) -> Verdict:
    """The text has at most `limit` sentences; a fragment without a full stop counts as one.

    Text that is empty or white space only, or without sentences (a heading), is `inconclusive`. Source: seed
    000, layer 4 (the one-sentence acknowledgement).
    """
    text = text_of(subject)
    nothing = nothing_in(text)
    if nothing is not None:
        return nothing
    found = sentences(text)
    if not found:
        return inconclusive(f"the text has no sentences to count: {value_text(text)}")
    if len(found) <= limit:
        return passed(f"found {len(found)}")
    shown = [shorten(sentence, 200) for sentence in found[:10]] + (["..."] if len(found) > 10 else [])
    return failed(f"found {len(found)}: {' | '.join(shown)}")
