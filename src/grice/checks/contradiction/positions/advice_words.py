"""The words with which English gives advice and judges what is worth doing."""

from __future__ import annotations

from grice.text.packs.tables import listed, named

__all__ = [
    "ACTS",
    "ADVERBS",
    "BAD_WORTH",
    "CASE_NOUNS",
    "GENERIC_ACTS",
    "GOOD_WORTH",
    "IMPERATIVES",
    "LINKING",
    "TURNING_AWAY",
]

TURNING_AWAY = listed(
    """
    avoid avoids avoiding skip skips skipping skipped stop stops stopping stopped quit quits quitting drop
    drops dropping dropped forgo forgoing decline declines declining refuse refusing reject rejects rejecting
    refrain refraining abandon abandoning ditch ditching cancel cancelling canceling remove removing uninstall
    uninstalling uninstalled disable disabling disabled delete deleting abolish abolished abolishing abolition
    ban bans banned banning prohibit prohibited prohibiting prohibition forbid forbidden outlaw outlawed
    outlawing oppose opposes opposing opposed discourage discouraged discouraging wait waiting delay delaying
    delayed postpone postponing close closing closed shut shutting scrap scrapping scrapped sell selling
    withhold withholding resist resisting rethink
    """
)
"""Verbs that turn away from what they speak of: what they advise is not to do, have or keep it."""

GOOD_WORTH = listed(
    """
    good great excellent fine ok okay safe safer worth worthwhile sensible wise wiser smart smarter reasonable
    ideal perfect suitable appropriate acceptable right best better recommended necessary essential justified
    beneficial healthy fair fairer fantastic superb solid brilliant terrific prudent advisable lovely
    preferable superior winner favourite favorite default correct wonderful alright unbeatable useful decent
    """
)
BAD_WORTH = listed(
    """
    bad terrible awful poor poorer wrong mistake unwise risky riskier dangerous unsafe unsuitable
    inappropriate unacceptable overkill pointless unnecessary unhealthy unfair premature foolish silly
    counterproductive worst worse harmful overrated gimmick dreadful horrible reckless inadvisable ill-advised
    irresponsible unwarranted unjustified excessive unreasonable incorrect
    """
)
"""What is said of what should and should not be done, had or kept."""

LINKING = listed(
    """
    is are be was were been being isn't aren't wasn't weren't it's that's he's she's they're you're there's
    remains remain seems seem looks look sounds feels counts makes make stays become becomes 's would'd
    """
)
"""Verbs that link a thing with what is said of it."""

IMPERATIVES = listed(
    """
    go take get buy skip avoid keep wait hold stick choose pick do don't never leave start stop use put close
    switch sell stay book add order try give tell ask say bring move pay save invest open cancel remove
    install uninstall upgrade update disable enable drop quit accept decline steer rent lease make opt ditch
    forget disclose send grab eat drink wear visit consider sign cut plan build not
    """
)
"""Verbs that a piece of advice begins with."""

GENERIC_ACTS = listed(
    """
    buy get take go use have do make keep choose pick grab try add put start begin carry continue consider
    recommend suggest advise advice prefer favour favor stick stay opt purchase order bother leave hold
    recommendation suggestion verdict pick vote choice option idea bet time thing step route course move
    answer final say tell help look need want decision deal good great better best call shout value way work
    working wise simple solid simply honestly definitely personally short whole balance today tomorrow now
    please ahead instead overall lean leaning still always never ever bit lot worth go-to remain think turn
    regular suit suits fit fits sort fan mind touch point off safe safely sensible strongly truly easy reason
    real person people anyone someone everyone year month week day sum remind number plenty exactly hand
    absolutely clear clearly happy sound nice gain extra proper sure perfectly purpose apply make sense fact
    switch pay plan would'd rate long spot current earlier second view opinion opposition position
    favourite favorite winner necessary essential correct ideal perfect suitable appropriate reasonable
    kept first excellent fine smart right fair acceptable prudent justified
    """
)
"""Words that carry no target of their own: what is done with anything that is advised."""

ADVERBS = listed(
    """
    still also definitely certainly strongly personally probably honestly actually really just always then
    absolutely simply clearly rather only now instead again please yes no so and but well definitely nah
    haha lol true def defo frankly seriously ultimately overall basically generally
    truly even too ok okay yeah yep no-one therefore
    """
)
CASE_NOUNS = listed(
    """
    brother sister mother father mum mom dad son daughter wife husband partner friend colleague boss neighbour
    neighbor grandmother grandfather cousin uncle aunt kid child boyfriend girlfriend flatmate roommate
    """
)
"""Whom a question that goes on can be about instead of the user."""

ACTS = named(
    """
    buy: buy buys buying bought purchase purchasing; wait: wait waiting; keep: keep keeping kept;
    sell: sell selling; stay: stay staying; quit: quit quitting; stop: stop stopping; use: use using;
    continue: continue continuing; pay: pay paying; make: make making; leave: leave leaving;
    close: close closing; get: get; go: go going; cancel: cancel cancelling; skip: skip skipping;
    take: take taking; start: start starting; do: do doing; remove: remove removing
    """
)
"""General acts by the name of the choice that they are, for a question that asks to choose one."""
