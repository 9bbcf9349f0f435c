"""An assistant that answers customers of a bookshop, with several versions of its prompt."""
