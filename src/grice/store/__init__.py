"""Runs and cases in a database that teams share. It is made of journals, and can be made anew from them at
any time.

It needs the extra `store`, for PostgreSQL `postgres` too, and nothing of it is imported before it is used.
"""
