"""Closed classes of English words."""

from __future__ import annotations

_PRONOUNS = "i you he she it we they this that these those there here who what"
_SUBJECT_FORMS = "i'm i'll i've i'd you're you'll you've you'd he's she's it's it'll we're we'll we've we'd they're they'll they've that's there's here's who's what's let's"

PRONOUNS = frozenset(f"{_PRONOUNS} {_SUBJECT_FORMS}".split())

AUXILIARIES = frozenset(
    "am is are was were be been being do does did have has had having will would shall should can could may might must "
    "isn't aren't wasn't weren't don't doesn't didn't haven't hasn't hadn't won't wouldn't shan't shouldn't can't cannot "
    "couldn't mightn't mustn't ain't needn't".split()
)

CLAUSE_VERBS = AUXILIARIES - {"be", "been", "being", "having", "am"} | frozenset(
    "comes includes offers features weighs costs fits works keeps runs ships provides makes gives needs takes stays "
    "measures supports arrives starts ends goes feels looks covers applies allows requires lets means holds lasts sells "
    "handles performs delivers remains seems helps protects shines excels rides tends please feel let use try check see "
    "contact choose tell add click go".split()
)

PREPOSITIONS = frozenset(
    "about above across after against along amid among around as at before behind below beneath beside besides between "
    "beyond by despite down during except for from in inside into near of off on onto out outside over past per since "
    "through throughout till to toward towards under underneath until up upon via with within without".split()
)

STOP_WORDS = frozenset(
    "a an the and or but nor so yet if then else than that this these those there here who whom whose which what when "
    "where why how i me my mine myself you your yours yourself yourselves he him his himself she her hers herself it its "
    "itself we us our ours ourselves they them their theirs themselves one ones someone somebody something anyone anybody "
    "anything everyone everybody everything each every either neither both all any some most more much many few less "
    "least several such own same other another others no not never none nobody nothing nowhere cannot only just also too "
    "very really quite rather pretty even still already again ever always often usually generally typically sometimes "
    "now today please yes yeah yep ok okay sure well oh hi hello hey thanks thank let lets get gets got getting go goes "
    "going gone come comes make makes made making take takes took give gives gave put like want wants wanted would need "
    "needs needed may might must can could will shall should ought able about above across after against along among "
    "around as at because before behind below beside besides between beyond by despite down during except for from in "
    "inside into near of off on onto out outside over past per since through throughout till to toward towards under "
    "until up upon via with within without while whereas though although however therefore thus hence am is are was were "
    "be been being do does did doing done have has had having s t d ll m re ve".split()
) | AUXILIARIES

NEGATIONS = frozenset(
    "not never cannot nobody nothing none nor neither nowhere hardly barely rarely seldom scarcely ain't cant dont doesnt "
    "didnt isnt arent wasnt wont wouldnt couldnt shouldnt hasnt havent".split()
)
NOUN_NEGATIONS = frozenset("no without zero lacks lack lacking minus sans".split())
WORD_NEGATIONS = frozenset({"non"})
NEGATION_PHRASES = (
    "far from", "anything but", "unable to", "fails to", "fail to", "failed to", "failing to", "free of",
    "free from", "rather than", "instead of", "no longer", "not at all", "by no means", "in no way", "refuse to",
    "refuses to", "stopped being", "not any", "isn't any",
)  # fmt: skip
NOT_NEGATIONS = (
    "not only", "not just", "not merely", "not simply", "not solely", "isn't just", "isn't only", "aren't just",
    "aren't only", "doesn't just", "don't just", "no problem", "no problems", "no problem at all", "no doubt", "no worries",
    "no matter", "no wonder", "no need to worry", "no sweat", "no biggie", "no kidding", "not to mention", "if not",
    "whether or not", "or not", "why not", "why don't", "why doesn't", "no later than", "no more than", "no less than",
    "no fewer than", "not more than", "not less than", "not later than", "no earlier than", "no sooner than", "no bigger than",
    "no larger than", "no heavier than", "no longer than", "nothing but", "none other than", "nothing less than", "never mind", "no other than",
    "can't wait", "cannot wait", "can't go wrong", "cannot go wrong", "couldn't agree more", "don't hesitate",
    "do not hesitate", "don't forget", "do not forget", "don't worry", "do not worry", "not bad", "can't beat", "no one but",
    "no time", "in no time", "no brainer", "no nonsense", "no fuss", "no 1", "not least", "not long ago", "nothing beats",
    "nothing better than", "no exception", "never fails", "can't help but", "not a problem", "not an issue",
)  # fmt: skip
CLAUSE_WORDS = frozenset(
    "but however although though yet because since while whereas unless until if when whenever where wherever which who "
    "whom whose so therefore otherwise instead plus still except once after before whether then".split()
)

OPINION_WORDS = frozenset(
    "amazing awesome beautiful beautifully best better brilliant charming classy clean comfy cool cute delightful elegant "
    "excellent exceptional excited exciting fantastic fancy favorite favourite fine fun gorgeous good great handsome handy "
    "happy ideal impressive incredible inspiring lovely love loved luxurious magnificent marvelous neat nice outstanding "
    "perfect perfectly phenomenal pleasant pleasing popular premium pretty recommend recommended remarkable sleek smart "
    "solid special splendid stellar striking stunning stylish superb super terrific thoughtful timeless top trendy trusty "
    "unbeatable versatile wonderful worth worthwhile worthy bad awful terrible ugly boring disappointing poor decent "
    "sweet killer sharp smooth easy enjoyable iconic classic modern refined reliable dependable winner gem steal bargain "
    "must-have crowd-pleaser go-to standout".split()
)

_COMPARED = (
    "cheap expensive= big small large long short light heavy warm cool cold hot soft hard stiff= fast slow quick strong "
    "weak wide narrow thick thin tall low high deep new old young early late easy= simple= safe= quiet loud= clear= dark "
    "bright rich poor tough= smooth= sharp= rough= tight loose= clean= dry= wet= busy= roomy= comfy= pricey= sturdy= "
    "grippy= bouncy= floaty= playful= close near few great fine nice kind"
)


def _compared() -> tuple[dict[str, str], dict[str, str]]:
    more = {"better": "good", "worse": "bad", "more": "much", "less": "little", "further": "far", "farther": "far", "lesser": "little"}
    most = {"best": "good", "worst": "bad", "most": "much", "least": "little", "furthest": "far", "farthest": "far"}
    for word in _COMPARED.replace("=", "").split():
        if word in ("expensive", "playful"):
            continue
        if word.endswith("e"):
            root = word[:-1]
        elif word.endswith("y"):
            root = f"{word[:-1]}i"
        elif word in ("big", "hot", "thin", "wet"):
            root = word + word[-1]
        else:
            root = word
        more[f"{root}er"] = word
        most[f"{root}est"] = word
    return more, most


COMPARATIVES, SUPERLATIVES = _compared()

GREETINGS = (
    "hi", "hello", "hey", "hiya", "howdy", "greetings", "welcome", "welcome back", "good morning", "good afternoon",
    "good evening", "good day", "hi there", "hello there", "hey there", "dear", "hello again", "hi again",
)  # fmt: skip
PLEASANTRIES = (
    "sure", "sure thing", "of course", "certainly", "absolutely", "definitely", "great", "perfect", "wonderful",
    "excellent", "awesome", "fantastic", "no problem", "no worries", "got it", "understood", "alright", "all right",
    "okay", "ok", "great question", "good question", "excellent question", "that's a great question", "great choice",
    "good choice", "excellent choice", "happy to help", "glad to help", "i'd be happy to help", "i would be happy to help",
    "i'm happy to help", "i am happy to help", "i'd love to help", "my pleasure", "you're welcome", "you are welcome",
    "thanks", "thank you", "thanks for reaching out", "thank you for reaching out", "thanks for asking",
    "thank you for your patience", "thanks for your patience", "thank you for the information", "thanks for letting me know",
    "thank you for confirming", "thanks for confirming", "sounds good", "sounds great", "very well", "right", "yes", "yeah",
    "yep", "well", "oh", "ah", "so", "now", "nice", "cool", "lovely", "gladly", "with pleasure", "i understand", "i see",
    "let me help", "let me check", "let me see", "let's see", "one moment", "just a moment", "please hold on",
)  # fmt: skip
CLOSINGS = (
    "let me know", "just let me know", "please let me know", "feel free", "is there anything else", "anything else",
    "have a great day", "have a nice day", "have a good day", "have a wonderful day", "have a good one", "enjoy your day",
    "hope this helps", "hope that helps", "i hope this helps", "i hope that helps", "how can i help", "how may i help",
    "how can i assist", "how may i assist", "what can i do for you", "happy to help", "glad to help", "i'm here to help",
    "don't hesitate to", "take care", "safe travels", "thank you for choosing", "thanks for choosing", "you're welcome",
    "best regards", "kind regards", "cheers",
)  # fmt: skip

IRREGULAR_PLURALS = {
    "men": "man", "women": "woman", "children": "child", "people": "person", "feet": "foot", "teeth": "tooth",
    "mice": "mouse", "geese": "goose", "knives": "knife", "lives": "life", "wives": "wife", "shelves": "shelf",
    "leaves": "leaf", "halves": "half", "loaves": "loaf", "scarves": "scarf", "calves": "calf", "wolves": "wolf",
    "oxen": "ox", "dice": "die", "criteria": "criterion", "media": "medium", "data": "datum", "indices": "index",
    "analyses": "analysis", "bases": "base", "axes": "axis", "cacti": "cactus", "potatoes": "potato", "tomatoes": "tomato",
    "heroes": "hero", "echoes": "echo", "shoes": "shoe", "toes": "toe", "quizzes": "quiz",
    "thieves": "thief", "matrices": "matrix", "vertices": "vertex", "selves": "self", "elves": "elf",
    "caches": "cache", "headaches": "headache", "aches": "ache", "axles": "axle", "horses": "horse",
}  # fmt: skip

QUESTION_WORDS = frozenset("what which who whom whose when where why how".split())
FIRST_PERSON = frozenset("i me my mine myself we us our ours ourselves i'm i'll i've i'd we're we'll we've we'd".split())
SECOND_PERSON = frozenset("you your yours yourself yourselves you're you'll you've you'd".split())
YES_WORDS = ("yes", "yeah", "yep", "yup", "yes please", "sure", "sure thing", "of course", "absolutely", "definitely", "certainly", "correct", "exactly", "right", "that's right", "ok", "okay", "affirmative", "indeed", "please do", "go ahead", "sounds good", "y", "aye")  # fmt: skip
NO_WORDS = ("no", "nope", "nah", "no thanks", "no thank you", "not really", "definitely not", "of course not", "absolutely not", "certainly not", "not at all", "not yet", "never", "negative", "n", "no way", "nay")  # fmt: skip
