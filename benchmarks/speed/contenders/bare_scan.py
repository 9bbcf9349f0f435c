"""The bare loop of the log: typed records, an RE2 set before the exact rules, one field of a JSON reply."""

import msgspec
import re2
from bare_checks import LOG_RULES  # type: ignore[import-not-found]  # beside this script


class Turn(msgspec.Struct):
    assistant: str


class Logged(msgspec.Struct):
    id: str
    turns: list[Turn]


class Order(msgspec.Struct):
    status: str


class Details(msgspec.Struct):
    order: Order


def main() -> None:
    options = re2.Options()
    options.case_sensitive = False
    options.log_errors = False
    rules = re2.Set.SearchSet(options)
    for rule in LOG_RULES:
        rules.Add(rule.pattern)
    rules.Compile()
    read, read_details = msgspec.json.Decoder(Logged).decode, msgspec.json.Decoder(Details).decode
    count = failed = 0
    with open("log.jsonl", "rb") as lines:
        for line in lines:
            replies = [turn.assistant for turn in read(line).turns]
            bad = bool(rules.Match("\n\0\n".join(replies))) and any(
                rule.search(reply) for rule in LOG_RULES for reply in replies
            )
            bad |= read_details(replies[2]).order.status != "shipped"
            count, failed = count + 1, failed + bad
    print(f"{failed} of {count} conversations failed")


main()
