"""Which name is offered for a wrong one: a typo's, never another thing's."""

import pytest

from grice.text.suggest import did_you_mean, nearest

# what was written, the name that was meant
TYPOS = [
    # a letter too few, too many, another, or two in the wrong order
    ("mathcer", "matcher"),
    ("statos", "status"),
    ("recomend", "recommend"),
    ("adress", "address"),
    ("recieve", "receive"),
    ("usr", "user"),
    ("txt", "text"),
    ("rol", "role"),
    ("sya", "say"),
    ("gaol", "goal"),
    ("nmae", "name"),
    ("al", "all"),
    ("nt", "not"),
    ("htp", "http"),
    ("sed", "seed"),
    ("xpected", "expected"),
    ("lables", "labels"),
    ("knid", "kind"),
    ("leed", "lead"),
    ("expcted", "expected"),
    ("concurency", "concurrency"),
    ("temprature", "temperature"),
    ("flakyness", "flakiness"),
    # two of them in a long word
    ("recomendtion", "recommendation"),
    ("conversaton_histroy", "conversation_history"),
    ("charactristc", "characteristic"),
    # singular and plural, American and British
    ("argument", "arguments"),
    ("turn", "turns"),
    ("scenario", "scenarios"),
    ("labels", "label"),
    ("behavior", "behaviours"),
    ("behaviors", "behaviours"),
    ("labelled", "labeled"),
    ("id", "ids"),
    # case, underscore, hyphen, dot
    ("TOCONTAIN", "toContain"),
    ("Expect", "expect"),
    ("pathmatch", "pathMatch"),
    ("path_match", "pathMatch"),
    ("maxturns", "max_turns"),
    ("max-turns", "max_turns"),
    ("maxTurns", "max_turns"),
    ("Tool-Calls", "tool_calls"),
    ("any of", "any_of"),
    ("toolcals", "tool_calls"),
    ("replydata", "reply.data"),
    # both
    ("max_wrods", "max_words"),
    ("emtpy-contents", "empty-content"),
    ("orphan-tool-reslt", "orphan-tool-result"),
    ("get_ordr", "get_order"),
    ("getOrdr", "get_order"),
    ("ignorCase", "ignoreCase"),
    # the little word before a matcher's name
    ("contain", "toContain"),
    ("contains", "toContain"),
    ("equals", "toEqual"),
    ("be_null", "toBeNull"),
    ("matchSchema", "toMatchSchema"),
    ("call_tool", "to_call_tool"),
    ("to_contain_text", "contain_text"),
    # a word cut short, or written out
    ("args", "arguments"),
    ("item.args", "item.arguments"),
    ("arguments", "args"),
    ("maximum", "max"),
    ("replies", "reply"),
    ("query", "queries"),
    ("desc", "description"),
    ("expect_output", "expected_output"),
    ("temp", "temperature"),
    ("SELF_INTRO", "SELF_INTRODUCTION"),
    ("criterion", "criteria"),
    # names of files, modules and addresses
    ("shop.grice.yml", "shop.grice.yaml"),
    ("hous.yaml", "house.yaml"),
    ("my_projct.matchers", "my_project.matchers"),
    ("https://json-schema.org/draft-07/schema#", "http://json-schema.org/draft-07/schema"),
    ("https://json-schema.org/draft/2020-21/schema", "https://json-schema.org/draft/2020-12/schema"),
    ("promt-v2", "prompt-v2"),
    ("gpt-4o-min", "gpt-4o-mini"),
    ("Straße", "STRASSE"),
    ("prénom", "prenom"),
]

# what was written, what there is instead: another thing
OTHER_THINGS = [
    # a tool for a tool, a field for a field
    ("get_order", "refund_order"),
    ("refund_order", "get_order"),
    ("get_order", "set_order"),
    ("get_order", "get_offer_history"),
    ("book_room", "cancel_room"),
    ("book_room", "book_table"),
    ("search_flights", "search_hotels"),
    ("send_email", "read_email"),
    ("create_user", "delete_user"),
    ("list_orders", "list_users"),
    ("add_item", "remove_item"),
    ("min_turns", "max_turns"),
    ("at_most", "at_least"),
    ("start_date", "end_date"),
    ("user_id", "order_id"),
    ("first_name", "last_name"),
    ("is_open", "is_closed"),
    ("tool_use", "tool_calls"),
    ("max_words", "max_turns"),
    ("price_eur", "price_usd"),
    ("total_net", "total_tax"),
    ("input_tokens", "output_tokens"),
    ("notContains", "contains"),
    ("toHaveText", "toHaveLength"),
    ("toBeString", "toBeNull"),
    ("toBeTrue", "toBeTruthy"),
    ("toCountGoats", "toCallTools"),
    ("toMention", "toMatch"),
    ("toBeLessThan", "toBeGreaterThan"),
    # one word for another
    ("include", "exclude"),
    ("quality", "validity"),
    ("quantity", "quality"),
    ("pass", "fail"),
    ("get", "set"),
    ("user", "bot"),
    ("name", "nickname"),
    ("reply", "turn"),
    ("prompt", "reply"),
    ("inbound", "outbound"),
    ("enabled", "disabled"),
    ("positive", "negative"),
    ("internal", "external"),
    ("greeting", "meeting"),
    ("approved", "improved"),
    ("cost", "context"),
    ("run", "return"),
    ("order", "border_color"),
    ("matcher", "teacher"),
    ("title", "subtitle"),
    ("total", "subtotal"),
    ("text", "context"),
    ("able", "timetable"),
    ("id", "in"),
    ("on", "or"),
    ("a", "b"),
    ("x", "y"),
    ("to", "on"),
    ("zebra", "matcher"),
    ("openai", "anthropic"),
    ("json", "yaml"),
    ("low", "high"),
    ("once", "none"),
    ("new", "none"),
    ("main", "mine"),
    # another number
    ("gpt-4", "gpt-5"),
    ("prompt-v2", "prompt-v3"),
    ("reply-9", "reply-2"),
    ("toolu_01", "toolu_02"),
    ("order-1001", "order-1007"),
    ("layer-1", "layer-2"),
    ("2024-01-31", "2024-01-30"),
    # another file
    ("a.golden.json", "b.golden.json"),
    ("rooms.json", "venues.json"),
    ("shop.json", "shop.yaml"),
    # a word that only begins so
    ("order", "order_history_of_the_customer"),
    ("expect", "expect_no_tool_call"),
    ("user", "user_message"),
    ("time", "timeout"),
    ("time", "timestamp"),
    ("user", "username"),
    ("check", "checkout"),
    ("date", "datetime"),
    ("pass", "password"),
    ("con", "contains"),
    ("pos", "possession"),
]


@pytest.mark.parametrize(("written", "meant"), TYPOS)
def test_a_typo_is_offered_what_was_meant(written, meant):
    assert did_you_mean(written, ["zzzzz", meant, "to"]) == f" (did you mean '{meant}'?)"


@pytest.mark.parametrize(("written", "other"), OTHER_THINGS)
def test_another_thing_is_never_offered(written, other):
    assert did_you_mean(written, [other]) == ""
    assert did_you_mean(other, [written]) == ""


@pytest.mark.parametrize(
    ("written", "known", "offered"),
    [
        ("contain", ["toContain", "contains"], "contains"),
        ("call", ["call_tool", "calls"], "calls"),
        ("max_word", ["max_work", "max_words", "MAX_WORD"], "MAX_WORD"),
        ("atmost", ["at_most", "atMost"], "atMost"),
        ("", ["a"], ""),
        ("a", [], ""),
        ("!!!", ["???"], ""),
        ("x" * 1_000_000, ["x"], ""),
        ("x", ["x" * 1_000_000], ""),
    ],
)
def test_the_nearest_of_several_is_offered(written, known, offered):
    assert nearest(written, known) == offered
