"""Runs and cases in a database that teams share: a projection of journals that can be made anew at any time.

It needs the extra `store`, for PostgreSQL `postgres` too, and nothing of it is imported before it is used.
"""
