"""A file a revision. Nothing here changes once it is released: databases stand at each of them."""
