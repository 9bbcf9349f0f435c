"""Documents drawn: on a terminal, as Markdown, as a page."""
