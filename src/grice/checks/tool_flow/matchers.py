"""The matchers of tool-flow language."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from msgspec.structs import replace

from grice.checks.profiles import Profile
from grice.checks.tool_flow.labels import ALL_LABELS, FACT_LABELS, LABELS, Finding, Label, Validation
from grice.checks.tool_flow.status import ToolStatus, status_for
from grice.checks.tool_flow.validator import robust_response, validate_response
from grice.matching.context import Context
from grice.matching.matcher import ArgumentError, matcher
from grice.matching.subjects import Speech, nothing_in, text_of
from grice.records import Evidence, Verdict, clean_text, failed, inconclusive, passed
from grice.text import value_text


def _label_list(labels: object) -> tuple[object, ...]:
    if labels is None:
        return ALL_LABELS
    return tuple(labels) if isinstance(labels, Iterable) and not isinstance(labels, str) else (labels,)


def _check_free(
    labels: Sequence[Label] | Label | None = None, *, profile: Profile = "robust", **_: object
) -> None:
    named = _label_list(labels)
    if not named:
        raise ArgumentError("no label is named")
    for label in named:
        if label in FACT_LABELS and labels is not None and profile == "seed":
            raise ArgumentError(f"{label} is no label of profile 'seed': leave the profile out")


@matcher(
    "toBeFreeOf",
    layer=1,
    describe="be free of [{labels!s}|any of the bad patterns][ (tool status {tool_status!s})]",
    check=_check_free,
)
def be_free_of(
    subject: Speech,
    ctx: Context,
    labels: Sequence[Label] | Label | None = None,
    *,
    tool_status: ToolStatus | None = None,
    profile: Profile = "robust",
) -> Verdict:
    """The text shows none of the named bad patterns; none at all when no label is named.

    `tool_status` defaults to that of the turn's last answered tool call, none for a bare text. The profiles
    are those of `be_valid_response`. An unknown label is an `error`; text that is empty or white space only
    is `inconclusive`, and so is a bare text of which only facts about tools are asked.
    """
    return _verdict(subject, ctx, tool_status, _label_list(labels), profile)


@matcher("toBeValidResponse", layer=1, describe="pass the response validator[ (tool status {tool_status!s})]")
def be_valid_response(
    subject: Speech, ctx: Context, *, tool_status: ToolStatus | None = None, profile: Profile = "robust"
) -> Verdict:
    """The response validator finds nothing in the text: `validate_response` as a matcher.

    `robust` goes by what the reply does: it reports or announces an action and asks for permission for the
    same one; says that a tool or an action began by accident; asks the user to confirm what is done, or again
    what is pending; introduces itself, unless it was asked who it is or the first message is only a greeting.
    Of a Reply or Turn it also looks at what the tools did: an action, or a state that only an action brings
    about, that is claimed and that no call performed, success after a failed call and the reverse, versions
    that are in no result, message or prompt, and text beside a call that was answered (`be_free_of` chooses
    among these labels). Requests to confirm count only after a call that changed something. It knows English;
    without a finding a text in another language is `inconclusive`. `seed` has five patterns, word by word.
    `tool_status` defaults as in `be_free_of`.
    """
    return _verdict(subject, ctx, tool_status, ALL_LABELS, profile)


def _verdict(
    subject: Speech,
    ctx: Context,
    given: ToolStatus | None,
    labels: Collection[object],
    profile: Profile,
) -> Verdict:
    text = clean_text(text_of(subject))
    nothing = nothing_in(text)
    if nothing is not None:
        return nothing
    status = status_for(subject, given)
    if profile == "seed":
        validation = validate_response(text, status, profile=profile)
    else:
        from grice.checks.tool_flow.facts import facts_of

        facts = facts_of(subject, ctx)
        worded = any(label in LABELS for label in labels)
        if not facts.known and not worded:
            return inconclusive("a bare text: what the tools did is not known; judge a Reply or a Turn")
        if given is None:
            status = facts.status or status
        elif given != facts.status:
            facts = replace(facts, deeds=(), sure=False)  # the caller knows better than the record
        validation = robust_response(text, status, facts, worded=worded)
    found = [finding for finding in validation.findings if finding.label in labels]
    if not found:
        return _without_findings(validation, labels, f"tool status {status}, profile {profile}")
    turn = ctx.turn.number if ctx.turn is not None else None
    evidence = tuple(one for finding in found for one in _evidence(finding, text, turn))
    named = "; ".join(_finding_text(finding, text) for finding in found)
    failing = failed(f"{named} (tool status {status}, profile {profile})", evidence=evidence)
    return replace(failing, detail={"rules": [finding.label for finding in found]})


_NO_READING: tuple[Label, ...] = ("UNKNOWN_VERSION", "PRE_TOOL_NARRATION")
"""The labels for which a text is looked at whatever its language."""


def _without_findings(validation: Validation, labels: Collection[object], told: str) -> Verdict:
    """Nothing found: that is a pass where all that was asked could be looked at."""
    if validation.undetermined and any(label not in _NO_READING for label in labels):
        return inconclusive(validation.undetermined)
    return passed(f"none found ({told})")


def _evidence(finding: Finding, text: str, turn: int | None) -> list[Evidence]:
    note = f"{finding.label}: {finding.note}" if finding.note else finding.label
    if not finding.spans:
        return [Evidence(finding.said, turn, path=finding.path, note=note)]
    return [Evidence(text[start:end], turn, start=start, end=end, note=note) for start, end in finding.spans]


def _finding_text(finding: Finding, text: str) -> str:
    said = " and ".join(value_text(text[start:end]) for start, end in finding.spans)
    note = f" ({finding.note})" if finding.note else ""
    return f"{finding.label}: {said or value_text(finding.said)}{note}"
