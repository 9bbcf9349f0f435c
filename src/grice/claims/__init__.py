"""What a text says, bound to what it is about, and the facts that it can be held against."""
