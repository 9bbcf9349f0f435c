"""Two experiments side by side: whether they can be compared, what differs, and how sure that is."""
