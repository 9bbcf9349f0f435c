"""Running conversations: one at a time, and many."""
