"""Markup in every field that a model, a tool, a judge, a file or a user can fill: none of it is ever run."""

from page_documents import PAYLOADS, document, hostile_document

BATCH = 27


def tags(page) -> set[str]:
    return set(
        page.evaluate(
            "[...new Set([...document.querySelectorAll('*')].map(one => one.tagName.toLowerCase()))]"
        )
    )


def test_there_are_a_hundred_payloads():
    assert len(set(PAYLOADS)) >= 100


def test_none_of_them_is_run_and_nobody_outside_is_asked(opened):
    harmless = tags(opened(document(), "#c-refund"))
    for start in range(0, len(PAYLOADS), BATCH):
        page = opened(hostile_document(PAYLOADS[start : start + BATCH]))
        rows = page.locator("details.conversation").count()
        assert rows == 2 * len(PAYLOADS[start : start + BATCH])
        page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
        page.until("[...document.querySelectorAll('[data-piece]')].every(one => one.querySelector('.turn'))")
        page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
        page.locator("input[type=search]").fill(PAYLOADS[start])
        page.wait_for_timeout(300)
        page.keyboard.press("Escape")
        for key in "jnjp":
            page.keyboard.press(key)
        page.wait_for_timeout(100)
        assert page.evaluate("hits") == []
        assert page.problems == []
        assert page.asked == [page.where]
        assert tags(page) <= harmless
        names = page.evaluate(
            "[...new Set([...document.querySelectorAll('*')].flatMap(one => one.getAttributeNames()))]"
        )
        assert not {one for one in names if one.startswith("on")} | {"src", "style", "action"} & set(names)
        assert page.url.startswith(page.where)
        page.close()


def test_an_address_is_text_too(opened):
    page = opened(document())
    for number, one in enumerate(PAYLOADS):
        page.goto(f"{page.where}?{number}#{one}&find={one}&only={one}")
        assert page.evaluate("hits") == []
    assert not page.problems
    assert all(one.startswith((page.where, "about:")) for one in page.asked)
