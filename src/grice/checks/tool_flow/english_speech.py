"""English words with which a reply reports, announces, asks for permission and offers."""

from __future__ import annotations

import re

__all__ = [
    "ABLE",
    "AFTER_MARK",
    "AND_DID",
    "ASK_DONE",
    "ASK_FOR_ME",
    "ASK_YOU",
    "BARE_ASK",
    "BEFORE_REPORT",
    "CONDITION",
    "DOING",
    "DONE",
    "ELLIPTIC",
    "FIRMLY",
    "GERUND",
    "GO_AHEAD",
    "HAVE",
    "HEADLINE",
    "NAMED_OBJECT",
    "NOMINAL",
    "ON_IT",
    "PASSIVE",
    "PAST",
    "WELCOME",
    "WH",
    "WILL",
]

ADVERB = (
    r"(?:(?:just|now|already|also|currently|right now|successfully|gone ahead and|went ahead "
    r"and|finally|then|"
    r"immediately|officially|fully|again|automatically|manually|safely|go ahead and|quickly"
    r"|since|recently) )*"
)
FIRMLY = re.compile(
    r"\b(?:now|right away|right now|immediately|straight ?away|at once|as we speak|this "
    r"(?:very )?moment|asap)\b"
)
CONDITION = re.compile(
    r"\b(?:if|once|unless|until|whether|as soon as|upon|in case|with your (?:\w+ "
    r")?(?:confirmation|approval|permission|"
    r"consent|go[- ]?ahead|ok)|say (?:the word|yes|go)|before|when(?:ever)?|after you|let me "
    r"know|just confirm|"
    r"should you|provided|assuming|otherwise|would you|shall i|should i|please confirm)\b"
)
BEFORE_REPORT = re.compile(
    r"\b(?:if|unless|until|whether|once|before|after|when(?:ever)?|as soon as|in case|that you"
    r"|ensur(?:e|es|ing)(?: that)?"
    r"|make sure(?: that)?|would have|wish)\b"
)
WH = re.compile(
    r"(?:^|[,;:]|\s-\s|\band\b|\bor\b|\bknow\b)\s*(?:\w+ )?(?:what|which|when|where|who|whom"
    r"|how|why)\b[^,;:]*$"
)

ASK_FOR_ME = re.compile(
    r"\b(?:(?:would|do|did|will) you (?:also |still )?(?:like|want|prefer|need|wish)(?: for)? (?:me|us) to"
    r"|(?:you'd|you would|you) (?:also |still )?(?:like|want|prefer)(?: for)? (?:me|us) to"
    r"|(?:want|need|like) (?:me|us) to|shall (?:i|we)|should (?:i|we)|mind if (?:i|we)"
    r"|(?:ok(?:ay)?|alright|all right|fine|good|cool) (?:if (?:i|we)|for (?:me|us) to|with "
    r"(?:me|us) (?=\w+ing))"
    r"|(?:is it|would it be|is that|are you) (?:ok(?:ay)?|alright|all right|fine|good) (?:for (?:me|us) )?to"
    r"|(?:ready|happy|comfortable) (?:for|with) (?:me|us) (?:to|(?=\w+ing))|(?:may|can|could) (?:i|we)"
    r"|(?:your |have )?(?:permission|the green light|the go[- ]ahead|go[- ]ahead|approval) to"
    r"|(?:let (?:me|us) know|tell (?:me|us)|advise(?: me| us)?|indicate|specify|state|say|inform (?:me"
    r"|us)|decide"
    r"|instruct (?:me|us)) (?:if|whether|that) (?:i|we) (?:should|can|may|might|shall|am to|are to)"
    r"|(?:indicate|advise|let (?:me|us) know|tell (?:me|us)|say|specify|state) (?:if|whether) you(?:'d"
    r"| would)?"
    r" (?:like|want|wish|prefer|agree|consent)(?: for)?(?: (?:me|us|it))? to"
    r"|(?:await|awaiting|appreciate|request|require|seek|need) your (?:\w+ )?(?:instructions?|leave|consent"
    r"|permission|approval|authori[sz]ation|go[- ]?ahead) (?:to|(?:for|before) (?=\w+ing)))\b"
)
ASK_YOU = re.compile(
    r"\b(?:(?:would|do|did) you (?:also |still |really )?(?:like|want|wish) to|(?:want|ready"
    r"|ok(?:ay)?|good|happy|"
    r"alright) to"
    r"|sure (?:that )?(?:you (?:really )?(?:want|wish|would like) |you'd like )(?:me )?to|sure about)\b"
)
ASK_DONE = re.compile(
    r"\b(?:would you (?:also )?like|do you (?:also )?want|want) ((?:it|this|that|them|these"
    r"|those|(?:the|your|all) "
    r"[\w' -]{1,40}?) (?:to be )?)(\w+)\s*(?=[?,]| now| right| for | too| as well|$)"
)
BARE_ASK = re.compile(
    r"^\W*(?:so|ok(?:ay)?|and|then|all good|ready|good|right)?\W*(?:shall i|should i|may i|can "
    r"i|want me to|go ahead|"
    r"proceed|continue|ok to (?:go|proceed)|good to go|is (?:that|this) (?:ok(?:ay)?|alright|all right|fine)"
    r"(?: with you)?(?: to (?:proceed|continue))?|are you sure|you sure|sure|do you (?:approve"
    r"|agree)|yes or no)\s*\?"
)
GO_AHEAD = re.compile(
    r"\b(?:do i have|may i have|can i (?:get|have)|could i (?:get|have)|i have) your "
    r"(?:permission|go[- ]?ahead|"
    r"approval|consent|ok(?:ay)?|green light)\b|\bsay the word\b|\bgive me (?:the|your) "
    r"(?:go[- ]?ahead|green light|"
    r"nod|ok(?:ay)?)\b|\bhow does that sound\?|\bdo you approve\b"
    r"|\b(?:indicate|advise|let (?:me|us) know|tell (?:me|us)|say|specify|state) (?:if"
    r"|whether) (?:this|it|that"
    r"|the \w+) (?:should|may|can|is to) (?:go ahead|go through|proceed|be \w+ed)\b"
)
WELCOME = re.compile(
    r"(?:^|[,;-] ?)\W*(?:(?:so|and|but|ok(?:ay)?|all)\W+)?(?:is (?:that|this|it) (?:\w+ )?(?:ok(?:ay)?"
    r"|al(?:l )?right"
    r"|fine|good|cool|acceptable)|(?:are )?you (?:\w+ )?(?:ok(?:ay)?|fine|good|happy|comfortable"
    r"|cool) with (?:that"
    r"|this|it)|(?:does|would|will) (?:that|this|it) (?:work|suit|be (?:ok(?:ay)?|al(?:l )?right"
    r"|fine))|sounds?"
    r" (?:good|ok(?:ay)?|fine|all right)|any objections?|do you (?:mind|object|agree)|agreed|may i"
    r"|shall i|ok(?:ay)?"
    r"|al(?:l )?right|yes)(?: (?:with|for|by|to) you)?\s*\?"
)
DOING = re.compile(rf"\b(?:i'm|i am|we're|we are|i'll be|i will be) {ADVERB}(\w+ing)\b")
WILL = re.compile(
    rf"\b(?:i'll|i will|we'll|we will|let me|i'm going to|i am going to|we're going to|i'm "
    rf"gonna|about to|going ahead "
    rf"(?:and|to|with)|i shall|i (?=now |hereby )) ?(?:hereby )?{ADVERB}(\w+)\b"
)
ABLE = re.compile(
    r"\b(?:i|we)(?: can| could|'d be happy to|'m happy to| am happy to|'m able to| would be "
    r"happy to)(?: also)? "
)
GERUND = re.compile(
    r"^\W*(?:(?:ok(?:ay)?|sure|great|alright|all right|certainly|perfect|got it|no problem"
    r"|absolutely|of course|"
    r"understood|thanks|thank you|yes|right|now|currently|done|sure thing|just)\W+){0,3}(\w+ing)\b"
)
AFTER_MARK = re.compile(r"(?:[:;]|\s-)\s+(?:now )?(\w+ing)\b(?= (?:it|this|that|them|the|your|now))")
ON_IT = re.compile(
    r"\b(?:on it\b|(?:doing|taking care of|handling) (?:it|this|that|so) (?:right )?(?:now"
    r"|away)|right away[!.]|"
    r"will do\b|consider it done)"
)
HAVE = re.compile(rf"\b(?:i've|i have|we've|we have|i had) {ADVERB}(\w+)\b")
PAST = re.compile(rf"\b(?:i|we) {ADVERB}(\w+)\b")
AND_DID = re.compile(
    rf"(?:,| and|, and|, then| and then) {ADVERB}(\w+)"
    r"(?= (?:it|them|this|that|these|all|both|(?:the|your|an?|two|three|\d+|another) [\w\u00a4]))"
)
PASSIVE = re.compile(
    rf"(?:\b(?:has|have) {ADVERB}been|'s {ADVERB}been|'ve {ADVERB}been|\b(?:is|are|was|were"
    rf"|got)|(?<=it)'s|(?<=that)'s"
    rf"|(?<=they)'re) {ADVERB}(\w+)\b"
)
NOMINAL = re.compile(
    r"\b(\w+) (?:is|are|has|have|was|were|has been|have been|is being)(?: now| just| already| currently)* "
    r"(start(?:ing|ed)|begun|beginning|running|under ?way|in progress|complete|completed|done"
    r"|finished|confirmed|"
    r"successful|processed|finalized|live|succeeded|went through|gone through|made|submitted|placed)\b"
)
ELLIPTIC = re.compile(
    r"^\W*(?:(?:ok(?:ay)?|sure|great|alright|perfect|done|got it|all right|good news|success"
    r"|yes|excellent)\W+){0,3}"
    r"(?:successfully |just )?(\w+)(?: successfully)?(?=\s*(?:[!.:,;]|$)| (?:it|this|that|them"
    r"|the|your|all|both|to|from)\b)"
)
NAMED_OBJECT = re.compile(
    r"^\W*(?:(?:Done|OK|Okay|Sure|Great|Yes)\W+)?([A-Z][a-z]+)(?= (?:[A-Z#]|\d)[^:]* [a-z][^:]*[.!]\W*$)"
)
HEADLINE = re.compile(
    r"^\W*((?:[\w.'&+-]+ ){1,7}?)(?:was |is |has been |successfully |now )*(\w+)(?= "
    r"(?:successfully|to|from|at|(?:for|in|on|across) (?:all|both|each|every|your))\b|\s*[!.:]|$)"
)
DONE = re.compile(
    r"^\W*(?:\w+\W+){0,2}?(?:all (?:done|set)|done|it's done|that's done|it is done|success"
    r"|mission accomplished|"
    r"everything is (?:done|set))\s*(?=[!.,:;]|$| -|\u00a4)|\b(?:it's|that's|this is|it is|has "
    r"been|is) (?:now |all )?"
    r"(?:done|taken care of|all set|been taken care of)\b|\btaken care of\b|\b(?:went|gone) "
    r"through\b|\bworked\b"
)
