"""The Jest-style matchers on texts, values, numbers, objects and lists."""
