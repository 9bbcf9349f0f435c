"""How long a reply is."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from grice.checks.profiles import Profile
from grice.checks.tone.speech import Said, judge_wording
from grice.matching.argument_types import AtLeastOne
from grice.matching.context import Context
from grice.matching.matcher import matcher
from grice.matching.subjects import Speech
from grice.records import Evidence, Verdict, failed, inconclusive, passed
from grice.text import shorten, value_text
from grice.text.languages import pack_for
from grice.text.sentences import sentence_spans

MAX_SHOWN = 10
_ENDS = re.compile(r"[.!?]+")


def counted_sentences(text: str, profile: Profile = "robust") -> list[str]:
    """The sentences of a text as the profile counts them.

    `robust` counts as a reader does. `seed` takes each run of other characters that ends in full stops,
    exclamation or question marks, so that a text without any has none.
    """
    return [text[start:end].strip() for start, end in _spans(text, profile)]


def _spans(text: str, profile: Profile) -> Sequence[tuple[int, int]]:
    if profile == "seed":
        ends = [0, *(found.end() for found in _ENDS.finditer(text))]
        return [(start, end) for start, end in pairwise(ends) if text[start:end].strip(".!?")]
    pack = pack_for(text)
    return sentence_spans(text, "en" if isinstance(pack, str) else pack.code)


@matcher(
    "toHaveAtMostSentences",
    layer=1,
    describe="have at most {limit:sentence}",
)
def have_at_most_sentences(
    subject: Speech, ctx: Context, limit: AtLeastOne, *, profile: Profile = "robust"
) -> Verdict:
    """The text has at most `limit` sentences; a fragment without a full stop counts as one.

    Text that is empty or white space only, or without sentences (a heading), is `inconclusive`. `seed` counts
    runs that end in `.`, `!` or `?`: `$399.99` ends one, and a text without those has none and passes.
    Examples: sentences.examples.jsonl.
    """
    return judge_wording(subject, ctx, lambda told: _judged(told, limit, profile))


def _judged(told: Said, limit: int, profile: Profile) -> Verdict:
    text = told.text
    spans = _spans(text, profile)
    if not spans and profile == "robust":
        return inconclusive(f"the text has no sentences to count: {value_text(text)}")
    if len(spans) <= limit:
        return passed(f"found {len(spans)}")
    shown = [shorten(text[start:end].strip(), 200) for start, end in spans[:MAX_SHOWN]]
    shown += ["..."] if len(spans) > MAX_SHOWN else []
    first, last = spans[limit]  # the first one too many
    first += len(text[first:last]) - len(text[first:last].lstrip())
    quote = shorten(text[first:last], 200)
    evidence = Evidence(quote, told.turn, first, last) if told.exact else Evidence(quote, told.turn)
    return failed(f"found {len(spans)}: {' | '.join(shown)}", evidence=(evidence,))
