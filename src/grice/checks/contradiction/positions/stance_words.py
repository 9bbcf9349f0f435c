"""The words with which English takes a stance, gives it up, and speaks of the stances of others."""

from __future__ import annotations

from grice.text.packs.tables import listed, pairs, phrases

__all__ = [
    "ANSWER_FOLLOWERS",
    "ANTONYMS",
    "AUXILIARIES",
    "BAD",
    "BEFORE_ANSWER",
    "CLASS_NOUNS",
    "CONCESSIONS",
    "CONDITIONS",
    "CONS",
    "CONTRASTS",
    "DEICTIC",
    "DISMISSING",
    "EVALUATIVE",
    "FAVOURING",
    "GENERIC",
    "HARMS",
    "MIXED_ANSWERS",
    "MODALS",
    "NARROWING",
    "NO_ANSWERS",
    "OPPOSING",
    "PARTIAL",
    "PROS",
    "REASONS",
    "RELATIVES",
    "TEMPORAL",
    "UNBELIEF",
    "WEAK_ANSWERS",
    "YES_ANSWERS",
]

NO_ANSWERS = phrases(
    """
    no; nope; nah; no way; definitely not; absolutely not; of course not; certainly not; not at all; not
    really; probably not; unfortunately not; sadly not; i'm afraid not; i am afraid not; not exactly;
    obviously not; surely not; clearly not; by no means; never; not a chance; i don't think so; i do not
    think so; i don't believe so; i do not believe so; i think not; under no circumstances; that's
    incorrect; that is incorrect; that's not correct; that is not correct; that's not right; that's not
    true; that is not true; that's not the case; that is not the case; that isn't the case; that isn't true;
    that's false; that is false; incorrect; false; i would say no; i'd say no; my answer is no; the answer
    is no; the short answer is no; my answer is still no; the answer is still no; short answer no;
    emphatically no; not quite; \U0001f44e
    """
)
YES_ANSWERS = phrases(
    """
    yes; yep; yup; yeah; yes indeed; absolutely; definitely; certainly; of course; sure; indeed; correct;
    exactly; affirmative; aye; without a doubt; without doubt; no doubt about it; undoubtedly; i think so; i
    believe so; i would say so; i'd say so; i do think so; that's right; that is right; that's correct; that
    is correct; that's true; that is true; it's true; true; by all means; for sure; totally; i would say
    yes; i'd say yes; my answer is yes; the answer is yes; the short answer is yes; my answer is still yes;
    the answer is still yes; short answer yes; emphatically yes; you bet; it sure does; \U0001f44d
    """
)
MIXED_ANSWERS = phrases(
    """
    yes and no; no and yes; yes or no; both yes and no; it depends; that depends; maybe; perhaps; possibly;
    not necessarily; not always; not entirely; not sure; i'm not sure; i am not sure; partly; partially; hard
    to say; it's complicated; in some cases; sometimes; in part; to some extent; yes but also no
    """
)
WEAK_ANSWERS = phrases(
    """
    absolutely; definitely; certainly; of course; sure; indeed; exactly; totally; for sure; by all means;
    you bet; not really; not exactly; not quite; probably not; true; that's true; that is true; not at all;
    never
    """
)
"""Answers that also stand where nothing is answered, as pleasantries do."""

BEFORE_ANSWER = listed(
    """
    well oh ah hmm um so ok okay honestly actually frankly look thanks thank you sorry unfortunately hi hello
    hey great good question right fair point now and but again apologies sir ma'am in short simply put i'm am
    i afraid to be honest the sadly
    """
)
ANSWER_FOLLOWERS = listed(
    """
    i i'd i'll i'm i've it it'd it'll it's this that that's these those they they're they'll we we'd we'll
    we're we've you you'd you'll you're you've he she there there's the a an my your our his her sir ma'am
    unfortunately sorry but not because since although though as absolutely definitely please thanks thank
    """
)
"""What may stand right behind an answer, without a comma: "No it isn't". "No problem" is none."""

AUXILIARIES = listed(
    """
    is are was were am do does did can could should would will shall may might must has have had ought isn't
    aren't wasn't weren't don't doesn't didn't can't couldn't shouldn't wouldn't won't mustn't hasn't
    haven't hadn't shan't needn't cannot
    """
)
MODALS = pairs(
    """
    should: should; shouldn't: should; ought: should; must: should; mustn't: should; can: can; can't: can;
    cannot: can; could: can; couldn't: can; may: can; will: will; won't: will; would: will; wouldn't: will;
    shall: will; is: be; isn't: be; are: be; aren't: be; was: be; wasn't: be; were: be; weren't: be; it's:
    be; they're: be; that's: be; do: do; don't: do; does: do; doesn't: do; did: do; didn't: do; has: have;
    hasn't: have; have: have; haven't: have; had: have; hadn't: have
    """
)
"""The kinds of finite verbs that can stand for a whole predicate: "No, it shouldn't"."""

FAVOURING = listed(
    """
    allow permit legaliz legalis support endors favor favour approv embrac encourag advocat authoriz
    authoris trust
    """
)
"""Roots (see `root`) of words that allow what they speak of."""

OPPOSING = listed(
    """
    ban prohibit prohibi forbid forbidden outlaw oppos against restrict regulat limit curb abolish disallow
    discourag criminaliz criminalis banish block
    """
)
"""Roots of words that forbid what they speak of."""

UNBELIEF = listed(
    """
    disagree disagrees disagreed doubt deny dispute refute reject skeptical sceptical unconvinced doubtful
    false incorrect untrue
    """
)
"""Words behind which what is said is denied: "I doubt that it works"."""

BAD = listed(
    """
    mistake dangerous risky harmful wrong bad unethical irresponsible unacceptable detrimental unwise
    disastrous unjustified immoral reckless terrible premature inappropriate counterproductive unnecessary
    misguided impractical unrealistic flawed
    """
)
"""What is said of what should not be."""

HARMS = listed(
    """
    undermine undermines undermining hinder hinders hindering stifle stifles jeopardize jeopardizes worsen
    worsens
    erode erodes exacerbate exacerbates endanger endangers threaten threatens unintended backfire
    backfires concerning perpetuate perpetuates perpetuating
    """
)
"""What is said of what does harm."""

DISMISSING = listed(
    """
    ignore ignored overlook overlooked dismiss dismissed underestimate underestimated understate understated
    forget forgotten abandon abandoned neglect neglected overshadow overshadowed deny denied deter disregard
    disregarded replace diminish diminished compromise overstated rush give stop afford excuse downplay
    """
)
"""What denied says nothing against what it is about: "the benefits cannot be ignored"."""

EVALUATIVE = listed(
    """
    good bad better worse best ethical moral justifi viabl sustain effectiv beneficial benefit positiv
    necessari essential worth fair solution altern responsib right wrong reliabl reli valid appropriat accept
    harmful wise prefer superior equit strategi threat primarili inherent achiev advantag sensibl
    """
)
"""Roots of words that make of a question one of opinion."""

PROS = listed(
    """
    benefit benefits advantage advantages positives pros merits gains upsides rewards strengths opportunities
    good
    """
)
CONS = listed(
    """
    risk risks drawback drawbacks cost costs downside downsides disadvantage disadvantages harm harms
    negatives cons danger dangers concern concerns challenge challenges problem problems limitation
    limitations weaknesses consequences burdens
    """
)
ANTONYMS = pairs(
    """
    safe: dangerous; include: exclude; accept: refuse; open: closed; available: unavailable sold booked; free:
    paid booked occupied; stock: sold; increase: decrease; beneficial: harmful; essential: unnecessary;
    necessary: unnecessary; safety: danger; enable: disable; pass: fail; threat: benefit; individual:
    systemic; true: false; allowed: forbidden; friendly: hostile; heated: unheated; reliable: unreliable
    """
)
"""Words, and those that deny them."""

GENERIC = listed(
    """
    believe think thought maintain argue contend hold feel say said stand firmly strongly truly still really
    opinion view position stance belief answer honest honestly personally question questions matter case
    thing things way sure certain certainly definitely absolutely clearly indeed actually simply yes no nope
    yep yeah agree disagree please consider considered ultimately overall conclusion summary short fact
    important strong firm confident convinced remain continue reiterate emphasize know known true correct
    right exactly currently now yet already anymore today again perspective understand concept idea notion
    general generally sort kind basically entirely completely fully totally highly doubt deny dispute refute
    reject skeptical unconvinced tell whether far okay sorry apologize unfortunately confirm let use
    used using
    """
)
DEICTIC = listed(
    """
    it it's this that that's these those they they're them he she one ones here there its their there's
    """
)
PARTIAL = listed(
    """
    always all every everyone everybody everything entirely fully completely totally necessarily only just
    simply solely merely exclusively wholly universally
    """
)
"""What a negation right before it denies only in part: "not always"."""

TEMPORAL = listed(
    """
    yet already anymore currently now today tonight momentarily temporarily still soon longer tomorrow
    yesterday until moment
    """
)
CONTRASTS = listed("but however nevertheless nonetheless instead rather yet")
CONCESSIONS = listed("while although though whereas despite whilst notwithstanding albeit")
CONDITIONS = listed("if unless when whenever once provided providing assuming until till")
REASONS = listed("because since given")
RELATIVES = listed("which who whose whom where")
NARROWING = listed(
    """
    without unless except until only with within provided outside beyond for during after over under above
    below through via on at from in
    """
)
CLASS_NOUNS = listed(
    """
    plan tier product item servic option featur model version store shop compani account subscript packag
    program websit app page
    """
)
"""Roots of nouns that only say of what kind a name is: the Pro plan, the Pro."""
