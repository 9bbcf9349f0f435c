"""Re-judging a frozen set of anchors, and what came of it: baselines, console, Markdown and JSON."""
