"""A matcher of one's own, in a package that others can install.

In Python it is imported; in files its name `toCiteSources` is enough, found by the entry point in
pyproject.toml.
"""

from __future__ import annotations

import re
from typing import Annotated

from msgspec import Meta

from grice import Evidence, Reply, Turn, Verdict
from grice.matchers import Context, failed, inconclusive, matcher, passed

__all__ = ["cite_sources"]

AtLeastOne = Annotated[int, Meta(ge=1)]
_SOURCE = re.compile(r"\[(\d+)\]|https?://[^\s)\]>]+")


@matcher(
    "toCiteSources",
    describe="cite at least {at_least:source}",
    wants=("citations", "no citations"),
)
def cite_sources(subject: str | Reply | Turn, ctx: Context, at_least: AtLeastOne = 1) -> Verdict:
    """The text cites at least that many different sources, as `[1]` or as an address."""
    text = subject if isinstance(subject, str) else subject.text
    if not text.strip():
        return inconclusive("the text is empty: there is nothing to look at")
    found = {match[0]: match for match in _SOURCE.finditer(text)}
    if len(found) < at_least:
        return failed(f"found {len(found)}: {', '.join(found) or 'none'}")
    quoted = tuple(Evidence(name, start=one.start(), end=one.end()) for name, one in found.items())
    return passed(f"found {len(found)}: {', '.join(found)}", evidence=quoted)
