"""Judge a frozen set of anchors again and compare: baselines, console, Markdown and JSON."""
