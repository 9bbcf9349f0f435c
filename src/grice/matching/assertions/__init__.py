"""Assertions as data: reading them, evaluating them, and what comes out."""
