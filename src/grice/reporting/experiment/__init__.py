"""One experiment as text for people, JSON, Markdown and JUnit XML."""
