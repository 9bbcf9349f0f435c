"""The pages of `grice serve`: what happened in a project, in a browser.

They need `grice[web]`. `site.make_site` makes the application of the service (`grice.api`) with the pages
beside it, `show.page` draws a template, `assets` are the files that pages load, and `routes/` has a module
for each page. (From a checkout htmx comes of the package `django-htmx`.) Adding a page:

    # routes/notes.py
    router = APIRouter(include_in_schema=False)

    @router.get("/notes", dependencies=[READ])
    def notes(request: Request, service: Served) -> Response:
        '''Show the notes.'''
        with service.reading() as connection:
            found = notes_of(connection, service.project)
        return page(request, "notes.html", title="Notes", notes=found)

    {# templates/notes.html #}
    {% extends "base.html" %}
    {% block answer %}3 notes, one of them new{% endblock %}
    {% block content %} ... {% endblock %}

then the router in `site.ROUTERS` and, for a page of its own in the bar above, a line in `show.NAVIGATION`.
The rules:

- A route decides nothing: it asks queries of the store and functions of lower floors. A problem is an
  `ApiError`, told as a page. What changes something is a route of the API: `<button data-post="/api/..."
  data-body='{...}' data-then="/runs/...">`.
- What a report shows is drawn by the macros of the HTML report: `{% from "parts.html" import parts with
  context %}` and `{{ parts(document.parts, 2) }}`, or `{{ page.words(...) }}` of the `PartsDrawing` that
  every template has. Every text that is put into a template is escaped.
- Nothing is inline but SVG: style stands in `static/web.css` (after the report's `page.css`), script in
  `static/web.js`, which finds elements by their `data-` attributes.
- Everything has an address. A filter is a `<form method="get" data-live>`, whose list (`id="list"`) is
  swapped by htmx while the address follows.
- Keys: a row that `j` and `k` go to has `data-row` and a link with `data-open`; `data-bad` marks what `n`
  and `p` go to, `data-up` the link of `u`, and `data-key="c"` gives a link or button a key, which `?` lists
  with its words.
"""
