"""What axe finds on a page, in both schemes and at two widths."""

from axe_playwright_python.sync_playwright import Axe

_ALL = {"resultTypes": ["violations"]}
_COLOURS = {**_ALL, "runOnly": ["color-contrast"]}


def violations(page) -> list[tuple[object, ...]]:
    """What axe finds, and where the page is wider than the screen.

    Dark differs from light by its colours, so only those are looked at there.
    """
    found: list[tuple[object, ...]] = []
    for width in (1440, 360):
        page.set_viewport_size({"width": width, "height": 900})
        for scheme, rules in (("light", _ALL), ("dark", _COLOURS)):
            page.emulate_media(color_scheme=scheme)
            found += [
                (width, scheme, one["id"], [node["html"][:200] for node in one["nodes"][:3]])
                for one in Axe().run(page, options=rules).response["violations"]
            ]
        if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
            found.append((width, "wider than the screen"))
    return found
