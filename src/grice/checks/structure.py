"""How long a reply is."""

from __future__ import annotations

from grice.matching.context import Context
from grice.matching.matcher import matcher
from grice.matching.subjects import Speech, text_of
from grice.records import Verdict, errored, failed, inconclusive, passed
from grice.text import sentences, shorten

__all__ = ["have_at_most_sentences"]


@matcher(
    "toHaveAtMostSentences",
    describe=lambda limit: f"have at most {limit} sentence{'' if limit == 1 else 's'}",
    layer="structure",
)
def have_at_most_sentences(subject: Speech, ctx: Context, limit: int) -> Verdict:
    """The text has at most `limit` sentences; a fragment without a full stop counts as one.

    An empty text is `inconclusive`. Source: seed 000, layer 4 (the one-sentence acknowledgement).
    """
    if isinstance(limit, bool) or not isinstance(limit, int) or limit < 1:
        return errored(f"the limit is a number of sentences from 1 up, found {limit!r}")
    found = sentences(text_of(subject))
    if not found:
        return inconclusive("the text is empty: there is nothing to look at")
    if len(found) <= limit:
        return passed(f"found {len(found)}")
    shown = [shorten(sentence, 200) for sentence in found[:10]] + (["..."] if len(found) > 10 else [])
    return failed(f"found {len(found)}: {' | '.join(shown)}")
